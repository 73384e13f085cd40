// The blocks that a store reads from its bucket. This module adds them to the list of blocks, and
// removes them from it.
import { forEachAtOnce } from '../../base/at-once.ts';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { objectOpensAtOnceMax } from '../limits.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Counter, Metrics } from '../../base/metrics.ts';
import type { ReadableFile } from '../block/block-file.ts';
import {
  parseBlockId,
  blockName,
  blocksFolder,
  parseCreatedNanos,
  deletedName,
} from '../files/block-names.ts';
import { replaceFile } from '../../base/durable-files.ts';
import type { LostParts } from '../lost-parts.ts';
import { BucketFile } from './bucket-file.ts';
import type { Bucket } from './bucket.ts';
import type { PageCache } from './page-cache.ts';
import { RangeReader } from './range-reader.ts';
import { type BlockSummary, supersededBy } from './ship-plan.ts';

/** The list of blocks that queries see. Changes are synchronous. */
export interface BlockList<Block> {
  blocks(): readonly Block[];
  /** Replaces blocks in one step. Removed blocks are closed after their last reader. */
  replaceBlocks(removed: readonly Block[], added: readonly Block[]): void;
  /** Parts of the store that are missing from answers. */
  readonly lost: Pick<LostParts, 'add' | 'remove'>;
}

/** Functions that open blocks of the bucket, and the list to which the blocks are added. */
export interface RemoteBlocksOptions<Block> {
  readonly bucket: Bucket;
  readonly cache: PageCache;
  readonly files: Files;
  /** Folder of the files `<id>.block` and `<id>.deleted`. */
  readonly blocksPath: string;
  readonly list: BlockList<Block>;
  summarize(block: Block): BlockSummary;
  /** Opens a block of the bucket. Its deletions, if any, are in `blocksPath`. */
  open(file: ReadableFile, id: string): Promise<Block>;
  /** Closes an opened block that was not put into the list. */
  release(block: Block): void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Sizes of the bucket's objects by name. */
export type BucketObjects = ReadonlyMap<string, number>;

/** Codes of failures that affect more than one object. */
export const generalFailures: ReadonlySet<string> = new Set([
  'unavailable',
  'deadline-exceeded',
  'failed-precondition',
  'resource-exhausted',
]);

/** Blocks of the list that are only in the bucket. */
export class RemoteBlocks<Block> {
  readonly #options: RemoteBlocksOptions<Block>;
  readonly #reader: RangeReader;
  readonly #failures: Counter;
  /** Blocks by id. */
  readonly #blocks = new Map<string, Block>();
  /**
   * Objects that cannot be opened, and the reasons. They are not tried again as long as their size
   * stays the same.
   */
  readonly #broken = new Map<string, { readonly bytes: number; readonly why: string }>();

  /** Creates the set of remote blocks. `failures` counts objects that cannot be opened. */
  constructor(options: RemoteBlocksOptions<Block>, failures: Counter) {
    this.#options = options;
    const { bucket, clock, metrics } = options;
    this.#reader = new RangeReader(bucket, clock, metrics);
    this.#failures = failures;
  }

  get count(): number {
    return this.#blocks.size;
  }

  has(id: string): boolean {
    return this.#blocks.has(id);
  }

