// Tests of matchers: anchoring, absent labels, lists of values, expressions that are too large.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { createMatcher, literalAlternatives } from './matcher.ts';

function matched(expression: string, values: readonly string[]): string[] {
  const is = createMatcher('job', '=~', expression);
  const isNot = createMatcher('job', '!~', expression);
  const found = values.filter((value) => is.matches(value));
  assert.deepEqual(
    values.filter((value) => !isNot.matches(value)),
    found,
  );
  return found;
}

test('expressions match whole values, newlines too', () => {
  assert.deepEqual(matched('we.', ['web', 'web-1', 'aweb', 'we\n', 'we']), ['web', 'we\n']);
  assert.deepEqual(matched('.*', ['', 'a\nb']), ['', 'a\nb']);
});

test('lists of values are those of the expression', () => {
  const values = ['', 'a', 'b', 'a|b', 'a.b', 'axb', 'b\\', 'ä', '-', 'aa', '|'];
  assert.deepEqual(matched('', values), ['']);
  assert.deepEqual(matched('a|b', values), ['a', 'b']);
  assert.deepEqual(matched('a|', values), ['', 'a']);
  assert.deepEqual(matched('|ä', values), ['', 'ä']);
  assert.deepEqual(matched('a||b', values), ['', 'a', 'b']);
  assert.deepEqual(matched('|', values), ['']);
  assert.deepEqual(matched(String.raw`a\|b|a\.b`, values), ['a|b', 'a.b']);
  assert.deepEqual(matched(String.raw`b\\|\-`, values), ['b\\', '-']);
  assert.deepEqual(matched(String.raw`\|`, values), ['|']);
  assert.deepEqual(matched('(a|b)', values), ['a', 'b']);
  assert.deepEqual(matched('(?:a|)', values), ['', 'a']);
  assert.deepEqual(matched(String.raw`(a|b\\)`, values), ['a', 'b\\']);
  const many = Array.from({ length: 2000 }, (_, i) => `pod-${i}`);
  assert.deepEqual(matched(many.join('|'), ['pod-1999', 'pod-2000']), ['pod-1999']);
  assert.deepEqual(matched(`(${many.join('|')})`, ['pod-1999', 'pod-2000']), ['pod-1999']);
  for (const other of ['(a)(b)', '(a|b)|c', '((a|b))', '()?']) {
    assert.equal(literalAlternatives(other), undefined);
  }
});

test('expressions that would take long are refused', () => {
  for (const expression of ['(a{900}){900}', '(?:.{0,900})'.repeat(50), 'x.|'.repeat(5000)]) {
    assert.throws(
      () => createMatcher('job', '=~', expression),
      (error) => {
        assert.ok(error instanceof AppError);
        assert.equal(error.code, 'invalid-argument');
        assert.match(error.message, /of label job: it would have about \d+ steps, the limit is/);
        return true;
      },
    );
  }
});
