// Tests that a query may have a profile type without quotes even if it is not an identifier.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery, parseSelector } from './parse.ts';
import { printQuery, printSelector } from './print.ts';
import { QueryError } from './query.ts';

test('a type in full need not be quoted', () => {
  const check = (type: string): void => {
    for (const [before, after] of [
      ['', ''],
      [' ', ' {}'],
      ['', '{job="x"}'],
      ['', '{job="a:b:c:d:e", pod=~"{.*}"}'],
      ['', '<job="x">'],
      ['', ' offset 1d | focus "a:b"'],
      ['', ' @ 1 to 2'],
      ['', ' except @ 1 to 2 | focus "a:b"'],
      ['', '{job="x"} | top 3'],
      ['', ' | invert'],
    ]) {
      const plain = before + type + after;
      const { operand } = parseQuery(plain);
      assert.ok(operand.kind === 'selector');
      assert.equal(operand.profile?.text, type, plain);
      const want = printQuery(parseQuery(`word${after}`));
      const got = printQuery({
        ...parseQuery(plain),
        operand: { ...operand, profile: { text: 'word' } },
      });
      assert.equal(got, want);
    }
  };
  check('1x:a:b:c:d');
  check('my-cpu:cpu:nanoseconds:cpu:nanoseconds:delta');
  check('a b{c="d"}:x:count:p:u');
  check('http/requests:{request}:1/s::');
  check('größe:bytes:%::delta');
  check('process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta');
});

test('short types are quoted, and mistakes are where they were', () => {
  const check = (text: string, want: string): void =>
    assert.throws(
      () => parseSelector(text),
      (error) => {
        assert.ok(error instanceof QueryError);
        assert.equal(error.message, want);
        return true;
      },
    );
  check('my-cpu', '1:3: expected except, offset, "{", "@", "|" or the end of the query, got "-"');
  check(
    'my-cpu:cpu:nanoseconds{}',
    '1:3: expected except, offset, "{", "@", "|" or the end of the query, got "-"',
  );
  check('a:b:c:d:e{job=}', '1:15: expected a quoted label value, got "}"');
  check(
    'my-cpu:b:c:d:e{job=}',
    '1:3: expected except, offset, "{", "@", "|" or the end of the query, got "-"',
  );
  check(`1:${'{'.repeat(9)}`.repeat(6), '1:1: expected a profile type or "{", got "1:"');
});

test('a printed query quotes such types', () => {
  assert.equal(printSelector(parseSelector('1x:a:b:c:d')), '{__name__="1x:a:b:c:d"}');
});

test('conditions with a mistake are not a type, however many colons they have', () => {
  for (const text of ['{"a:b:c:d:e:delta", job=~"("}', '{__name__="a:b:c:d:e", job=~"("}']) {
    assert.throws(() => parseQuery(text), /cannot compile regular expression/, text);
  }
});
