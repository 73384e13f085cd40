// The directory with the blocks of a store. This module finds blocks at startup, and opens and
// removes blocks.
import { memoryShare } from '../../base/memory-limit.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { blockCacheBytesMax } from '../limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import { openBlock, type Block } from '../block/block.ts';
import { BlockCache } from '../block/block-cache.ts';
import type { ReadableFile } from '../block/block-file.ts';
import { parseBlockId, blockName, joinBlocksPath, deletedName } from '../files/block-names.ts';
import { readDeletions, type Deletion } from '../files/deletions.ts';
import { temporarySuffix } from '../../base/durable-files.ts';
import type { StorageMetrics } from '../storage-metrics.ts';

export type OpenBlock = Block;

interface BlockDirectoryOptions {
  /** Storage directory. Its blocks are in `blocks/`. */
  readonly path: string;
  readonly files: Files;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** A block that cannot be opened. */
interface DamagedBlock {
  readonly id: string;
  readonly why: string;
}

/** The blocks found at startup. */
interface FoundBlocks {
  readonly blocks: readonly OpenBlock[];
  /** Damaged blocks that have not been replaced by another block. */
  readonly damaged: readonly DamagedBlock[];
  /** Epochs all of whose blocks exist, so that their log is not needed. */
  readonly finished: ReadonlySet<number>;
  /** Latest epoch from which a block was cut; 0 = none. */
  readonly lastEpoch: number;
}

/** Number of blocks that are opened concurrently, which is enough to keep the disk busy. */
const openedAtOnce = 16;

export class BlockDirectory {
  readonly path: string;
  readonly #files: Files;
  readonly #logger: Logger;
  readonly #options: BlockDirectoryOptions;
  readonly #metrics: StorageMetrics;
  readonly #cache = new BlockCache(memoryShare('blocks', blockCacheBytesMax));

  constructor(options: BlockDirectoryOptions, metrics: StorageMetrics) {
    this.path = joinBlocksPath(options.path);
    this.#files = options.files;
    this.#logger = options.logger;
    this.#options = options;
    this.#metrics = metrics;
    options.metrics.observedGauge(
      'parca_storage_block_cache_bytes',
      'Memory taken by what was read of blocks.',
      () => this.#cache.usedBytes,
    );
  }

  /**
   * Opens all blocks, without reading their content. Removes unfinished blocks, and blocks that
   * another block replaces. Counts damaged blocks and leaves them out, but does not remove their
   * files.
   *
   * Errors: AppError 'unavailable' if the disk fails; 'failed-precondition' if a newer program
   * wrote a block.
   */
  async find(): Promise<FoundBlocks> {
    // A block must be durable before the blocks and the log that it replaces are removed. An
    // earlier process may have died before it synced the directory, so this is done now.
    await this.#files.syncDirectory(this.path);
    const { opened: all, damaged } = await this.#openAll();
    const replaced = new Set(all.flatMap(({ facts }) => facts.sources));
    const finished = new Set<number>();
    const found = new Map<number, number>();
    let lastEpoch = 0;
    for (const { facts } of all) {
      lastEpoch = Math.max(lastEpoch, facts.epoch);
      if (facts.level !== 0) continue;
      const count = (found.get(facts.epoch) ?? 0) + 1;
      found.set(facts.epoch, count);
      if (count === facts.cutCount) finished.add(facts.epoch);
    }
    try {
      await this.#remove(all.filter(({ id }) => replaced.has(id)));
    } catch (error) {
      for (const block of all) await block.close();
      throw error;
    }
    const isLast = ({ id }: { readonly id: string }): boolean => !replaced.has(id);
    const [blocks, lost] = [all.filter(isLast), damaged.filter(isLast)];
    return { blocks, damaged: lost, finished, lastEpoch };
  }

  /** Removes the blocks that were cut from `epochs`, durably. Returns the other blocks. */
  async removeOfEpochs(
    blocks: readonly OpenBlock[],
    epochs: readonly number[],
  ): Promise<OpenBlock[]> {
    const belongs = ({ facts }: OpenBlock): boolean =>
      facts.level === 0 && epochs.includes(facts.epoch);
    await this.#remove(blocks.filter(belongs));
    return blocks.filter((block) => !belongs(block));
  }

  /** Opens a block and reads its deletions. */
  async open(id: string): Promise<OpenBlock> {
    const path = `${this.path}/${blockName(id)}`;
    // The deletions are read first, because the block must not be used without them.
    const deletions = await readDeletions(this.#files, path);
    return this.#openFile(await this.#files.open(path, { create: false }), deletions);
  }

  /** Opens a block whose file is not in this directory. Its deletions are in this directory. */
  async openElsewhere(id: string, file: ReadableFile): Promise<OpenBlock> {
    const deletions = await readDeletions(this.#files, `${this.path}/${blockName(id)}`);
    return this.#openFile(file, deletions);
  }

  async #openFile(file: ReadableFile, deletions: readonly Deletion[]): Promise<OpenBlock> {
    const block = await openBlock({ ...this.#options, file, cache: this.#cache });
    block.setDeletions(deletions);
    return block;
  }

  async #openAll(): Promise<{
    readonly opened: OpenBlock[];
    readonly damaged: DamagedBlock[];
  }> {
    const ids: string[] = [];
    const names = await this.#files.listFiles(this.path);
    await this.#warnOfDirectories(names);
    for (const name of names) {
      const id = parseBlockId(name);
      if (id !== undefined) ids.push(id);
      else if (name.endsWith(temporarySuffix)) await this.#files.remove(`${this.path}/${name}`);
    }
    const opened: OpenBlock[] = [];
    const damaged: DamagedBlock[] = [];
    const openNext = async (): Promise<void> => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        const block = await this.#openSound(id);
        if ('why' in block) damaged.push(block);
        else opened.push(block);
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: openedAtOnce }, openNext));
    for (const end of ends) {
      if (end.status === 'fulfilled') continue;
      for (const block of opened) await block.close();
      throw end.reason;
    }
    return { opened, damaged };
  }

  /** Logs a warning for each directory that has the name of a block. */
  async #warnOfDirectories(fileNames: readonly string[]): Promise<void> {
    const known = new Set(fileNames);
    for (const name of await this.#files.list(this.path)) {
      if (known.has(name)) continue;
      const path = `${this.path}/${name}`;
      this.#logger.warn('a directory among the blocks is ignored: it is not a block', { path });
    }
  }

  async #openSound(id: string): Promise<OpenBlock | DamagedBlock> {
    try {
      return await this.open(id);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'data-loss') throw error;
      this.#metrics.damagedBlocks.add();
      const why = errorMessage(error);
      this.#logger.error('left out a damaged block', { block: id, error: why });
      return { id, why };
    }
  }

  async #remove(blocks: readonly OpenBlock[]): Promise<void> {
    if (blocks.length === 0) return;
    for (const block of blocks) {
      await block.close();
      const path = `${this.path}/${blockName(block.id)}`;
      this.#logger.info('removed a block that others replace', { block: block.id });
      await this.#files.remove(path);
      const deleted = `${this.path}/${deletedName(block.id)}`;
      if (await this.#files.exists(deleted)) await this.#files.remove(deleted);
    }
    await this.#files.syncDirectory(this.path);
  }
}
