// Tests merging of random chunks: every profile appears once, in order, with its rows, and the
// windows have the same sums.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactionChunkRowsMax } from '../limits.ts';
import { randomBelow, seededRandom, type Random } from '../../base/random.ts';
import type { ChunkInput } from '../chunk/chunk-data.ts';
import type { TimeRange } from '../interface.ts';
import { ChunkBuilder } from './chunk-builder.ts';
import { dayNanos } from '../block/block-facts.ts';
import { RollupBuilder } from './rollup-builder.ts';
import { mergeStream, type MergeSource } from './stream-merger.ts';

const hour = 3_600_000_000_000n;

interface Profile {
  readonly time: bigint;
  readonly hash: number;
  readonly period: bigint;
  /** Rows as [stack, sample labels, values ...]. */
  readonly rows: readonly (readonly [number, number, ...bigint[]])[];
}

function randomProfile(random: Random, valueColumns: number, isLabelled: boolean): Profile {
  const rows = Array.from({ length: randomBelow(random, 8) }, (_, i): Profile['rows'][number] => [
    i * 5 + randomBelow(random, 5) + 1,
    isLabelled ? randomBelow(random, 3) : 0,
    ...Array.from({ length: valueColumns }, () => BigInt(random.uint32()) * 0x1_2345_6789n),
  ]);
  const time = BigInt(randomBelow(random, 3 * 86_400)) * 1_000_000_000n;
  return { time, hash: 1 + randomBelow(random, 5), period: 10n, rows };
}

function buildChunk(profiles: readonly Profile[], valueColumns: number): ChunkInput {
  const builder = new ChunkBuilder(valueColumns);
  for (const { time, hash, period, rows } of profiles) {
    builder.add(
      { timeNanos: time, durationNanos: 3n, period, contentHash: hash },
      {
        stacks: Uint32Array.from(rows, ([stack]) => stack),
        sampleLabels: Uint32Array.from(rows, ([, labels]) => labels),
        values: Array.from({ length: valueColumns }, (_, valueColumn) =>
          BigInt64Array.from(rows, ([, , ...values]) => values[valueColumn]),
        ),
        first: 0,
        end: rows.length,
      },
    );
  }
  return builder.take();
}

function readProfiles(chunk: ChunkInput): Profile[] {
  return Array.from({ length: chunk.profileCount }, (_, i) => ({
    time: chunk.timeNanos[i],
    hash: chunk.contentHash?.[i] ?? 0,
    period: chunk.period[i],
    rows: Array.from({ length: chunk.rowStart[i + 1] - chunk.rowStart[i] }, (_row, j) => {
      const row = chunk.rowStart[i] + j;
      const values = chunk.values.map((column) => BigInt.asIntN(64, column[row]));
      return [chunk.stacks[row], chunk.sampleLabels?.[row] ?? 0, ...values] as const;
    }),
  }));
}

/** Makes a source with small chunks of profiles. Its translator adds 1000 to each stack row. */
function makeSource(
  random: Random,
  profiles: readonly Profile[],
  valueColumns: number,
  deleted: readonly TimeRange[] = [],
): MergeSource {
  const sorted = profiles.toSorted((a, b) => Number(a.time - b.time));
  async function* chunks(): AsyncGenerator<ChunkInput> {
    for (let first = 0; first < sorted.length;) {
      const end = first + 1 + randomBelow(random, 20);
      yield buildChunk(sorted.slice(first, end), valueColumns);
      first = end;
    }
  }
  const translator = { stack: (row: number) => row + 1000, sampleLabels: (row: number) => row + 7 };
  return { chunks: chunks(), translator, createdNanos: 0n, deleted };
}

function translated({ rows, ...rest }: Profile): Profile {
  const moved = rows.map(([stack, labels, ...values]): Profile['rows'][number] => [
    stack + 1000,
    labels === 0 ? 0 : labels + 7,
    ...values.map((value) => BigInt.asIntN(64, value)),
  ]);
  return { ...rest, rows: moved };
}

async function merged(
  valueColumns: number,
  sources: readonly MergeSource[],
  hashesFrom = 0n,
): Promise<{ chunks: Profile[][]; counts: Awaited<ReturnType<typeof mergeStream>> }> {
  const chunks: Profile[][] = [];
  const counts = await mergeStream(new ChunkBuilder(valueColumns), sources, hashesFrom, {
    addChunk: async (chunk) => void chunks.push(readProfiles(chunk)),
  });
  return { chunks, counts };
}

test('profiles of all sources come once, in order of time, without those deleted', async () => {
  const random = seededRandom(11);
  for (let round = 0; round < 60; round += 1) {
    const valueColumns = 1 + randomBelow(random, 3);
    const isLabelled = round % 2 === 0;
    const known = new Set<string>();
    const deletedFrom = BigInt(randomBelow(random, 3)) * dayNanos;
    const deleted = round % 3 === 0 ? [{ from: deletedFrom, to: deletedFrom + 5n * hour }] : [];
    const bySource = Array.from({ length: randomBelow(random, 5) }, () =>
      Array.from({ length: randomBelow(random, 60) }, () =>
        randomProfile(random, valueColumns, isLabelled),
      ).filter(({ time, hash }) => {
        const key = `${time} ${hash}`;
        return !known.has(key) && known.add(key);
      }),
    );
    const { chunks, counts } = await merged(
      valueColumns,
      bySource.map((profiles) => makeSource(random, profiles, valueColumns, deleted)),
    );
    const isDeleted = ({ time }: Profile): boolean =>
      deleted.some(({ from, to }) => from <= time && time <= to);
    const all = bySource.flat();
    const want = all
      .filter((profile) => !isDeleted(profile))
      .toSorted((a, b) => Number(a.time - b.time))
      .map(translated);
    assert.deepEqual(chunks.flat(), want);
    for (const chunk of chunks) {
      assert.equal(new Set(chunk.map(({ time }) => time / dayNanos)).size, 1);
    }
    assert.deepEqual(counts, {
      profiles: want.length,
      rows: want.reduce((sum, { rows }) => sum + rows.length, 0),
      duplicates: 0,
      deleted: all.length - want.length,
    });
  }
});

