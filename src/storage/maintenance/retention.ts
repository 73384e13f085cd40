// Decides which blocks are too old or too many: pure functions, and the guard against clocks.
import {
  retentionBlocksPerPassMax,
  retentionClockStepMillisMax,
  retentionSightingMillisMin,
} from '../../base/limits.ts';
import type { TimeRange } from '../interface.ts';

/** What the operator keeps; 0 = no limit. */
export interface RetentionLimits {
  readonly timeNanos: bigint;
  /** Blocks, log and temporaries together. */
  readonly sizeBytes: number;
}

export interface RetainedBlock {
  readonly id: string;
  readonly range: TimeRange;
  readonly fileBytes: number;
}

/** A block to be removed. */
export interface Removal {
  readonly id: string;
  readonly reason: 'time' | 'size';
}

/** What the plan is made for. */
export interface RetentionState {
  readonly blocks: readonly RetainedBlock[];
  /** Of everything under the storage path. */
  readonly usedBytes: number;
  /** A time that is certainly not too late; undefined: not known yet, nothing goes by time. */
  readonly trustedNanos: bigint | undefined;
  /** Blocks that somebody works on: they and all after them wait for the next pass. */
  readonly busy: ReadonlySet<string>;
}

/**
 * Blocks to be removed now, oldest first. A block is too old when its last profile is; at most a
 * fifth of all blocks (at least one) go by time at once, so that a wrong clock is noticed. By size
 * as many go as must, exact to one block.
 */
export function planRetention(limits: RetentionLimits, state: RetentionState): Removal[] {
  const { length } = state.blocks;
  return plan(limits, state, Math.max(1, Math.floor(length * retentionBlocksPerPassMax)));
}

/** All that goes sooner or later when nothing is added, if the time is right. */
export function foreseeRetention(limits: RetentionLimits, state: RetentionState): Removal[] {
  return plan(limits, state, state.blocks.length);
}

function plan(limits: RetentionLimits, state: RetentionState, byTimeMax: number): Removal[] {
  const { blocks, trustedNanos, busy } = state;
  const oldest =
    limits.timeNanos === 0n || trustedNanos === undefined
      ? undefined
      : trustedNanos - limits.timeNanos;
  let byTimeLeft = byTimeMax;
  let usedBytes = state.usedBytes;
  const removals: Removal[] = [];
  for (const { id, range, fileBytes } of [...blocks].sort(compareByEnd)) {
    const isOver = limits.sizeBytes > 0 && usedBytes > limits.sizeBytes;
    const isOld = oldest !== undefined && range.to < oldest && byTimeLeft > 0;
    if ((!isOver && !isOld) || busy.has(id)) break;
    removals.push({ id, reason: isOld ? 'time' : 'size' });
    if (isOld) byTimeLeft -= 1;
    usedBytes -= fileBytes;
  }
  return removals;
}

function compareByEnd(a: RetainedBlock, b: RetainedBlock): number {
  if (a.range.to !== b.range.to) return a.range.to < b.range.to ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

interface Sighting {
  readonly wallMillis: number;
  readonly monotonicMillis: number;
}

/**
 * A wall clock that is believed only after it was seen to tell the same time twice, ten minutes
 * apart by the monotonic clock: after the start, and after each jump in either direction.
 */
export class TrustedClock {
  /** When the time that is told now was first seen. */
  #since: Sighting | undefined;
  /** The last look at the clocks. */
  #last: Sighting | undefined;

  /** Looks at both clocks; returns the wall clock's time when it is to be believed. */
  sight(wallMillis: number, monotonicMillis: number): bigint | undefined {
    const now = { wallMillis, monotonicMillis };
    const since = this.#since;
    const last = this.#last;
    this.#last = now;
    if (since === undefined || last === undefined || !agree(last, now) || !agree(since, now)) {
      this.#since = now;
      return undefined;
    }
    if (monotonicMillis - since.monotonicMillis < retentionSightingMillisMin) return undefined;
    // Slow drift is followed: the next jump is told from the last time that was believed.
    this.#since = {
      wallMillis: wallMillis - retentionSightingMillisMin,
      monotonicMillis: monotonicMillis - retentionSightingMillisMin,
    };
    return BigInt(Math.floor(wallMillis)) * 1_000_000n;
  }
}

/** Whether both clocks have gone forward by about as much. */
function agree(before: Sighting, after: Sighting): boolean {
  const wall = after.wallMillis - before.wallMillis;
  const monotonic = after.monotonicMillis - before.monotonicMillis;
  return Math.abs(wall - monotonic) <= retentionClockStepMillisMax;
}
