// A block gives the same answers as the head that it was cut from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import { readSelection, type ReadSeries } from '../fake/read-selection.ts';
import { query, type Matcher } from '../fake/short-profiles.ts';
import { internStack } from '../fake/intern.ts';
import { Head } from '../head/head.ts';
import type { SeriesQuery } from '../interface.ts';
import { PartList } from '../store/part-list.ts';
import type { Part } from '../part.ts';
import { PartsQuerier } from '../store/parts-querier.ts';
import { HeadPart } from '../head/head-part.ts';
import { RowlessSlice } from '../selection.ts';
import { applyProfile, keyOfProfile, type HeadProfile } from '../testing/fill-head.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { BlockCache } from './block-cache.ts';
import { openBlock } from './block.ts';
import { memoryFiles, openBlockAt, writeHeadBlock } from './testing/block-files.ts';

const random = seededRandom(7);

function labelSet(dictionary: Dictionary, thread: string | undefined): number {
  if (thread === undefined) return 0;
  const { strings, sampleLabels } = dictionary;
  const none = strings.internText('');
  const key = strings.internText('thread');
  return sampleLabels.intern([{ key, text: strings.internText(thread), number: 0n, unit: none }]);
}

/** Returns a head with many different streams. */
function filledHead(count: number): { head: Head; profiles: HeadProfile[] } {
  const head = new Head(new Dictionary([1, 2, 3]), 1 << 16);
  const profiles: HeadProfile[] = [];
  for (let i = 0; i < count; i += 1) {
    const job = `job-${randomBelow(random, 5)}`;
    const rows = new Map<number, bigint[]>();
    const isLabelled = job === 'job-1';
    const depth = 1 + randomBelow(random, 5);
    for (let row = randomBelow(random, 12); row > 0; row -= 1) {
      const names = Array.from({ length: depth }, () => `f${randomBelow(random, 30)}`);
      const value = BigInt(1 + randomBelow(random, 300)) - (row === 3 ? 1000n : 0n);
      rows.set(internStack(head.dictionary, names), [value, value * 10n]);
    }
    const profile: HeadProfile = {
      labels: { job, ...(i % 3 === 0 ? { zone: `z${i % 2}`, ünïcode: 'ä' } : {}) },
      time: BigInt(1000 + randomBelow(random, 4000)),
      valueColumns: 2,
      name: job === 'job-4' ? 'memory' : 'process_cpu',
      period: job === 'job-2' ? BigInt(1 + (i % 2)) : 10n,
      duration: job === 'job-3' ? 0n : BigInt(10 + (i % 3)),
      hash: BigInt(i + 1),
      rows: Array.from(rows, ([stack, values]) => [
        stack,
        isLabelled ? labelSet(head.dictionary, [undefined, 'a', 'b'][randomBelow(random, 3)]) : 0,
        ...values,
      ]),
    };
    applyProfile(head, profile);
    profiles.push(profile);
  }
  return { head, profiles };
}

function createQuerier(all: readonly Part[]): PartsQuerier {
  const parts = new PartList<Part>();
  for (const part of all) parts.addHead(part);
  return new PartsQuerier({ parts, onMissing: (_, error) => assert.fail(String(error)) });
}

/** Returns the result of a query, in an order that is independent of the parts. */
async function read(parts: readonly Part[], asked: SeriesQuery): Promise<ReadSeries[]> {
  const found = await readSelection(await createQuerier(parts).select(asked));
  const sorted = found.map((series) => ({
    ...series,
    profiles: series.profiles
      .map((profile) => ({ ...profile, rows: [...profile.rows].sort(compare) }))
      .sort(compare),
  }));
  return sorted.sort(compare);
}

function compare(a: unknown, b: unknown): number {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one));
  return text(a) < text(b) ? -1 : 1;
}

const matcherSets: readonly (readonly Matcher[])[] = [
  [],
  [['job', '=', 'job-1']],
  [['job', '!=', 'job-1']],
  [['job', '=~', 'job-[12]']],
  [['zone', '=', '']],
  [['zone', '!=', '']],
  [['zone', '=~', 'z0|']],
  [['zone', '!~', 'z0|']],
  [['ünïcode', '=', 'ä']],
  [['absent', '=', '']],
  [['absent', '!=', '']],
  [['thread', '=', 'a']],
  [['thread', '!=', 'a']],
  [['thread', '=', '']],
  [['__name__', '=', 'memory']],
  [
    ['__name__', '!~', 'mem.*'],
    ['job', '!=', 'job-2'],
  ],
];

test('a block answers every question like its head', async () => {
  const { head } = filledHead(250);
  const files = await memoryFiles();
  for (const [rowsMax, isCold, cacheBytes] of [
    [1 << 20, true, 1 << 24],
    [60, false, 1],
  ] as const) {
    await writeHeadBlock(files, '/blocks/test.block', head, { rowsMax, isCold });
    const block = await openBlockAt(files, '/blocks/test.block', cacheBytes);
    const want = new HeadPart('head', head);
    assert.deepEqual([block.profileCount, block.range], [want.profileCount, want.range]);
    // Without a cache, each answer reads all data again.
    const sets = cacheBytes > 1 ? matcherSets : matcherSets.slice(0, 3);
    for (const matchers of sets) {
      for (const [from, to] of [
        [0n, 9999n],
        [2000n, 3000n],
        [4990n, 4999n],
        [9000n, 9999n],
      ] as const) {
        const asked = query({ matchers, from, to });
        const note = JSON.stringify(matchers);
        assert.deepEqual(await read([block], asked), await read([want], asked), note);
        for (const name of ['job', 'zone', 'thread', 'absent']) {
          assert.deepEqual(
            [...(await block.labelValues(name, asked))].sort(),
            [...(await want.labelValues(name, asked))].sort(),
            `${name} ${note}`,
          );
        }
        assert.deepEqual(
          new Set(await block.labelNames(asked)),
          new Set(await want.labelNames(asked)),
          note,
        );
      }
    }
    for (const from of [0n, 2000n, 4995n, 9000n]) {
      for (const range of [
        { from, to: from + 2000n },
        { from: from - 1n, to: 99_999n },
      ]) {
        for (const matchers of sets) {
          const asked = query({ matchers, ...range });
          const types = async (part: Part): Promise<string[]> =>
            (await part.profileTypes(range, asked.matchers)).map(formatProfileType).sort();
          const selected = (await want.select(asked, 0)).filter(
            ({ slices }) => !(slices[0] instanceof RowlessSlice),
          );
          const texts = selected.map(({ profileType }) => formatProfileType(profileType));
          assert.deepEqual(await types(want), [...new Set(texts)].sort());
          assert.deepEqual(await types(block), await types(want));
        }
      }
    }
    assert.deepEqual(await block.verify(), []);
    await block.close();
  }
});

