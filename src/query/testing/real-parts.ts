// Test stores as real parts of a store: heads, blocks, and a block compacted from others.
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import type { Files } from '../../base/files.ts';
import { rowSegmentBytes } from '../../base/limits.ts';
import type { Querier } from '../../storage/interface.ts';
import { publishFile } from '../../storage/files/durable-files.ts';
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
import type { TestStore } from './test-store.ts';

/** What becomes of a test store. */
export type PartKind = 'head' | 'block' | 'compacted';

const { signal } = new AbortController();

/** A store with a part for each test store; those that are compacted become one block together. */
export async function realStore(
  stores: readonly {
    readonly store: TestStore;
    readonly kind: PartKind;
    /** Where between begin and end of a block's file a bit is wrong; 0..1. */
    readonly damagedAt?: number;
  }[],
): Promise<Querier> {
  const files = await memoryFiles();
  const parts = new PartList<Block>();
  const compacted: string[] = [];
  for (const [i, { store, kind, damagedAt }] of stores.entries()) {
    const head = headOf(store);
    if (head.profileCount === 0) continue;
    if (kind === 'head') {
      parts.addHead(new HeadPart(`head-${i}`, head));
      continue;
    }
    const id = `00000000-000${i}`;
    // Few rows a chunk, so that series have several.
    const options = { id, isCold: i % 2 === 0, rowsMax: 20 };
    await writeHeadBlock(files, pathOf(id), head, options);
    if (damagedAt !== undefined) {
      const length = files.peek(pathOf(id))?.length ?? 0;
      files.flipBit(pathOf(id), Math.floor(length * damagedAt), 3);
    }
    if (kind === 'compacted') compacted.push(id);
    else parts.replaceBlocks([], [await openBlockAt(files, pathOf(id))]);
  }
  if (compacted.length > 0) parts.replaceBlocks([], [await compact(files, compacted)]);
  return new PartsQuerier({ parts, onMissing: () => undefined });
}

function headOf(store: TestStore): Head {
  const head = new Head(store.dictionary, rowSegmentBytes);
  for (const profile of store.incoming()) {
    const { durationNanos, ...key } = profile;
    const writer = new ByteWriter(1024);
    encodeProfile(writer, head.streamOf({ ...key, delta: durationNanos !== 0n }), profile);
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
  await publishFile(files, pathOf(id));
  return openBlockAt(files, pathOf(id));
}

function pathOf(id: string): string {
  return `/blocks/${id}.block`;
}
