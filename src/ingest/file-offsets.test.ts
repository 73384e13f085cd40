import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePprof } from '../formats/pprof/decode.ts';
import { PprofColumns } from '../formats/pprof/columns.ts';
import { validateProfile } from '../formats/pprof/validate.ts';
import { PprofWriter, type WrittenMapping } from '../formats/pprof/writer.ts';
import { moveToFileOffsets } from './file-offsets.ts';

const id = { file: '/bin/app', buildId: 'ab12' };

/** Returns the columns of a profile with one mapping, and a location at each address. */
function decodeColumns(mapping: WrittenMapping, addresses: readonly bigint[]): PprofColumns {
  const writer = new PprofWriter();
  for (const address of addresses) {
    const location = writer.location(writer.mapping(mapping), address, []);
    writer.sample([location], [1n], []);
  }
  const columns = new PprofColumns();
  decodePprof(writer.finish({ sampleTypes: [{ type: 'cpu', unit: 'count' }] }), columns);
  validateProfile(columns);
  return columns;
}

function describe(columns: PprofColumns): string[] {
  const hex = (low: Uint32Array, high: Uint32Array, row: number): string =>
    (BigInt(high[row]) * 0x1_0000_0000n + BigInt(low[row])).toString(16);
  return Array.from({ length: columns.locationCount }, (_, i) => {
    const row = columns.locationMapping[i + 1];
    const start = hex(columns.mappingStartLow, columns.mappingStartHigh, row);
    const limit = hex(columns.mappingLimitLow, columns.mappingLimitHigh, row);
    const offset = hex(columns.mappingOffsetLow, columns.mappingOffsetHigh, row);
    const address = hex(columns.addressLow, columns.addressHigh, i + 1);
    return `${start}-${limit}@${offset} ${address}`;
  });
}

/**
 * Converts the addresses twice, and checks the result; the second conversion must not change it.
 */
function check(mapping: WrittenMapping, addresses: readonly bigint[], want: string[]): void {
  const columns = decodeColumns(mapping, addresses);
  moveToFileOffsets(columns, false);
  assert.deepEqual(describe(columns), want);
  moveToFileOffsets(columns, false);
  assert.deepEqual(describe(columns), want);
}

test('addresses of a process become offsets of the file, wherever it was loaded', () => {
  const size = 0x5000n;
  for (const start of [0x55d0_c0a0_1000n, 0x7f00_0000_0000n, 0x1_0000_0000n]) {
    const mapping = { ...id, start, limit: start + size, offset: 0x1000n };
    check(
      mapping,
      [start, start + 0x123n, start + 0x4fffn],
      ['1000-6000@1000 1000', '1000-6000@1000 1123', '1000-6000@1000 5fff'],
    );
  }
});

test('addresses outside of their mapping are those of the file already', () => {
  const start = 0x55d0_c0a0_1000n;
  const mapping = { ...id, start, limit: start + 0x5000n, offset: 0x1000n };
  check(
    mapping,
    [start + 1n, 0x2345n, start - 1n, start + 0x5000n],
    ['1000-6000@1000 1001', '0-0@0 2345', '0-0@0 55d0c0a00fff', '0-0@0 55d0c0a06000'],
  );
});

test('what no loader moved stays as it is', () => {
  const start = 0x7f00_0000_0000n;
  const range = { start, limit: start + 0x2000n };
  const moved = '7f0000000000-7f0000002000@0 7f0000000010';
  check({ file: '/bin/app', ...range }, [start + 16n], [moved]);
  check({ ...id, ...range, file: '[vdso]' }, [start + 16n], [moved]);
  check({ ...id, start: 0x40_0000n, limit: 0x50_0000n }, [0x40_1000n], ['400000-500000@0 401000']);
  check({ ...id }, [0x1000n], ['0-0@0 1000']);
  check({ ...id, limit: 0x4000_0000n }, [0x1000n], ['0-40000000@0 1000']);
  const kernel = 0xffff_ffff_8100_0000n;
  check(
    { ...id, start: kernel, limit: kernel + 0x1000n },
    [kernel + 1n],
    ['ffffffff81000000-ffffffff81001000@0 ffffffff81000001'],
  );
  // This mapping ends before it starts.
  check({ ...id, start, limit: start - 1n }, [start], ['7f0000000000-7effffffffff@0 7f0000000000']);
});

test('addresses that are those of files lose the range of their mapping, which would move them', () => {
  const mapping = { ...id, start: 0x1000n, limit: 0x9000n, offset: 0x200n };
  const columns = decodeColumns(mapping, [0x1234n]);
  moveToFileOffsets(columns, true);
  assert.deepEqual(describe(columns), ['0-0@0 1234']);
});
