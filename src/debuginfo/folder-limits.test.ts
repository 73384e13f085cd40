import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFileRemovals, type RemovableFile } from './folder-limits.ts';

const day = 86_400_000;

function file(key: string, usedAtDay: number, isSpare = false, bytes = 10): RemovableFile {
  return { key, usedAtMillis: usedAtDay * day, isSpare, file: { bytes, uploadedAtMillis: 0 } };
}

function check(
  files: readonly RemovableFile[],
  limits: { readonly bytesMax?: number; readonly days?: number },
  want: string,
): void {
  const { bytesMax = 0, days = 0 } = limits;
  const removals = planFileRemovals(files, { bytesMax, ageMillisMax: days * day }, 10 * day);
  assert.equal(removals.map(({ key, reason }) => `${key} ${reason}`).join(', '), want);
}

const three = [file('new', 9), file('old', 1), file('middle', 5)];

test('without limits everything stays, and what fits does', () => {
  check(three, {}, '');
  check(three, { bytesMax: 30, days: 9 }, '');
});

test('past the size, what was not used for the longest time goes, and no more than needed', () => {
  check(three, { bytesMax: 29 }, 'old size');
  check(three, { bytesMax: 19 }, 'old size, middle size');
  check(three, { bytesMax: 1 }, 'old size, middle size, new size');
});

test('a file with a better one next to it goes first', () => {
  check([...three, file('spare', 9, true)], { bytesMax: 30 }, 'spare size');
});

test('what nobody has used for too long goes, before the size is looked at', () => {
  check(three, { days: 4, bytesMax: 10 }, 'old age, middle age');
  check(three, { days: 6, bytesMax: 10 }, 'old age, middle size');
});
