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

test('files within the limits, or without limits, stay', () => {
  check(three, {}, '');
  check(three, { bytesMax: 30, days: 9 }, '');
});

test('past the size, the least recently used files are removed, and no more than needed', () => {
  check(three, { bytesMax: 29 }, 'old size');
  check(three, { bytesMax: 19 }, 'old size, middle size');
  check(three, { bytesMax: 1 }, 'old size, middle size, new size');
});

test('a file of a build id with a better file is removed first', () => {
  check([...three, file('spare', 9, true)], { bytesMax: 30 }, 'spare size');
});

test('files that were not used for too long are removed before the size counts', () => {
  check(three, { days: 4, bytesMax: 10 }, 'old age, middle age');
  check(three, { days: 6, bytesMax: 10 }, 'old age, middle size');
});
