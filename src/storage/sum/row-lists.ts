// Lists of rows of one part that a merge can sum. Rows are in separate lists by period and by the
// labels of their group.
import { AppError } from '../../base/errors.ts';
import { labelGroupsMax } from '../limits.ts';
import { grown } from '../../model/column.ts';
import { noLabels, type RowRuns } from '../../model/merge.ts';
import type { StackGroupSum } from '../interface.ts';
import type { RunRows } from '../selection.ts';
import type { ChunkTask } from './chunk-sums.ts';

/** Rows with the same period. The sum of the list is multiplied by the period. */
export interface RowList {
  /** Factor of the sum; 1 when values are not scaled. */
  readonly factor: bigint;
  readonly runs: RowRuns;
  readonly chunks: readonly ChunkTask[];
  /** Cost of all chunks, measured in rows of profiles whose addition takes as long; approximate. */
  readonly chunkCost: number;
  /** True if all memory of the list is shared, so that merge workers can read it. */
  readonly isShared: boolean;
}

/** Values that identify a group. */
export type GroupName = Pick<StackGroupSum, 'labelValues' | 'span'>;

/** Rows of one group. */
export interface RowGroup {
  /** Name of the group. It is the same object in each batch. */
  readonly name: GroupName;
  readonly lists: readonly RowList[];
}

/**
 * Returns a string that is the same for the names of the same group, and different for all others.
 */
export function groupKey({ labelValues, span }: GroupName): string {
  const values = JSON.stringify(labelValues);
  return span === undefined ? values : `${values} ${span.timeNanos}+${span.durationNanos}`;
}

/** A growing list of runs and chunks. */
export class RunList {
  length = 0;
  rowCount = 0;
  /** True if all memory that the list refers to is shared. */
  isShared = true;
  readonly chunks: ChunkTask[] = [];
  #chunkCost = 0;
  #memory = new Uint32Array(0);
  #valueStart = new Uint32Array(0);
  #stackStart = new Uint32Array(0);
  #rows = new Uint32Array(0);
  #labelStart = new Uint32Array(0);
  #filter = new Uint32Array(0);
  readonly #filters: Uint8Array[] = [new Uint8Array(0)];
  #currentFilter = 0;

  /** Reserves space for `count` more runs. Only rows of these runs that pass `rowFilter` count. */
  reserve(count: number, rowFilter: Uint8Array | undefined): void {
    const length = this.length + count;
    this.#memory = grown(this.#memory, length);
    this.#valueStart = grown(this.#valueStart, length);
    this.#stackStart = grown(this.#stackStart, length);
    this.#rows = grown(this.#rows, length);
    this.#currentFilter = rowFilter === undefined ? 0 : this.#filters.indexOf(rowFilter);
    if (this.#currentFilter === -1 && rowFilter !== undefined) {
      this.#currentFilter = this.#filters.push(rowFilter) - 1;
    }
    if (this.#filters.length > 1) {
      this.#filter = grown(this.#filter, length);
      this.#labelStart = grown(this.#labelStart, length);
    }
  }

  /**
   * Adds the runs of profiles `from` .. `to`. `memoryOf` has the number of the memory of each
   * segment.
   */
  add(runs: RunRows, from: number, to: number, memoryOf: Uint32Array): void {
    const { length } = this;
    const memory = this.#memory;
    const valueStart = this.#valueStart;
    const stackStart = this.#stackStart;
    const rows = this.#rows;
    const { runSegment, runOffset, runRows, valueColumnCount, valueColumn } = runs;
    let rowCount = 0;
    for (let i = from, at = length; i < to; i += 1, at += 1) {
      const count = runRows[i];
      memory[at] = memoryOf[runSegment[i]];
      valueStart[at] = runOffset[i] + valueColumn * count;
      stackStart[at] = (runOffset[i] + valueColumnCount * count) * 2;
      rows[at] = count;
      rowCount += count;
    }
    if (this.#currentFilter !== 0) this.#filterRuns(runs.runLabelled.subarray(from, to));
    this.length = length + (to - from);
    this.rowCount += rowCount;
  }

  /**
   * Applies the filter to the runs that were added last. In `isLabelled`, 1 = the run has labels.
   */
  #filterRuns(isLabelled: Uint8Array): void {
    for (let i = 0, at = this.length; i < isLabelled.length; i += 1, at += 1) {
      this.#filter[at] = this.#currentFilter;
      this.#labelStart[at] = isLabelled[i] === 1 ? this.#stackStart[at] + this.#rows[at] : noLabels;
    }
  }

  /** Adds all `rows` of memory that is not shared. */
  addWhole(memory: number, rows: number): void {
    this.isShared = false;
    this.reserve(1, undefined);
    this.#memory[this.length] = memory;
    this.#rows[this.length] = rows;
    this.length += 1;
    this.rowCount += rows;
  }

  addChunk(task: ChunkTask): void {
    this.chunks.push(task);
    this.#chunkCost += task.cost;
  }

  finish(): Omit<RowList, 'factor'> {
    const { length, rowCount } = this;
    const memory = this.#memory;
    const valueStart = this.#valueStart;
    const stackStart = this.#stackStart;
    const rows = this.#rows;
    const { chunks, isShared } = this;
    const filters = this.#filters;
    const filter = this.#filter;
    const labelStart = this.#labelStart;
    const chunkCost = this.#chunkCost;
    const filtering = filters.length > 1 ? { filters, filter, labelStart } : undefined;
    const runs = { length, rowCount, memory, valueStart, stackStart, rows, filters: filtering };
    return { runs, chunks, chunkCost, isShared };
  }
}

/** The lists of one group, by period. */
class ListsOfGroup {
  readonly name: GroupName;
  readonly #byFactor = new Map<bigint, RunList>();

  constructor(name: GroupName) {
    this.name = name;
  }

  findList(factor: bigint): RunList {
    const known = this.#byFactor.get(factor);
    if (known !== undefined) return known;
    const list = new RunList();
    this.#byFactor.set(factor, list);
    return list;
  }

  /** Returns the lists, and starts new lists. */
  take(): RowList[] {
    const lists: RowList[] = [];
    for (const [factor, list] of this.#byFactor) {
      if (list.length + list.chunks.length > 0) lists.push({ factor, ...list.finish() });
    }
    this.#byFactor.clear();
    return lists;
  }
}

/** The groups of one merge. */
export class GroupTable {
  readonly #groups = new Map<string, ListsOfGroup>();
  readonly #labelNames: readonly string[];

  constructor(labelNames: readonly string[]) {
    this.#labelNames = labelNames;
  }

  /**
   * Returns the group with these values; adds it if it is new. Errors: AppError
   * 'resource-exhausted' if there are too many groups.
   */
  findGroup(labelValues: readonly string[], span?: GroupName['span']): ListsOfGroup {
    const name = { labelValues, span };
    const key = groupKey(name);
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    if (this.#groups.size >= labelGroupsMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot group by ${this.#labelNames.join(', ')}: ` +
          `there are more than ${labelGroupsMax} combinations of values`,
      );
    }
    const group = new ListsOfGroup(name);
    this.#groups.set(key, group);
    return group;
  }

  /** Returns the lists of all groups, and starts new lists. Groups keep their names. */
  take(): RowGroup[] {
    const all = [...this.#groups.values()];
    const groups = all.map((group) => ({ name: group.name, lists: group.take() }));
    return groups.filter(({ lists }) => lists.length > 0);
  }
}
