// Tests of chunks: decoding returns the encoded rows, and sums over any range equal those of a
// simple loop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCode } from '../../base/errors.ts';
import { type Random, randomBelow, seededRandom } from '../../base/random.ts';
import { computeDigest } from '../../model/profiles/profile-digest.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import type { ChunkInput } from './chunk-data.ts';
import { ChunkReader } from './chunk-reader.ts';
import { ChunkProfiles } from './decode-profiles.ts';
import { decodeRows } from './decode-rows.ts';
import { encodeChunk, type EncodedChunk } from './encode-chunk.ts';
import { labelsPlace, StackDictionary } from './stack-dictionary.ts';

interface Shape {
  readonly profiles: number;
  readonly rowsMax: number;
  readonly stacks: number;
  /**
   * Functions that return a random value, one for each sample type. They get the first value of the
   * row.
   */
  readonly valueColumns: readonly ((random: Random, first: bigint) => bigint)[];
  /** Number of distinct sample labels; 0 for none. */
  readonly labels: number;
  /** Percentage of rows that are the same in the next profile. */
  readonly sameRows: number;
}

const small = (random: Random): bigint => BigInt(1 + randomBelow(random, 9));
const wide = (random: Random): bigint => BigInt(randomBelow(random, 1_000_000)) - 1000n;
const mixed = (random: Random): bigint => small(random) << BigInt(randomBelow(random, 40));
const edges = (random: Random): bigint =>
  [-(2n ** 63n), 2n ** 63n - 1n, 0n, 1n, -1n, 2n ** 53n, -(2n ** 53n) - 1n, 2n ** 32n, 255n][
    randomBelow(random, 9)
  ];
/** Returns mostly small numbers. Sums of the few large numbers carry into the high word. */
const carries = (random: Random): bigint =>
  randomBelow(random, 40) === 0 ? 2n ** 32n - 1n : small(random);
const times = (factor: bigint) => (_: Random, first: bigint) => BigInt.asIntN(64, first * factor);
const multiples = (random: Random): bigint => wide(random) * 1000n;
const zero = (): bigint => 0n;

const shapes: readonly Shape[] = [
  { profiles: 150, rowsMax: 60, stacks: 500, valueColumns: [small], labels: 0, sameRows: 0 },
  {
    profiles: 70,
    rowsMax: 40,
    stacks: 90,
    valueColumns: [small, times(10_000_000n)],
    labels: 0,
    sameRows: 0,
  },
  { profiles: 9, rowsMax: 900, stacks: 70_000, valueColumns: [wide, zero], labels: 0, sameRows: 0 },
  {
    profiles: 140,
    rowsMax: 50,
    stacks: 60,
    valueColumns: [wide, mixed, times(-3n)],
    labels: 3,
    sameRows: 95,
  },
  { profiles: 80, rowsMax: 30, stacks: 40, valueColumns: [edges, edges], labels: 0, sameRows: 90 },
  {
    profiles: 80,
    rowsMax: 30,
    stacks: 40,
    valueColumns: [edges, times(2n)],
    labels: 2,
    sameRows: 0,
  },
  {
    profiles: 60,
    rowsMax: 60,
    stacks: 20,
    valueColumns: [multiples, mixed],
    labels: 1e9,
    sameRows: 0,
  },
  { profiles: 40, rowsMax: 300, stacks: 1e6, valueColumns: [small], labels: 0, sameRows: 0 },
  { profiles: 1, rowsMax: 5, stacks: 4, valueColumns: [mixed], labels: 0, sameRows: 0 },
  { profiles: 3000, rowsMax: 2, stacks: 9, valueColumns: [multiples], labels: 0, sameRows: 50 },
  { profiles: 90, rowsMax: 40, stacks: 50, valueColumns: [carries], labels: 0, sameRows: 0 },
  { profiles: 3, rowsMax: 4, stacks: 9, valueColumns: [zero, small], labels: 0, sameRows: 0 },
];

/** A row as [stack, labels, values ...]. */
type Row = readonly [number, number, ...bigint[]];

