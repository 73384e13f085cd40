import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LoadedRange } from './file-addresses.ts';
import { loadBias as biasOf, type LoadSegment } from './load-bias.ts';

const page = 4_096;
const down = (value: number): number => value - (value % page);
const up = (value: number): number => down(value + page - 1);

/** A segment: its offset, address and size, and "x" if it has code. */
type Row = readonly [offset: number, address: number, size: number, flags: '' | 'x'];

/** Returns the bias of a relocatable program. */
function loadBias(segments: readonly LoadSegment[], range: LoadedRange): number {
  return biasOf({ isFixed: false, segments }, range);
}

function makeSegments(rows: readonly Row[], align = page): LoadSegment[] {
  return rows.map(([offset, address, size, flags]) => ({
    offset,
    address,
    fileSize: size,
    memorySize: size,
    align,
    isExecutable: flags === 'x',
  }));
}

/** Layouts of real programs, as printed by `readelf -lW`. */
const layouts: Readonly<Record<string, readonly Row[]>> = {
  'GNU ld, PIE': [
    [0, 0, 0x6f8, ''],
    [0x1000, 0x1000, 0x1e9, 'x'],
    [0x2000, 0x2000, 0x120, ''],
    [0x2dd0, 0x3dd0, 0x61cf0, ''],
  ],
  'GNU ld, static PIE': [
    [0, 0, 0x8020, ''],
    [0x9000, 0x9000, 0x78df1, 'x'],
    [0x82000, 0x82000, 0x292cb, ''],
    [0xab518, 0xac518, 0x677f8, ''],
  ],
  'Go, PIE': [
    [0, 0x400000, 0xac0f0, 'x'],
    [0xad000, 0x4ad000, 0xe4268, ''],
    [0x192000, 0x592000, 0x2a278, ''],
  ],
  '-z noseparate-code': [
    [0, 0, 0x990, 'x'],
    [0xdd0, 0x1dd0, 0x61cf0, ''],
  ],
  'lld, a page of code': [
    [0, 0, 0x5e4, ''],
    [0x5e4, 0x15e4, 0x1b2, 'x'],
    [0x798, 0x2798, 0x1b8, ''],
  ],
  'lld, many pages': [
    [0, 0, 0x1f2c8, ''],
    [0x1f2d0, 0x202d0, 0x5d3a1, 'x'],
    [0x7c680, 0x7e680, 0x3100, ''],
  ],
  'lld, code in the first page': [
    [0, 0, 0xfa0, ''],
    [0xfa0, 0x1fa0, 0x5000, 'x'],
    [0x5fa0, 0x7fa0, 0x1000, ''],
  ],
};

/** Returns the mapping of a segment that is loaded with a bias. */
function mapped([offset, address, size]: Row, bias: number): LoadedRange {
  return { start: bias + down(address), limit: bias + up(address + size), offset: down(offset) };
}

/** Returns the mapping from the first segment to the last one. */
function whole(rows: readonly Row[], bias: number): LoadedRange {
  const last = rows[rows.length - 1];
  return { ...mapped(rows[0], bias), limit: mapped(last, bias).limit };
}

/** Returns the mapping as ingest stores it, as if the file were loaded at its offsets. */
function moved({ start, limit, offset }: LoadedRange): LoadedRange {
  return { start: offset, limit: limit - start + offset, offset };
}

const biases = fc.integer({ min: 0x1_0000, max: 0x7_fff0_0000 }).map((value) => value * page);

for (const [name, rows] of Object.entries(layouts)) {
  const segments = makeSegments(rows);
  const debugOnly = segments.map((segment) => ({
    ...segment,
    fileSize: segment.offset === 0 && !segment.isExecutable ? 0x39c : 0,
    offset: segment.offset % page,
  }));
  const code = rows.find(([, , , flags]) => flags === 'x') ?? rows[0];
  for (const [what, given] of [
    ['program', segments],
    ['debug file', debugOnly],
  ] as const) {
    test(`${name}, ${what}: a mapping of code, and one of the file, say the bias`, () => {
      fc.assert(
        fc.property(biases, (bias) => {
          for (const range of [mapped(code, bias), whole(rows, bias)]) {
            assert.equal(loadBias(given, range), bias);
            // If ingest converted the stored addresses, their bias must give the same result. If
            // they are addresses in the file, they have no bias.
            const stored = moved(range);
            assert.equal(loadBias(given, stored), bias - range.start + stored.start);
            const inFile = { ...range, start: range.start - bias, limit: range.limit - bias };
            assert.equal(loadBias(given, inFile), 0);
          }
        }),
        { numRuns: 20 },
      );
    });
  }
}

