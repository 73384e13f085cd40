// One of the blocks that a compaction reads, stream by stream.
import { AppError, errorMessage } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { DictionaryTranslator } from '../../model/dictionaries/dictionary-translator.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { BlockCache } from '../block/block-cache.ts';
import type { BlockStream } from '../block/block-stream.ts';
import { openBlock, type Block } from '../block/block.ts';
import type { ChunkInput } from '../chunk/chunk-data.ts';
import { deletedRanges, readDeletions, type Deletion } from '../files/deletions.ts';
import type { StreamKey } from '../series/stream-key.ts';
import type { MergeSource } from './stream-merger.ts';
import { blockName, joinBlocksPath } from '../files/block-names.ts';

/** Error for an input that cannot be read completely. */
export class UnreadableInput extends AppError {
  readonly id: string;

  constructor(id: string, error: unknown) {
    super('data-loss', errorMessage(error), { cause: error });
    this.id = id;
  }
}

/** An input block and its current stream. Errors of all methods: UnreadableInput. */
export class CompactionInput {
  readonly #block: Block;
  readonly #deletions: readonly Deletion[];
  readonly #translator: DictionaryTranslator;
  readonly #streams: AsyncIterator<BlockStream>;
  #stream: BlockStream | undefined;

  private constructor(
    block: Block,
    deletions: readonly Deletion[],
    translator: DictionaryTranslator,
  ) {
    this.#block = block;
    this.#deletions = deletions;
    this.#translator = translator;
    // A damaged chunk must not be left out silently. So a block with such a chunk is not compacted.
    this.#streams = block.streams((sentence) => {
      throw new AppError('data-loss', sentence);
    });
  }

  /**
   * Opens a block and moves to its first stream. Symbols of the block become rows of `target`. All
   * inputs of a compaction share `cache`.
   */
  static open(
    files: Files,
    storagePath: string,
    id: string,
    target: Dictionary,
    cache: BlockCache,
  ): Promise<CompactionInput> {
    return reading(id, async () => {
      const path = `${joinBlocksPath(storagePath)}/${blockName(id)}`;
      const deletions = await readDeletions(files, path);
      const file = await files.open(path, { create: false });
      // The caller reports failures.
      const silent = { logger: silentLogger, metrics: noMetrics };
      const block = await openBlock({ file, cache, ...silent });
      try {
        const translator = new DictionaryTranslator(await block.dictionary(), target);
        const input = new CompactionInput(block, deletions, translator);
        await input.next();
        return input;
      } catch (error) {
        await block.close();
        throw error;
      }
    });
  }

  /** Key of the current stream; undefined after the last stream. */
  get key(): StreamKey | undefined {
    return this.#stream?.key;
  }

  async next(): Promise<void> {
    const next = await reading(this.#block.id, () => this.#streams.next());
    this.#stream = next.done === true ? undefined : next.value;
  }

  /** Returns the profiles of the current stream. They must be read before `next` is called. */
  source(): MergeSource {
    const stream = this.#stream;
    const translator = this.#translator;
    const deletions = this.#deletions;
    if (stream === undefined) throw new AppError('internal', 'there is no current stream');
    return {
      chunks: this.#chunks(stream),
      translator,
      createdNanos: this.#block.facts.createdNanos,
      deleted: deletedRanges(deletions, stream.key),
    };
  }

  async close(): Promise<void> {
    await this.#block.close();
  }

  async *#chunks(stream: BlockStream): AsyncGenerator<ChunkInput> {
    const chunks = stream.chunks();
    for (;;) {
      const next = await reading(this.#block.id, () => chunks.next());
      if (next.done === true) return;
      yield next.value;
    }
  }
}

async function reading<T>(id: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new UnreadableInput(id, error);
  }
}
