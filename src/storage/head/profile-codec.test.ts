// Tests of encoded profiles: decoding returns what was encoded, for any values, and typical
// profiles take few bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { finishAtOnce } from '../../base/pacer.ts';
import { randomBelow, seededRandom } from '../../base/random.ts';
import type { IncomingProfile } from '../interface.ts';
import {
  decodeProfileHead,
  decodeRows,
  encodeProfile,
  encodeProfileInSteps,
} from './profile-codec.ts';
import { RowArena } from './row-arena.ts';

const unit = { type: 't', unit: 'u' };

function makeProfile(
  stacks: readonly number[],
  valueColumns: readonly (readonly bigint[])[],
  period: bigint,
  sampleLabels: readonly number[] | undefined,
): IncomingProfile {
  return {
    labels: [],
    name: 'p',
    sampleTypes: valueColumns.map(() => unit),
    periodType: unit,
    period,
    timeNanos: -7n,
    durationNanos: 2n ** 63n - 1n,
    rowCount: stacks.length,
    stacks: Uint32Array.from(stacks),
    values: valueColumns.map((valueColumn) => BigInt64Array.from(valueColumn)),
    sampleLabels: sampleLabels && Uint32Array.from(sampleLabels),
    contentHash: -1n,
  };
}

/** Encodes and decodes a profile, and compares the result. Returns the encoded size. */
function check(profile: IncomingProfile): number {
  const writer = new ByteWriter(16);
  encodeProfile(writer, 77, profile);
  const reader = new ByteReader(writer.copy());
  assert.equal(reader.u32(), writer.length - 4);
  const head = decodeProfileHead(reader);
  const { timeNanos, contentHash, durationNanos, period, rowCount } = profile;
  const isLabelled = profile.sampleLabels?.some((row) => row !== 0) ?? false;
  const valueColumnCount = profile.values.length;
  const isTimed = profile.sampleTimes !== undefined;
  const flags = { isLabelled, isTimed };
  const same = {
    timeNanos,
    contentHash,
    durationNanos,
    period,
    rowCount,
    ...flags,
    valueColumnCount,
  };
  assert.deepEqual(head, { stream: 77, ...same });
  const arena = new RowArena(4_096);
  arena.allocate(8);
  assert.deepEqual(finishAtOnce(decodeRows(reader, head, arena)).times, profile.sampleTimes);
  assert.equal(reader.at, reader.end);
  const { words, values } = arena.segments[arena.runSegment];
  const start = arena.runOffset;
  for (const [i, valueColumn] of profile.values.entries()) {
    const found = values.subarray(start + i * rowCount, start + (i + 1) * rowCount);
    assert.deepEqual([...found], [...valueColumn]);
  }
  const ids = (start + valueColumnCount * rowCount) * 2;
  assert.deepEqual([...words.subarray(ids, ids + rowCount)], [...profile.stacks]);
  if (isLabelled) {
    const labels = words.subarray(ids + rowCount, ids + 2 * rowCount);
    assert.deepEqual([...labels], [...(profile.sampleLabels ?? [])]);
  }
  return writer.length;
}

test('times of samples follow the rows, whatever their bytes', () => {
  const profile = makeProfile([3, 1], [[1n, 2n]], 1n, [0, 4]);
  const without = check(profile);
  assert.equal(check({ ...profile, sampleTimes: new Uint8Array([9, 0, 255]) }), without + 4);
});

test('any rows come back exactly', () => {
  const value = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.nat().map(BigInt),
  );
  const row = fc.record({ stack: fc.nat(2 ** 31 - 1), label: fc.nat(3), a: value, b: value });
  const period = fc.constantFrom(0n, 1n, 2n, 10_000_000n, 2n ** 40n, -5n);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 50 }), period, fc.boolean(), (rows, p, labelled) => {
      const stacks = rows.map(({ stack }) => stack);
      const valueColumns = [rows.map(({ a }) => a), rows.map(({ b }) => b)];
      check(
        makeProfile(stacks, valueColumns, p, labelled ? rows.map(({ label }) => label) : undefined),
      );
    }),
  );
});

test('value columns that are multiples come back exactly, at and past 2^53', () => {
  const factor = fc.bigInt({ min: 0n, max: 2n ** 34n });
  const base = fc.oneof(fc.nat(1_000).map(BigInt), fc.bigInt({ min: 0n, max: 2n ** 30n }));
  const noise = fc.constantFrom(0n, 0n, 0n, 1n);
  fc.assert(
    fc.property(fc.array(fc.tuple(base, noise), { maxLength: 20 }), factor, (rows, f) => {
      const first = rows.map(([b]) => b);
      const multiple = rows.map(([b, n]) => BigInt.asIntN(64, b * f + n));
      const stacks = rows.map((_, i) => i);
      check(makeProfile(stacks, [first, multiple], f, undefined));
      check(makeProfile(stacks, [multiple, first], f, undefined));
    }),
  );
});

test('a usual profile of 100 rows takes less than 500 bytes', () => {
  const random = seededRandom(1);
  const stacks = Array.from({ length: 100 }, () => randomBelow(random, 50_000));
  const counts = stacks.map(() => BigInt(1 + randomBelow(random, 30)));
  const nanos = counts.map((count) => count * 10_000_000n);
  const size = check(makeProfile(stacks, [counts, nanos], 10_000_000n, undefined));
  assert.ok(size < 500, `${size} bytes`);
});

test('profiles of more rows than a step takes are encoded and decoded in steps', () => {
  const rows = 40_000;
  const ids = Array.from({ length: rows }, (_, i) => (i * 7_919) % 65_536);
  const plain = ids.map((id, i) => BigInt(id) - (i === 20_000 ? 2n ** 62n : 0n));
  const thousands = ids.map((id) => BigInt(id) * 1_000n);
  check(makeProfile(ids, [plain, thousands], 1_000n, ids));
  // The last value is not a multiple of the factor.
  const bent = thousands.map((value, i) => (i === rows - 1 ? value + 1n : value));
  check(makeProfile(ids, [ids.map(BigInt), thousands, bent], 1_000n, undefined));
  check(makeProfile(ids, [bent, bent], 1_000n, undefined));
  const writer = new ByteWriter(16);
  const labelled = makeProfile(ids, [plain, thousands], 1_000n, ids);
  const encoding = Array.from(encodeProfileInSteps(writer, 1, labelled));
  const reader = new ByteReader(writer.bytes, 4, writer.length);
  const decoding = Array.from(decodeRows(reader, decodeProfileHead(reader), new RowArena(4_096)));
  assert.ok(encoding.length >= 8 && decoding.length >= 8, `${encoding.length} ${decoding.length}`);
});

test('every cut and every flipped byte is an error or another profile, never a crash', () => {
  const writer = new ByteWriter(16);
  encodeProfile(
    writer,
    1,
    makeProfile(
      [1, 900, 3],
      [
        [1n, 2n, 3n],
        [-1n, 5n, 6n],
      ],
      0n,
      [0, 1, 2],
    ),
  );
  const bytes = writer.copy();
  for (let i = 4; i < bytes.length; i += 1) {
    for (const broken of [bytes.slice(0, i), bytes.with(i, bytes[i] ^ 0xff)]) {
      const arena = new RowArena(4_096);
      try {
        const reader = new ByteReader(broken, 4);
        finishAtOnce(decodeRows(reader, decodeProfileHead(reader), arena));
      } catch (error) {
        assert.ok(error instanceof Error && 'code' in error && error.code === 'data-loss');
        assert.equal(arena.usedBytes, 0);
      }
    }
  }
});
