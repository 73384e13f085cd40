// Benchmark of finding series by labels in a block of a million, against intersecting sorted
// arrays.
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { seededRandom } from '../../src/base/random.ts';
import { createMatcher } from '../../src/model/matcher.ts';
import { BlockCache } from '../../src/storage/block/block-cache.ts';
import { BlockContent } from '../../src/storage/block/block-content.ts';
import {
  encodeFooter,
  encodeHeader,
  saltOf,
  type BlockFacts,
} from '../../src/storage/block/block-facts.ts';
import { BlockFile } from '../../src/storage/block/block-file.ts';
import type { ChunkEntry } from '../../src/storage/block/chunk-entry.ts';
import { PieceWriter } from '../../src/storage/block/frame-writer.ts';
import { LabelSearch } from '../../src/storage/block/label-search.ts';
import { SeriesIndexWriter } from '../../src/storage/block/series-index-writer.ts';
import { median, reportRatio } from '../measure.ts';

const streams = 1_000_000;
const id = 'bench';
const path = '/blocks/bench.block';
const files = new MemoryFiles(seededRandom(1));
const noPause = async (): Promise<void> => undefined;

const place = { frame: 0, offset: 0, length: 100 };
/** Index entry of one short chunk. */
const entry: ChunkEntry = {
  windowSeconds: 0,
  isLabelled: false,
  hasLabelsInRows: false,
  digests: [
    {
      profileCount: 10,
      rowCount: 1000,
      firstNanos: 1_700_000_000_000_000_000n,
      lastNanos: 1_700_000_090_000_000_000n,
      total: 12_345n,
      magnitude: 12_345,
      count: 1000,
      period: 10_000_000n,
      spacingMinNanos: 10_000_000_000,
      spacingMaxNanos: 10_000_000_000,
      coveredNanos: 90_000_000_000,
      lastDurationNanos: 10_000_000_000,
    },
  ],
  places: { profiles: place, stacks: place, rows: place },
};

/** Writes a block with only an index. */
async function writeIndex(): Promise<void> {
  const file = await files.open(path, { create: true });
  const pieces = new PieceWriter(file, saltOf(id), noPause);
  await pieces.writePlain(encodeHeader(0n));
  const index = new SeriesIndexWriter(pieces, 1, noPause);
  const count = { type: 'samples', unit: 'count' };
  for (let i = 0; i < streams; i += 1) {
    index.beginStream({
      labels: [
        { name: 'cluster', value: `cluster-${i % 3}` },
        { name: 'instance', value: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}:6060` },
        { name: 'job', value: `job-${i % 200}` },
        { name: 'zone', value: `zone-${(i >> 3) % 2}` },
      ],
      name: 'process_cpu',
      sampleTypes: [count],
      periodType: count,
      delta: true,
    });
    index.addChunk(entry);
  }
  const directory = await index.finish();
  const facts: BlockFacts = {
    ...{ id, level: 0, sources: [], epoch: 1, cutCount: 1, createdNanos: 0n, windowNanos: 0n },
    ...{ minNanos: 0n, maxNanos: 1n, profileCount: streams, rowCount: streams },
    ...{ streamCount: streams, chunkCount: streams },
  };
  await pieces.writePlain(encodeFooter(facts, { frames: [], directory, symbols: [] }));
  await file.close();
}

/** Intersects in the plain way: one position moves at a time. */
function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(a.length, b.length));
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      both[count] = a[i];
      count += 1;
      i += 1;
      j += 1;
    } else if (a[i] < b[j]) i += 1;
    else j += 1;
  }
  return both.subarray(0, count);
}

async function benchSelection(): Promise<void> {
  const file = await BlockFile.open(await files.open(path, { create: false }));
  const content = new BlockContent(file, new BlockCache(1 << 30), () => undefined, undefined);
  const search = new LabelSearch(content, await content.directory(), noPause);
  for (const [name, matchers] of [
    ['dense', [createMatcher('cluster', '=', 'cluster-1'), createMatcher('zone', '=', 'zone-0')]],
    ['short', [createMatcher('job', '=', 'job-7'), createMatcher('zone', '=', 'zone-0')]],
  ] as const) {
    const lists: Uint32Array[] = [];
    for (const matcher of matchers) lists.push(await search.candidates([matcher], undefined));
    const ratios: number[] = [];
    let found = 0;
    let millis = 0;
    for (let turn = -5; turn < 15; turn += 1) {
      let start = performance.now();
      found = intersect(lists[0], lists[1]).length;
      const plain = performance.now() - start;
      start = performance.now();
      found -= (await search.candidates(matchers, undefined)).length;
      millis = performance.now() - start;
      if (found !== 0) throw new Error('the two ways differ');
      if (turn >= 0) ratios.push(millis / plain);
    }
    console.log(`selection, ${name}: ${millis.toFixed(2)} ms of ${streams} streams`);
    reportRatio(`selection, ${name}: against an intersection`, median(ratios), 2, false);
  }
  await content.close();
}

await files.makeDirectory('/blocks');
await writeIndex();
await benchSelection();
