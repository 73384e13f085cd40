// Groups the rows of a part's slices by labels and period. The result is lists of rows that a merge
// can sum.
import { asWords } from '../../base/int64.ts';
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { labelValue, type LabelSet } from '../../model/labels.ts';
import type { RowMemory } from '../../model/merge.ts';
import { stepsAt, type IncreaseSteps } from '../../model/profiles/steps.ts';
import { chunkHasLabels, chunkHasLabelsInRows } from '../chunk/stack-dictionary.ts';
import type { ChunkRows, RowSegment, RowSource, RunRows, SeriesSlice } from '../selection.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import type { ChunkSummer, ChunkTask } from './chunk-sums.ts';
import { rowsOfProfiles, rowsOfRun, type ProfileRows } from './profile-rows.ts';
import { GroupTable, type GroupName, type RowGroup, type RunList } from './row-lists.ts';
import { createLabelReader } from './sample-label-reader.ts';
import { rowsInRange, type TimedProfiles } from './timed-profiles.ts';

/** Rows that are merged in one batch. */
export interface RowBatch {
  readonly groups: readonly RowGroup[];
  /** Memory to which runs refer: first shared segments, then memory that is not shared. */
  readonly memories: readonly RowMemory[];
  readonly segments: readonly RowSegment[];
}

/** A slice of a series, and its rows. */
export interface SliceRows {
  readonly labels: LabelSet;
  readonly slice: Pick<SeriesSlice, 'rowFilter'>;
  readonly sources: readonly RowSource[];
  /** Dictionary of the slice's part. */
  readonly dictionary: Dictionary;
  /**
   * Profiles of the slice, if rows are grouped by profile. In the sources, each profile must then
   * be separate.
   */
  readonly profiles?: ProfileColumns;
  /** Steps of the series, if rows are grouped by step instead of by profile. */
  readonly steps?: IncreaseSteps;
  /** Factor by which all values are multiplied; 1 if absent. */
  readonly factor?: bigint;
  /** Sample times of `profiles`, if only samples in a range are summed. */
  readonly samples?: Pick<TimedProfiles, 'times' | 'range'>;
}

/**
 * Collects rows, slice by slice, without keeping their columns.
 *
 * With `isScaled`, rows with different periods stay separate. Rows are grouped as in a
 * MergeQuestion: by `labelNames` and, with `isByTime`, by the time and duration of profiles.
 */
export class RowGrouper {
  readonly #labelNames: readonly string[];
  readonly #isScaled: boolean;
  /** True if rows are grouped by profile. */
  readonly isByTime: boolean;
  readonly #groups: GroupTable;
  #memories = new MemoryTable();
  #loose = new LooseRows();
  #chunkBytes = 0;
  readonly #summer: ChunkSummer;

  constructor(
    labelNames: readonly string[],
    isScaled: boolean,
    summer: ChunkSummer,
    isByTime = false,
  ) {
    this.#summer = summer;
    this.#labelNames = labelNames;
    this.#isScaled = isScaled;
    this.isByTime = isByTime;
    this.#groups = new GroupTable(isByTime ? [...labelNames, 'timestamp'] : labelNames);
  }

  /** Number of bytes that were copied into the current batch. */
  get heldBytes(): number {
    return this.#loose.bytes + this.#chunkBytes;
  }

  /**
   * Adds the rows of a slice. Errors: AppError 'resource-exhausted' when there are too many groups,
   * 'data-loss'.
   */
  add(rows: SliceRows): void {
    const own = this.#labelNames.map((name) => labelValue(rows.labels, name));
    if (rows.profiles !== undefined) {
      this.#addProfiles(rows, rows.profiles, own);
      return;
    }
    for (const source of rows.sources) {
      if (source.kind === 'runs') this.#addRuns(source, rows, own);
      else this.#addChunk(source, rows, own);
    }
  }

  /**
   * Returns the collected rows and starts a new batch. The groups of later batches have the same
   * names.
   */
  take(): RowBatch {
    const { segments } = this.#memories;
    const memories: RowMemory[] = [...segments];
    this.#loose.finish(memories);
    const groups = this.#groups.take();
    this.#memories = new MemoryTable();
    this.#loose = new LooseRows();
    this.#chunkBytes = 0;
    return { groups, memories, segments };
  }

