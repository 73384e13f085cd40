// Changed Arrow writes and LZ4 frames, read and interned: node test/fuzz/arrow.ts TARGET SEED SECONDS
import assert from 'node:assert/strict';
import { compressFrameSync } from 'lz4-napi';
import { AppError } from '../../src/base/errors.ts';
import { inputLimits } from '../../src/base/input-limits.ts';
import { type Random, randomBelow, seededRandom } from '../../src/base/random.ts';
import { encodeRecord, type RecordFrame } from '../../src/formats/agent-record/encode-record.ts';
import { readRecord } from '../../src/formats/agent-record/record-reader.ts';
import {
  encodeLocations,
  encodeSamples,
} from '../../src/formats/agent-record/testing/version-1.ts';
import { loadLz4Frames, storeFrame } from '../../src/formats/arrow/lz4-frame.ts';
import { decodeLz4Frame } from '../../src/formats/arrow/read/lz4-decode.ts';
import { batchOfRecord, readRecordSeries } from '../../src/ingest/record-builder.ts';
import { Dictionary } from '../../src/model/dictionary.ts';
import { withinCpuTime } from './cpu-time.ts';

/** CPU time of one input, of some 10 KB. */
const millisMax = 1_000;
/** Growth of the process's memory over all inputs. */
const memoryBytesMax = 1024 * 1024 * 1024;
/** Numbers that lengths and offsets go wrong at. */
const edges = [0, 1, -1, 2, 7, 8, 255, 65_535, 2 ** 31 - 1, -(2 ** 31), 1_000_000, 1_000_001];

const [target, seedText, secondsText] = process.argv.slice(2);
const random = seededRandom(Number(seedText));
const counts = { inputs: 0, read: 0, refused: 0 };

/** Streams of one write each. */
async function seedWrites(): Promise<readonly (readonly Uint8Array[])[]> {
  const frame = (i: number): RecordFrame => ({
    ...{ mappingFile: `/bin/app${i % 2}`, buildId: i % 3 === 0 ? '' : 'ab', address: BigInt(i) },
    lines: Array.from({ length: i % 3 }, (_, line) => ({
      ...{ systemName: `a_function_of_some_length_${i}`, fileName: 'a.c', startLine: i },
      ...{ line, column: 0 },
    })),
  });
  const samples = Array.from({ length: 20 }, (_, i) => ({
    labels: [
      { name: 'comm', value: `app${i % 3}` },
      { name: 'thread_id', value: `${i}` },
    ],
    frames: Array.from({ length: i % 6 }, (_, depth) => frame(i + depth)),
    value: BigInt(i),
  }));
  const head = {
    ...{ name: 'parca_agent', period: 5n, durationNanos: 1_000n },
    sampleType: { type: 'samples', unit: 'count' },
    periodType: { type: 'cpu', unit: 'nanoseconds' },
  };
  const profiles = [1n, 2n].map((timeNanos) => ({ ...head, timeNanos, samples }));
  const ids = ['a', 'b', 'c'];
  const version1 = ids.map((id) => ({ id, labels: { comm: id, cpu: '1' }, value: 1n }));
  return [
    [await encodeRecord(profiles, undefined)],
    [await encodeRecord(profiles, storeFrame)],
    [await encodeRecord(profiles, await loadLz4Frames())],
    [
      await encodeSamples(version1, 1n),
      await encodeLocations(ids.map((id, i) => [id, [frame(i), frame(i + 1)]])),
    ],
  ];
}

/** A copy with some bytes changed, cut out or repeated. */
function changed(bytes: Uint8Array, by: Random): Uint8Array<ArrayBuffer> {
  let copy = Buffer.from(bytes);
  for (let i = 1 + randomBelow(by, 1 + randomBelow(by, 6)); i > 0 && copy.length > 8; i -= 1) {
    const at = randomBelow(by, copy.length - 4);
    const kind = randomBelow(by, 8);
    if (kind < 3) copy[at] = randomBelow(by, 256);
    else if (kind < 6) copy.writeInt32LE(edges[randomBelow(by, edges.length)], at & ~3);
    else if (kind === 6) copy.copyWithin(at, randomBelow(by, copy.length));
    else if (randomBelow(by, 4) === 0) copy = copy.subarray(0, at);
  }
  return new Uint8Array(copy);
}

function readWrite(streams: readonly Uint8Array[]): void {
  const record = readRecord(streams);
  assert.ok(
    record.rowCount <= inputLimits.arrowRows && record.profileCount <= inputLimits.arrowProfiles,
  );
  const series = readRecordSeries(record, []);
  let rows = 0;
  batchOfRecord(record, series, new Dictionary([1, 2, 3]), 1n).appendTo((profile) => {
    rows += profile.rowCount;
  });
  assert.ok(rows <= record.rowCount);
}

/** Bytes before and after the output stay as they are. */
function readFrame(frame: Uint8Array, length: number): void {
  const memory = new Uint8Array(length + 32).fill(0xa5);
  try {
    decodeLz4Frame(frame, memory.subarray(16, 16 + length));
  } finally {
    const edge = new Uint8Array(16).fill(0xa5);
    assert.deepEqual([memory.subarray(0, 16), memory.subarray(16 + length)], [edge, edge]);
  }
}

function someFrame(by: Random): { readonly frame: Uint8Array; readonly length: number } {
  const length = randomBelow(by, 3_000);
  const bytes = Buffer.from(Uint8Array.from({ length }, (_, i) => (i % 7) + randomBelow(by, 3)));
  const isStored = randomBelow(by, 8) === 0;
  // Another length, as of a sender that does not tell the truth.
  const shift = randomBelow(by, 8) === 0 ? randomBelow(by, 100) - 50 : 0;
  const frame = isStored ? storeFrame(bytes) : compressFrameSync(bytes);
  return { frame, length: Math.max(0, length + shift) };
}

const writes = await seedWrites();
/** Makes one input, and reads it. */
const targets: Readonly<Record<string, () => () => void>> = {
  record() {
    const write = writes[randomBelow(random, writes.length)];
    const streams = write.map((bytes) => changed(bytes, random));
    return () => readWrite(streams);
  },
  lz4() {
    const { frame, length } = someFrame(random);
    const input = changed(frame, random);
    return () => readFrame(input, length);
  },
};

const make = targets[target];
const startBytes = process.memoryUsage().rss;
const end = performance.now() + Number(secondsText) * 1_000;
while (performance.now() < end) {
  const read = make();
  counts.inputs += 1;
  await withinCpuTime(millisMax, () => {
    try {
      read();
      counts.read += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      assert.ok(['invalid-argument', 'resource-exhausted'].includes(error.code), error.message);
      assert.match(error.message, /./);
      counts.refused += 1;
    }
  });
}
const grownBytes = process.memoryUsage().rss - startBytes;
assert.ok(grownBytes < memoryBytesMax, `memory grew by ${grownBytes} bytes`);
process.stdout.write(`${JSON.stringify(counts)}\n`);
