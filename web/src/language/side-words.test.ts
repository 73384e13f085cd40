// Tests of words for the sides of a comparison.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseName, sideWords } from './side-words.ts';

test('each side has a word that says how it differs from the other one', () => {
  const check = (query: string, before: string, now: string) =>
    assert.deepEqual(sideWords(query), { before, now }, query);
  check('diff(cpu{a="b"} offset 1h, cpu{a="b"}) | top 3', 'before', 'now');
  check('diff(cpu, cpu offset 1h)', 'now', 'before');
  check('diff(cpu offset -1h, cpu)', 'after', 'now');
  check('diff(cpu offset 2h, cpu offset 1h)', 'before', 'now');
  check('diff(cpu except @ 5 to 7, cpu @ 5 to 7)', 'the rest', 'this time');
  check('diff(cpu @ 5 to 7, cpu except @ 5 to 7)', 'this time', 'the rest');
  check('diff(cpu{v="v1", a="b"}, cpu{v="v2", a="b"}) | focus "x"', 'v1', 'v2');
  check('diff(cpu{job="old"} | hide "x", cpu{job="new"} | hide "x")', 'old', 'new');
});

test('sides that differ by more than a time or a label are A and B', () => {
  for (const query of [
    'cpu',
    'diff(cpu, cpu)',
    'diff(cpu{}, cpu{job="t"})',
    'diff(cpu{v="v1"} offset 1h, cpu{v="v2"})',
    'diff(cpu{v="v1", a="b"}, cpu{v="v2", a="c"})',
    'diff(cpu{v="v1"} | hide "x", cpu{v="v2"})',
    'diff(cpu{a="b"} except @ 5 to 7, cpu @ 5 to 7)',
    'diff(cpu @ 5 to 7, cpu @ 8 to 9)',
    'diff(cpu{v=""}, cpu{v="v2"})',
    `diff(cpu{v="v1"}, cpu{v="${'v2'.repeat(20)}"})`,
  ]) {
    assert.deepEqual(sideWords(query), { before: 'A', now: 'B' }, query);
  }
});

test('what a comparison compares with has a name that stands by itself', () => {
  const check = (query: string, want: string) => assert.equal(baseName(query), want, query);
  check('diff(cpu offset 1h, cpu)', 'the time before');
  check('diff(cpu, cpu offset 1h)', 'now');
  check('diff(cpu offset -1h, cpu)', 'the time after');
  check('diff(cpu except @ 5 to 7, cpu @ 5 to 7)', 'the rest of the range');
  check('diff(cpu @ 5 to 7, cpu except @ 5 to 7)', 'the selected time');
  check('diff(cpu, cpu @ 5 to 7)', 'the whole range');
  check('diff(cpu{v="v1"}, cpu{v="v2"})', 'v1');
  check('diff(cpu{a="b"}, mem)', 'A');
});
