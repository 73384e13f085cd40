// One compaction: reads blocks, merges their streams and writes one block.
import { AppError } from '../../base/errors.ts';
import { compactionCacheBytesMax } from '../limits.ts';
import type { Files } from '../../base/files.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { BlockCache } from '../block/block-cache.ts';
import { createBlockWriter, type BlockWriter } from '../block/block-writer.ts';
import { compareStreamKeys } from '../block/index/compare-keys.ts';
import type { StreamKey } from '../series/stream-key.ts';
import { ChunkBuilder } from './chunk-builder.ts';
import { CompactionInput, UnreadableInput } from './compaction-input.ts';
import type { CompactionOutcome, CompactionRequest } from './compactor.ts';
import { RollupBuilder } from './rollup-builder.ts';
import { mergeStream } from './stream-merger.ts';
import { blockName, joinBlocksPath } from '../files/block-names.ts';

/** The earliest time. If hashes before this time are dropped, none is dropped. */
const allOfTime = -(2n ** 63n);

/**
 * Writes the requested block to its temporary file, durably. It keeps these in memory: a chunk of
 * each input and of the output, the symbols of all inputs, and the rollups of one stream.
 *
 * Errors: AppError 'cancelled'; errors of the file. A damaged input is reported in the result, not
 * as an error.
 */
export async function compactBlocks(
  files: Files,
  request: CompactionRequest,
  signal: AbortSignal,
): Promise<CompactionOutcome> {
  const { storagePath, seeds, id, level } = request;
  const inputs: CompactionInput[] = [];
  const dictionary = new Dictionary(seeds);
  const cache = new BlockCache(compactionCacheBytesMax);
  try {
    for (const source of request.inputs) {
      inputs.push(await CompactionInput.open(files, storagePath, source, dictionary, cache));
    }
    const writer = await createBlockWriter({
      files,
      path: `${joinBlocksPath(storagePath)}/${blockName(id)}`,
      dictionary,
      isCold: level === 2,
      facts: {
        id,
        level,
        sources: request.sources,
        epoch: 0,
        cutCount: 0,
        createdNanos: request.createdNanos,
        windowNanos: request.windowNanos,
      },
    });
    return await new Compaction(request, inputs, writer, signal).run();
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    return { kind: 'unreadable', id: error.id, reason: error.message };
  } finally {
    for (const input of inputs) await input.close();
  }
}

/** Merges the streams of the inputs, in the order of their keys, and passes them to the writer. */
class Compaction {
  readonly #request: CompactionRequest;
  readonly #inputs: readonly CompactionInput[];
  readonly #writer: BlockWriter;
  readonly #signal: AbortSignal;
  readonly #counts = { profiles: 0, rows: 0, deleted: 0 };
  /** Builders by number of sample types. They are reused for one stream after another. */
  readonly #builders = new Map<number, ChunkBuilder>();

  constructor(
    request: CompactionRequest,
    inputs: readonly CompactionInput[],
    writer: BlockWriter,
    signal: AbortSignal,
  ) {
    this.#request = request;
    this.#inputs = inputs;
    this.#writer = writer;
    this.#signal = signal;
  }

  async run(): Promise<CompactionOutcome> {
    const writer = this.#writer;
    const counts = this.#counts;
    try {
      for (let key = this.#firstKey(); key !== undefined; key = this.#firstKey()) {
        if (this.#signal.aborted) {
          throw new AppError('cancelled', 'cannot compact blocks: the store is busy or closing');
        }
        await this.#mergeStreams(key);
      }
      if (counts.profiles > 0) await writer.finish();
    } catch (error) {
      await writer.abandon();
      throw error;
    }
    if (counts.profiles === 0) await writer.abandon();
    return {
      kind: 'done',
      profileCount: counts.profiles,
      rowCount: counts.rows,
      deletedCount: counts.deleted,
    };
  }

  #firstKey(): StreamKey | undefined {
    let first: StreamKey | undefined;
    for (const { key } of this.#inputs) {
      if (key === undefined) continue;
      if (first === undefined || compareStreamKeys(key, first) < 0) first = key;
    }
    return first;
  }

  async #mergeStreams(key: StreamKey): Promise<void> {
    const writer = this.#writer;
    const request = this.#request;
    const counts = this.#counts;
    const concerned = this.#inputs.filter((input) => {
      return input.key !== undefined && compareStreamKeys(input.key, key) === 0;
    });
    const valueColumnCount = key.sampleTypes.length;
    const builder = this.#builders.get(valueColumnCount) ?? new ChunkBuilder(valueColumnCount);
    this.#builders.set(valueColumnCount, builder);
    const rollup = request.level === 2 ? new RollupBuilder(valueColumnCount) : undefined;
    let isBegun = false;
    const merged = await mergeStream(
      builder,
      concerned.map((input) => input.source()),
      request.hashesFromNanos ?? allOfTime,
      {
        addChunk: async (chunk) => {
          if (!isBegun) writer.beginStream(key);
          isBegun = true;
          await writer.addChunk(chunk, 0);
        },
        sawProfile: (timeNanos, period, rows) => rollup?.add(timeNanos, period, rows),
      },
    );
    for (const { chunk, windowSeconds } of rollup?.finish() ?? []) {
      await writer.addChunk(chunk, windowSeconds);
    }
    counts.profiles += merged.profiles;
    counts.rows += merged.rows;
    counts.deleted += merged.deleted;
    for (const input of concerned) await input.next();
  }
}
