// Decides which blocks retention removes. It consists of pure functions, and of a guard against
// wrong clocks.
import {
  retentionBlocksPerPassMax,
  retentionClockStepMillisMax,
  retentionSightingMillisMin,
} from '../limits.ts';
import type { TimeRange } from '../interface.ts';
import type { DiskUse } from './block-files.ts';

/** The configured limits; 0 = no limit. */
export interface RetentionLimits {
  readonly timeNanos: bigint;
  /** Bytes of all files under the storage path except snapshots. */
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

/** The blocks and the state of the clock, for which a plan is made. */
export interface RetentionState {
  readonly blocks: readonly RetainedBlock[];
  /** Bytes that count against the size limit; see `bytesForRetention`. */
  readonly usedBytes: number;
  /** Time of a clock that is trusted. If it is undefined, no block is removed by age. */
  readonly trustedNanos: bigint | undefined;
  /** Blocks in use. These blocks, and all blocks that come after them, wait for the next pass. */
  readonly busy: ReadonlySet<string>;
}

/**
 * Returns the bytes that count against the size limit: profiles, and other folders up to half of
 * the limit, so that other data never causes the removal of all profiles. Snapshots do not count,
 * because removing a block does not free their bytes.
 */
export function bytesForRetention(
  { sizeBytes }: Pick<RetentionLimits, 'sizeBytes'>,
  { profileBytes, otherFolders }: Pick<DiskUse, 'profileBytes' | 'otherFolders'>,
): number {
  let otherBytes = 0;
  for (const bytes of otherFolders.values()) otherBytes += bytes;
  return profileBytes + Math.min(otherBytes, Math.floor(sizeBytes / 2));
}

/**
 * Returns the blocks to remove now, oldest first. A block is too old when its last profile is too
 * old. Because of age, one pass removes at most a fifth of the blocks (but at least one), so that
 * there is time to notice a wrong clock. Because of size, it removes only as many blocks as needed.
 */
export function planRetention(limits: RetentionLimits, state: RetentionState): Removal[] {
  const { length } = state.blocks;
  return plan(limits, state, Math.max(1, Math.floor(length * retentionBlocksPerPassMax)));
}

/**
 * Returns the blocks that would be removed in all later passes together, if no block were added.
 */
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
 * A wall clock that is trusted after it has agreed with the monotonic clock for ten minutes. A jump
 * in either direction starts the ten minutes again.
 */
export class TrustedClock {
  /** First reading of the clocks after the start or after the last jump. */
  #since: Sighting | undefined;
  /** Last reading of the clocks. */
  #last: Sighting | undefined;

  /** Compares both clocks. Returns the time of the wall clock if it is trusted. */
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
    // Moving the reference tolerates a slow drift: the next reading is compared with this one.
    this.#since = {
      wallMillis: wallMillis - retentionSightingMillisMin,
      monotonicMillis: monotonicMillis - retentionSightingMillisMin,
    };
    return BigInt(Math.floor(wallMillis)) * 1_000_000n;
  }
}

/** Returns true if both clocks have advanced by about the same time. */
function agree(before: Sighting, after: Sighting): boolean {
  const wall = after.wallMillis - before.wallMillis;
  const monotonic = after.monotonicMillis - before.monotonicMillis;
  return Math.abs(wall - monotonic) <= retentionClockStepMillisMax;
}
