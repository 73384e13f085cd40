// An epoch: one head and the part of the log that holds it.
import type { Clock } from '../../base/clock.ts';
import type { Head } from '../head/head.ts';
import type { Part } from '../part.ts';
import type { PendingProfile } from './profiles-record.ts';
import { HeadPart } from '../head/head-part.ts';
import { symbolCounts, type SymbolCounts } from '../../model/dictionaries/dictionary-codec.ts';

/** A commit that has begun. */
export interface Commit {
  readonly epoch: Epoch;
  /** Profiles of the batch that have not been found in any part. */
  profiles: readonly PendingProfile[];
  /** Version of the part list in which the profiles were last looked up; -1 = never. */
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
 * States: open (accepts commits), closed (only finishes commits that have begun), drained (the head
 * never changes again). docs/format/wal.md explains how the log distinguishes epochs.
 */
export class Epoch {
  readonly number: number;
  readonly head: Head;
  /** The head as a part. */
  readonly part: Part;
  /** Wall-clock time when the epoch began. */
  readonly beganMillis: number;
  /** Number of dictionary rows in the log, and how many of them are durable. */
  logged: SymbolCounts;
  durable: SymbolCounts;
  isClosed = false;
  /** Number of commits that have begun but not ended. */
  openCommits = 0;
  readonly waiting: WaitingCommit[] = [];

  /** `head` is empty or was replayed, so the log has all of its symbols. */
  constructor(number: number, head: Head, clock: Clock) {
    this.number = number;
    this.head = head;
    this.part = new HeadPart(`head-${number}`, head, clock);
    this.beganMillis = clock.nowMillis();
    this.logged = symbolCounts(head.dictionary);
    this.durable = this.logged;
  }
}
