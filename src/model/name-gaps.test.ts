import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AddressGap,
  areNamesPending,
  isAboutNames,
  joinNameGaps,
  type NameGaps,
  nameGapSentences,
  noNameGaps,
} from './name-gaps.ts';

const nothingUploaded = 'no debug information was uploaded';
const nothingThere = 'its debug information has no function there';

function gap(count: number, binary: string, why: string): AddressGap {
  return { binary, buildId: `id of ${binary}`, why, count };
}

function makeGaps(...addresses: readonly AddressGap[]): NameGaps {
  return { ...noNameGaps, addresses };
}

function check(gaps: NameGaps, ...want: readonly string[]): void {
  assert.deepEqual(nameGapSentences(gaps), want);
  for (const sentence of want) assert.ok(isAboutNames(sentence), sentence);
}

test('an answer says once which names it lacks, whatever the number of binaries', () => {
  check(noNameGaps);
  check(
    makeGaps(gap(1, '/app/server', nothingUploaded)),
    'the name of 1 address in server is missing (no debug information was uploaded)',
  );
  check(
    makeGaps(gap(2, 'C:\\app\\server.exe', nothingUploaded)),
    'names of 2 addresses in server.exe are missing (no debug information was uploaded)',
  );
  check(
    makeGaps(gap(2, '/app/a', nothingThere), gap(3, '/app/a', nothingUploaded)),
    'names of 5 addresses in a are missing (most: no debug information was uploaded)',
  );
  check(
    makeGaps(
      gap(4, '/bin/b', nothingThere),
      gap(1_200, '/usr/bin/python3.11', nothingUploaded),
      gap(4, '/bin/a', nothingThere),
    ),
    'names of 1,208 addresses in 3 binaries are missing; the most in python3.11 ' +
      '(no debug information was uploaded)',
  );
  check(makeGaps(gap(1, '', 'why')), 'the name of 1 address in build id id of  is missing (why)');
});

test('names that are to come are counted apart', () => {
  check(makeGaps(gap(1, '/a', '')), 'the name of 1 address in a is being looked up');
  check(
    makeGaps(gap(2, '/a', ''), gap(3, '/b', '')),
    'names of 5 addresses in 2 binaries are being looked up',
  );
  check(
    makeGaps(gap(2, '/a', ''), gap(3, '/b', 'why')),
    'names of 5 addresses in 2 binaries are missing (in b: why); 2 of them are being looked up',
  );
  check({ ...noNameGaps, pendingLines: 2 }, 'names of 2 lines are being looked up');
  assert.equal(areNamesPending(makeGaps(gap(2, '/a', 'why'))), false);
  assert.equal(areNamesPending(makeGaps(gap(2, '/a', 'why'), gap(1, '/a', ''))), true);
  assert.equal(areNamesPending({ ...noNameGaps, pendingLines: 1 }), true);
});

test('lines that are missing are one sentence, too', () => {
  const lines = ['/bin/b', '/bin/a'].map((binary) => ({ binary, buildId: binary, why: 'why' }));
  check({ ...noNameGaps, lines: [lines[0]] }, 'lines of b are missing (why)');
  check({ ...noNameGaps, lines }, 'lines of 2 binaries are missing (a: why)');
});

test('both sides of a report are one sentence', () => {
  const [a, b] = [gap(2, '/a', 'why'), gap(3, '/b', 'why')];
  const more = gap(5, '/a', 'why');
  assert.deepEqual(joinNameGaps([makeGaps(a), makeGaps(b, more)]), makeGaps(more, b));
  assert.deepEqual(joinNameGaps([]), noNameGaps);
});