  /**
   * Returns true if the rows of a chunk must be read. This is so if the group of a row, or whether
   * it matches, depends on labels, and `source` has only sums without labels.
   */
  needsRows(source: RowSource, { rowFilter }: Pick<SeriesSlice, 'rowFilter'>): boolean {
    if (this.isByTime) return true;
    if (source.kind === 'runs' || source.chunk.rows !== undefined) return false;
    const readsLabels = rowFilter !== undefined || this.#labelNames.length > 0;
    return readsLabels && chunkHasLabelsInRows(source.chunk);
  }

  /** Copies rows profile by profile, because each profile has its own group. */
  #addProfiles(
    { slice, sources, dictionary, steps, samples }: SliceRows,
    profiles: ProfileColumns,
    own: readonly string[],
  ): void {
    const { rowFilter } = slice;
    const read = createLabelReader(dictionary, own, this.#labelNames);
    const shares = steps && stepsAt(steps, profiles.timeNanos);
    let at = 0;
    for (const source of profiles.profileCount === 0 ? [] : sources) {
      for (const all of rowsOfProfiles(source)) {
        const rows =
          samples === undefined
            ? all
            : rowsInRange(all, samples.times[at], source.valueColumn, samples.range);
        if (rows === undefined) {
          at += 1;
          continue;
        }
        const period = this.#isScaled ? profiles.period[at] : 1n;
        const addTo = (span: GroupName['span'], factor: bigint): void => {
          this.#loose.add(rows, rowFilter, (labels) =>
            this.#groups.findGroup(read(labels), span).findList(factor),
          );
        };
        if (steps === undefined || shares === undefined) {
          const [timeNanos, durationNanos] = [profiles.timeNanos[at], profiles.durationNanos[at]];
          addTo(this.isByTime ? { timeNanos, durationNanos } : undefined, period);
        } else {
          const [ending, starting] = [shares.ending[at], shares.starting[at]];
          if (ending !== -1) addTo(spanOfStep(steps, ending), period);
          if (starting !== -1) addTo(spanOfStep(steps, starting), -period);
        }
        at += 1;
      }
    }
  }

  #addRuns(
    runs: RunRows,
    { slice, dictionary, factor = 1n }: SliceRows,
    own: readonly string[],
  ): void {
    const { rowFilter } = slice;
    const memoryNumbers = this.#memories.internAll(runs.segments);
    const readsSamples = own.includes('');
    const read = createLabelReader(dictionary, own, this.#labelNames);
    const lists = this.#groups.findGroup(own);
    for (let from = 0, to = 0; from < runs.profileCount; from = to) {
      // Reading a BigInt for each profile would cost as much as its rows. So the period is read
      // only where it changes.
      const period = this.#isScaled ? runs.period[from] * factor : factor;
      to = this.#isScaled ? endOfPeriod(runs.period, from) : runs.profileCount;
      const list = lists.findList(period);
      list.reserve(to - from, rowFilter);
      if (!readsSamples) {
        list.add(runs, from, to, memoryNumbers);
        continue;
      }
      const findList = (labels: number): RunList =>
        this.#groups.findGroup(read(labels)).findList(period);
      for (let i = from; i < to; i += 1) {
        if (runs.runLabelled[i] === 1) this.#loose.add(rowsOfRun(runs, i), rowFilter, findList);
        else list.add(runs, i, i + 1, memoryNumbers);
      }
    }
  }

  #addChunk(
    source: ChunkRows,
    { slice, dictionary, factor = 1n }: SliceRows,
    own: readonly string[],
  ): void {
    const { chunk, valueColumn, first, end } = source;
    const { rowFilter } = slice;
    const hasLabels = chunkHasLabels(chunk);
    if (!hasLabels && rowFilter !== undefined && rowFilter[0] !== 1) return;
    const period = this.#isScaled ? source.period * factor : factor;
    const task: ChunkTask = {
      chunk,
      valueColumn,
      first,
      end,
      rowFilter: hasLabels ? rowFilter : undefined,
      cost: estimateCost(source),
    };
    if (!hasLabels || !own.includes('')) {
      this.#groups.findGroup(own).findList(period).addChunk(task);
      this.#chunkBytes += chunk.stacks.length + (chunk.rows?.length ?? 0);
      return;
    }
    const read = createLabelReader(dictionary, own, this.#labelNames);
    const findList = (labels: number): RunList =>
      this.#groups.findGroup(read(labels)).findList(period);
    for (const { stacks, values, labels } of this.#summer.labelledRows(task)) {
      const starts = { valueStart: 0, stackStart: 0, labelStart: 0 };
      const rows = { rowCount: stacks.length, values, stacks, labels, ...starts };
      this.#loose.add(rows, rowFilter, findList);
    }
  }
}

