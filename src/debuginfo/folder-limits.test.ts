import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neededBytes, planFileRemovals, type RemovableFile } from './folder-limits.ts';

const day = 86_400_000;

function file(key: string, namedAtDay: number, isSpare = false, bytes = 10): RemovableFile {
  return { key, namedAtMillis: namedAtDay * day, isSpare, file: { bytes, uploadedAtMillis: 0 } };
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

test('the only file that named profiles of the last day stays, whatever the limit', () => {
  const today = [file('a', 9.5), file('b', 9.1), file('spare', 9.9, true)];
  check([...three, ...today], { bytesMax: 1 }, 'spare size, old size, middle size, new size');
  check(today, { bytesMax: 1, days: 0.7 }, 'b age, spare size');
  assert.equal(neededBytes([...three, ...today], 10 * day), 20);
  const uploaded = { ...file('uploaded', 0), file: { bytes: 10, uploadedAtMillis: 9.9 * day } };
  check([uploaded, file('c', 9)], { bytesMax: 10 }, 'c size');
  assert.equal(neededBytes([uploaded], 10 * day), 0);
});

test('files that were not used for too long are removed before the size counts', () => {
  check(three, { days: 4, bytesMax: 10 }, 'old age, middle age');
  check(three, { days: 6, bytesMax: 10 }, 'old age, middle size');
});
