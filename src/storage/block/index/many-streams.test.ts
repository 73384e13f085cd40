// Tests that a block of many short streams packs them, finds them by label, and yields them in the
// order of their keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dictionary } from '../../../model/dictionary.ts';
import { query } from '../../fake/short-profiles.ts';
import { internStack } from '../../fake/intern.ts';
import type { StreamKey } from '../../series/stream-key.ts';
import { createBlockWriter } from '../block-writer.ts';
import { publishFile } from '../../../base/durable-files.ts';
import { compareStreamKeys } from './compare-keys.ts';
import { memoryFiles, openBlockAt, makeOrigin } from '../testing/block-files.ts';

const streamCount = 20_000;
const path = '/blocks/many.block';
const count = { type: 'samples', unit: 'count' };

function makeKey(i: number): StreamKey {
  return {
    labels: [
      { name: 'instance', value: `host-${(i * 7919) % streamCount}` },
      { name: 'job', value: `job-${i % 50}` },
    ],
    name: i % 2 === 0 ? 'process_cpu' : 'memory',
    sampleTypes: [count],
    periodType: count,
    delta: true,
  };
}

test('many streams of one short chunk are packed and found', async () => {
  const files = await memoryFiles();
  const dictionary = new Dictionary([1, 2, 3]);
  const stacks = Array.from({ length: 10 }, (_, i) => internStack(dictionary, [`f${i}`, 'main']));
  const facts = makeOrigin('many');
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses += 1;
  };
  const options = { files, path, dictionary, isCold: true, facts, pause };
  const writer = await createBlockWriter(options);
  for (let i = 0; i < streamCount; i += 1) {
    writer.beginStream(makeKey(i));
    await writer.addChunk(
      {
        profileCount: 1,
        timeNanos: BigInt64Array.of(BigInt(1_000_000 + i)),
        durationNanos: BigInt64Array.of(10n),
        period: BigInt64Array.of(1n),
        contentHash: Uint32Array.of(i),
        rowStart: Uint32Array.of(0, 2),
        stacks: Uint32Array.of(stacks[i % 10], stacks[(i + 1) % 10]),
        sampleLabels: undefined,
        values: [BigInt64Array.of(BigInt(i + 1), 3n)],
      },
      0,
    );
  }
  const { rowCount } = await writer.finish();
  await publishFile(files, path);
  assert.equal(rowCount, 2 * streamCount);
  assert(pauses > 50, `${pauses} pauses`);
  const size = files.peek(path)?.length ?? 0;
  assert(size < streamCount * 80, `${size} bytes`);

  const block = await openBlockAt(files, path, 1 << 22);
  for (const i of [0, 1, 777, streamCount - 1]) {
    const [instance] = makeKey(i).labels;
    const asked = query({ matchers: [['instance', '=', instance.value]] });
    const found = await block.select(asked, 0, assert.fail);
    assert.deepEqual(
      found.map(({ labels, slices }) => [labels, slices[0].digest().total]),
      [[makeKey(i).labels, BigInt(i + 4)]],
    );
    assert.equal(await block.has(makeKey(i), BigInt(1_000_000 + i), BigInt(i)), true);
  }
  const ofJob = query({ matchers: [['job', '=~', 'job-(3|4)']] });
  assert.equal((await block.select(ofJob, 0, assert.fail)).length, streamCount / 25);
  assert.equal([...(await block.labelValues('instance', query({})))].length, streamCount);
  let before: StreamKey | undefined;
  let streams = 0;
  for await (const { key } of block.streams(assert.fail)) {
    assert(before === undefined || compareStreamKeys(before, key) < 0);
    before = key;
    streams += 1;
  }
  assert.equal(streams, streamCount);
});