/** Returns the time of a step, which begins at the previous profile. */
function spanOfStep({ fromNanos, toNanos }: IncreaseSteps, step: number): GroupName['span'] {
  const timeNanos = fromNanos[step];
  return { timeNanos, durationNanos: toNanos[step] - timeNanos };
}

/**
 * Returns the approximate number of rows to sum: all rows, or the entries of the chunk if its rows
 * are not needed.
 */
function estimateCost({ chunk, rowCount }: ChunkRows): number {
  return chunk.rows === undefined ? chunk.stacks.length / bytesPerEntry : rowCount;
}

/** Returns the end of the profiles, starting with `from`, that have the same period. */
function endOfPeriod(period: BigInt64Array, from: number): number {
  const words = asWords(period);
  const [low, high] = [words[from * 2], words[from * 2 + 1]];
  let end = from + 1;
  while (end < period.length && words[end * 2] === low && words[end * 2 + 1] === high) end += 1;
  return end;
}

/** Approximate bytes of an entry in the dictionary of a chunk. */
const bytesPerEntry = 4;

/** Gives numbers to the segments of a batch. */
class MemoryTable {
  readonly segments: RowSegment[] = [];
  readonly #rows = new Map<RowSegment, number>();
  readonly #known = new Map<readonly RowSegment[], Uint32Array>();

  /** Returns the number of each of `segments`. */
  internAll(segments: readonly RowSegment[]): Uint32Array {
    const known = this.#known.get(segments);
    if (known !== undefined) return known;
    const rows = Uint32Array.from(segments, (segment) => this.#intern(segment));
    this.#known.set(segments, rows);
    return rows;
  }

  #intern(segment: RowSegment): number {
    const known = this.#rows.get(segment);
    if (known !== undefined) return known;
    const row = this.segments.push(segment) - 1;
    this.#rows.set(segment, row);
    return row;
  }
}

const looseRowBytes = 12;

/**
 * Copies of rows. Rows are copied if the rows of a profile are in different groups because of their
 * labels.
 */
class LooseRows {
  bytes = 0;
  readonly #columns = new Map<RunList, LooseColumns>();

  /** Copies each row to the list of its labels. */
  add(
    rows: Omit<ProfileRows, 'valueWords'>,
    rowFilter: Uint8Array | undefined,
    findList: (labels: number) => RunList,
  ): void {
    const { rowCount, values, valueStart, stacks, stackStart } = rows;
    const known = new Map<number, LooseColumns>();
    for (let row = 0; row < rowCount; row += 1) {
      const label = rows.labels === undefined ? 0 : rows.labels[rows.labelStart + row];
      if (rowFilter !== undefined && rowFilter[label] !== 1) continue;
      let columns = known.get(label);
      if (columns === undefined) {
        columns = this.#findColumns(findList(label));
        known.set(label, columns);
      }
      columns.push(stacks[stackStart + row], values, valueStart + row);
      this.bytes += looseRowBytes;
    }
  }

  /**
   * Adds the copied rows of each list as its only run. The memory of each run is added to
   * `memories`.
   */
  finish(memories: RowMemory[]): void {
    for (const [list, { values, stacks, length }] of this.#columns) {
      const memory = memories.push({ values, words: stacks }) - 1;
      list.addWhole(memory, length);
    }
  }

  #findColumns(list: RunList): LooseColumns {
    const known = this.#columns.get(list);
    if (known !== undefined) return known;
    const columns = new LooseColumns();
    this.#columns.set(list, columns);
    return columns;
  }
}

class LooseColumns {
  length = 0;
  stacks = new Uint32Array(64);
  values = new BigInt64Array(64);

  push(stack: number, from: BigInt64Array, at: number): void {
    this.stacks = grown(this.stacks, this.length + 1);
    this.values = grown(this.values, this.length + 1);
    this.stacks[this.length] = stack;
    this.values[this.length] = from[at];
    this.length += 1;
  }
}
