import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Profile } from 'pprof-format';
import { PprofColumns } from '../pprof/columns.ts';
import { decodePprof } from '../pprof/decode.ts';
import { importProfile } from './import-profile.ts';
import { type CountMeaning, plainCounts } from '../reading/imported-profile.ts';

/** Imports a text, and returns the depth and value of each sample. */
function importSamples(text: string, counts: CountMeaning = plainCounts): [number, bigint][] {
  const context = { timeNanos: 1n, durationNanos: 0n, counts };
  const {
    profiles: [{ pprof }],
  } = importProfile(new TextEncoder().encode(text), context);
  return Profile.decode(pprof).sample.map(({ locationId, value }) => [
    locationId.length,
    BigInt(value[0]),
  ]);
}

test('a first line of any length tells the format', () => {
  const deep = Array.from({ length: 3_000 }, (_, i) => `f${i}`).join(';');
  const comment = `# ${'metadata '.repeat(1_000)}`;
  assert.deepEqual(importSamples(`${deep} 7\n`), [[3_000, 7n]]);
  assert.deepEqual(importSamples(`${comment}\na;b 7\n`), [[2, 7n]]);
  assert.deepEqual(importSamples(`${'long'.repeat(2_000)} 7\n`), [[1, 7n]]);
  assert.deepEqual(importSamples('a;b\na;c\n'), [
    [2, 1n],
    [2, 1n],
  ]);
});

test('a count that is not a whole number of int64 is refused with its line', () => {
  assert.deepEqual(importSamples('a;b 9223372036854775807\n'), [[2, 9223372036854775807n]]);
  for (const count of ['-10', '1.5', '1e3', '+1', '12345678901234567890']) {
    assert.throws(() => importSamples(`a;b 1\na;b ${count}\n`), {
      message: `cannot read collapsed stacks: line 2 has the count ${count}, not a whole number at byte 6`,
    });
    assert.throws(() => importSamples(`a;b ${count}\n`), /line 1 has the count/);
  }
  const tooLarge = /line 2 counts more than int64 holds at byte 6$/;
  assert.throws(() => importSamples('a;b 1\na;b 9223372036854775808\n'), tooLarge);
  assert.throws(
    () => importSamples('a;b 1\na;b 922337203685477581\n', { ...plainCounts, factor: 10n }),
    tooLarge,
  );
});

/** Returns the time offsets of each sample in the first profile, in milliseconds. */
function importOffsets(text: string): number[][] {
  const context = { timeNanos: 1n, durationNanos: 0n, counts: plainCounts };
  const {
    profiles: [{ pprof }],
  } = importProfile(new TextEncoder().encode(text), context);
  const columns = new PprofColumns();
  decodePprof(pprof, columns);
  const { count, offsetStart, offsets } = columns.offsets;
  return Array.from({ length: count }, (_, i) =>
    Array.from(offsets.subarray(offsetStart[i], offsetStart[i + 1]), (nanos) => nanos / 1e6),
  );
}

test('times of samples are kept where a format has them', () => {
  const sample = (seconds: string): string =>
    `app 1 ${seconds}: 10101010 cpu-clock:\n\t 401000 main (/bin/app)\n\n`;
  const perf = ['7.000000', '7.250000', '8.500000'].map(sample).join('');
  assert.deepEqual(importOffsets(perf), [[0], [250], [1_500]]);
  assert.deepEqual(importOffsets('a;b 3\n'), []);
  const firefox = (times: object): string =>
    JSON.stringify({
      meta: { startTime: 1_790_000_000_000, interval: 1, version: 30 },
      threads: [
        {
          name: 'main',
          samples: { stack: [0, 1, 0], ...times },
          stackTable: { frame: [0, 1], prefix: [null, null] },
          frameTable: { func: [0, 1] },
          funcTable: { name: [0, 1] },
          stringArray: ['a', 'b'],
        },
      ],
    });
  assert.deepEqual(importOffsets(firefox({ time: [10, 20, 35] })), [[10, 35], [20]]);
  assert.deepEqual(importOffsets(firefox({ timeDeltas: [10, 10, 15] })), [[10, 35], [20]]);
});