  /** Adds blocks of the bucket to the list, and removes blocks that are no longer in the bucket. */
  async adopt(objects: BucketObjects, retired: ReadonlySet<string>): Promise<void> {
    const { list, summarize: summaryOf, release } = this.#options;
    const known = new Set(list.blocks().map((block) => summaryOf(block).id));
    const superseded = supersededBy(list.blocks().map(summaryOf));
    const isWanted = (id: string, bytes: number): boolean =>
      this.#broken.get(id)?.bytes !== bytes &&
      !(known.has(id) || superseded.has(id) || retired.has(id));
    const wanted: (readonly [id: string, bytes: number])[] = [];
    for (const [name, bytes] of objects) {
      const id = parseBlockId(name);
      if (id !== undefined && isWanted(id, bytes)) wanted.push([id, bytes]);
    }
    const opened: Block[] = [];
    let failure: { readonly error: unknown } | undefined;
    await forEachAtOnce(wanted, objectOpensAtOnceMax, async ([id, bytes]) => {
      try {
        const block = await this.#openObject(id, bytes, objects);
        if (block !== undefined) opened.push(block);
      } catch (error) {
        failure ??= { error };
      }
    });
    // The list may have changed in the meantime. From here on, there must be no await.
    const gone = [...this.#blocks].filter(([id]) => !objects.has(blockName(id)));
    const now = new Set(list.blocks().map((block) => summaryOf(block).id));
    const over = supersededBy([...list.blocks(), ...opened].map(summaryOf));
    const isOver = (id: string): boolean => over.has(id) || retired.has(id);
    this.#noteBroken(objects, (id) => now.has(id) || isOver(id));
    const added = opened.filter((block) => {
      const { id } = summaryOf(block);
      const isNew = !now.has(id) && !isOver(id);
      if (isNew) this.#blocks.set(id, block);
      else release(block);
      return isNew;
    });
    for (const [id, block] of this.#blocks) if (isOver(id)) gone.push([id, block]);
    this.#drop([...new Set(gone.map(([, block]) => block))], added);
    // Even in an outage, the blocks that could be opened are served.
    if (failure !== undefined) throw failure.error;
  }

  /** Removes blocks from the list. */
  remove(ids: readonly string[]): void {
    this.#drop(
      ids.flatMap((id) => this.#blocks.get(id) ?? []),
      [],
    );
  }

  /**
   * Replaces a local block with the same block of the bucket. Returns false if the local block is
   * in use, before or after the object was opened.
   */
  async takeOver(block: Block, isFree: () => boolean): Promise<boolean> {
    const { list, summarize: summaryOf, open, release } = this.#options;
    const { id, fileBytes } = summaryOf(block);
    if (!isFree()) return false;
    const copy = await open(this.#bucketFile(id, fileBytes), id);
    if (!isFree()) {
      release(copy);
      return false;
    }
    this.#blocks.set(id, copy);
    list.replaceBlocks([block], [copy]);
    return true;
  }

  /** Reports blocks that cannot be opened as lost, unless other blocks have their profiles. */
  #noteBroken(objects: BucketObjects, isKnown: (id: string) => boolean): void {
    const { lost } = this.#options.list;
    for (const [id, { why }] of this.#broken) {
      if (!objects.has(blockName(id))) this.#broken.delete(id);
      if (!this.#broken.has(id) || isKnown(id)) lost.remove(id);
      else lost.add(id, parseCreatedNanos(id), `cannot read block ${id} of the bucket: ${why}`);
    }
  }

  #drop(gone: readonly Block[], added: readonly Block[]): void {
    const { list, summarize: summaryOf, cache } = this.#options;
    if (gone.length + added.length === 0) return;
    list.replaceBlocks(gone, added);
    for (const block of gone) {
      const { id } = summaryOf(block);
      this.#blocks.delete(id);
      cache.forget(id);
    }
  }

  /**
   * Opens a block. Returns undefined if it is damaged. If the bucket does not respond, the pass
   * fails.
   */
  async #openObject(id: string, bytes: number, objects: BucketObjects): Promise<Block | undefined> {
    const { logger, open } = this.#options;
    try {
      await this.#fetchDeletions(id, objects);
      const block = await open(this.#bucketFile(id, bytes), id);
      this.#broken.delete(id);
      return block;
    } catch (error) {
      const isGeneral = generalFailures.has(errorCode(error)) || !(error instanceof AppError);
      if (isGeneral) throw error;
      const why = errorMessage(error);
      this.#broken.set(id, { bytes, why });
      this.#failures.add();
      logger.error('cannot open a block of the bucket', { id, error: why });
      return undefined;
    }
  }

  #bucketFile(id: string, bytes: number): BucketFile {
    const reader = this.#reader;
    const key = `${blocksFolder}/${blockName(id)}`;
    return new BucketFile({ key, name: id, bytes, reader, cache: this.#options.cache });
  }

  /** Copies the deletions of a block to the local disk. Later deletes are added to this copy. */
  async #fetchDeletions(id: string, objects: BucketObjects): Promise<void> {
    const { blocksPath, bucket, files } = this.#options;
    const name = deletedName(id);
    const bytes = objects.get(name);
    if (bytes === undefined) return;
    const path = `${blocksPath}/${name}`;
    if ((await files.exists(path)) && (await files.read(path)).length >= bytes) return;
    const content = await bucket.readRange(`${blocksFolder}/${name}`, 0, bytes);
    await replaceFile(files, path, (file) => file.append(content));
  }
}
