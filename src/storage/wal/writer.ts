// Writes commits to the log in groups: commits that arrive while the disk is busy share the next
// write and fdatasync.
import { assert } from '../../base/assert.ts';
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { everyone, runAs } from '../../base/current-caller.ts';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { storageRetryMillis, symbolRecordBytesMax, walSyncMillis } from '../limits.ts';
import type { Logger } from '../../base/logger.ts';
import { finishPausing, Pacer, type Steps } from '../../base/pacer.ts';
import { CommitGroups } from './commit-groups.ts';
import type { Commit, Epoch, WaitingCommit } from './epoch.ts';
import type { Head } from '../head/head.ts';
import type { StagedProfile } from '../head/staged-profile.ts';
import { encodeProfilesRecord, type PendingProfile, shownPerStep } from './profiles-record.ts';
import { refusalReason, type StorageMetrics } from '../storage-metrics.ts';
import {
  encodeSymbols,
  symbolCounts,
  type SymbolCounts,
} from '../../model/dictionaries/dictionary-codec.ts';
import { beginRecord, endRecordInSteps, recordType } from './format.ts';
import type { WalSegments } from './segments.ts';

/** Size in bytes above which the write buffer is not kept for the next group. */
const keptBufferBytesMax = 1024 * 1024;

interface WalWriterOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: StorageMetrics;
  /**
   * Returns the profiles of a commit that are not in an older part. It is called just before the
   * profiles are written, because parts may have changed since the commit began.
   */
  readonly withoutRetries: (commit: Commit) => Promise<readonly PendingProfile[]>;
  /** Called when a write failed because the disk is full, with the size of the write in bytes. */
  readonly onDiskFull: (bytes: number) => void;
  /** Called when an epoch is drained. The log then continues with the next epoch. */
  readonly onDrained: (epoch: Epoch) => void;
  /**
   * Called when acknowledged profiles were lost from the log and are now only in memory. This can
   * happen only with durability `interval`.
   */
  readonly onLost: () => void;
}

/**
 * Makes commits durable, then makes them visible, then acknowledges them. `commit-groups.ts`
 * decides their order. The commits of an epoch are written after the last commit of the epoch
 * before it has ended.
 *
 * A group is written immediately if the disk is idle. If a group cannot be made durable, its
 * commits are refused, and its symbols are written with the next group. The log continues when the
 * disk works again.
 */
export class WalWriter {
  readonly #segments: WalSegments;
  readonly #options: WalWriterOptions;
  readonly #buffer = new ByteWriter(64 * 1024);
  /** The epoch that is being written, followed by later epochs that wait until it is drained. */
  readonly #epochs: Epoch[];
  readonly #groups = new CommitGroups();
  #isFlushing = false;
  #flushed: Promise<void> = Promise.resolve();
  #syncTimer: Timer | undefined;
  #isSyncDue = false;
  #openCommits = 0;
  #onEnd: () => void = () => undefined;
  /** Encoded bytes, and bytes of row memory, of all commits that have begun but not ended. */
  pendingBytes = 0;
  pendingRunBytes = 0;

  /** Creates a writer. `epoch` must be the current epoch of `segments`. */
  constructor(segments: WalSegments, epoch: Epoch, options: WalWriterOptions) {
    this.#segments = segments;
    this.#epochs = [epoch];
    this.#options = options;
  }

  /** Closes the newest epoch. Later commits belong to `next`. */
  beginEpoch(next: Epoch): void {
    this.#epochs[this.#epochs.length - 1].isClosed = true;
    this.#epochs.push(next);
    this.#kick();
  }

  /** Begins a commit. The caller must call `end` for it, whether the commit succeeds or fails. */
  begin(epoch: Epoch, profiles: readonly PendingProfile[]): Commit {
    assert(!epoch.isClosed, 'a closed epoch takes no commits');
    let bytes = 0;
    let runBytes = 0;
    for (const profile of profiles) {
      bytes += profile.bytes.length;
      runBytes += profile.runBytes;
    }
    this.pendingBytes += bytes;
    this.pendingRunBytes += runBytes;
    epoch.openCommits += 1;
    this.#openCommits += 1;
    return { epoch, profiles, checkedVersion: -1, bytes, runBytes };
  }

