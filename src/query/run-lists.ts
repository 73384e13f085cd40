// From a selection to lists of runs that a merge can sum: by period, and by grouped labels.
import { AppError } from '../base/errors.ts';
import { labelGroupsMax } from '../base/limits.ts';
import { grown } from '../model/column.ts';
import { labelValue } from '../model/labels.ts';
import { noLabels } from '../model/merge.ts';
import type { RowMemory, RowRuns } from '../model/merge.ts';
import type { LoadedSelection, LoadedSeries } from './loaded-selection.ts';
import { createLabelReader } from './sample-label-reader.ts';

/** Runs whose sums are multiplied by one period. */
export interface PeriodRuns {
  /** What the sum is multiplied by; 1 when values are not scaled. */
  readonly factor: bigint;
  readonly runs: RowRuns;
}

/** Runs of profiles, or of some of their rows, that share their values of the grouped labels. */
export interface RunGroup {
  /** One for each grouped label, "" = absent. */
  readonly labelValues: readonly string[];
  readonly byPeriod: readonly PeriodRuns[];
}

export interface GroupedRuns {
  readonly groups: readonly RunGroup[];
  /** What the runs' memory columns refer to. */
  readonly memories: readonly RowMemory[];
  /** Whether all of it is shared memory, which merge workers can read. */
  readonly isShared: boolean;
}

/**
 * Lists the runs of a selection; nothing of its columns is kept.
 *
 * `isScaled` keeps runs of different periods apart. With `labelNames`, each distinct combination
 * of values is a group; a sample's own label counts where its series has none of that name.
 */
export function groupRuns(
  selection: LoadedSelection,
  isScaled: boolean,
  labelNames: readonly string[],
): GroupedRuns {
  const groups = new GroupTable(labelNames);
  const loose = new LooseRows(selection);
  for (const series of selection.series) {
    const own = labelNames.map((name) => labelValue(series.labels, name));
    const readsSamples = own.includes('');
    const lists = groups.listsOf(own);
    let period = 1n;
    let list: RunList | undefined;
    for (let i = 0; i < series.profileCount; i += 1) {
      // A BigInt a profile would cost as much as its rows, so it is read on change only.
      if (list === undefined || (isScaled && isNewPeriod(series.period, i))) {
        period = isScaled ? series.period[i] : 1n;
        list = lists.listOf(period);
        list.reserve(series.profileCount - i, series.rowFilter);
      }
      if (readsSamples && series.runLabelled[i] === 1) {
        loose.add(series, i, own, labelNames, (values) => groups.listsOf(values).listOf(period));
      } else {
        list.add(series, i);
      }
    }
  }
  loose.finish();
  return {
    groups: groups.all().filter((group) => group.byPeriod.length > 0),
    memories: [...selection.segments, ...loose.memories],
    isShared: loose.memories.length === 0,
  };
}

function isNewPeriod(period: BigInt64Array, i: number): boolean {
  if (i === 0) return true;
  const words = new Int32Array(period.buffer, period.byteOffset, period.length * 2);
  return words[i * 2] !== words[i * 2 - 2] || words[i * 2 + 1] !== words[i * 2 - 1];
}

/** RowRuns that grow. */
class RunList {
  length = 0;
  rowCount = 0;
  private memory = new Uint32Array(0);
  private valueStart = new Uint32Array(0);
  private stackStart = new Uint32Array(0);
  private rows = new Uint32Array(0);
  private labelStart = new Uint32Array(0);
  private filter = new Uint32Array(0);
  private readonly filters: Uint8Array[] = [new Uint8Array(0)];
  private currentFilter = 0;

  /** Makes room for `count` more runs, which keep the rows that pass `rowFilter`. */
  reserve(count: number, rowFilter: Uint8Array | undefined): void {
    const length = this.length + count;
    this.memory = grown(this.memory, length);
    this.valueStart = grown(this.valueStart, length);
    this.stackStart = grown(this.stackStart, length);
    this.rows = grown(this.rows, length);
    this.currentFilter = rowFilter === undefined ? 0 : this.filters.indexOf(rowFilter);
    if (this.currentFilter === -1 && rowFilter !== undefined) {
      this.currentFilter = this.filters.push(rowFilter) - 1;
    }
    if (this.filters.length > 1) {
      this.filter = grown(this.filter, length);
      this.labelStart = grown(this.labelStart, length);
    }
  }

