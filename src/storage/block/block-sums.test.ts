// Tests that sums that replace rows are equal to the sums of the rows: for whole chunks, windows,
// partly covered chunks and deletions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { decodeRows } from '../chunk/decode-rows.ts';
import { ChunkReader } from '../chunk/chunk-reader.ts';
import type { Deletion } from '../files/deletions.ts';
import { query } from '../fake/short-profiles.ts';
import { internStack } from '../fake/intern.ts';
import { Head } from '../head/head.ts';
import { HeadChunks } from '../head/head-chunks.ts';
import type { SeriesQuery } from '../interface.ts';
import type { RowSource } from '../selection.ts';
import { applyProfile } from '../testing/fill-head.ts';
import type { Block } from './block.ts';
import { allTime, memoryFiles, openBlockAt, writeHeadBlock } from './testing/block-files.ts';
import { windowChunk } from './testing/window-chunk.ts';

const random = seededRandom(11);
const hour = 3_600_000_000_000n;
const day = 24n * hour;

/** Returns a head with a day of profiles of three jobs. Each job has one about every `seconds`. */
function dayHead(seconds: number, options: { readonly isMixed?: boolean } = {}): Head {
  const head = new Head(new Dictionary([1, 2, 3]), 1 << 16);
  const { strings, sampleLabels } = head.dictionary;
  const key = strings.internText('thread');
  const sets = ['a', 'b'].map((text) =>
    sampleLabels.intern([
      { key, text: strings.internText(text), number: 0n, unit: strings.internText('') },
    ]),
  );
  const stacks = Array.from({ length: 40 }, (_, i) =>
    internStack(head.dictionary, [`f${i}`, `g${i % 7}`, 'main']),
  );
  for (const job of ['a', 'b', 'c']) {
    for (let time = 0n; time < day; time += BigInt(seconds) * 1_000_000_000n) {
      const used = new Set(Array.from({ length: 6 }, () => randomBelow(random, 40)));
      // Some hours have no profiles.
      if (job === 'c' && (time / hour) % 3n === 1n) continue;
      applyProfile(head, {
        labels: { job },
        time: time + BigInt(randomBelow(random, 1_000_000)),
        period: options.isMixed && randomBelow(random, 10) === 0 ? 7n : 10n,
        rows: Array.from(used, (row) => [
          stacks[row],
          job === 'b' ? sets[row % 2] : 0,
          BigInt(1 + randomBelow(random, 100)),
        ]),
      });
    }
  }
  return head;
}

async function dayBlock(head: Head, rowsMax: number, hasRollups: boolean): Promise<Block> {
  const files = await memoryFiles();
  await writeHeadBlock(files, '/blocks/test.block', head, {
    rowsMax,
    async addMore(writer, ref) {
      if (!hasRollups) return;
      for (const seconds of [3600, 21_600]) {
        for (const chunk of new HeadChunks(head).readChunks(ref, allTime, 1 << 20)) {
          await writer.addChunk(windowChunk(chunk, seconds), seconds);
        }
      }
    },
  });
  return openBlockAt(files, '/blocks/test.block');
}

/** Returns sums by stack, labels and period, as sorted lines. */
function sumRows(sources: readonly RowSource[]): { readonly lines: string[]; rowCount: number } {
  const sums = new Map<string, bigint>();
  let rowCount = 0;
  const add = (stack: number, labels: number, period: bigint, value: bigint): void => {
    const key = `${stack} ${labels} ${period}`;
    sums.set(key, BigInt.asIntN(64, (sums.get(key) ?? 0n) + value));
  };
  for (const source of sources) {
    assert(source.kind === 'chunk');
    const { chunk, valueColumn, first, end, period } = source;
    rowCount += source.rowCount;
    if (chunk.rows === undefined) {
      const sum = new ChunkReader().sumChunk(chunk, valueColumn, first, end);
      for (let i = 0; i < sum.entryCount; i += 1) {
        add(sum.entryStack[i], sum.entryLabels?.[i] ?? 0, period, sum.sums[i]);
      }
      continue;
    }
    const { stacks, sampleLabels, values } = decodeRows(chunk, first, end);
    assert.equal(stacks.length, source.rowCount);
    for (const [row, stack] of stacks.entries()) {
      add(stack, sampleLabels?.[row] ?? 0, period, values[valueColumn][row]);
    }
  }
  const lines = [...sums].filter(([, sum]) => sum !== 0n).map(([key, sum]) => `${key} ${sum}`);
  return { lines: lines.sort(), rowCount };
}

/**
 * Compares sums with rows in ranges within `from` .. `to`. Returns the number of rows that were
 * read for each.
 */
async function compareSums(block: Block, from: bigint, to: bigint): Promise<[number, number]> {
  let read = 0;
  let all = 0;
  for (const { slices } of await block.select(query({ from, to }), 0, assert.fail)) {
    for (const slice of slices) {
      const rows = await slice.rows(false);
      const want = sumRows(rows);
      const sources = await slice.rows(true);
      assert.deepEqual(sumRows(sources).lines, want.lines, `${from} ${to}`);
      for (const source of sources) {
        if (source.kind === 'chunk' && source.chunk.rows !== undefined) read += source.rowCount;
      }
      all += want.rowCount;
      assert.equal(slice.digest().rowCount, want.rowCount);
    }
  }
  return [read, all];
}

