// The segments of the log: appends to the open segment, starts new segments, and removes the
// segments of old epochs.
import { ByteWriter } from '../../base/bytes.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import type { File, Files } from '../../base/files.ts';
import type { Logger } from '../../base/logger.ts';
import type { Seeds } from '../../model/dictionary.ts';
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
  type WalPosition,
} from './format.ts';

/** Directory of a log, and seeds of its store. */
export interface WalPlace {
  readonly files: Files;
  /** Path of the directory with the segments. The directory must exist. */
  readonly directory: string;
  readonly seeds: Seeds;
}

/** A segment file that has not been removed, and its epoch. */
interface KeptSegment {
  readonly sequence: number;
  readonly epoch: number;
  /** Number of valid bytes. */
  bytes: number;
}

/**
 * The records of an epoch that are in one segment. The records are durable, and they are visible or
 * will be soon.
 */
export interface LoggedSegment {
  readonly sequence: number;
  /** Offset of the end of the records. */
  readonly bytes: number;
  /** Start value of checksums; see segmentSalt. */
  readonly salt: number;
}

/** Describes the end of a replayed log. */
export interface WalEnd {
  /** Highest sequence number in use. */
  readonly lastSequence: number;
  /** All segments in order of their sequence numbers. */
  readonly kept: readonly Readonly<KeptSegment>[];
  /** Epoch that new records belong to. */
  readonly epoch: number;
  /** The last segment with valid bytes, and the number of these bytes. */
  readonly position: WalPosition;
  /**
   * File of that segment, to which new records are appended; undefined if a new segment must be
   * started.
   */
  readonly file: File | undefined;
}

/**
 * Decides when a write is acknowledged. With `fsync`, it is acknowledged when it is on the disk.
 * With `interval`, it is acknowledged when the kernel has it; it is on the disk within
 * walSyncMillis.
 */
export type Durability = 'fsync' | 'interval';

interface OpenSegment extends KeptSegment {
  readonly file: File;
  /** Number of bytes that are durable. */
  durableBytes: number;
  /** True if the segment's directory entry is durable. */
  isDurable: boolean;
}

interface WalSegmentsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly segmentBytesMax: number;
  readonly durability: Durability;
}

