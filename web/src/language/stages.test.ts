// Tests of taking stages away from a query.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stagesOf } from './stages.ts';

test('each stage, and what the query is without it', () => {
  const check = (query: string, want: readonly (readonly [text: string, rest: string])[]): void =>
    assert.deepEqual(
      stagesOf(query),
      want.map(([text, rest]) => ({ text, rest })),
    );
  check('cpu{a="|"}', []);
  check('cpu{a="b"} | focus "x|y"', [['focus "x|y"', 'cpu{a="b"}']]);
  check('cpu | not stack "x" | by (a, b)|top 3', [
    ['not stack "x"', 'cpu | by (a, b)|top 3'],
    ['by (a, b)', 'cpu | not stack "x"|top 3'],
    ['top 3', 'cpu | not stack "x" | by (a, b)'],
  ]);
  check('diff(cpu | hide "x", cpu) | invert', [
    ['hide "x"', 'diff(cpu, cpu) | invert'],
    ['invert', 'diff(cpu | hide "x", cpu)'],
  ]);
});