const ranges: (readonly [bigint, bigint])[] = [
  [0n, day],
  [hour, 5n * hour],
  [hour - 1n, 5n * hour + 1n],
  [6n * hour, 18n * hour - 1n],
  [6n * hour + 1n, 18n * hour - 2n],
  [5n * hour, 20n * hour],
  [hour / 2n, hour],
];
for (let i = 0; i < 15; i += 1) {
  const from = (BigInt(randomBelow(random, 1_000_000)) * day) / 1_000_000n;
  ranges.push([from, from + (BigInt(randomBelow(random, 1_000_000)) * day) / 1_000_000n]);
}

test('windows and whole chunks are read instead of their rows, and equal their sums', async () => {
  const head = dayHead(120);
  for (const rowsMax of [1 << 20, 1000]) {
    const block = await dayBlock(head, rowsMax, true);
    for (const [from, to] of ranges) await compareSums(block, from, to);
    assert.equal((await compareSums(block, 0n, day))[0], 0);
    const [read, all] = await compareSums(block, 6n * hour, 18n * hour - 1n);
    assert(read * 2 < all, `${read} of ${all} rows`);
    assert.deepEqual(await block.verify(), []);
    await block.close();
  }
});

test('profiles of several periods are never summed together', async () => {
  const block = await dayBlock(dayHead(300, { isMixed: true }), 500, false);
  for (const [from, to] of ranges) await compareSums(block, from, to);
});

test('deleted profiles are gone from every answer and every sum', async () => {
  const head = dayHead(600);
  for (const hasRollups of [true, false]) {
    const block = await dayBlock(head, 1 << 20, hasRollups);
    const deletions: Deletion[] = [
      {
        matchers: query({ matchers: [['job', '=', 'a']] }).matchers,
        profileType: undefined,
        range: { from: 3n * hour, to: 7n * hour },
      },
      {
        matchers: query({ matchers: [['job', '=', 'c']] }).matchers,
        profileType: undefined,
        range: allTime,
      },
    ];
    block.setDeletions(deletions);
    for (const [from, to] of ranges) {
      await compareSums(block, from, to);
      const series = await block.select(query({ from, to }), 0, assert.fail);
      for (const { labels, slices } of series) {
        assert.notEqual(labels[0].value, 'c');
        if (labels[0].value !== 'a') continue;
        for (const time of (await slices[0].profiles()).timeNanos) {
          assert(time < 3n * hour || time > 7n * hour);
        }
      }
    }
    const wholeDay = query({});
    assert.deepEqual([...(await block.labelValues('job', wholeDay))].sort(), ['a', 'b']);
    const within = query({ from: 4n * hour, to: 5n * hour });
    assert.deepEqual([...(await block.labelValues('job', within))], ['b']);
    const left: string[] = [];
    for await (const stream of block.streams(assert.fail)) {
      let count = 0;
      for await (const chunk of stream.chunks()) {
        count += chunk.profileCount;
        assert.equal(chunk.rowStart[chunk.profileCount], chunk.stacks.length);
      }
      let rollups = 0;
      for await (const { chunk } of stream.rollups()) rollups += chunk.profileCount;
      left.push(`${stream.key.labels[0].value}: ${count} ${rollups}`);
    }
    assert.deepEqual(left, ['a: 120 0', `b: 144 ${hasRollups ? 28 : 0}`, 'c: 0 0']);
    await block.close();
  }
});

test('labels stored row by row are read with the rows when a filter needs them', async () => {
  const head = new Head(new Dictionary([1, 2, 3]), 1 << 16);
  const { strings, sampleLabels } = head.dictionary;
  const key = strings.internText('span');
  const stack = internStack(head.dictionary, ['main']);
  for (let time = 0; time < 300; time += 1) {
    const text = strings.internText(`span-${time}`);
    const set = sampleLabels.intern([{ key, text, number: 0n, unit: strings.internText('') }]);
    applyProfile(head, { labels: { job: 'a' }, time: BigInt(time), rows: [[stack, set, 5n]] });
  }
  const files = await memoryFiles();
  await writeHeadBlock(files, '/blocks/test.block', head);
  const block = await openBlockAt(files, '/blocks/test.block');
  const selectRows = async (asked: SeriesQuery): Promise<[boolean, readonly RowSource[]]> => {
    const [{ slices }] = await block.select(asked, 0, assert.fail);
    return [slices[0].rowFilter !== undefined, await slices[0].rows(true)];
  };
  const [isFiltered, [all]] = await selectRows(query({}));
  assert(!isFiltered && all.kind === 'chunk' && all.chunk.rows === undefined);
  const asked = query({ matchers: [['span', '=', 'span-7']] });
  const [isOneFiltered, [one]] = await selectRows(asked);
  assert(isOneFiltered && one.kind === 'chunk');
  const rows = decodeRows(one.chunk, one.first, one.end);
  assert.equal(rows.sampleLabels?.length, 300);
  assert.equal([...(await block.labelValues('span', asked))].join(), 'span-7');
});
