// Tests that deploys are found from the CPU time of versions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDeploys } from './deploys.ts';

/**
 * Checks the deploys of versions such as `a=99..`: each digit is the CPU time of the version in one
 * step, and `.` means no CPU time.
 */
function check(text: string, want: string): void {
  const words = text.split(' ').filter((word) => word !== '');
  const lines = words.map((word) => {
    const [version, digits] = word.split('=');
    const seen = digits
      .split('')
      .flatMap((digit, i) => (digit === '.' ? [] : [[i, Number(digit)]]));
    return {
      version,
      startMillis: seen.map(([i]) => i * 10),
      values: seen.map(([, value]) => value),
    };
  });
  const got = findDeploys('version', lines, 10).map(
    ({ before, version, startMillis, doneMillis }) =>
      `${before}>${version} ${startMillis}-${doneMillis}`,
  );
  assert.equal(got.join(', '), want);
}

test('a version that takes over is a deploy', () => {
  check('a=9999', '');
  check('a=99.. b=..99', 'a>b 20-30');
  check('a=998521. b=..148999', 'a>b 20-50');
  check('a=99....9 b=..99... c=....99.', 'a>b 20-30, b>c 40-50, c>a 60-70');
});

test('versions next to each other are none, nor is one that goes again', () => {
  check('a=5555 b=5555', '');
  check('a=998899 b=..21..', '');
  check('', '');
});

test('steps without profiles', () => {
  check('a=99...... b=......99', 'a>b 60-70');
});
