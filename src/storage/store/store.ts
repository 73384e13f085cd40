// The store: takes writes into the active head, cuts heads into blocks, answers from all parts.
import { ByteWriter } from '../../base/bytes.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import {
  cutWaitMillisMax,
  headBytesMin,
  headGraceMillis,
  nextHeadShareMax,
  nextHeadShareSlow,
  slowWriteMillis,
} from '../../base/limits.ts';
import type { Files } from '../../base/files.ts';
import type { Logger } from '../../base/logger.ts';
import type { Random } from '../../base/random.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { EngineAppender } from './appender.ts';
import type { BlockDirectory, OpenBlock } from './block-directory.ts';
import type { ReadableFile } from '../block/block-file.ts';
import { HeadCut } from './cut.ts';
import { Cutter } from './cutter.ts';
import { Epoch } from '../wal/epoch.ts';
import { Head } from '../head/head.ts';
import type { Appender, Querier, Storage } from '../interface.ts';
import type { LostParts } from '../lost-parts.ts';
import { OlderProfiles } from './older-profiles.ts';
import { PartList } from './part-list.ts';
import { PartsQuerier } from './parts-querier.ts';
import type { PendingProfile } from '../wal/profiles-record.ts';
import type { SpaceGuard } from './space-guard.ts';
import type { StorageMetrics } from '../storage-metrics.ts';
import type { Seeds } from '../wal/wal-format.ts';
import type { WalSegments } from '../wal/wal-segments.ts';
import { WalWriter } from '../wal/wal-writer.ts';

export interface StoreLimits {
  /** Bytes of all heads in memory, past which writes are refused. */
  readonly activeMemoryBytesMax: number;
  /** Bytes of the active head, past which it is cut. */
  readonly headBytesMax: number;
  readonly rowSegmentBytes: number;
  readonly walPendingBytesMax: number;
  readonly cutRetryMillisMin: number;
  readonly closingCutMillisMax: number;
}

/** What a store is made of; it owns all of it. */
export interface StoreParts {
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: StorageMetrics;
  readonly seeds: Seeds;
  readonly limits: StoreLimits;
  readonly lock: { release(): Promise<void> };
  readonly guard: SpaceGuard;
  readonly directory: BlockDirectory;
  readonly segments: WalSegments;
  readonly lost: LostParts;
  readonly blocks: readonly OpenBlock[];
  /** Oldest first; the segments are at the last one. */
  readonly epochs: readonly Epoch[];
}

/** What a store keeps: parts that it starts with come to an end, and are tens of megabytes. */
type KeptOptions = Omit<StoreParts, 'epochs' | 'blocks'>;

const windowMillis = 7_200_000;
/** How often the wall clock is asked whether the head's window is over. */
const tickMillis = 30_000;

type Refusal = 'closing' | 'too-late' | 'read-only' | 'memory-limit' | 'disk-slow';

export class Store implements Storage {
  readonly querier: Querier;
  readonly #options: KeptOptions;
  readonly #parts = new PartList<OpenBlock>();
  readonly #log: WalWriter;
  readonly #cutter: Cutter<OpenBlock>;
  readonly #older: OlderProfiles;
  readonly #scratch = new ByteWriter(65_536);
  /** Those whose heads are in memory; the last one takes writes. */
  #epochs: readonly Epoch[];
  #timer: Timer | undefined;
  #closing: Promise<void> | undefined;

