// One epoch: a head, and how far the log has what is in it.
import type { Clock } from '../../base/clock.ts';
import type { Head } from '../head/head.ts';
import type { Part } from '../part.ts';
import type { PendingProfile } from './profiles-record.ts';
import { HeadPart } from '../head/head-part.ts';
import { symbolCounts, type SymbolCounts } from '../../model/dictionary-codec.ts';

/** One commit on its way. */
export interface Commit {
  readonly epoch: Epoch;
  /** What is not known to be stored already. */
  profiles: readonly PendingProfile[];
  /** Version of the list of parts for which that was found out; -1 = not yet. */
  checkedVersion: number;
  /** Encoded, and of the rows in memory. */
  readonly bytes: number;
  readonly runBytes: number;
}

/** A commit that waits for its turn at the disk. */
export interface WaitingCommit {
  readonly commit: Commit;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Life: open (takes commits), closed (those that were begun are finished), drained (its head never
 * changes again). docs/format/wal.md tells how the log keeps epochs apart.
 */
export class Epoch {
  readonly number: number;
  readonly head: Head;
  /** The head as a part. */
  readonly part: Part;
  /** Wall clock when it was begun. */
  readonly beganMillis: number;
  /** Rows of the dictionary that the log has, and those that it has durably. */
  logged: SymbolCounts;
  durable: SymbolCounts;
  isClosed = false;
  /** Commits that were begun and have not ended. */
  openCommits = 0;
  readonly waiting: WaitingCommit[] = [];

  /** The head of a new epoch is empty; the log has all of one that was replayed. */
  constructor(number: number, head: Head, clock: Clock) {
    this.number = number;
    this.head = head;
    this.part = new HeadPart(`head-${number}`, head, clock);
    this.beganMillis = clock.nowMillis();
    this.logged = symbolCounts(head.dictionary);
    this.durable = this.logged;
  }
}
