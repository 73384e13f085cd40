// Tests of the names that a search finds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { createNameMatcher } from './name-matcher.ts';
import type { NameSearchMode } from './name-matcher.ts';

function check(text: string, mode: NameSearchMode, want: readonly string[]): void {
  const names = ['runtime.mallocgc', 'main.Malloc', 'a.b', 'aXb', 'straße', 'STRASSE', ''];
  assert.deepEqual(names.filter(createNameMatcher({ text, mode })), want);
}

test('names contain a text, in either case or as written, or a match of an expression', () => {
  check('malloc', 'text', ['runtime.mallocgc', 'main.Malloc']);
  check('MALLOC', 'text', ['runtime.mallocgc', 'main.Malloc']);
  check('malloc', 'case', ['runtime.mallocgc']);
  check('a.b', 'text', ['a.b']);
  check('a.b', 'regex', ['a.b', 'aXb']);
  check('^MAIN', 'regex', ['main.Malloc']);
  check('c$|^$', 'regex', ['runtime.mallocgc', 'main.Malloc', '']);
  check('nothing', 'regex', []);
});

test('an expression that is none is an error', () => {
  assert.throws(
    () => createNameMatcher({ text: 'a(b', mode: 'regex' }),
    (error) => {
      assert.ok(error instanceof AppError);
      assert.equal(error.code, 'invalid-argument');
      assert.match(error.message, /^cannot compile regular expression: .*`a\(b`/);
      return true;
    },
  );
});

test('an expression that would take long is refused', () => {
  assert.throws(
    () => createNameMatcher({ text: 'a{900}b{900}', mode: 'regex' }),
    /it would have about \d+ steps, the limit is/,
  );
});