/**
 * Appends to one segment at a time. If bytes cannot be made durable, the segment is truncated. If
 * that fails too, the header of the next segment excludes these bytes from the log.
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
  /** End of the durable log. */
  #position: WalPosition;

  constructor(place: WalPlace, end: WalEnd, options: WalSegmentsOptions) {
    this.#place = place;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#segmentBytesMax = options.segmentBytesMax;
    this.#durability = options.durability;
    this.#lastSequence = end.lastSequence;
    this.#kept = end.kept.map((segment) => ({ ...segment }));
    this.#epoch = end.epoch;
    this.#position = end.position;
    const { sequence, bytes } = end.position;
    const last = this.#kept.findIndex((segment) => segment.sequence === sequence);
    if (end.file && last >= 0) {
      this.#open = { ...this.#kept[last], file: end.file, durableBytes: bytes, isDurable: true };
      this.#kept[last] = this.#open;
    }
  }

  /** Returns the current segments of an epoch. */
  ofEpoch(epoch: number): LoggedSegment[] {
    const own = this.#kept.filter((segment) => segment.epoch === epoch);
    return own.map(({ sequence, bytes }) => {
      return { sequence, bytes, salt: segmentSalt(this.#place.seeds, sequence, epoch) };
    });
  }

  /**
   * Reads exactly `length` bytes of a segment. Errors: AppError 'not-found' if the segment's epoch
   * was removed; I/O errors.
   */
  async read(sequence: number, offset: number, length: number): Promise<Uint8Array> {
    const { files, directory } = this.#place;
    const path = `${directory}/${segmentName(sequence)}`;
    const file = await files.open(path, { create: false });
    try {
      const bytes = new Uint8Array(length);
      const count = await file.read(bytes, offset);
      if (count === length) return bytes;
      throw new AppError('data-loss', `cannot read ${path}: it ends at byte ${offset + count}`);
    } finally {
      await file.close();
    }
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** True if the open segment has reached its maximum size. */
  get isFull(): boolean {
    return this.#open !== undefined && this.#open.bytes >= this.#segmentBytesMax;
  }

  /** True if bytes were appended that are not durable yet. */
  get isDirty(): boolean {
    return this.#open !== undefined && this.#open.durableBytes < this.#open.bytes;
  }

  /**
   * Opens a new segment if none is open, or if the open segment is full. Returns the sequence
   * number and the salt of the open segment. If the open segment is full, all of its bytes must be
   * durable.
   */
  async ready(): Promise<{ readonly sequence: number; readonly salt: number }> {
    if (this.isFull) await this.#closeOpen();
    this.#open ??= await this.#create();
    const { sequence } = this.#open;
    return { sequence, salt: segmentSalt(this.#place.seeds, sequence, this.#epoch) };
  }

  /**
   * Appends all of the bytes or none of them to the segment that `ready` returned. They are durable
   * afterwards unless the durability is `interval`.
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
   * Makes all appended bytes durable.
   *
   * Errors: I/O errors. After an error, all bytes since the last sync are lost from the log.
   */
  async sync(): Promise<void> {
    if (this.#open && this.isDirty) await this.#syncTo(this.#open, this.#open.bytes);
  }

  /** Closes the open segment. The next segment belongs to `epoch`. */
  async beginEpoch(epoch: number): Promise<void> {
    await this.#closeOpen();
    this.#epoch = epoch;
  }

  /**
   * Durably removes the segments of an epoch that is no longer written. The segments of earlier
   * epochs must already be removed. The call can be repeated after a failure.
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

  /** Closes the log with an end record, which proves that all records before it were durable. */
  async close(): Promise<void> {
    const segment = this.#open;
    if (!segment) return;
    const record = new ByteWriter(recordHeaderBytes);
    const salt = segmentSalt(this.#place.seeds, segment.sequence, this.#epoch);
    endRecord(record, beginRecord(record), recordType.end, true, salt);
    // The log can be opened without the end record, so it does not matter if a full or failing disk
    // refuses the end record.
    await ignoreFailure(this.append(record.copy()).then(() => this.sync()));
    await this.#closeOpen();
  }

  async #closeOpen(): Promise<void> {
    const segment = this.#open;
    this.#open = undefined;
    if (segment) await ignoreFailure(segment.file.close());
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
        continuesEpoch: this.#findEpoch(this.#position.sequence) === this.#epoch,
        previous: this.#position,
        seeds,
        createdNanos: this.#clock.nowNanos(),
      });
      await file.truncate(0);
      await file.append(header.copy());
    } catch (error) {
      await ignoreFailure(file.close());
      await ignoreFailure(files.remove(path));
      throw error;
    }
    this.#lastSequence = sequence;
    const epoch = this.#epoch;
    const opened = { file, sequence, epoch, bytes: segmentHeaderBytes, durableBytes: 0 };
    const segment: OpenSegment = { ...opened, isDurable: false };
    this.#kept.push(segment);
    return segment;
  }

  #findEpoch(sequence: number): number | undefined {
    return this.#kept.find((kept) => kept.sequence === sequence)?.epoch;
  }

  /** Makes the first `bytes` bytes of the segment durable. They must already be written. */
  async #syncTo(segment: OpenSegment, bytes: number): Promise<void> {
    try {
      await segment.file.sync();
      if (!segment.isDurable) await this.#place.files.syncDirectory(this.#place.directory);
    } catch (error) {
      // After a failed fsync, the kernel may treat pages as clean although they are lost. So the
      // segment ends at its last durable byte, and a new segment is started.
      await this.#giveUp(segment, error);
      throw error;
    }
    segment.isDurable = true;
    segment.durableBytes = bytes;
    this.#position = { sequence: segment.sequence, bytes };
  }

  /** Truncates the segment after a failed write, so that the segment can be used again. */
  async #cutBack(segment: OpenSegment): Promise<void> {
    try {
      await segment.file.truncate(segment.bytes);
    } catch (error) {
      await this.#giveUp(segment, error);
    }
  }

  async #giveUp(segment: OpenSegment, error: unknown): Promise<void> {
    // A segment that was never synced has no valid bytes, not even its header.
    const bytes = segment.isDurable ? segment.durableBytes : 0;
    this.#logger.error('gave up a log segment', {
      segment: segmentName(segment.sequence),
      bytes,
      error: errorMessage(error),
    });
    this.#open = undefined;
    segment.bytes = bytes;
    await ignoreFailure(segment.file.truncate(bytes));
    await ignoreFailure(segment.file.close());
  }
}

/**
 * Waits for work, and ignores its failure. A failure does no harm, because the header of the next
 * segment excludes bytes that are not valid.
 */
async function ignoreFailure(work: Promise<void>): Promise<void> {
  await work.catch(() => undefined);
}
