// The segments of the log: creating, rotating and giving up the open one, removing old epochs.
import { ByteWriter } from '../../base/bytes.ts';
import type { Clock } from '../../base/clock.ts';
import { errorMessage } from '../../base/errors.ts';
import type { File, Files } from '../../base/files.ts';
import type { Logger } from '../../base/logger.ts';
import {
  beginRecord,
  endRecord,
  recordHeaderBytes,
  recordType,
  segmentHeaderBytes,
  segmentName,
  segmentSalt,
  walVersion,
  writeSegmentHeader,
  type Seeds,
  type WalPosition,
} from './format.ts';

/** Where a log is, and who its store is. */
export interface WalPlace {
  readonly files: Files;
  /** The directory of the segments; it exists. */
  readonly directory: string;
  readonly seeds: Seeds;
}

/** A segment file that is there, and the epoch that it belongs to. */
export interface KeptSegment {
  readonly sequence: number;
  readonly epoch: number;
}

/** Where a replay ended. */
export interface WalEnd {
  /** The highest segment number that is taken. */
  readonly lastSequence: number;
  /** All segments, by sequence. */
  readonly kept: readonly KeptSegment[];
  /** The epoch to go on with. */
  readonly epoch: number;
  /** The last segment of which something counts, and how much. */
  readonly position: WalPosition;
  /** That segment, to go on with; undefined when a new one is to be begun. */
  readonly file: File | undefined;
}

/**
 * When a write is acknowledged: `fsync`, once the disk has it; `interval`, once the kernel has it,
 * and the disk has it within walSyncMillis.
 */
export type Durability = 'fsync' | 'interval';

interface OpenSegment {
  readonly file: File;
  readonly sequence: number;
  /** Of its content, the bytes that count. */
  bytes: number;
  /** Those of them that are durable. */
  durableBytes: number;
  /** Whether its directory entry is durable. */
  isDurable: boolean;
}

export interface WalSegmentsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly segmentBytesMax: number;
  readonly durability: Durability;
}

/**
 * Appends to one segment at a time. What was made durable stays; what failed to be is cut off, or,
 * when even that fails, excluded by the header of the next segment.
 */
export class WalSegments {
  readonly #place: WalPlace;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #segmentBytesMax: number;
  readonly #durability: Durability;
  #open: OpenSegment | undefined;
  #lastSequence: number;
  #kept: KeptSegment[];
  #epoch: number;
  /** What is durable: of the open segment, or of the last one of which something is. */
  #position: WalPosition;