function drawProfile(random: Random, shape: Shape, before: readonly Row[]): Row[] {
  const rows = new Map<string, Row>();
  const add = (row: Row): unknown => rows.set(`${row[0]} ${row[1]}`, row);
  for (const row of before) if (randomBelow(random, 100) < shape.sameRows) add(row);
  for (let left = randomBelow(random, shape.rowsMax); left > 0; left -= 1) {
    if (rows.size >= shape.rowsMax) break;
    const skewed = (randomBelow(random, shape.stacks) * randomBelow(random, 1000)) / 1000;
    const label = shape.labels === 0 ? 0 : randomBelow(random, shape.labels);
    const first = shape.valueColumns[0](random, 0n);
    add([
      7 + Math.floor(skewed),
      label,
      ...shape.valueColumns.map((f, i) => (i === 0 ? first : f(random, first))),
    ]);
  }
  return [...rows.values()];
}

function drawInput(random: Random, shape: Shape): { input: ChunkInput; profiles: Row[][] } {
  const profiles: Row[][] = [];
  for (let i = 0; i < shape.profiles; i += 1) {
    profiles.push(drawProfile(random, shape, profiles[i - 1] ?? []));
  }
  const rows = profiles.flat();
  const rowStart = new Uint32Array(shape.profiles + 1);
  profiles.forEach((profile, i) => (rowStart[i + 1] = rowStart[i] + profile.length));
  const jitter = randomBelow(random, 2) * 1_000_003;
  const input: ChunkInput = {
    profileCount: shape.profiles,
    timeNanos: BigInt64Array.from(
      profiles,
      (_, i) =>
        BigInt(1.76e18) + BigInt(i) * 10_000_000_000n + BigInt(randomBelow(random, jitter + 1)),
    ),
    durationNanos: new BigInt64Array(shape.profiles).fill(10_000_000_000n),
    period: BigInt64Array.from(profiles, () => BigInt(1 + randomBelow(random, 2)) * 10n),
    contentHash:
      randomBelow(random, 2) === 0 ? undefined : Uint32Array.from(profiles, () => random.uint32()),
    rowStart,
    stacks: Uint32Array.from(rows, ([stack]) => stack),
    sampleLabels: shape.labels === 0 ? undefined : Uint32Array.from(rows, ([, label]) => label),
    values: shape.valueColumns.map((_, valueColumn) =>
      BigInt64Array.from(rows, (row) => row[2 + valueColumn] as bigint),
    ),
  };
  return { input, profiles };
}

const isKept = (row: Row): boolean => row.slice(2).some((value) => value !== 0n);

function sorted(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

function checkRows(
  chunk: EncodedChunk,
  profiles: readonly Row[][],
  first: number,
  end: number,
): void {
  const decoded = decodeRows(chunk, first, end);
  assert.equal(decoded.profileCount, end - first);
  const got = profiles.slice(first, end).map((_, i) => {
    const rows: Row[] = [];
    for (let row = decoded.rowStart[i]; row < decoded.rowStart[i + 1]; row += 1) {
      const label = decoded.sampleLabels?.[row] ?? 0;
      rows.push([
        decoded.stacks[row],
        label,
        ...decoded.values.map((valueColumn) => valueColumn[row]),
      ]);
    }
    return sorted(rows);
  });
  assert.deepEqual(
    got,
    profiles.slice(first, end).map((rows) => sorted(rows.filter(isKept))),
  );
}

/** Returns sums by stack, or by stack and labels if entries have labels. */
function plainSums(
  rows: readonly Row[],
  valueColumn: number,
  withLabels: boolean,
): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [stack, label, ...values] of rows) {
    const key = `${stack} ${withLabels ? label : 0}`;
    const sum = BigInt.asIntN(64, (sums.get(key) ?? 0n) + values[valueColumn]);
    sums.set(key, sum);
  }
  for (const [key, sum] of sums) if (sum === 0n) sums.delete(key);
  return sums;
}

function inOrder(sums: Map<string, bigint>): (readonly [string, bigint])[] {
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
}

function checkSum(
  reader: ChunkReader,
  chunk: EncodedChunk,
  profiles: readonly Row[][],
  valueColumn: number,
  first: number,
  end: number,
): void {
  const sum = reader.sumChunk(chunk, valueColumn, first, end);
  const got = new Map<string, bigint>();
  for (let i = 0; i < sum.entryCount; i += 1) {
    const key = `${sum.entryStack[i]} ${sum.entryLabels?.[i] ?? 0}`;
    assert.equal(got.has(key), false, 'entries are distinct');
    if (sum.sums[i] !== 0n) got.set(key, sum.sums[i]);
  }
  const want = plainSums(profiles.slice(first, end).flat(), valueColumn, !sum.labelsInRows);
  assert.deepEqual(inOrder(got), inOrder(want), `${first}..${end} of value column ${valueColumn}`);
}

