// Tests that a block in which each stream has its own label name needs few reads of the file, and
// answers correctly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { File } from '../../../base/files.ts';
import { Dictionary } from '../../../model/dictionary.ts';
import { query } from '../../fake/short-profiles.ts';
import { internStack } from '../../fake/intern.ts';
import { createBlockWriter } from '../block-writer.ts';
import { publishFile } from '../../../base/durable-files.ts';
import { memoryFiles, openBlockAt, makeOrigin } from '../testing/block-files.ts';

const nameCount = 2_000;
const path = '/blocks/names.block';
const count = { type: 'samples', unit: 'count' };

/** Returns the label names of series `from` .. `to`, sorted. */
function sortedNames(from: number, to: number): string[] {
  const own = Array.from({ length: to - from + 1 }, (_, i) => `name_${from + i}`);
  return [...own, 'job'].sort();
}

test('names of labels are written and read many at a time', async () => {
  const files = await memoryFiles();
  let accesses = 0;
  const counted = (file: File): File => {
    const { append, read } = file;
    file.append = (bytes) => {
      accesses += 1;
      return append.call(file, bytes);
    };
    file.read = (into, offset) => {
      accesses += 1;
      return read.call(file, into, offset);
    };
    return file;
  };
  const open = files.open.bind(files);
  files.open = async (name, options) => counted(await open(name, options));
  const dictionary = new Dictionary([1, 2, 3]);
  const stacks = Uint32Array.of(internStack(dictionary, ['leaf', 'main']));
  const options = { files, path, dictionary, isCold: false, facts: makeOrigin('names') };
  const writer = await createBlockWriter(options);
  for (let i = 0; i < nameCount; i += 1) {
    const own = { name: `name_${i}`, value: `value-${i}` };
    const shape = { name: 'process_cpu', sampleTypes: [count], periodType: count, delta: true };
    writer.beginStream({ ...shape, labels: [{ name: 'job', value: 'a' }, own] });
    const profile = {
      profileCount: 3,
      timeNanos: BigInt64Array.of(BigInt(i * 10), BigInt(i * 10 + 4), BigInt(i * 10 + 8)),
      durationNanos: BigInt64Array.of(1n, 1n, 1n),
      period: BigInt64Array.of(1n, 1n, 1n),
      contentHash: Uint32Array.of(1, 2, 3),
      rowStart: Uint32Array.of(0, 1, 2, 3),
      stacks: Uint32Array.of(stacks[0], stacks[0], stacks[0]),
      sampleLabels: undefined,
      values: [BigInt64Array.of(1n, 1n, 1n)],
    };
    await writer.addChunk(profile, 0);
  }
  await writer.finish();
  await publishFile(files, path);
  assert(accesses < 100, `${accesses} writes`);

  const block = await openBlockAt(files, path, 1 << 24);
  accesses = 0;
  assert.deepEqual([...(await block.labelNames(query({})))].sort(), sortedNames(0, nameCount - 1));
  assert.deepEqual([...(await block.labelValues('name_7', query({})))], ['value-7']);
  const one = query({ matchers: [['name_1500', '=', 'value-1500']] });
  assert.deepEqual([...(await block.labelNames(one))].sort(), ['job', 'name_1500']);
  assert(accesses < 20, `${accesses} reads`);
  // The range begins at the last profile of series 10 and ends at the first profile of series
  // 1,900.
  const some = query({ from: 108n, to: 19_000n });
  assert.deepEqual([...(await block.labelNames(some))].sort(), sortedNames(10, 1_900));
  // This range is between two profiles of series 10.
  assert.deepEqual([...(await block.labelNames(query({ from: 101n, to: 103n })))], []);
  assert.equal((await block.profileTypes({ from: 101n, to: 103n })).length, 0);
  assert.equal((await block.profileTypes({ from: 104n, to: 104n })).length, 1);
  const series = await block.select(query({}), 0, assert.fail);
  assert.equal(series.length, nameCount);
  assert(accesses < 300, `${accesses} reads`);
});
