// Turns test stores into real parts of a store: heads, blocks, and a block compacted from others.
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import type { Files } from '../../base/files.ts';
import { rowSegmentBytes } from '../../storage/limits.ts';
import type { Querier } from '../../storage/interface.ts';
import { publishFile } from '../../base/durable-files.ts';
import type { Block } from '../../storage/block/block.ts';
import {
  memoryFiles,
  openBlockAt,
  writeHeadBlock,
} from '../../storage/block/testing/block-files.ts';
import { Head } from '../../storage/head/head.ts';
import { compactBlocks } from '../../storage/maintenance/compact.ts';
import type { CompactionRequest } from '../../storage/maintenance/compactor.ts';
import { PartList } from '../../storage/store/part-list.ts';
import { PartsQuerier } from '../../storage/store/parts-querier.ts';
import { HeadPart } from '../../storage/head/head-part.ts';
import { encodeProfile } from '../../storage/head/profile-codec.ts';
import type { SeriesStore } from '../../storage/selection.ts';
import { createMergePool } from '../../storage/sum/merge-pool.ts';
import { SumQuerier } from '../../storage/sum/sum-querier.ts';
import type { TestStore } from './test-store.ts';

/** Kind of part that a test store becomes. */
export type PartKind = 'head' | 'block' | 'compacted';

const { signal } = new AbortController();

/**
 * Returns a store whose parts are heads. Profiles that are added later also go into these heads.
 */
export function realHeads(...stores: readonly TestStore[]): Querier {
  const current = (): Promise<SeriesStore> =>
    realSeries(stores.map((store) => ({ store, kind: 'head' })));
  const series: SeriesStore = {
    select: async (query) => (await current()).select(query),
    labelNames: async (query) => (await current()).labelNames(query),
    labelValues: async (name, query) => (await current()).labelValues(name, query),
    profileTypes: async (range, matchers) => (await current()).profileTypes(range, matchers),
    hasData: async () => (await current()).hasData(),
    state: () => stores.map((store) => store.incoming().length).join(),
  };
  return new SumQuerier(series, mergePool);
}

/**
 * Returns a store with a part for each test store. All test stores of the kind 'compacted' become
 * one block together.
 */
export async function realStore(stores: Parameters<typeof realSeries>[0]): Promise<Querier> {
  return new SumQuerier(await realSeries(stores), mergePool);
}

/** Pool whose threads never start, because merges in tests are too small. */
const mergePool = createMergePool();

/** Returns the series that `realStore` sums. */
export async function realSeries(
  stores: readonly {
    readonly store: TestStore;
    readonly kind: PartKind;
    /** Position of a wrong bit in the file of a block, as a fraction of its length, 0..1. */
    readonly damagedAt?: number;
  }[],
): Promise<SeriesStore> {
  const files = await memoryFiles();
  const parts = new PartList<Block>();
  const compacted: string[] = [];
  for (const [i, { store, kind, damagedAt }] of stores.entries()) {
    const head = fillHead(store);
    if (head.profileCount === 0) continue;
    if (kind === 'head') {
      parts.addHead(new HeadPart(`head-${i}`, head));
      continue;
    }
    const id = `00000000-000${i}`;
    // Chunks have few rows, so that series have several chunks.
    const options = { id, isCold: i % 2 === 0, rowsMax: 20 };
    await writeHeadBlock(files, blockPath(id), head, options);
    if (damagedAt !== undefined) {
      const length = files.peek(blockPath(id))?.length ?? 0;
      files.flipBit(blockPath(id), Math.floor(length * damagedAt), 3);
    }
    if (kind === 'compacted') compacted.push(id);
    else parts.replaceBlocks([], [await openBlockAt(files, blockPath(id))]);
  }
  if (compacted.length > 0) parts.replaceBlocks([], [await compact(files, compacted)]);
  return new PartsQuerier({ parts, onMissing: () => undefined });
}

function fillHead(store: TestStore): Head {
  const head = new Head(store.dictionary, rowSegmentBytes);
  for (const profile of store.incoming()) {
    const writer = new ByteWriter(1024);
    encodeProfile(writer, head.internStream(profile), profile);
    head.apply(new ByteReader(writer.bytes, 4, writer.length));
  }
  return head;
}

async function compact(files: Files, inputs: readonly string[]): Promise<Block> {
  const id = '00000001-0000';
  const request: CompactionRequest = {
    storagePath: '',
    seeds: [5, 6, 7],
    id,
    level: 2,
    createdNanos: 1n,
    windowNanos: 0n,
    inputs,
    sources: inputs,
    hashesFromNanos: undefined,
  };
  const outcome = await compactBlocks(files, request, signal);
  if (outcome.kind !== 'done') throw new Error(`cannot compact: ${outcome.reason}`);
  await publishFile(files, blockPath(id));
  return openBlockAt(files, blockPath(id));
}

function blockPath(id: string): string {
  return `/blocks/${id}.block`;
}
