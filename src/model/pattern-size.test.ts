// Tests of the size of expressions, against the programs that they become.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RE2JS } from 're2js';
import { patternSize } from './pattern-size.ts';

test('what looks small and is not', () => {
  const isLarge = (expression: string): boolean => patternSize(expression) > 100_000;
  assert.ok(isLarge('(a{1000}){1000}'));
  assert.ok(isLarge('((((a?){30}){30}){30}){30}'));
  assert.ok(isLarge('(?:(?:.{0,100}){0,10}){0,10}'));
  assert.ok(isLarge('(?P<name>[a-z]{1,300}){2,300}'));
  assert.ok(isLarge('(?:.{0,1000})'.repeat(50)));
  assert.ok(isLarge(`[${String.raw`\pL\pN\pS`.repeat(5000)}]`));
});

test('what looks large and is not', () => {
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

test('a program has not many more steps than were told', () => {
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
