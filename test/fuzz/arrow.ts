// Reads and interns damaged Arrow writes and LZ4 frames: node test/fuzz/arrow.ts TARGET SEED
// SECONDS
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { compressFrameSync } from 'lz4-napi';
import { inputLimits } from '../../src/base/input-limits.ts';
import { finishAtOnce } from '../../src/base/pacer.ts';
import { type Random, randomBelow, seededRandom } from '../../src/base/random.ts';
import { encodeRecord, type RecordFrame } from '../../src/formats/parca-arrow/encode-record.ts';
import { readRecord } from '../../src/formats/parca-arrow/record-reader.ts';
import { encodeLocations, encodeSamples } from '../../src/formats/parca-arrow/testing/version-1.ts';
import { loadLz4Frames, storeFrame } from '../../src/formats/arrow/lz4-frame.ts';
import { decodeLz4Frame } from '../../src/formats/arrow/read/lz4-decode.ts';
import { batchOfRecord, readRecordSeries } from '../../src/ingest/record-builder.ts';
import { Dictionary } from '../../src/model/dictionary.ts';
import { changed, runTarget } from './changed-bytes.ts';

const [target, seedText, secondsText] = process.argv.slice(2);
const random = seededRandom(Number(seedText));

/** A write of pyarrow. */
const zstdStream = new URL('../../src/formats/parca-arrow/testdata/zstd.arrow', import.meta.url);

/** Returns streams with one write each. */
async function seedWrites(): Promise<readonly (readonly Uint8Array[])[]> {
  const frame = (i: number): RecordFrame => ({
    mappingFile: `/bin/app${i % 2}`,
    buildId: i % 3 === 0 ? '' : 'ab',
    address: BigInt(i),
    lines: Array.from({ length: i % 3 }, (_, line) => ({
      systemName: `a_function_of_some_length_${i}`,
      fileName: 'a.c',
      startLine: i,
      line,
      column: 0,
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
    name: 'parca_agent',
    period: 5n,
    durationNanos: 1_000n,
    sampleType: { type: 'samples', unit: 'count' },
    periodType: { type: 'cpu', unit: 'nanoseconds' },
  };
  const profiles = [1n, 2n].map((timeNanos) => ({ ...head, timeNanos, samples }));
  const ids = ['a', 'b', 'c'];
  const version1 = ids.map((id) => ({ id, labels: { comm: id, cpu: '1' }, value: 1n }));
  return [
    [encodeRecord(profiles, undefined)],
    [encodeRecord(profiles, storeFrame)],
    [encodeRecord(profiles, await loadLz4Frames())],
    [readFileSync(zstdStream)],
    [
      encodeSamples(version1, 1n),
      encodeLocations(ids.map((id, i) => [id, [frame(i), frame(i + 1)]])),
    ],
  ];
}

function readWrite(streams: readonly Uint8Array[]): void {
  const record = readRecord(streams);
  assert.ok(
    record.rowCount <= inputLimits.arrowRows && record.profileCount <= inputLimits.arrowProfiles,
  );
  const series = readRecordSeries(record, []);
  let rows = 0;
  const batch = batchOfRecord(record, series, new Dictionary([1, 2, 3]), 1n);
  finishAtOnce(batch.appendTo((profile) => void (rows += profile.rowCount)));
  assert.ok(rows <= record.rowCount);
}

/** Checks that the bytes before and after the output do not change. */
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
  // Sometimes declares a wrong length, like a malicious sender.
  const shift = randomBelow(by, 8) === 0 ? randomBelow(by, 100) - 50 : 0;
  const frame = isStored ? storeFrame(bytes) : compressFrameSync(bytes);
  return { frame, length: Math.max(0, length + shift) };
}

const writes = await seedWrites();
/** Targets; each makes an input, and returns a function that reads it. */
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

await runTarget(targets[target], Number(secondsText));