  /** Adds the run of profile `i`. */
  add(series: LoadedSeries, i: number): void {
    const at = this.length;
    const rows = series.runRows[i];
    const offset = series.runOffset[i];
    const stackStart = (offset + series.planeCount * rows) * 2;
    this.memory[at] = series.runSegment[i];
    this.valueStart[at] = offset + series.plane * rows;
    this.stackStart[at] = stackStart;
    this.rows[at] = rows;
    if (this.currentFilter !== 0) {
      this.filter[at] = this.currentFilter;
      this.labelStart[at] = series.runLabelled[i] === 1 ? stackStart + rows : noLabels;
    }
    this.length = at + 1;
    this.rowCount += rows;
  }

  /** Adds all `rows` of a memory of their own. */
  addWhole(memory: number, rows: number): void {
    this.reserve(1, undefined);
    this.memory[this.length] = memory;
    this.rows[this.length] = rows;
    this.length += 1;
    this.rowCount += rows;
  }

  finish(): RowRuns {
    const { length, rowCount, memory, valueStart, stackStart, rows } = this;
    const { filters, filter, labelStart } = this;
    const filtering = filters.length > 1 ? { filters, filter, labelStart } : undefined;
    return { length, rowCount, memory, valueStart, stackStart, rows, filters: filtering };
  }
}

/** The lists of one group, by period. */
class PeriodLists {
  private readonly lists = new Map<bigint, RunList>();

  listOf(period: bigint): RunList {
    const known = this.lists.get(period);
    if (known !== undefined) return known;
    const list = new RunList();
    this.lists.set(period, list);
    return list;
  }

  finish(): PeriodRuns[] {
    const used = [...this.lists].filter(([, list]) => list.length > 0);
    return used.map(([factor, list]) => ({ factor, runs: list.finish() }));
  }
}

class GroupTable {
  private readonly groups = new Map<string, { labelValues: string[]; lists: PeriodLists }>();
  private readonly labelNames: readonly string[];

  constructor(labelNames: readonly string[]) {
    this.labelNames = labelNames;
  }

  listsOf(labelValues: string[]): PeriodLists {
    const key = JSON.stringify(labelValues);
    const known = this.groups.get(key);
    if (known !== undefined) return known.lists;
    if (this.groups.size >= labelGroupsMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot group by ${this.labelNames.join(', ')}: ` +
          `there are more than ${labelGroupsMax} combinations of values`,
      );
    }
    const lists = new PeriodLists();
    this.groups.set(key, { labelValues, lists });
    return lists;
  }

  all(): RunGroup[] {
    return [...this.groups.values()].map(({ labelValues, lists }) => ({
      labelValues,
      byPeriod: lists.finish(),
    }));
  }
}

/** Rows taken out of their profiles, because their own labels put them into different groups. */
class LooseRows {
  readonly memories: RowMemory[] = [];
  private readonly selection: LoadedSelection;
  private readonly columns = new Map<RunList, LooseColumns>();

  constructor(selection: LoadedSelection) {
    this.selection = selection;
  }

  /** Copies the rows of profile `i`, each to the list that its labels name. */
  add(
    series: LoadedSeries,
    i: number,
    own: readonly string[],
    labelNames: readonly string[],
    listOf: (labelValues: string[]) => RunList,
  ): void {
    const { words, values } = this.selection.segments[series.runSegment[i]];
    const read = createLabelReader(this.selection.dictionary, own, labelNames);
    const known = new Map<number, LooseColumns>();
    const rows = series.runRows[i];
    const valueStart = series.runOffset[i] + series.plane * rows;
    const stackStart = (series.runOffset[i] + series.planeCount * rows) * 2;
    for (let row = 0; row < rows; row += 1) {
      const labels = words[stackStart + rows + row];
      if (series.rowFilter !== undefined && series.rowFilter[labels] !== 1) continue;
      let columns = known.get(labels);
      if (columns === undefined) {
        columns = this.columnsOf(listOf(read(labels)));
        known.set(labels, columns);
      }
      columns.push(words[stackStart + row], values, valueStart + row);
    }
  }

  /** Turns what was copied into memory with one run for each list. */
  finish(): void {
    for (const [list, columns] of this.columns) {
      const memory = this.selection.segments.length + this.memories.length;
      this.memories.push({ values: columns.values, words: columns.stacks });
      list.addWhole(memory, columns.length);
    }
  }

  private columnsOf(list: RunList): LooseColumns {
    const known = this.columns.get(list);
    if (known !== undefined) return known;
    const columns = new LooseColumns();
    this.columns.set(list, columns);
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
