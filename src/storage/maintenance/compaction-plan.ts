// Decides which blocks to compact. The decision is a pure function of facts about the blocks.
import { floorTo } from '../../base/int64.ts';
import {
  compactionDayGraceNanos,
  compactionInputsMax,
  compactionSmallBlocksMax,
  compactionWindowGraceNanos,
} from '../limits.ts';
import type { TimeRange } from '../interface.ts';
import { dayNanos, windowNanos } from '../block/block-facts.ts';

/** A block that may be compacted. */
export interface PlannedBlock {
  readonly id: string;
  /** 0 = cut from a head, 1 = compacted within two hours, 2 = compacted within a day. */
  readonly level: number;
  /** Range of the times of the block's profiles. */
  readonly range: TimeRange;
  /** True if the file still has profiles that are deleted. */
  readonly hasDeletions: boolean;
  /**
   * True if its streams have more than one chunk. A cut ends a chunk after a few profiles if these
   * are large.
   */
  readonly isSplit: boolean;
}

/**
 * A compaction: merges several blocks into one, or rewrites one block without its deleted profiles.
 */
export interface CompactionTask {
  /** Level of the new block. */
  readonly level: 1 | 2;
  /** Ids of the blocks to compact, oldest first. There is at least one. */
  readonly inputs: readonly string[];
}

/**
 * Returns the compactions that are due, the most useful first. Each compaction changes the plan, so
 * callers should run only the first.
 *
 * Windows and days are in UTC. When a day is over, its blocks, including late blocks, become one
 * block of level 2. Before that, the blocks of a two-hour window become one block of level 1 when
 * the window is over, or when there are many of them. A single block of a window stays as it was
 * cut, unless its chunks are short: a row takes ten bytes in a chunk with one or two heap profiles,
 * but one byte in a chunk of the complete window. A block that spans several days is compacted only
 * for its deletions. The number of inputs is limited, because the symbols of all inputs are in
 * memory.
 */
export function planCompactions(
  blocks: readonly PlannedBlock[],
  nowNanos: bigint,
): CompactionTask[] {
  const days: CompactionTask[] = [];
  const windows: CompactionTask[] = [];
  const taken = new Set<string>();
  const take = (tasks: CompactionTask[], level: 1 | 2, inputs: readonly PlannedBlock[]): void => {
    tasks.push({ level, inputs: inputs.map(({ id }) => id) });
    for (const { id } of inputs) taken.add(id);
  };
  const sorted = [...blocks].sort(compareBlocks);
  for (const [day, ofDay] of groupBy(sorted, dayNanos)) {
    const isDayOver = nowNanos >= day + dayNanos + compactionDayGraceNanos;
    if (isDayOver && ofDay.length === 1 && ofDay[0].level === 2) continue;
    const ofWindows = isDayOver && ofDay.length <= compactionInputsMax ? [] : ofDay;
    let isCrowded = false;
    for (const [window, ofWindow] of groupBy(ofWindows, windowNanos)) {
      const isOver = nowNanos >= window + windowNanos + compactionWindowGraceNanos;
      const inputs = ofWindow.filter(({ level }) => level === 0 || (isOver && level === 1));
      const isDue = isOver
        ? inputs.length > 1 || inputs.some(({ level, isSplit }) => level === 0 && isSplit)
        : inputs.length > compactionSmallBlocksMax;
      if (!isDue) continue;
      take(windows, 1, inputs.slice(0, compactionInputsMax));
      isCrowded = true;
    }
    // If a day has too many blocks, its windows are compacted first.
    if (isDayOver && !isCrowded) take(days, 2, ofDay.slice(0, compactionInputsMax));
  }
  const rewrites = sorted
    .filter(({ id, hasDeletions }) => hasDeletions && !taken.has(id))
    .map(({ id, level }): CompactionTask => ({ level: level === 2 ? 2 : 1, inputs: [id] }));
  return [...windows, ...rewrites, ...days];
}

/** Compares blocks by the time of their first profile, then by id. */
function compareBlocks(a: PlannedBlock, b: PlannedBlock): number {
  if (a.range.from !== b.range.from) return a.range.from < b.range.from ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** Groups blocks by the start of their period. Leaves out blocks that span several periods. */
function groupBy(
  blocks: readonly PlannedBlock[],
  periodNanos: bigint,
): Map<bigint, PlannedBlock[]> {
  const groups = new Map<bigint, PlannedBlock[]>();
  for (const block of blocks) {
    const period = floorTo(block.range.from, periodNanos);
    if (period !== floorTo(block.range.to, periodNanos)) continue;
    const group = groups.get(period);
    if (group === undefined) groups.set(period, [block]);
    else group.push(block);
  }
  return groups;
}

/**
 * Returns the length of the shortest window (two hours or a day) that contains all ranges; 0 if no
 * window contains them.
 */
export function floorToWindow(ranges: readonly TimeRange[]): bigint {
  for (const nanos of [windowNanos, dayNanos]) {
    const periods = ranges.flatMap(({ from, to }) => [floorTo(from, nanos), floorTo(to, nanos)]);
    if (new Set(periods).size === 1) return nanos;
  }
  return 0n;
}
