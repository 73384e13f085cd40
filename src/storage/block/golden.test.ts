// Tests that profiles without sample times still have the same bytes, in the log and in a block, as
// before sample times existed.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ByteWriter } from '../../base/bytes.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { encodeSampleTimes } from '../../model/profiles/sample-times-codec.ts';
import { internSampleLabels, internStack } from '../fake/intern.ts';
import { encodeProfile } from '../head/profile-codec.ts';
import { Head } from '../head/head.ts';
import type { IncomingProfile } from '../interface.ts';
import { applyProfile, type HeadRow } from '../testing/fill-head.ts';
import { blockVersion } from './block-facts.ts';
import { memoryFiles, openBlockAt, writeHeadBlock } from './testing/block-files.ts';

/** Length and hash of the block as version 0.4 wrote it. */
const goldenBlock = [4_545, '165bd45e07d4298b504574fefbb78a01a031f2a073e599f6df2ca1392d9382ad'];
const goldenProfile =
  '27000000070000f323845bd7184d0000000000000080c8afa02580ade204030101080a0d00020100050107';

const dictionary = new Dictionary([1, 2, 3]);
const stacks = Array.from({ length: 40 }, (_, i) =>
  internStack(dictionary, [`leaf${i % 7}`, `f${i}`, 'main']),
);
const labels = ['a', 'b'].map((value) => internSampleLabels(dictionary, [['thread', value]]));

function makeRows(profile: number, isLabelled: boolean): HeadRow[] {
  return stacks.slice(profile % 5, 20 + (profile % 20)).map((stack, i): HeadRow => {
    const value = BigInt((i * 37 + profile * 11) % 90);
    return [stack, isLabelled ? labels[i % 2] : 0, value, value * 10_000_000n];
  });
}

function smallHead(): Head {
  const head = new Head(dictionary, 65_536);
  for (let i = 0; i < 30; i += 1) {
    const time = BigInt(1_790_000_000 + i * 10) * 1_000_000_000n;
    const own = { valueColumns: 2, period: 10_000_000n, hash: BigInt(i), time };
    applyProfile(head, { labels: { job: 'a' }, rows: makeRows(i, false), ...own });
    applyProfile(head, { labels: { job: 'b' }, rows: makeRows(i, true), name: 'wall', ...own });
  }
  return head;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('profiles without times of samples have the bytes that they always had', async () => {
  const files = await memoryFiles();
  await writeHeadBlock(files, '/blocks/test.block', smallHead(), { isCold: false });
  const block = files.peek('/blocks/test.block') ?? new Uint8Array(0);
  assert.deepEqual([block.length, sha256(block)], goldenBlock);
  assert.equal(readVersion(block), 1, 'an earlier server reads it');
  const writer = new ByteWriter();
  encodeProfile(writer, 7, {
    labels: [],
    name: 'process_cpu',
    sampleTypes: [{ type: 'samples', unit: 'count' }],
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    period: 10_000_000n,
    timeNanos: 1_790_000_000_000_000_000n,
    durationNanos: 10_000_000_000n,
    rowCount: 3,
    stacks: Uint32Array.of(4, 9, 2),
    values: [BigInt64Array.of(5n, 1n, 7n)],
    sampleLabels: Uint32Array.of(0, 1, 0),
    contentHash: 77n,
  } satisfies IncomingProfile);
  assert.equal(Buffer.from(writer.copy()).toString('hex'), goldenProfile);
});

test('a block with times says so by its version, and is verified with them', async () => {
  const files = await memoryFiles();
  const head = smallHead();
  const millis = Float64Array.of(1_790_000_500_000, 1_790_000_501_000);
  const sampleTimes = encodeSampleTimes(
    { start: Uint32Array.of(0, 2), millis, values: [undefined] },
    [BigInt64Array.of(2n)],
  );
  const time = 1_790_000_500_000_000_000n;
  applyProfile(head, { labels: { job: 'c' }, time, rows: [[stacks[0], 0, 2n]], sampleTimes });
  await writeHeadBlock(files, '/blocks/test.block', head, { isCold: false });
  const bytes = files.peek('/blocks/test.block') ?? new Uint8Array(0);
  assert.equal(readVersion(bytes), blockVersion);
  const block = await openBlockAt(files, '/blocks/test.block');
  assert.deepEqual(await block.verify(), []);
  // These bytes occur only in the sample times.
  const at = Buffer.from(bytes).indexOf(Buffer.from(sampleTimes));
  assert.ok(at > 0, 'few bytes are not compressed');
  files.flipBit('/blocks/test.block', at + 4, 1);
  const damaged = await openBlockAt(files, '/blocks/test.block');
  assert.equal((await damaged.verify()).length, 1);
});

function readVersion(block: Uint8Array): number {
  return new DataView(block.buffer, block.byteOffset).getUint32(block.length - 12, true);
}