  constructor(place: WalPlace, end: WalEnd, options: WalSegmentsOptions) {
    this.#place = place;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#segmentBytesMax = options.segmentBytesMax;
    this.#durability = options.durability;
    this.#lastSequence = end.lastSequence;
    this.#kept = [...end.kept];
    this.#epoch = end.epoch;
    this.#position = end.position;
    const { bytes } = end.position;
    if (end.file) {
      this.#open = { file: end.file, ...end.position, durableBytes: bytes, isDurable: true };
    }
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Whether the open segment takes no more. */
  get isFull(): boolean {
    return this.#open !== undefined && this.#open.bytes >= this.#segmentBytesMax;
  }

  /** Whether something that was appended is not durable yet. */
  get isDirty(): boolean {
    return this.#open !== undefined && this.#open.durableBytes < this.#open.bytes;
  }

  /**
   * Makes sure that there is a segment with room; returns its number and salt. A full one must not
   * be dirty.
   */
  async ready(): Promise<{ readonly sequence: number; readonly salt: number }> {
    if (this.isFull) await this.#closeOpen();
    this.#open ??= await this.#create();
    const { sequence } = this.#open;
    return { sequence, salt: segmentSalt(this.#place.seeds, sequence, this.#epoch) };
  }

  /**
   * Writes `bytes` at the end of the segment that `ready` returned, or leaves no trace; durably,
   * unless the durability is `interval`.
   */
  async append(bytes: Uint8Array): Promise<void> {
    const segment = this.#open;
    if (!segment) throw new Error('append without ready');
    try {
      await segment.file.append(bytes);
    } catch (error) {
      await this.#cutBack(segment);
      throw error;
    }
    if (this.#durability === 'fsync') await this.#syncTo(segment, segment.bytes + bytes.length);
    segment.bytes += bytes.length;
  }

  /**
   * Makes everything that was appended durable.
   *
   * Errors: as of the disk; then everything since the last time is lost for the log.
   */
  async sync(): Promise<void> {
    if (this.#open && this.isDirty) await this.#syncTo(this.#open, this.#open.bytes);
  }

  /** The next segment, begun when it is needed, is the first of another epoch. */
  async beginEpoch(epoch: number): Promise<void> {
    await this.#closeOpen();
    this.#epoch = epoch;
  }

  /**
   * Removes the segments of an epoch that is not written any more, durably. All earlier epochs are
   * removed already. When it fails, it may be called again.
   */
  async removeEpoch(epoch: number): Promise<void> {
    const { files, directory } = this.#place;
    for (const segment of this.#kept.filter((kept) => kept.epoch === epoch)) {
      const path = `${directory}/${segmentName(segment.sequence)}`;
      if (await files.exists(path)) await files.remove(path);
    }
    await files.syncDirectory(directory);
    this.#kept = this.#kept.filter((kept) => kept.epoch !== epoch);
  }

  /** Ends the log in order: the end record proves that all before it was durable. */
  async close(): Promise<void> {
    const segment = this.#open;
    if (!segment) return;
    const record = new ByteWriter(recordHeaderBytes);
    const salt = segmentSalt(this.#place.seeds, segment.sequence, this.#epoch);
    endRecord(record, beginRecord(record), recordType.end, true, salt);
    // The next start does without it when the disk is full or fails.
    await quietly(this.append(record.copy()).then(() => this.sync()));
    await this.#closeOpen();
  }

  async #closeOpen(): Promise<void> {
    const segment = this.#open;
    this.#open = undefined;
    if (segment) await quietly(segment.file.close());
  }

  async #create(): Promise<OpenSegment> {
    const { files, directory, seeds } = this.#place;
    const sequence = this.#lastSequence + 1;
    const path = `${directory}/${segmentName(sequence)}`;
    const file = await files.open(path, { create: true });
    try {
      const header = new ByteWriter(segmentHeaderBytes);
      writeSegmentHeader(header, {
        version: walVersion,
        sequence,
        epoch: this.#epoch,
        continuesEpoch: this.#epochOf(this.#position.sequence) === this.#epoch,
        previous: this.#position,
        seeds,
        createdNanos: this.#clock.nowNanos(),
      });
      await file.truncate(0);
      await file.append(header.copy());
    } catch (error) {
      await quietly(file.close());
      await quietly(files.remove(path));
      throw error;
    }
    this.#lastSequence = sequence;
    this.#kept.push({ sequence, epoch: this.#epoch });
    return { file, sequence, bytes: segmentHeaderBytes, durableBytes: 0, isDurable: false };
  }

  #epochOf(sequence: number): number | undefined {
    return this.#kept.find((kept) => kept.sequence === sequence)?.epoch;
  }

  /** Of the segment, `bytes` are written: makes them durable. */
  async #syncTo(segment: OpenSegment, bytes: number): Promise<void> {
    try {
      await segment.file.sync();
      if (!segment.isDurable) await this.#place.files.syncDirectory(this.#place.directory);
    } catch (error) {
      // After a failed fsync the kernel may believe that the lost pages are clean: the segment
      // ends where it was durable, and another one takes over.
      await this.#giveUp(segment, error);
      throw error;
    }
    segment.isDurable = true;
    segment.durableBytes = bytes;
    this.#position = { sequence: segment.sequence, bytes };
  }

  /** After a failed write: what was written is intact, so the segment goes on once it is cut. */
  async #cutBack(segment: OpenSegment): Promise<void> {
    try {
      await segment.file.truncate(segment.bytes);
    } catch (error) {
      await this.#giveUp(segment, error);
    }
  }

  async #giveUp(segment: OpenSegment, error: unknown): Promise<void> {
    // Nothing of a segment that was never synced counts, not even its header.
    const bytes = segment.isDurable ? segment.durableBytes : 0;
    this.#logger.error('gave up a log segment', {
      segment: segmentName(segment.sequence),
      bytes,
      error: errorMessage(error),
    });
    this.#open = undefined;
    await quietly(segment.file.truncate(bytes));
    await quietly(segment.file.close());
  }
}

/** Waits for tidying up whose failure changes nothing: the next segment's header excludes it. */
async function quietly(work: Promise<void>): Promise<void> {
  await work.catch(() => undefined);
}