  /**
   * Writes a commit. The promise is resolved when the commit's profiles are durable and visible.
   */
  write(commit: Commit): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      commit.epoch.waiting.push({ commit, resolve, reject });
      this.#kick();
    });
  }

  end(commit: Commit): void {
    this.pendingBytes -= commit.bytes;
    this.pendingRunBytes -= commit.runBytes;
    commit.epoch.openCommits -= 1;
    this.#openCommits -= 1;
    this.#onEnd();
    if (commit.epoch.isClosed && commit.epoch.openCommits === 0) this.#kick();
  }

  /**
   * Waits until all commits have ended and all closed epochs are drained. No commit may begin after
   * the call.
   */
  async idle(): Promise<void> {
    while (this.#isFlushing || this.#openCommits > 0) {
      if (this.#isFlushing) await this.#flushed;
      else await new Promise<void>((resolve) => (this.#onEnd = resolve));
    }
  }

  /** Closes the log. No commit may be open. */
  async close(): Promise<void> {
    this.#syncTimer?.cancel();
    await this.#sync();
    await this.#segments.close();
  }

  #kick(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    // The flush runs on behalf of all callers, because all of them wait for it, not only the caller
    // that started it.
    this.#flushed = runAs(everyone, () => this.#flush());
  }

  async #flush(): Promise<void> {
    for (;;) {
      const epoch = this.#epochs[0];
      if (this.#isSyncDue) await this.#sync();
      else if (epoch.waiting.length > 0) await this.#writeNext(epoch);
      else if (epoch.isClosed && epoch.openCommits === 0) await this.#leaveEpoch(epoch);
      else break;
    }
    this.#isFlushing = false;
  }

  async #leaveEpoch(epoch: Epoch): Promise<void> {
    await this.#sync();
    this.#epochs.shift();
    await this.#segments.beginEpoch(this.#epochs[0].number);
    this.#options.onDrained(epoch);
  }

  async #writeNext(epoch: Epoch): Promise<void> {
    const group = this.#groups.take(epoch.waiting);
    try {
      await this.#writeGroup(epoch, group);
      this.#options.metrics.commits.add(group.length);
      for (const { resolve } of group) resolve();
    } catch (error) {
      this.#refuse(group, error);
      this.#noteLoss(epoch);
    }
  }

  async #writeGroup(epoch: Epoch, group: readonly WaitingCommit[]): Promise<void> {
    const { clock, metrics } = this.#options;
    const batches = await this.#freshBatches(epoch.head, group);
    if (batches.length === 0) return;
    if (this.#segments.isFull) await this.#sync();
    const segment = await this.#segments.ready();
    const counts = symbolCounts(epoch.head.dictionary);
    const encoding = this.#encodeGroup(epoch, batches, segment, counts);
    const defined = await finishPausing(encoding, new Pacer(clock));
    const started = clock.monotonicMillis();
    await this.#segments.append(this.#buffer.bytes.subarray(0, this.#buffer.length));
    if (!this.#segments.isDirty) this.#observeSync(started);
    metrics.walBytes.add(this.#buffer.length);
    metrics.walGroups.add();
    if (this.#buffer.bytes.length > keptBufferBytesMax) this.#buffer.bytes = new Uint8Array(65_536);
    epoch.logged = counts;
    for (const ref of defined) epoch.head.setLoggedSegment(ref, segment.sequence);
    await finishPausing(this.#makeVisible(epoch.head, batches), new Pacer(clock));
    if (!this.#segments.isDirty) epoch.durable = counts;
    else this.#syncTimer ??= clock.setTimer(walSyncMillis, () => this.#syncSoon());
  }

  /**
   * Returns the profiles of each commit, without profiles that were stored since the commit began.
   * There are such profiles if a client retries before it has received the first answer.
   */
  async #freshBatches(
    head: Head,
    group: readonly WaitingCommit[],
  ): Promise<(readonly PendingProfile[])[]> {
    const batches: (readonly PendingProfile[])[] = [];
    for (const { commit } of group) {
      const profiles = await this.#options.withoutRetries(commit);
      const fresh = profiles.filter(({ ref, timeNanos, contentHash }) => {
        return !head.holds(ref, timeNanos, contentHash);
      });
      if (fresh.length > 0) batches.push(fresh);
      this.#options.metrics.duplicates.add(commit.profiles.length - fresh.length);
    }
    return batches;
  }

  #syncSoon(): void {
    this.#syncTimer = undefined;
    this.#isSyncDue = true;
    this.#kick();
  }

  /** Makes all appended bytes durable. With durability `fsync`, they already are. */
  async #sync(): Promise<void> {
    this.#isSyncDue = false;
    const epoch = this.#epochs[0];
    if (!this.#segments.isDirty) return;
    const started = this.#options.clock.monotonicMillis();
    try {
      await this.#segments.sync();
      this.#observeSync(started);
      epoch.durable = epoch.logged;
    } catch (error) {
      this.#options.metrics.walFailures.add();
      if (errorCode(error) === 'resource-exhausted') this.#options.onDiskFull(this.#buffer.length);
      this.#noteLoss(epoch);
    }
  }

  #observeSync(startedMillis: number): void {
    const { clock, metrics } = this.#options;
    metrics.walSyncSeconds.observe((clock.monotonicMillis() - startedMillis) / 1000);
  }

  /**
   * Handles a failed write. If its segment was abandoned, the symbols that were not durable must be
   * written again.
   */
  #noteLoss(epoch: Epoch): void {
    if (this.#segments.isOpen || epoch.logged === epoch.durable) return;
    epoch.logged = epoch.durable;
    this.#options.logger.error('writes of the last second are in memory only', {
      epoch: epoch.number,
    });
    this.#options.onLost();
  }

  /**
   * Fills the buffer with the records of a group. Returns the refs of the streams that the records
   * define. Profiles and symbols that arrive during the encoding wait for the next group.
   */
  *#encodeGroup(
    { head, logged }: Epoch,
    batches: readonly (readonly PendingProfile[])[],
    segment: { readonly sequence: number; readonly salt: number },
    counts: SymbolCounts,
  ): Steps<Set<number>> {
    const buffer = this.#buffer;
    buffer.length = 0;
    const { salt } = segment;
    if (counts.some((count, table) => count !== logged[table])) {
      yield* encodeSymbols(buffer, head.dictionary, logged, counts, {
        payloadBytesMax: symbolRecordBytesMax,
        begin: () => beginRecord(buffer),
        end: (start) => endRecordInSteps(buffer, start, recordType.symbols, start === 0, salt),
      });
    }
    const defined = new Set<number>();
    for (const profiles of batches) {
      const undefinedYet = new Set<number>();
      for (const { ref } of profiles) {
        if (head.loggedSegment(ref) !== segment.sequence) undefinedYet.add(ref);
      }
      const start = beginRecord(buffer);
      yield* encodeProfilesRecord(buffer, head, undefinedYet, profiles);
      const ending = endRecordInSteps(buffer, start, recordType.profiles, start === 0, salt);
      if (ending !== undefined) yield* ending;
      for (const ref of undefinedYet) defined.add(ref);
      yield;
    }
    return defined;
  }

  /**
   * Makes the profiles of commits visible, one commit after the other. First adds the rows of the
   * commit's profiles in steps. Then makes the profiles visible in one step, or in several if there
   * are more than `shownPerStep`.
   */
  *#makeVisible(head: Head, batches: readonly (readonly PendingProfile[])[]): Steps<void> {
    const { metrics } = this.#options;
    for (const profiles of batches) {
      const { profileCount, rowCount } = head;
      const staged: StagedProfile[] = [];
      for (const { bytes } of profiles) {
        // The reader skips the length of the profile, four bytes that only a replay needs.
        const one = yield* head.stage(new ByteReader(bytes, 4));
        if (typeof one !== 'string') staged.push(one);
        else if (one === 'known') metrics.duplicates.add();
        yield;
      }
      for (let i = 0; i < staged.length; i += 1) {
        if (head.show(staged[i]) === 'known') metrics.duplicates.add();
        if (i % shownPerStep === shownPerStep - 1) yield;
      }
      metrics.storedProfiles.add(head.profileCount - profileCount);
      metrics.storedRows.add(head.rowCount - rowCount);
    }
  }

  #refuse(group: readonly WaitingCommit[], error: unknown): void {
    const { logger, metrics } = this.#options;
    const isFull = errorCode(error) === 'resource-exhausted';
    metrics.walFailures.add();
    metrics.refusedWrites.add(group.length, { reason: refusalReason(error) });
    const why = isFull ? 'the disk is full' : 'the log cannot be written';
    // A full disk is logged only once, not for each write.
    if (isFull) this.#options.onDiskFull(this.#buffer.length);
    else logger.error('refused commits', { commits: group.length, error: errorMessage(error) });
    const refusal = new AppError(
      isFull ? 'resource-exhausted' : 'unavailable',
      `cannot store profiles: ${why}: ${errorMessage(error)}`,
      { cause: error, retryAfterMillis: storageRetryMillis },
    );
    for (const { reject } of group) reject(refusal);
  }
}
