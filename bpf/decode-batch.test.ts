// A batch is decoded as columns on its own memory; another layout is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBatch } from './decode-batch.ts';

const facts = {
  startNanos: '1700000000000000001',
  endNanos: '1700000001000000002',
  hasMore: true,
  threadNames: ['worker'],
  binaries: [{ kind: 'file', path: '/a', codeStart: '4096', codeEnd: '18446744073709551615' }],
  processes: [{ pid: 7, startNanos: '1600000000000000003' }],
  events: [{ kind: 'exit', pid: 7, timeNanos: '1700000000500000004' }],
  functions: [{ name: 'work', fileName: '/a.js', startLine: 3 }],
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

function bytesOf(column: ArrayBufferView): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

const columns = [
  new BigInt64Array([1_700_000_000_400_000_005n]),
  new Uint32Array([0]),
  new Uint32Array([8]),
  new Uint32Array([0]),
  new Uint32Array([3]),
  new Uint32Array([0]),
  new Uint32Array([0, 2]),
  new Uint32Array([1]),
  new Uint8Array([5]),
  new BigUint64Array([0xffff_ffff_ffff_fffen]),
  new BigUint64Array([0xffff_ffff_8000_0000n, 4097n]),
  new Uint32Array([0, 1]),
  new Uint32Array([0, 1]),
  new TextEncoder().encode(JSON.stringify(facts)),
];

test('all columns and facts of a batch', () => {
  const buffer = encode(columns.map(bytesOf));
  const batch = decodeBatch(buffer);
  assert.equal(batch.samples.count, 1);
  assert.deepEqual(batch.samples.timeNanos, columns[0]);
  assert.deepEqual(batch.samples.threadId, columns[2]);
  assert.deepEqual(batch.samples.cpu, columns[4]);
  assert.equal(batch.stacks.count, 1);
  assert.deepEqual(batch.stacks.frameStart, columns[6]);
  assert.deepEqual(batch.stacks.status, columns[8]);
  assert.deepEqual(batch.stacks.failedAddress, columns[9]);
  assert.equal(batch.frames.count, 2);
  assert.deepEqual(batch.frames.address, columns[10]);
  assert.equal(batch.frames.address.buffer, buffer);
  assert.deepEqual(batch.frames.function, columns[12]);
  assert.deepEqual(batch.functions, facts.functions);
  assert.equal(batch.startNanos, 1_700_000_000_000_000_001n);
  assert.equal(batch.hasMore, true);
  assert.equal(batch.binaries[0].codeEnd, 18_446_744_073_709_551_615n);
  assert.equal(batch.processes[0].startNanos, 1_600_000_000_000_000_003n);
  assert.equal(batch.events[0].timeNanos, 1_700_000_000_500_000_004n);
});

test('a batch of another add-on is refused', () => {
  assert.throws(() => decodeBatch(encode([])), {
    code: 'internal',
    message: 'cannot read a batch of samples: it has 0 sections, not 14; build the add-on again',
  });
});