function readColumns(decoded: ChunkProfiles, valueColumn: number): ProfileColumns {
  const { profileCount } = decoded;
  const [timeNanos, durationNanos] = [decoded.timeNanos(), decoded.durationNanos()];
  const [total, count] = [decoded.totals(valueColumn), decoded.counts(valueColumn)];
  return { profileCount, timeNanos, durationNanos, period: decoded.period(), total, count };
}

function checkProfiles(chunk: EncodedChunk, input: ChunkInput, profiles: readonly Row[][]): void {
  const decoded = new ChunkProfiles(chunk.profiles);
  const { profileCount } = input;
  const kept = profiles.map((rows) => rows.filter(isKept));
  assert.equal(decoded.profileCount, profileCount);
  assert.deepEqual(
    decoded.rowCounts(),
    Uint32Array.from(kept, (rows) => rows.length),
  );
  assert.deepEqual(decoded.contentHashes(), input.contentHash);
  for (const valueColumn of input.values.keys()) {
    const values = kept.map((rows) => rows.map((row) => row[2 + valueColumn] as bigint));
    const columns = readColumns(decoded, valueColumn);
    assert.deepEqual(columns, {
      profileCount,
      timeNanos: input.timeNanos,
      durationNanos: input.durationNanos,
      period: input.period,
      total: BigInt64Array.from(values, (of) =>
        BigInt.asIntN(
          64,
          of.reduce((a, b) => a + b, 0n),
        ),
      ),
      count: Uint32Array.from(values, (of) => of.filter((value) => value !== 0n).length),
    });
    const digest = decoded.digest(valueColumn);
    const sum = columns.total.reduce((a, b) => a + b, 0n);
    assert.equal(digest.total, BigInt.asIntN(64, sum));
    assert.equal(digest.rowCount, kept.flat().length);
    assert.equal(
      digest.count,
      columns.count.reduce((a, b) => a + b, 0),
    );
    assert.equal(digest.firstNanos, input.timeNanos[0]);
    assert.equal(digest.lastNanos, input.timeNanos[profileCount - 1]);
  }
}

for (const [i, shape] of shapes.entries()) {
  test(`a chunk of shape ${i} decodes to what was encoded`, () => {
    const reader = new ChunkReader();
    for (let seed = 1; seed <= 4; seed += 1) {
      const random = seededRandom(seed * 100 + i);
      const { input, profiles } = drawInput(random, shape);
      const chunk = encodeChunk(input);
      checkProfiles(chunk, input, profiles);
      const ranges = [[0, shape.profiles]];
      for (let n = 0; n < 6; n += 1) {
        const first = randomBelow(random, shape.profiles + 1);
        ranges.push([first, first + randomBelow(random, shape.profiles - first + 1)]);
      }
      for (const [first, end] of ranges) {
        checkRows(chunk, profiles, first, end);
        for (const valueColumn of shape.valueColumns.keys()) {
          checkSum(reader, chunk, profiles, valueColumn, first, end);
        }
      }
    }
  });
}

function readDictionary(chunk: EncodedChunk): StackDictionary {
  const dictionary = new StackDictionary();
  dictionary.read(chunk.stacks);
  return dictionary;
}

test('sample labels that rarely repeat are stored in the rows', () => {
  const { input } = drawInput(seededRandom(1), shapes[6]);
  assert.equal(readDictionary(encodeChunk(input)).labelsPlace, labelsPlace.rows);
  const few = drawInput(seededRandom(1), shapes[3]);
  assert.equal(readDictionary(encodeChunk(few.input)).labelsPlace, labelsPlace.entries);
});

test('each stack has one entry, also with many stacks', () => {
  const stacks = Uint32Array.from({ length: 40_000 }, (_, row) => 1 + (row % 20_000));
  const { input } = drawInput(seededRandom(1), { ...shapes[0], profiles: 2, rowsMax: 1 });
  const chunk = encodeChunk({
    ...input,
    rowStart: Uint32Array.of(0, 20_000, 40_000),
    stacks,
    values: [BigInt64Array.from(stacks, () => 1n)],
  });
  const { entryCount, entryStack, sums } = new ChunkReader().sumChunk(chunk, 0, 0, 1);
  assert.equal(entryCount, 20_000);
  assert.equal(new Set(entryStack.subarray(0, entryCount)).size, entryCount);
  assert.ok(sums.subarray(0, entryCount).every((sum) => sum === 1n));
});

