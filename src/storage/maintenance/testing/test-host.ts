// A store that has blocks but no head, on any Files, with the methods that maintenance needs.
import type { FakeClock } from '../../../base/fake/clock.ts';
import type { Files } from '../../../base/files.ts';
import { silentLogger, type Logger } from '../../../base/logger.ts';
import { noMetrics, type Metrics } from '../../../base/metrics.ts';
import type { Random } from '../../../base/random.ts';
import { Dictionary, type Seeds } from '../../../model/dictionary.ts';
import { createBlockId } from '../../files/block-names.ts';
import { BlockCache } from '../../block/block-cache.ts';
import { createBlockWriter } from '../../block/block-writer.ts';
import { publishFile } from '../../../base/durable-files.ts';
import { openBlock, type Block } from '../../block/block.ts';
import { readDeletions } from '../../files/deletions.ts';
import { internRecipe, type Recipe } from '../../fake/recipes.ts';
import type { IncomingProfile } from '../../interface.ts';
import { PartList } from '../../store/part-list.ts';
import { PartsQuerier } from '../../store/parts-querier.ts';
import { labelSetKey } from '../../../model/labels.ts';
import { formatShape, type StreamKey } from '../../series/stream-key.ts';
import { ChunkBuilder } from '../chunk-builder.ts';
import { compactBlocks } from '../compact.ts';
import type { Compactor } from '../compactor.ts';
import type { BlockHost } from '../block-host.ts';

/** Path of a store, unless a test sets another one. */
export const storagePath = '/data';
export const seeds: Seeds = [1, 2, 3];

/** Creates a compactor that runs compactions in this thread. */
export function inlineCompactor(files: Files): Compactor {
  return { compact: (request, signal) => compactBlocks(files, request, signal) };
}

export class TestHost implements BlockHost<Block> {
  readonly files: Files;
  readonly clock: FakeClock;
  readonly random: Random;
  logger: Logger = silentLogger;
  readonly metrics: Metrics = noMetrics;
  readonly parts = new PartList<Block>();
  readonly querier = new PartsQuerier({
    parts: this.parts,
    onMissing: (_part, error) => {
      throw error;
    },
  });
  readonly #cache = new BlockCache(1 << 24);
  readonly #path: string;

  constructor(files: Files, clock: FakeClock, random: Random, path = storagePath) {
    this.files = files;
    this.clock = clock;
    this.random = random;
    this.#path = path;
  }

  /**
   * Creates the directories, and opens the blocks that a server would open at startup: all blocks
   * that no other block replaces.
   */
  async start(): Promise<void> {
    await this.files.makeDirectory(`${this.#path}/blocks`);
    await this.files.syncDirectory('/');
    await this.files.syncDirectory(this.#path);
    const opened: Block[] = [];
    for (const name of await this.files.list(`${this.#path}/blocks`)) {
      if (name.endsWith('.block')) opened.push(await this.openBlock(name.slice(0, -6)));
    }
    const replaced = new Set(opened.flatMap(({ facts }) => facts.sources));
    this.parts.replaceBlocks(
      [],
      opened.filter(({ id }) => !replaced.has(id)),
    );
  }

  blocks(): readonly Block[] {
    return this.parts.blocks;
  }

  async openBlock(id: string): Promise<Block> {
    const path = `${this.#path}/blocks/${id}.block`;
    const file = await this.files.open(path, { create: false });
    const { logger, metrics } = this;
    const cache = this.#cache;
    const block = await openBlock({ file, cache, logger, metrics });
    block.setDeletions(await readDeletions(this.files, path));
    return block;
  }

  replaceBlocks(removed: readonly Block[], added: readonly Block[]): void {
    this.parts.replaceBlocks(removed, added);
  }

  async rotate(): Promise<void> {
    // This host has no head.
  }

  /** Writes a block of level 0 and adds it. */
  async addBlock(recipes: readonly Recipe[]): Promise<Block> {
    const id = createBlockId(this.clock.nowNanos(), this.random);
    const path = `${this.#path}/blocks/${id}.block`;
    const dictionary = new Dictionary(seeds);
    const writer = await createBlockWriter({
      files: this.files,
      path,
      dictionary,
      isCold: false,
      facts: {
        id,
        level: 0,
        sources: [],
        epoch: 1,
        cutCount: 1,
        windowNanos: 0n,
        createdNanos: this.clock.nowNanos(),
      },
    });
    for (const { key, profiles } of makeStreams(recipes, dictionary)) {
      writer.beginStream(key);
      await writer.addChunk(buildChunk(profiles), 0);
    }
    await writer.finish();
    await publishFile(this.files, path);
    const block = await this.openBlock(id);
    this.replaceBlocks([], [block]);
    return block;
  }
}

interface Stream {
  readonly key: StreamKey;
  readonly profiles: IncomingProfile[];
}

function makeStreams(recipes: readonly Recipe[], dictionary: Dictionary): Iterable<Stream> {
  const streams = new Map<string, Stream>();
  for (const recipe of recipes) {
    const profile = internRecipe(dictionary, recipe);
    const { labels, name, sampleTypes, periodType, durationNanos } = profile;
    const key = { labels, name, sampleTypes, periodType, delta: durationNanos !== 0n };
    const text = `${formatShape(key)}\u0002${labelSetKey(key.labels)}`;
    const stream = streams.get(text) ?? { key, profiles: [] };
    streams.set(text, stream);
    stream.profiles.push(profile);
  }
  return streams.values();
}

function buildChunk(profiles: readonly IncomingProfile[]): ReturnType<ChunkBuilder['take']> {
  const builder = new ChunkBuilder(profiles[0].sampleTypes.length);
  const sorted = profiles.toSorted((a, b) => Number(a.timeNanos - b.timeNanos));
  for (const { contentHash, rowCount, ...profile } of sorted) {
    const hash = Number(contentHash & 0xffff_ffffn);
    builder.add({ ...profile, contentHash: hash }, { ...profile, first: 0, end: rowCount });
  }
  return builder.take();
}
