// Decides which blocks are to be merged into one: a pure function of what the blocks say.
import { floorTo } from '../../base/floor.ts';
import {
  compactionDayGraceNanos,
  compactionInputsMax,
  compactionSmallBlocksMax,
  compactionWindowGraceNanos,
} from '../../base/limits.ts';
import type { TimeRange } from '../interface.ts';
import { dayNanos, windowNanos } from '../block/block-facts.ts';

/** What is known of a block without reading its rows. */
export interface PlannedBlock {
  readonly id: string;
  /** 0 = cut from a head, 1 = compacted within two hours, 2 = compacted within a day. */
  readonly level: number;
  /** Of its profiles' times. */
  readonly range: TimeRange;
  /** Whether profiles of it are deleted and still there. */
  readonly hasDeletions: boolean;
  /**
   * Whether it has at least two chunks a stream: a cut ends them after few profiles that are large.
   */
  readonly isSplit: boolean;
}

/** Blocks that become one. */
export interface CompactionTask {
  /** Of the block that is written. */
  readonly level: 1 | 2;
  /** At least one, oldest first. */
  readonly inputs: readonly string[];
}

/**
 * What is to be done now, the most useful first; done one at a time, as each changes the rest.
 *
 * Windows and days are those of UTC. A day that is over becomes one block of level 2, with
 * whatever came late for it. Within a day that is not over, blocks of a window of two hours become
 * one of level 1 when the window is over, or when many pile up before. A single block stays as it
 * was cut, unless its chunks are to be joined: one that holds a heap profile or two takes ten bytes
 * a row, one of the whole window a tenth of that. Blocks that span days stay
 * as they are, unless there are deletions to be carried out. Of very many blocks some are taken at
 * a time, as all symbols of the inputs are in memory.
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
    // A day of very many blocks comes when its windows have become fewer.
    if (isDayOver && !isCrowded) take(days, 2, ofDay.slice(0, compactionInputsMax));
  }
  const rewrites = sorted
    .filter(({ id, hasDeletions }) => hasDeletions && !taken.has(id))
    .map(({ id, level }): CompactionTask => ({ level: level === 2 ? 2 : 1, inputs: [id] }));
  return [...windows, ...rewrites, ...days];
}

/** Oldest first; of those that begin together the one made first. */
export function compareBlocks(a: PlannedBlock, b: PlannedBlock): number {
  if (a.range.from !== b.range.from) return a.range.from < b.range.from ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** Blocks by the start of the period that they lie in; without those that lie in several. */
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

/** Length of the window, two hours or a day, that all ranges lie in; 0 = neither. */
export function windowOf(ranges: readonly TimeRange[]): bigint {
  for (const nanos of [windowNanos, dayNanos]) {
    const periods = ranges.flatMap(({ from, to }) => [floorTo(from, nanos), floorTo(to, nanos)]);
    if (new Set(periods).size === 1) return nanos;
  }
  return 0n;
}
