// The segment that the log is written to: creating, rotating and giving it up.
import { ByteWriter } from '../base/bytes.ts';
import type { Clock } from '../base/clock.ts';
import { errorMessage } from '../base/errors.ts';
import type { File, Files } from '../base/files.ts';
import type { Logger } from '../base/logger.ts';
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
} from './wal-format.ts';

/** Where a log is, and who its store is. */
export interface WalPlace {
  readonly files: Files;
  /** The directory of the segments; it exists. */
  readonly directory: string;
  readonly seeds: Seeds;
}

/** Where a replay ended. */
export interface WalEnd {
  /** The highest segment number that is taken. */
  readonly lastSequence: number;
  /** The last segment of which something counts, and how much. */
  readonly position: WalPosition;
  /** That segment, to go on with; undefined when a new one is to be begun. */
  readonly file: File | undefined;
}

interface OpenSegment {
  readonly file: File;
  readonly sequence: number;
  /** Of its content, the bytes that count. */
  bytes: number;
  /** Whether they and its directory entry are durable. */
  isDurable: boolean;
}

/**
 * Appends to one segment at a time. What `append` made durable stays; what it failed to is cut
 * off, or, when even that fails, excluded by the header of the next segment.
 */
export class WalSegments {
  private readonly place: WalPlace;
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly segmentBytesMax: number;
  private open: OpenSegment | undefined;
  private lastSequence: number;
  /** What is durable: of the open segment, or of the last one of which something is. */
  private position: WalPosition;

  constructor(
    place: WalPlace,
    end: WalEnd,
    options: { readonly clock: Clock; readonly logger: Logger; readonly segmentBytesMax: number },
  ) {
    this.place = place;
    this.clock = options.clock;
    this.logger = options.logger;
    this.segmentBytesMax = options.segmentBytesMax;
    this.lastSequence = end.lastSequence;
    this.position = end.position;
    if (end.file) this.open = { file: end.file, ...end.position, isDurable: true };
  }

  /** Makes sure that there is a segment with room; returns its number and salt. */
  async ready(): Promise<{ readonly sequence: number; readonly salt: number }> {
    if (this.open && this.open.bytes >= this.segmentBytesMax) {
      await this.open.file.close();
      this.open = undefined;
    }
    this.open ??= await this.create();
    const { sequence } = this.open;
    return { sequence, salt: segmentSalt(this.place.seeds, sequence) };
  }

  /** Makes `bytes` durable at the end of the segment that `ready` returned, or leaves no trace. */
  async append(bytes: Uint8Array): Promise<void> {
    const segment = this.open;
    if (!segment) throw new Error('append without ready');
    try {
      await segment.file.append(bytes);
    } catch (error) {
      await this.cutBack(segment);
      throw error;
    }
    try {
      await segment.file.sync();
      if (!segment.isDurable) await this.place.files.syncDirectory(this.place.directory);
    } catch (error) {
      // After a failed fsync the kernel may believe that the lost pages are clean: the segment
      // ends where it was durable, and another one takes over.
      await this.giveUp(segment, error);
      throw error;
    }
    segment.isDurable = true;
    segment.bytes += bytes.length;
    this.position = { sequence: segment.sequence, bytes: segment.bytes };
  }

  /** Ends the log in order: the end record proves that all before it was durable. */
  async close(): Promise<void> {
    const segment = this.open;
    if (!segment) return;
    const record = new ByteWriter(recordHeaderBytes);
    const salt = segmentSalt(this.place.seeds, segment.sequence);
    endRecord(record, beginRecord(record), recordType.end, true, salt);
    // The next start does without it when the disk is full or fails.
    await quietly(this.append(record.copy()));
    this.open = undefined;
    await quietly(segment.file.close());
  }

  private async create(): Promise<OpenSegment> {
    const { files, directory, seeds } = this.place;
    const sequence = this.lastSequence + 1;
    const path = `${directory}/${segmentName(sequence)}`;
    const file = await files.open(path, { create: true });
    try {
      const header = new ByteWriter(segmentHeaderBytes);
      writeSegmentHeader(header, {
        version: walVersion,
        sequence,
        previous: this.position,
        seeds,
        createdNanos: this.clock.nowNanos(),
      });
      await file.truncate(0);
      await file.append(header.copy());
    } catch (error) {
      await quietly(file.close());
      await quietly(files.remove(path));
      throw error;
    }
    this.lastSequence = sequence;
    return { file, sequence, bytes: segmentHeaderBytes, isDurable: false };
  }

  /** After a failed write: the synced part is intact, so the segment goes on once it is cut. */
  private async cutBack(segment: OpenSegment): Promise<void> {
    try {
      await segment.file.truncate(segment.bytes);
    } catch (error) {
      await this.giveUp(segment, error);
    }
  }

  private async giveUp(segment: OpenSegment, error: unknown): Promise<void> {
    // Nothing of a segment that was never synced counts, not even its header.
    const bytes = segment.isDurable ? segment.bytes : 0;
    this.logger.error('gave up a log segment', {
      segment: segmentName(segment.sequence),
      bytes,
      error: errorMessage(error),
    });
    this.open = undefined;
    await quietly(segment.file.truncate(bytes));
    await quietly(segment.file.close());
  }
}

/** Waits for tidying up whose failure changes nothing: the next segment's header excludes it. */
async function quietly(work: Promise<void>): Promise<void> {
  await work.catch(() => undefined);
}