test('a block next to a head answers like the head that it was cut from', async () => {
  const [{ head }, other] = [filledHead(100), filledHead(100)];
  const files = await memoryFiles();
  await writeHeadBlock(files, '/blocks/test.block', head, {});
  const block = await openBlockAt(files, '/blocks/test.block');
  const otherHead = new HeadPart('other', other.head);
  for (const matchers of matcherSets) {
    for (const [from, to] of [
      [0n, 9999n],
      [2000n, 2200n],
    ] as const) {
      const asked = query({ matchers, from, to });
      const want = await read([new HeadPart('head', head), otherHead], asked);
      assert.deepEqual(await read([block, otherHead], asked), want, JSON.stringify(matchers));
    }
  }
  await block.close();
});

test('digests are those of the head', async () => {
  const { head } = filledHead(300);
  const files = await memoryFiles();
  await writeHeadBlock(files, '/blocks/test.block', head, { rowsMax: 100 });
  const block = await openBlockAt(files, '/blocks/test.block');
  const want = new HeadPart('head', head);
  for (const [from, to] of [
    [0n, 9999n],
    [1500n, 3500n],
  ] as const) {
    const digests = async (part: Part): Promise<unknown[]> => {
      const series = await part.select(query({ from, to }), 0, assert.fail);
      const facts = series.map(({ labels, profileType, slices: [slice] }) => ({
        labels,
        type: formatProfileType(profileType),
        ...slice.digest(),
      }));
      return facts.sort(compare);
    };
    assert.deepEqual(await digests(block), await digests(want));
  }
});

test('profiles are found by stream, time and content', async () => {
  const { head, profiles } = filledHead(100);
  const files = await memoryFiles();
  await writeHeadBlock(files, '/blocks/test.block', head);
  const block = await openBlockAt(files, '/blocks/test.block');
  for (const profile of profiles) {
    const key = keyOfProfile(profile);
    const { time, hash = 0n } = profile;
    assert.equal(await block.has(key, time, hash), true);
    assert.equal(await block.has(key, time, hash + 1000n), false);
    assert.equal(await block.has(key, time + 10_000n, hash), false);
    assert.equal(await block.has({ ...key, name: 'other' }, time, hash), false);
    assert.equal(await block.has({ ...key, labels: key.labels.slice(1) }, time, hash), false);
  }
});

test('a block is closed after its last reader', async () => {
  const files = await memoryFiles();
  await writeHeadBlock(files, '/blocks/test.block', filledHead(5).head);
  const before = files.openHandles;
  const block = await openBlockAt(files, '/blocks/test.block');
  const release = [block.pin(), block.pin()];
  let isClosed = false;
  const closing = block.close().then(() => {
    isClosed = true;
  });
  release[0]();
  assert.throws(release[0], /released once/);
  assert.equal((await block.select(query({}), 0, assert.fail)).length > 0, true);
  assert.equal(isClosed, false);
  release[1]();
  await closing;
  await block.close();
  assert.equal(files.openHandles, before);
});

test('values of a label that are larger than the cache are read once for a write', async () => {
  const { head, profiles } = filledHead(2);
  const long = Array.from({ length: 50_000 }, () => randomBelow(random, 1 << 30).toString(36));
  applyProfile(head, { ...profiles[0], labels: { job: long.join('') } });
  const files = await memoryFiles();
  await writeHeadBlock(files, '/blocks/long', head);
  const file = await files.open('/blocks/long', { create: false });
  let bytesRead = 0;
  const counted = {
    size: () => file.size(),
    read: async (bytes: Uint8Array, offset: number): Promise<number> => {
      bytesRead += bytes.length;
      return file.read(bytes, offset);
    },
    close: () => file.close(),
  };
  const cache = new BlockCache(1);
  const block = await openBlock({
    file: counted,
    cache,
    logger: silentLogger,
    metrics: noMetrics,
  });
  const key = keyOfProfile(profiles[0]);
  const lookUp = async (count: number): Promise<number> => {
    const before = bytesRead;
    const release = block.pin();
    for (let i = 0; i < count; i += 1) {
      const labels = [{ name: 'job', value: `new-${i}` }];
      assert.equal(await block.has({ ...key, labels }, profiles[0].time, 1n), false);
    }
    release();
    return bytesRead - before;
  };
  const one = await lookUp(1);
  const twenty = await lookUp(20);
  assert.ok(one > 100_000, `${one} bytes`);
  assert.ok(twenty < one * 2, `${twenty} bytes for twenty, ${one} for one`);
  await block.close();
});
