// Tests that a batch is decoded into columns that share its memory, and that buffers with another
// layout are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBatch } from './decode-batch.ts';

const facts = {
  startNanos: '1700000000000000001',
  endNanos: '1700000001000000002',
  hasMore: true,
  threadNames: ['worker'],
  binaries: [{ kind: 'file', path: '/a', codeStart: '4096', codeEnd: '18446744073709551615' }],
  processes: [{ pid: 7, startNanos: '1600000000000000003', cgroupId: '9007199254740993' }],
  events: [{ kind: 'exit', pid: 7, timeNanos: '1700000000500000004' }],
  functions: [{ language: 'javascript', name: 'work', fileName: '/a.js', startLine: 3, line: 0 }],
  counters: { samples: 1 },
};

function encode(sections: readonly Uint8Array[]): ArrayBuffer {
  const head = Math.ceil((4 + 8 * sections.length) / 8) * 8;
  const sizes = sections.map(({ byteLength }) => Math.ceil(byteLength / 8) * 8);
  const bytes = new Uint8Array(head + sizes.reduce((sum, size) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, sections.length, true);
  let offset = head;
  for (const [i, section] of sections.entries()) {
    view.setUint32(4 + 8 * i, offset, true);
    view.setUint32(8 + 8 * i, section.byteLength, true);
    bytes.set(section, offset);
    offset += sizes[i];
  }
  return bytes.buffer;
}

function viewBytes(column: ArrayBufferView): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

const samples = {
  timeNanos: new BigInt64Array([1_700_000_000_400_000_005n, 1_700_000_000_400_000_006n]),
  process: new Uint32Array([0, 1]),
  threadId: new Uint32Array([8, 9]),
  threadName: new Uint32Array([2, 3]),
  cpu: new Uint32Array([4, 5]),
  stack: new Uint32Array([6, 7]),
};
const stacks = {
  frameStart: new Uint32Array([0, 3]),
  kernelFrameCount: new Uint32Array([1]),
  status: new Uint8Array([5]),
  failedAddress: new BigUint64Array([0xffff_ffff_ffff_fffen]),
};
const frames = {
  address: new BigUint64Array([0xffff_ffff_8000_0000n, 4097n, 4098n]),
  binary: new Uint32Array([0, 10, 11]),
  function: new Uint32Array([0, 12, 13]),
};
const columns: readonly ArrayBufferView[] = [
  ...Object.values(samples),
  ...Object.values(stacks),
  ...Object.values(frames),
  new TextEncoder().encode(JSON.stringify(facts)),
];

test('all columns and facts of a batch', () => {
  const buffer = encode(columns.map(viewBytes));
  const batch = decodeBatch(buffer);
  assert.deepEqual(batch, {
    startNanos: 1_700_000_000_000_000_001n,
    endNanos: 1_700_000_001_000_000_002n,
    hasMore: true,
    samples: { count: 2, ...samples },
    stacks: { count: 1, ...stacks },
    frames: { count: 3, ...frames },
    functions: facts.functions,
    threadNames: facts.threadNames,
    binaries: [{ ...facts.binaries[0], codeStart: 4096n, codeEnd: 18_446_744_073_709_551_615n }],
    processes: [
      {
        ...facts.processes[0],
        startNanos: 1_600_000_000_000_000_003n,
        cgroupId: 9_007_199_254_740_993n,
      },
    ],
    events: [{ ...facts.events[0], timeNanos: 1_700_000_000_500_000_004n }],
    counters: facts.counters,
  });
  assert.equal(batch.frames.address.buffer, buffer);
});

test('a batch of another add-on is refused', () => {
  assert.throws(() => decodeBatch(encode([])), {
    code: 'internal',
    message: 'cannot read a batch of samples: it has 0 sections, not 14; build the add-on again',
  });
});
