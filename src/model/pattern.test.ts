import { test } from 'node:test';
import { RE2JS } from 're2js';
import { compileSearch, patternSize, createNameMatcher, type NameSearchMode } from './pattern.ts';
import { AppError } from '../base/errors.ts';
import { isFull } from '../base/testing/rounds.ts';

import assert from 'node:assert/strict';

test('patterns that look small and are large', () => {
  const isLarge = (expression: string): boolean => patternSize(expression) > 100_000;
  assert.ok(isLarge('(a{1000}){1000}'));
  assert.ok(isLarge('((((a?){30}){30}){30}){30}'));
  assert.ok(isLarge('(?:(?:.{0,100}){0,10}){0,10}'));
  assert.ok(isLarge('(?P<name>[a-z]{1,300}){2,300}'));
  assert.ok(isLarge('(?:.{0,1000})'.repeat(50)));
  assert.ok(isLarge(`[${String.raw`\pL\pN\pS`.repeat(5000)}]`));
});

test('patterns that look large and are small', () => {
  const check = (expression: string, most: number): void => {
    const size = patternSize(expression);
    assert.ok(size <= most, `${expression.slice(0, 40)}: ${size}`);
  };
  check('web-[0-9]+', 20);
  check('[0-9a-f]{64}', 1000);
  check(String.raw`a\{1000}b`, 20);
  check(String.raw`[({1000}]`, 20);
  check(String.raw`\Q(a{1000}){1000}\E`, 30);
  check('(?i)(?:api|web)\\.example\\.com', 40);
  check(Array.from({ length: 100 }, (_, i) => `pod-${i}-.*`).join('|'), 1500);
});

test('a program does not have many more steps than estimated', () => {
  const pieces = ['a', '.', '[a-z]', String.raw`\d`, '(b|c)', '(?:x?)', 'y*', '(z{3}){2}', '|'];
  for (let i = 0; i < 400; i += 1) {
    const repeats = ['', '{5}', '{0,9}', '*', '+?'];
    const parts = Array.from({ length: 1 + (i % 5) }, (_, part) => {
      const piece = pieces[(i * 7 + part * 5) % pieces.length];
      return `(?:${piece})${repeats[(i + part) % repeats.length]}`;
    });
    const expression = `(?:${parts.join('')}){${1 + (i % 3)}}`;
    const steps = RE2JS.compile(expression).programSize();
    assert.ok(steps <= patternSize(expression) * 2 + 5, `${expression}: ${steps}`);
  }
});

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

test('text that is no expression is an error', () => {
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

/** Patterns on which backtracking engines practically never end; `x` stands for one letter. */
const catastrophic = [
  '(x+)+$',
  '(x*)*$',
  '(x|x)*$',
  '(x|xx)+$',
  '(x|x?)+$',
  '(x+x+)+$',
  '^(x+)*b$',
  '(x*)+b',
  '(.*x){9}$',
  '(x?){9}x{9}$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(x+){9}$',
  '((x+)?)+$',
  '^(x|[ab]|xa)*$',
  '(x+|b+|c+)*c$',
  '^((x)*)*((x)*)*$',
  '(x{1,9})+$',
  '(?:x+?)+?$',
  '^(x+)(x+)(x+)(x+)c$',
  '(x[ab]?)+?$',
  '(x|b)*?c$',
];
const letters = ['a', '[a-z]', String.raw`\w`, '(?:a|b)', '[^!]'];

/** CPU time that is too long for one string of 10 KiB, in microseconds. */
const slowMicros = 50_000;

test('100 patterns that take other engines for ever answer at once', () => {
  const long = `${'a'.repeat(10_240)}!`;
  const short = `${'a'.repeat(14)}!`;
  const patterns = new Set(
    catastrophic.flatMap((one) => letters.map((x) => one.replaceAll('x', x))),
  );
  assert.equal(patterns.size, 101);
  const slow: string[] = [];
  for (const pattern of patterns) {
    const matches = compileSearch(pattern);
    const start = process.threadCpuUsage();
    assert.equal(matches(long), new RegExp(pattern, 's').test(short), pattern);
    const { user, system } = process.threadCpuUsage(start);
    if (user + system > slowMicros) slow.push(pattern);
  }
  if (isFull) assert.deepEqual(slow, []);
});
