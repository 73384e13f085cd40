// An epoch: one head, and the part of the log with the profiles of that head.
import type { Clock } from '../../base/clock.ts';
import type { Head } from '../head/head.ts';
import type { Part } from '../part.ts';
import type { PendingProfile } from './profiles-record.ts';
import { HeadPart } from '../head/head-part.ts';
import { symbolCounts, type SymbolCounts } from '../../model/dictionaries/dictionary-codec.ts';

/** A commit that has begun. */
export interface Commit {
  readonly epoch: Epoch;
  /** The commit's profiles, without the profiles that were found in a part. */
  profiles: readonly PendingProfile[];
  /** Version of the part list when the profiles were last looked up; -1 = never looked up. */
  checkedVersion: number;
  /** Encoded bytes plus bytes of row memory. */
  readonly bytes: number;
  readonly runBytes: number;
}

/** A commit that is waiting to be written. */
export interface WaitingCommit {
  readonly commit: Commit;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * One epoch of the log. It is open at first and accepts commits. When it is closed, it only
 * finishes commits that have already begun. When it is drained, its head never changes again.
 * docs/format/wal.md explains how the log distinguishes epochs.
 */
export class Epoch {
  readonly number: number;
  readonly head: Head;
  /** The head as a part. */
  readonly part: Part;
  /** Wall-clock time when the epoch began, in milliseconds. */
  readonly beganMillis: number;
  /** Number of dictionary rows that are in the log, and number that are durable there. */
  logged: SymbolCounts;
  durable: SymbolCounts;
  isClosed = false;
  /** Number of commits that have begun but not ended. */
  openCommits = 0;
  readonly waiting: WaitingCommit[] = [];

  /**
   * Creates an open epoch. `head` must be empty or replayed, because the epoch assumes that all
   * symbols of the head are in the log.
   */
  constructor(number: number, head: Head, clock: Clock) {
    this.number = number;
    this.head = head;
    this.part = new HeadPart(`head-${number}`, head, clock);
    this.beganMillis = clock.nowMillis();
    this.logged = symbolCounts(head.dictionary);
    this.durable = this.logged;
  }
}
