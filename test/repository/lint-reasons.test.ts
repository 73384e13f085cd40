// Tests that every disabled check has a reason next to it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url).pathname;
const isReason = (line: string | undefined): boolean => /^\s*\/\/ \S/.test(line ?? '');

/** Returns the matching lines that have no reason above them or above their group of rules. */
function withoutReason(file: string, isOff: RegExp): string[] {
  const lines = readFileSync(root + file, 'utf8').split('\n');
  return lines.filter((line, i) => {
    if (!isOff.test(line)) return false;
    const group = /"rules": \{/.test(line)
      ? i
      : lines.findLastIndex((at, j) => j < i && /"rules": \{/.test(at));
    return !isReason(lines[i - 1]) && !isReason(lines[group - 1]);
  });
}

test('a rule of the linter that is off has a reason', () => {
  assert.deepEqual(withoutReason('.oxlintrc.json', /"off"/), []);
});

test('a check of the compiler that is off has a reason', () => {
  assert.deepEqual(withoutReason('tsconfig.json', /": false,?$/), []);
});

test('a rule without a reason is found', () => {
  assert.ok(withoutReason('.oxlintrc.json', /"eqeqeq"/).length === 1);
});