  constructor({ epochs, blocks, ...options }: StoreParts) {
    this.#options = options;
    const { clock, logger, metrics, directory, segments, limits } = options;
    const parts = this.#parts;
    this.#epochs = epochs;
    parts.replaceBlocks([], blocks);
    for (const { part } of epochs) parts.addHead(part);
    this.#older = new OlderProfiles(parts);
    this.#log = new WalWriter(segments, epochs[epochs.length - 1], {
      clock,
      logger,
      metrics,
      notStored: (commit) => this.#older.notStored(commit),
      onDrained: (epoch) => {
        parts.noteDrained();
        this.#cutter.drained(epoch);
      },
      onLost: () => this.#beginEpoch(),
    });
    const place = { ...options, directory: directory.path };
    this.#cutter = new Cutter({
      clock,
      logger,
      metrics,
      parts,
      newCut: (epoch, signal) =>
        new HeadCut({ ...place, openBlock: (id) => directory.open(id) }, epoch, signal),
      removeLog: (epoch) => segments.removeEpoch(epoch),
      onDiskFull: () => options.guard.diskFull(),
      retryMillisMin: limits.cutRetryMillisMin,
    });
    this.#cutter.markFree(blocks);
    this.querier = new PartsQuerier({
      parts,
      lost: options.lost,
      onMissing: (part, error) => {
        metrics.partFailures.add();
        logger.error('cannot read a part of the store', { part, error: errorMessage(error) });
      },
    });
  }

  /** Cuts the heads of an earlier run, and the active one whenever it is time. Called once. */
  start(): void {
    for (const epoch of this.#epochs.slice(0, -1)) {
      void this.#cutter.add(epoch);
      this.#cutter.drained(epoch);
    }
    this.#plan();
  }

  /** Of all heads. */
  get heads(): readonly Head[] {
    return this.#liveEpochs().map(({ head }) => head);
  }

  /** Whether writes are refused because the disk is nearly full. */
  get isReadOnly(): boolean {
    return this.#options.guard.isReadOnly;
  }

  /** What belongs to the store and cannot be opened. */
  get lost(): LostParts {
    return this.#options.lost;
  }

  /** Heads that wait to be cut. */
  get cutBacklog(): number {
    return this.#cutter.backlog;
  }

  appender(): Appender {
    const epoch = this.#active;
    return new EngineAppender(epoch.head, this.#scratch, (profiles) =>
      this.#commit(epoch, profiles),
    );
  }

  /**
   * Resolves when everything that was acknowledged so far is in blocks, and the log does not have
   * it any more.
   *
   * Errors: AppError 'unavailable' when the store closes meanwhile.
   */
  async rotate(): Promise<void> {
    if (!this.#closing) this.#beginEpoch();
    await this.#cutter.settled();
  }

  /** Those that may be replaced and removed: the log does not have their profiles any more. */
  blocks(): readonly OpenBlock[] {
    return this.#parts.blocks.filter((block) => this.#cutter.isFree(block));
  }

  /** Opens a block that was published. */
  openBlock(id: string): Promise<OpenBlock> {
    return this.#options.directory.open(id);
  }

  /** Opens a block that lies elsewhere, in a bucket; what is deleted of it lies here. */
  openBlockFile(id: string, file: ReadableFile): Promise<OpenBlock> {
    return this.#options.directory.openElsewhere(id, file);
  }

  /**
   * Exchanges blocks at once for all readers; those removed are closed when nobody reads them any
   * more. The files are the caller's.
   */
  replaceBlocks(removed: readonly OpenBlock[], added: readonly OpenBlock[]): void {
    this.#parts.replaceBlocks(removed, added);
    for (const { id, facts } of added) {
      for (const found of [id, ...facts.sources]) this.#options.lost.remove(found);
    }
    this.#cutter.markFree(added);
    for (const block of removed) {
      block.close().catch((error: unknown) => {
        this.#options.logger.warn('cannot close a block', { error: errorMessage(error) });
      });
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  get #active(): Epoch {
    return this.#epochs[this.#epochs.length - 1];
  }

  async #shutDown(): Promise<void> {
    const { limits, guard, lock } = this.#options;
    this.#timer?.cancel();
    this.#beginEpoch();
    try {
      await this.#log.idle();
      await this.#cutter.close(limits.closingCutMillisMax);
      await this.#log.close();
      for (const block of this.#parts.blocks) await block.close();
      await guard.close();
    } finally {
      await lock.release();
    }
  }

  async #commit(epoch: Epoch, profiles: readonly PendingProfile[]): Promise<void> {
    const headShare = this.#active.head.usedBytes / this.#headBytes;
    if (this.#cutter.backlog > 0 && headShare > nextHeadShareSlow) {
      this.#options.metrics.delayedWrites.add();
      const millisMax = headShare > nextHeadShareMax ? cutWaitMillisMax : slowWriteMillis;
      await this.#cutter.untilIdle(millisMax);
    }
    if (this.#closing) throw this.#refusal('closing', 'unavailable', 'the storage is closing');
    const fresh = profiles.filter(({ ref, timeNanos, contentHash }) => {
      return !epoch.head.holds(ref, timeNanos, contentHash);
    });
    this.#options.metrics.duplicates.add(profiles.length - fresh.length);
    if (fresh.length === 0) return;
    if (epoch.isClosed) {
      const why = 'the head was cut since the appender was made: append them anew';
      throw this.#refusal('too-late', 'aborted', why);
    }
    this.#checkLimits(fresh);
    const commit = this.#log.begin(epoch, fresh);
    try {
      commit.profiles = await this.#older.notStored(commit);
      this.#options.metrics.duplicates.add(fresh.length - commit.profiles.length);
      if (commit.profiles.length > 0) await this.#log.write(commit);
    } finally {
      this.#log.end(commit);
    }
    if (epoch === this.#active && this.#isDue(epoch)) this.#beginEpoch();
  }

  #checkLimits(profiles: readonly PendingProfile[]): void {
    const { activeMemoryBytesMax, walPendingBytesMax: pendingMax } = this.#options.limits;
    try {
      this.#options.guard.assertWritable();
    } catch (error) {
      this.#options.metrics.refusedWrites.add(1, { reason: 'read-only' });
      throw error;
    }
    let bytes = this.#log.pendingRunBytes;
    for (const { head } of this.#liveEpochs()) bytes += head.usedBytes;
    for (const profile of profiles) bytes += profile.runBytes;
    if (bytes > activeMemoryBytesMax) {
      // Whatever comes later finds room again.
      this.#beginEpoch();
      const why = `profiles in memory pass the active memory limit of ${activeMemoryBytesMax} bytes`;
      throw this.#refusal('memory-limit', 'resource-exhausted', why);
    }
    if (this.#log.pendingBytes > pendingMax) {
      const why = `more than ${pendingMax} bytes wait for the disk`;
      throw this.#refusal('disk-slow', 'resource-exhausted', why);
    }
  }

  #refusal(
    reason: Refusal,
    code: 'resource-exhausted' | 'unavailable' | 'aborted',
    why: string,
  ): AppError {
    this.#options.metrics.refusedWrites.add(1, { reason });
    return new AppError(code, `cannot store profiles: ${why}`);
  }

  /** Freezes the active head and has it cut; an empty one stays. */
  #beginEpoch(): void {
    const active = this.#active;
    if (active.head.profileCount === 0 && active.openCommits === 0) return;
    const { seeds, limits, clock } = this.#options;
    const head = new Head(new Dictionary(seeds), limits.rowSegmentBytes);
    const next = new Epoch(active.number + 1, head, clock);
    this.#epochs = [...this.#liveEpochs(), next];
    this.#parts.addHead(next.part);
    void this.#cutter.add(active);
    this.#log.beginEpoch(next);
  }

  #liveEpochs(): readonly Epoch[] {
    const { heads } = this.#parts;
    if (heads.length === this.#epochs.length) return this.#epochs;
    this.#epochs = this.#epochs.filter(({ part }) => heads.includes(part));
    return this.#epochs;
  }

  /** Whether the head is large, or its window of two hours is over; clocks may jump. */
  #isDue({ head, beganMillis }: Epoch): boolean {
    if (head.usedBytes > this.#headBytes) return true;
    const windowAt = (millis: number): number =>
      Math.floor((millis - headGraceMillis) / windowMillis);
    return windowAt(this.#options.clock.nowMillis()) !== windowAt(beganMillis);
  }

  /** What a head takes when it is due. */
  get #headBytes(): number {
    const { activeMemoryBytesMax, headBytesMax } = this.#options.limits;
    return Math.min(headBytesMax, Math.max(activeMemoryBytesMax / 4, headBytesMin));
  }

  #plan(): void {
    this.#timer = this.#options.clock.setTimer(tickMillis, () => {
      if (this.#isDue(this.#active)) this.#beginEpoch();
      // Nothing else holds on to heads that were cut when there are no writes.
      this.#liveEpochs();
      this.#older.forget();
      this.#plan();
    });
  }
}