test('a profile that is in two blocks is taken once; another of the same time stays', async () => {
  const random = seededRandom(3);
  const one: Profile = { time: 5n, hash: 9, period: 1n, rows: [[1, 0, 4n]] };
  const other: Profile = { ...one, hash: 8 };
  const unknown: Profile = { ...one, hash: 0 };
  const { chunks, counts } = await merged(1, [
    makeSource(random, [one, unknown], 1),
    makeSource(random, [one, other, unknown], 1),
  ]);
  assert.deepEqual(chunks, [[one, unknown, other, unknown].map(translated)]);
  assert.equal(counts.duplicates, 1);
});

test('content hashes are forgotten when retries can no longer come', async () => {
  const random = seededRandom(3);
  const old: Profile = { time: 5n, hash: 9, period: 1n, rows: [] };
  const young: Profile = { ...old, time: 6n };
  const late: Profile = { ...old, time: 4n };
  const { chunks } = await merged(
    1,
    [
      { ...makeSource(random, [old, young], 1), createdNanos: 5n },
      { ...makeSource(random, [late], 1), createdNanos: 6n },
    ],
    6n,
  );
  assert.deepEqual(chunks, [[late, { ...old, hash: 0 }, young]]);
});

test('a chunk ends before it has too many rows', async () => {
  const rows = Array.from({ length: compactionChunkRowsMax / 2 + 1 }, (_, i) => i + 1).map(
    (stack): Profile['rows'][number] => [stack, 0, 1n],
  );
  const profiles = [1n, 2n].map((time): Profile => ({ time, hash: 0, period: 1n, rows }));
  const { chunks } = await merged(1, [makeSource(seededRandom(1), profiles, 1)]);
  assert.deepEqual(
    chunks.map((chunk) => chunk.map(({ time }) => time)),
    [[1n], [2n]],
  );
});

type Sums = Map<string, readonly bigint[]>;

function addSums(profiles: readonly Profile[]): Sums {
  const sums: Sums = new Map();
  for (const { rows } of profiles) {
    for (const [stack, labels, ...values] of rows) {
      const key = `${stack} ${labels}`;
      const before = sums.get(key);
      sums.set(
        key,
        values.map((value, i) => BigInt.asIntN(64, value + (before?.[i] ?? 0n))),
      );
    }
  }
  return sums;
}

function rollUp(
  profiles: readonly Profile[],
  valueColumns: number,
): { windowSeconds: number; windows: Profile[] }[] {
  const builder = new RollupBuilder(valueColumns);
  for (const profile of profiles) {
    const { stacks, sampleLabels, values } = buildChunk([profile], valueColumns);
    const rows = { stacks, sampleLabels, values, first: 0, end: stacks.length };
    builder.add(profile.time, profile.period, rows);
  }
  return builder
    .finish()
    .map(({ windowSeconds, chunk }) => ({ windowSeconds, windows: readProfiles(chunk) }));
}

test('windows sum exactly what their profiles do, wrapping included', () => {
  const random = seededRandom(17);
  for (let round = 0; round < 2; round += 1) {
    const valueColumns = 1 + randomBelow(random, 2);
    const profiles = Array.from({ length: 12_000 }, () => {
      const profile = randomProfile(random, valueColumns, round % 2 === 0);
      return { ...profile, time: profile.time % dayNanos };
    }).sort((a, b) => Number(a.time - b.time));
    const rollups = rollUp(profiles, valueColumns);
    assert.deepEqual(
      rollups.map(({ windowSeconds }) => windowSeconds),
      [3_600, 21_600],
    );
    for (const { windowSeconds, windows } of rollups) {
      const length = BigInt(windowSeconds) * 1_000_000_000n;
      const starts = new Set(profiles.map(({ time }) => time - (time % length)));
      assert.deepEqual(
        windows.map(({ time }) => time),
        [...starts],
      );
      for (const window of windows) {
        const inside = profiles.filter(
          ({ time }) => time >= window.time && time < window.time + length,
        );
        assert.deepEqual(addSums([window]), addSums(inside));
        assert.equal(window.period, 10n);
      }
    }
  }
});

test('no rollup where periods differ, or where it would save too little', () => {
  const row: Profile['rows'][number] = [1, 0, 1n];
  const every = (seconds: bigint, period: (i: number) => bigint): Profile[] =>
    Array.from({ length: 1000 }, (_, i) => {
      const time = BigInt(i) * seconds * 1_000_000_000n;
      return { time, hash: 0, period: period(i), rows: [row] };
    });
  const lengths = (profiles: Profile[]): number[] =>
    rollUp(profiles, 1).map(({ windowSeconds }) => windowSeconds);
  assert.deepEqual(lengths(every(10n, () => 1n)), [3_600, 21_600]);
  assert.deepEqual(lengths(every(10n, (i) => (i === 999 ? 2n : 1n))), []);
  assert.deepEqual(lengths(every(600n, () => 1n)), [21_600]);
  assert.deepEqual(lengths(every(3_600n, () => 1n)), []);
  assert.deepEqual(lengths([]), []);
});
