// Group commit: commits that arrive while the disk is busy share the next write and fdatasync.
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import type { Clock } from '../base/clock.ts';
import { AppError, errorCode, errorMessage } from '../base/errors.ts';
import { symbolRecordBytesMax } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Head } from './head.ts';
import { encodeProfilesRecord, type PendingProfile } from './profiles-record.ts';
import { refusalReason, type StorageMetrics } from './storage-metrics.ts';
import { encodeSymbols, symbolCounts, type SymbolCounts } from './symbol-codec.ts';
import { beginRecord, endRecord, recordType } from './wal-format.ts';
import type { WalSegments } from './wal-segments.ts';

/** A group is closed when it has this many bytes: the first of it should not wait for too much. */
const groupBytesMax = 16 * 1024 * 1024;
/** A write buffer larger than this is not kept for the next group. */
const keptBufferBytesMax = 1024 * 1024;

/** One commit that waits. */
interface Commit {
  readonly profiles: readonly PendingProfile[];
  readonly bytes: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Makes commits durable in the order of their arrival, then visible, then acknowledges them.
 *
 * An idle disk is written at once. When a group cannot be made durable, its commits are refused
 * and its symbols wait for the next group; the log goes on as soon as the disk does.
 */
export class WalWriter {
  private readonly segments: WalSegments;
  private readonly head: Head;
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly metrics: StorageMetrics;
  private readonly buffer = new ByteWriter(64 * 1024);
  /** Rows of the dictionary that the log has. */
  private logged: SymbolCounts;
  private waiting: Commit[] = [];
  private flushing: Promise<void> | undefined;
  /** Of all commits that are neither acknowledged nor refused. */
  pendingBytes = 0;
  pendingRunBytes = 0;

  constructor(
    segments: WalSegments,
    head: Head,
    options: { readonly clock: Clock; readonly logger: Logger; readonly metrics: StorageMetrics },
  ) {
    this.segments = segments;
    this.head = head;
    this.clock = options.clock;
    this.logger = options.logger;
    this.metrics = options.metrics;
    this.logged = symbolCounts(head.dictionary);
  }

  /** Resolves when the profiles are durable and visible. */
  commit(profiles: readonly PendingProfile[]): Promise<void> {
    let bytes = 0;
    let runBytes = 0;
    for (const profile of profiles) {
      bytes += profile.bytes.length;
      runBytes += profile.runBytes;
    }
    this.pendingBytes += bytes;
    this.pendingRunBytes += runBytes;
    const settled = new Promise<void>((resolve, reject) => {
      this.waiting.push({ profiles, bytes, resolve, reject });
    });
    this.flushing ??= this.flush();
    return settled.finally(() => {
      this.pendingBytes -= bytes;
      this.pendingRunBytes -= runBytes;
    });
  }

  /** Waits for what was committed, then closes the log. */
  async close(): Promise<void> {
    while (this.flushing) await this.flushing;
    await this.segments.close();
  }

  private async flush(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.takeGroup();
      try {
        await this.writeGroup(group);
        this.metrics.commits.add(group.length);
        for (const commit of group) commit.resolve();
      } catch (error) {
        this.refuse(group, error);
      }
    }
    this.flushing = undefined;
  }

  private takeGroup(): Commit[] {
    let bytes = 0;
    let count = 0;
    while (count < this.waiting.length && (count === 0 || bytes < groupBytesMax)) {
      bytes += this.waiting[count].bytes;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  private async writeGroup(group: readonly Commit[]): Promise<void> {
    // What an earlier group stored need not be written again: a retry that overtook its answer.
    const batches: PendingProfile[][] = [];
    for (const { profiles } of group) {
      const fresh = profiles.filter(({ ref, timeNanos, contentHash }) => {
        return !this.head.holds(ref, timeNanos, contentHash);
      });
      if (fresh.length > 0) batches.push(fresh);
      this.metrics.duplicates.add(profiles.length - fresh.length);
    }
    if (batches.length === 0) return;
    const segment = await this.segments.ready();
    const counts = symbolCounts(this.head.dictionary);
    const defined = this.encodeGroup(batches, segment, counts);
    const started = this.clock.monotonicMillis();
    await this.segments.append(this.buffer.bytes.subarray(0, this.buffer.length));
    this.metrics.walSyncSeconds.observe((this.clock.monotonicMillis() - started) / 1000);
    this.metrics.walBytes.add(this.buffer.length);
    this.metrics.walGroups.add();
    if (this.buffer.bytes.length > keptBufferBytesMax) this.buffer.bytes = new Uint8Array(65_536);
    this.logged = counts;
    for (const ref of defined) this.head.setLoggedSegment(ref, segment.sequence);
    this.makeVisible(batches);
  }

  /** Fills the buffer with the group's records; returns the refs of the streams that they define. */
  private encodeGroup(
    batches: readonly PendingProfile[][],
    segment: { readonly sequence: number; readonly salt: number },
    counts: SymbolCounts,
  ): Set<number> {
    const { buffer } = this;
    buffer.length = 0;
    const { salt } = segment;
    encodeSymbols(buffer, this.head.dictionary, this.logged, counts, {
      payloadBytesMax: symbolRecordBytesMax,
      begin: () => beginRecord(buffer),
      end: (start) => endRecord(buffer, start, recordType.symbols, start === 0, salt),
    });
    const defined = new Set<number>();
    for (const profiles of batches) {
      const undefinedYet = new Set<number>();
      for (const { ref } of profiles) {
        if (this.head.loggedSegment(ref) !== segment.sequence) undefinedYet.add(ref);
      }
      const start = beginRecord(buffer);
      encodeProfilesRecord(buffer, this.head, undefinedYet, profiles);
      endRecord(buffer, start, recordType.profiles, start === 0, salt);
      for (const ref of undefinedYet) defined.add(ref);
    }
    return defined;
  }

  private makeVisible(batches: readonly PendingProfile[][]): void {
    for (const profiles of batches) {
      for (const { bytes } of profiles) {
        // The first four bytes are the length, which only replay needs.
        const applied = this.head.apply(new ByteReader(bytes, 4));
        if (applied === 'known') this.metrics.duplicates.add();
      }
    }
  }

  private refuse(group: readonly Commit[], error: unknown): void {
    const isFull = errorCode(error) === 'resource-exhausted';
    this.metrics.walFailures.add();
    this.metrics.refusedWrites.add(group.length, { reason: refusalReason(error) });
    const why = isFull ? 'the disk is full' : 'the log cannot be written';
    this.logger.error('refused commits', { commits: group.length, error: errorMessage(error) });
    const refusal = new AppError(
      isFull ? 'resource-exhausted' : 'unavailable',
      `cannot store profiles: ${why}: ${errorMessage(error)}`,
      { cause: error },
    );
    for (const commit of group) commit.reject(refusal);
  }
}