const pie = makeSegments(layouts['GNU ld, PIE']);

test('a part of the code, and a mapping with the exact bounds of a segment, say the bias', () => {
  const lld = makeSegments(layouts['lld, many pages']);
  const at = 0x7f12_3456_7000;
  assert.equal(loadBias(lld, { start: at, limit: at + 0x3000, offset: 0x30000 }), at - 0x31000);
  // dl_iterate_phdr returns ranges of this form.
  const exact = { start: at + 0x202d0, limit: at + 0x7d671, offset: 0x1f2d0 };
  assert.equal(loadBias(lld, exact), at);
  // Here the mapping is joined with the mapping of the next segment.
  assert.equal(
    loadBias(lld, { ...exact, start: at + 0x20000, limit: at + 0x82000, offset: 0x1f000 }),
    at,
  );
});

test('pages of 64 KiB', () => {
  const rows: Row[] = [
    [0, 0, 0x4a0, ''],
    [0x4a0, 0x104a0, 0x23000, 'x'],
    [0x234a0, 0x434a0, 0x100, ''],
  ];
  const at = 0xaaaa_1234_0000;
  const range = { start: at + 0x10000, limit: at + 0x40000, offset: 0 };
  assert.equal(loadBias(makeSegments(rows, 65_536), range), at);
});

test('what is not of a running program stays', () => {
  const check = (range: LoadedRange, segments = pie): void =>
    assert.equal(loadBias(segments, range), 0);
  check({ start: 0, limit: 0, offset: 0 });
  check({ start: 0, limit: 2 ** 64, offset: 0 });
  check({ start: 0, limit: 0x7000, offset: 0 });
  check({ start: 0xffff_ffff_8100_0000, limit: 0xffff_ffff_8200_0000, offset: 0 });
  check({ start: 0x7f00_0000_0000, limit: 0x7f00_0000_1000, offset: 0x9999_0000 });
  check({ start: 0x7f00_0000_0000, limit: 0x7f00_0000_1000, offset: 0x1000 }, []);
  check({ start: 0, limit: 0x4000_0000, offset: 0 }, makeSegments(layouts['Go, PIE']));
});

test('a program that cannot be moved is where its addresses say', () => {
  const segments = makeSegments([
    [0, 0x400000, 0x5d8, ''],
    [0x1000, 0x401000, 0x1d5, 'x'],
    [0x2000, 0x402000, 0x118, ''],
  ]);
  const check = (range: LoadedRange): void =>
    assert.equal(biasOf({ isFixed: true, segments }, range), 0);
  check({ start: 0x401000, limit: 0x402000, offset: 0x1000 });
  check({ start: 0x400000, limit: 0x403000, offset: 0 });
  check({ start: 0, limit: 0x3000, offset: 0 });
  // A file that is linked to a high address is stored like a file that was loaded there.
  const high = segments.map((one) => ({ ...one, address: one.address + 0x7d00_0000_0000 }));
  const range = { start: 0x1000, limit: 0x2000, offset: 0x1000 };
  assert.equal(biasOf({ isFixed: true, segments: high }, range), 0x1000 - 0x7d00_0040_1000);
});

test('segments of a hostile file give no address below 0 or above those of a user', () => {
  const range = { start: 0x7f00_0000_0000, limit: 0x7f00_0000_1000, offset: 0 };
  assert.equal(loadBias(makeSegments([[0xff0, 0, 0x10, 'x']]), range), 0);
  assert.equal(loadBias(makeSegments([[0, 2 ** 63, 0x10, 'x']]), range), 0);
});
