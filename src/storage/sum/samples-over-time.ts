// Sums a selection over time, using the times of samples.
import { AppError } from '../../base/errors.ts';
import { decodeSampleTimes } from '../../model/profiles/sample-times-codec.ts';
import { visitSamplesIn } from '../../model/profiles/sample-times.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { labelValue } from '../../model/labels.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import type { ReadContext, SampleLine, SampleQuestion, SamplesOverTime } from '../interface.ts';
import { labelGroupsMax, sampleCellsMax } from '../limits.ts';
import type { SampleTimesOfProfiles, SeriesSlice } from '../selection.ts';
import { readProfiles, slicesByPart, type SummedRows } from './merge-selection.ts';
import { type ProfileRows, rowsOfProfiles } from './profile-rows.ts';
import { createLabelReader } from './sample-label-reader.ts';
import { readOrNote, type SumSeries } from './spans.ts';
import { chooseTimed, timedGroups, type TimedProfiles } from './timed-profiles.ts';

/** Answers the query `Selection.samplesOverTime`. */
export async function sumSamplesOverTime(
  selection: SummedRows,
  question: SampleQuestion,
  context: ReadContext,
): Promise<SamplesOverTime> {
  const sums = new SampleSums(question, context);
  const slices = slicesByPart(selection);
  for (const [row, part] of selection.parts.entries()) {
    if (slices[row].length === 0) continue;
    const dictionary = await readOrNote(selection, () => part.dictionary());
    if (dictionary === undefined) continue;
    for (const { series, slice } of slices[row]) {
      await addSlice(selection, series, slice, dictionary, sums, context);
      await context.pause();
    }
  }
  return sums.finish();
}

async function addSlice(
  selection: SummedRows,
  series: SumSeries,
  slice: SeriesSlice,
  dictionary: Dictionary,
  sums: SampleSums,
  context: ReadContext,
): Promise<void> {
  const { question } = sums;
  const profiles = await readProfiles(selection, slice);
  const times = await readOrNote(selection, () => slice.sampleTimes());
  const isFiltered = slice.rowFilter !== undefined;
  const isChosen = await readOrNote(selection, () => chooseTimed(profiles, times, question.range));
  if (isChosen === undefined) return;
  if (!isFiltered) sums.addUntimed(profiles, times, isChosen);
  if (!isChosen.includes(1)) return;
  const sources = (await readOrNote(selection, () => slice.rows(false))) ?? [];
  const own = question.groupBy.map((name) => labelValue(series.labels, name));
  const read = createLabelReader(dictionary, own, question.groupBy);
  const groups = timedGroups({ sources, profiles }, times, isChosen, question.range);
  for (;;) {
    const next = await readOrNote(selection, () => groups.next());
    if (next === undefined || next.done === true) return;
    context.budget.selectRows(sums.addGroup(next.value, slice.rowFilter, read));
    await context.pause();
  }
}

/** Sums of the samples of each line, by bucket. */
class SampleSums {
  readonly question: SampleQuestion;
  readonly #budget: ReadContext['budget'];
  readonly #bucketCount: number;
  readonly #fromMilli: number;
  readonly #stepMillis: number;
  readonly #lines = new Map<string, SampleLine>();
  #untimed = 0n;

  /** Creates empty sums. Errors: AppError 'resource-exhausted' for too many buckets. */
  constructor(question: SampleQuestion, { budget }: Pick<ReadContext, 'budget'>) {
    this.question = question;
    this.#budget = budget;
    const { range, stepNanos } = question;
    this.#stepMillis = Number(stepNanos / 1_000_000n);
    this.#fromMilli = Number(range.from) / 1e6;
    this.#bucketCount = Number((range.to - range.from) / stepNanos) + 1;
    this.#checkCells(1);
  }

  /**
   * Adds the totals of the chosen profiles that have no sample times, and removes these profiles
   * from `isChosen`.
   */
  addUntimed(profiles: ProfileColumns, times: SampleTimesOfProfiles, isChosen: Uint8Array): void {
    for (let i = 0; i < isChosen.length; i += 1) {
      if (isChosen[i] !== 1 || times?.[i] !== undefined) continue;
      isChosen[i] = 0;
      this.#untimed += profiles.total[i] * this.#factor(profiles, i);
    }
  }

  /** Adds the samples of profiles. Returns the number of the profiles' rows. */
  addGroup(
    { sources, profiles, times, range }: TimedProfiles,
    rowFilter: Uint8Array | undefined,
    read: (labels: number) => string[],
  ): number {
    const lineByLabels = new Map<number, BigInt64Array>();
    let at = 0;
    let rowCount = 0;
    for (const source of sources) {
      for (const rows of rowsOfProfiles(source)) {
        const own = times[at];
        const factor = this.#factor(profiles, at);
        at += 1;
        rowCount += rows.rowCount;
        const belongs = (row: number): boolean =>
          rowFilter === undefined || rowFilter[readLabels(rows, row)] === 1;
        if (own === undefined) {
          for (let row = 0; row < rows.rowCount; row += 1) {
            if (belongs(row)) this.#untimed += rows.values[rows.valueStart + row] * factor;
          }
          continue;
        }
        const decoded = decodeSampleTimes(own, rows.rowCount);
        const { values, valueStart } = rows;
        visitSamplesIn(
          decoded,
          source.valueColumn,
          values,
          valueStart,
          range,
          (row, milli, value) => {
            if (!belongs(row)) return;
            const labels = readLabels(rows, row);
            const line = lineByLabels.get(labels) ?? this.#line(read(labels));
            lineByLabels.set(labels, line);
            line[Math.floor((milli - this.#fromMilli) / this.#stepMillis)] += value * factor;
          },
        );
      }
    }
    return rowCount;
  }

  finish(): SamplesOverTime {
    const lines = [...this.#lines.values()];
    return { lines, untimed: BigInt.asIntN(64, this.#untimed) };
  }

  #factor({ period }: ProfileColumns, i: number): bigint {
    return this.question.timesPeriod ? period[i] : 1n;
  }

  #line(labelValues: readonly string[]): BigInt64Array {
    const key = JSON.stringify(labelValues);
    const known = this.#lines.get(key);
    if (known !== undefined) return known.values;
    this.#checkCells(this.#lines.size + 1);
    this.#budget.hold(8 * this.#bucketCount);
    const values = new BigInt64Array(this.#bucketCount);
    this.#lines.set(key, { labelValues, values });
    return values;
  }

  #checkCells(lineCount: number): void {
    const count = this.#bucketCount;
    if (lineCount <= labelGroupsMax && lineCount * count <= sampleCellsMax) return;
    const why = `${lineCount} lines of ${count} steps are more than ${sampleCellsMax} values`;
    throw new AppError('resource-exhausted', `cannot sum samples over time: ${why}`);
  }
}

function readLabels({ labels, labelStart }: ProfileRows, row: number): number {
  return labels === undefined ? 0 : labels[labelStart + row];
}