test('labels of rows that are dropped leave none', () => {
  const { input } = drawInput(seededRandom(1), shapes[3]);
  const values = input.values.map((valueColumn) =>
    valueColumn.map((value, i) => (i === 0 ? 1n : value & 0n)),
  );
  const sampleLabels = input.sampleLabels?.map((label, i) => (i === 0 ? 0 : label));
  const chunk = encodeChunk({ ...input, values, sampleLabels });
  assert.equal(decodeRows(chunk, 0, input.profileCount).sampleLabels, undefined);
});

test('value columns that are multiples of the first take no bytes', () => {
  const { input } = drawInput(seededRandom(1), shapes[1]);
  const both = encodeChunk(input);
  const one = encodeChunk({ ...input, values: input.values.slice(0, 1) });
  assert.ok(both.rows.length === one.rows.length && both.stacks.length < one.stacks.length + 8);
});

test('profiles that change little are stored as changes', () => {
  const shape = { ...shapes[3], profiles: 128, sameRows: 99 };
  const { input } = drawInput(seededRandom(3), shape);
  const { rows, rowCount } = encodeChunk(input);
  assert.ok(rows.length < rowCount * 3, `${rows.length} bytes for ${rowCount} rows`);
});

test('facts are those of the columns, also at the ends of time', () => {
  const { input } = drawInput(seededRandom(2), shapes[0]);
  const { timeNanos } = input;
  const even = timeNanos.map((_, i) => BigInt(i) * 1_000n);
  const edges = timeNanos.map((_, i) => (i === 0 ? -(2n ** 63n) : 2n ** 63n - 1n));
  const durationNanos = timeNanos.map((_, i) => BigInt(i) * 9n);
  for (const times of [timeNanos, even, edges]) {
    const chunk = encodeChunk({ ...input, timeNanos: times, durationNanos });
    const decoded = new ChunkProfiles(chunk.profiles);
    assert.deepEqual(decoded.digest(0), computeDigest(readColumns(decoded, 0), chunk.rowCount));
  }
});

test('a chunk without profiles', () => {
  const empty = new BigInt64Array(0);
  const chunk = encodeChunk({
    profileCount: 0,
    timeNanos: empty,
    durationNanos: empty,
    period: empty,
    contentHash: undefined,
    rowStart: new Uint32Array(1),
    stacks: new Uint32Array(0),
    sampleLabels: undefined,
    values: [empty],
  });
  assert.equal(new ChunkProfiles(chunk.profiles).digest(0).profileCount, 0);
  assert.equal(new ChunkReader().sumChunk(chunk, 0, 0, 0).entryCount, 0);
  assert.equal(decodeRows(chunk, 0, 0).stacks.length, 0);
});

/**
 * Wherever the damage is, it leads to a result or to 'data-loss', and the reader works normally
 * afterwards.
 */
test('damaged bytes never crash', () => {
  const reader = new ChunkReader();
  const random = seededRandom(11);
  for (const shape of shapes.filter(({ profiles }) => profiles < 200)) {
    const { input, profiles } = drawInput(random, shape);
    const chunk = encodeChunk(input);
    for (let turn = 0; turn < 150; turn += 1) {
      const hurt = {
        profiles: chunk.profiles.slice(),
        stacks: chunk.stacks.slice(),
        rows: chunk.rows.slice(),
      };
      const section = [hurt.profiles, hurt.stacks, hurt.rows][turn % 3];
      const flips = 1 + randomBelow(random, 3);
      const reach = randomBelow(random, 2) === 0 ? Math.min(40, section.length) : section.length;
      for (let n = 0; n < flips; n += 1) {
        section[randomBelow(random, reach)] ^= 1 << randomBelow(random, 8);
      }
      if (turn % 11 === 0) hurt.rows = hurt.rows.subarray(0, randomBelow(random, hurt.rows.length));
      const attempts = [
        () => readColumns(new ChunkProfiles(hurt.profiles), 0),
        () => decodeRows(hurt, 0, shape.profiles),
        () => reader.sumChunk(hurt, 0, 0, shape.profiles),
        () => reader.sumChunk(hurt, shape.valueColumns.length - 1, 1, shape.profiles - 1),
      ];
      for (const attempt of attempts) {
        try {
          attempt();
        } catch (error) {
          assert.equal(
            errorCode(error),
            'data-loss',
            String(error instanceof Error && error.stack),
          );
        }
      }
    }
    const middle = shape.profiles >> 1;
    checkSum(reader, encodeChunk(input), profiles, 0, middle >> 1, middle);
  }
});
