// Reads a whole selection into plain objects, for tests of the storage seam.
import { AppError } from '../../base/errors.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { LabelSet } from '../../model/labels.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import type { StringIndex } from '../../model/rows.ts';
import { decodeSampleTimes } from '../../model/profiles/sample-times-codec.ts';
import { decodeRows } from '../chunk/decode-rows.ts';
import type {
  ChunkRows,
  RowSource,
  RunRows,
  SeriesSlice,
  StoredSeries,
  StoredSelection,
} from '../selection.ts';

/**
 * A row as strings. A stack is the names of its functions, leaf first, joined by ";". Labels are
 * `{name=value}`, one after another.
 */
export interface ReadRow {
  readonly stack: string;
  readonly labels: string;
  readonly value: bigint;
  /** `@12,40`: milliseconds from the profile's time to its samples; "" without times. */
  readonly times: string;
}

/**
 * Function that returns the sample times of row `row` in profile `profile` of a slice, as a string.
 */
type TimesText = (profile: number, row: number) => string;

const noTimes: TimesText = () => '';

export interface ReadProfile {
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  readonly period: bigint;
  readonly total: bigint;
  readonly count: number;
  /** Rows of the profile, in any order. */
  readonly rows: readonly ReadRow[];
}

export interface ReadSeries {
  readonly labels: LabelSet;
  readonly profileType: ProfileType;
  /** Profiles of all slices, ordered by time. */
  readonly profiles: readonly ReadProfile[];
}

/** Reads the whole selection and disposes of it. */
export async function readSelection(selection: StoredSelection): Promise<ReadSeries[]> {
  using held = selection;
  return await readHeldSelection(held);
}

/** Reads the whole selection without disposing of it. */
export async function readHeldSelection(selection: StoredSelection): Promise<ReadSeries[]> {
  const series: ReadSeries[] = [];
  const dictionaries = await readDictionaries(selection);
  for (const one of selection.series) series.push(await readSeries(one, dictionaries));
  return series;
}

export function readDictionaries({ parts }: StoredSelection): Promise<Dictionary[]> {
  return Promise.all(parts.map((part) => part.dictionary()));
}

async function readSeries(
  { labels, profileType, slices }: StoredSeries,
  dictionaries: readonly Dictionary[],
): Promise<ReadSeries> {
  const profiles: ReadProfile[] = [];
  for (const slice of slices) {
    profiles.push(...(await readSlice(slice, dictionaries[slice.part])));
  }
  profiles.sort((a, b) => (a.timeNanos < b.timeNanos ? -1 : a.timeNanos > b.timeNanos ? 1 : 0));
  return { labels, profileType, profiles };
}

async function readSlice(slice: SeriesSlice, dictionary: Dictionary): Promise<ReadProfile[]> {
  const { profileCount, timeNanos, durationNanos, period, total, count } = await slice.profiles();
  const profiles = Array.from({ length: profileCount }, (_, i) => ({
    timeNanos: timeNanos[i],
    durationNanos: durationNanos[i],
    period: period[i],
    total: total[i],
    count: count[i],
    rows: [] as ReadRow[],
  }));
  let first = 0;
  const times = await readTimes(slice, timeNanos);
  for (const source of await slice.rows(false)) {
    const before = first;
    const own: TimesText = (profile, row) => {
      if (before + profile >= profileCount) throw tooManyRows();
      return times(before + profile, row);
    };
    for (const rows of readRows(source, slice.rowFilter, dictionary, own)) {
      if (first === profileCount) throw tooManyRows();
      profiles[first].rows.push(...rows);
      first += 1;
    }
  }
  if (first < profileCount) throw new AppError('data-loss', 'there are too few rows');
  return profiles;
}

/**
 * Returns the error for a slice whose rows can be read although its profiles could not be read a
 * moment earlier.
 */
function tooManyRows(): AppError {
  return new AppError('data-loss', 'there are too many rows');
}

async function readTimes(slice: SeriesSlice, timeNanos: BigInt64Array): Promise<TimesText> {
  const all = (await slice.sampleTimes())?.map((times) => times && decodeSampleTimes(times));
  if (all === undefined) return noTimes;
  return (profile, row) => {
    const times = all[profile];
    if (times === undefined) return '';
    const own = times.millis.subarray(times.start[row], times.start[row + 1]);
    const start = Number(timeNanos[profile] / 1_000_000n);
    return own.length === 0 ? '' : `@${Array.from(own, (milli) => milli - start).join()}`;
  };
}

/** Returns the rows of each profile (or window) of a source. */
export function readRows(
  source: RowSource,
  filter: Uint8Array | undefined,
  dictionary: Dictionary,
  times = noTimes,
): ReadRow[][] {
  if (source.kind === 'chunk') return readChunk(source, filter, dictionary, times);
  return Array.from({ length: source.profileCount }, (_, i) =>
    readRun(source, i, filter, dictionary, times),
  );
}

function readChunk(
  { chunk, valueColumn, first, end }: ChunkRows,
  filter: Uint8Array | undefined,
  dictionary: Dictionary,
  times: TimesText,
): ReadRow[][] {
  const { rowStart, stacks, sampleLabels, values } = decodeRows(chunk, first, end);
  return Array.from({ length: end - first }, (_, i) => {
    const rows: ReadRow[] = [];
    for (let row = rowStart[i]; row < rowStart[i + 1]; row += 1) {
      const labels = sampleLabels?.[row] ?? 0;
      if (filter !== undefined && filter[labels] !== 1) continue;
      rows.push({
        stack: stackText(dictionary, stacks[row]),
        labels: sampleLabelsText(dictionary, labels),
        value: values[valueColumn][row],
        times: times(i, row - rowStart[i]),
      });
    }
    return rows;
  });
}

function readRun(
  runs: RunRows,
  i: number,
  filter: Uint8Array | undefined,
  dictionary: Dictionary,
  times: TimesText,
): ReadRow[] {
  const { words, values } = runs.segments[runs.runSegment[i]];
  const rowCount = runs.runRows[i];
  const start = runs.runOffset[i];
  const stackStart = (start + rowCount * runs.valueColumnCount) * 2;
  const rows: ReadRow[] = [];
  for (let row = 0; row < rowCount; row += 1) {
    const labels = runs.runLabelled[i] === 1 ? words[stackStart + rowCount + row] : 0;
    if (filter !== undefined && filter[labels] !== 1) continue;
    rows.push({
      stack: stackText(dictionary, words[stackStart + row]),
      labels: sampleLabelsText(dictionary, labels),
      value: values[start + runs.valueColumn * rowCount + row],
      times: times(i, row),
    });
  }
  return rows;
}

export function stackText(
  { stacks, locations, functions, strings }: Dictionary,
  stack: number,
): string {
  const names: string[] = [];
  for (let node = stacks.leaf[stack]; node !== 0; node = stacks.nodeParent[node]) {
    const location = stacks.nodeLocation[node];
    const line = locations.lineStart[location];
    const isLost = line === locations.lineStart[location + 1];
    const name = isLost ? 0 : functions.name[locations.lineFunction[line]];
    names.push(strings.text(name as StringIndex));
  }
  return names.join(';');
}

export function sampleLabelsText({ sampleLabels, strings }: Dictionary, row: number): string {
  const { entryStart, key, text } = sampleLabels;
  let labels = '';
  for (let i = entryStart[row]; i < entryStart[row + 1]; i += 1) {
    labels += `{${strings.text(key[i] as StringIndex)}=${strings.text(text[i] as StringIndex)}}`;
  }
  return labels;
}
