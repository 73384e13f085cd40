// Sums a selection over time. The result is lines of buckets, by labels of series and of samples.
import { AppError } from '../../base/errors.ts';
import { rangeSeriesMax } from '../limits.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { labelValue, type LabelSet } from '../../model/labels.ts';
import {
  copyColumns,
  mergeByTime,
  type ProfileColumns,
} from '../../model/profiles/profile-columns.ts';
import {
  partsOfSteps,
  profilesOfSteps,
  stepsAt,
  type IncreaseSteps,
} from '../../model/profiles/steps.ts';
import type {
  LineOverTime,
  ReadContext,
  SelectedSeries,
  SeriesSteps,
  StackFilter,
  SumsOverTime,
  TimeQuestion,
} from '../interface.ts';
import type { ProfileRun, SelectedPart, SeriesSlice } from '../selection.ts';
import { Buckets } from './buckets.ts';
import { chooseColumns, chooseProfiles } from './chosen-profiles.ts';
import { LineProfiles } from './line-profiles.ts';
import { lastingSource } from './profile-rows.ts';
import {
  addRowsToLines,
  checkRowsAreThere,
  filteredTotals,
  computeMagnitude,
  type SliceRows,
} from './range-rows.ts';
import { createLabelReader } from './sample-label-reader.ts';
import {
  readColumns,
  type MissingSentences,
  readOrNote,
  type SeriesSpan,
  type SpannedSeries,
} from './spans.ts';
import { StepReads } from './step-reads.ts';

/** Profiles to sum. */
interface SummedProfiles extends MissingSentences {
  readonly parts: readonly SelectedPart[];
  readonly series: readonly SpannedSeries[];
}

const noNames: readonly string[] = [];

/** Memory used by a bucket in the columns and the map of `Buckets`, in bytes. */
const bucketBytes = 80;

/**
 * Answers Selection.overTime. Reads stored totals. Reads rows only if sample labels or stacks
 * matter.
 */
export async function sumOverTime(
  selection: SummedProfiles,
  question: TimeQuestion,
  context: ReadContext,
): Promise<SumsOverTime> {
  const { budget } = context;
  const lines = new Lines(selection, question, context);
  const { series } = selection;
  const { steps } = question;
  const rowCounts = series.map((one) => (steps === undefined ? lines.rowsRead(one) : 0));
  budget.selectRows(rowCounts.reduce((sum, rows) => sum + rows, 0));
  for (let i = 0; i < series.length; i += 1) {
    const one = series[i];
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
    const adding =
      steps === undefined ? lines.add(one) : lines.addSteps(one, steps.get(one.series));
    if (adding !== undefined) await adding;
    budget.rowsDone += rowCounts[i];
    budget.hold(lines.takeGrowth() * bucketBytes);
  }
  return lines.finish();
}

/**
 * Returns true if rows must be read, because labels of samples determine the line of a row or
 * whether it matches.
 */
function readsLabels({ spans }: SpannedSeries, areGrouped: () => boolean): boolean {
  for (const { slices } of spans) {
    for (const slice of slices) {
      if (slice.rowFilter !== undefined || (slice.isLabelled && areGrouped())) return true;
    }
  }
  return false;
}

interface ReadRows {
  readonly rows: SliceRows;
  readonly dictionary: Dictionary;
}

/** Returns only the profiles at which steps start or end. */
function rowsOfSteps(rows: SliceRows, steps: IncreaseSteps): SliceRows {
  const { sources, profiles } = rows;
  const { ending, starting } = stepsAt(steps, profiles.timeNanos);
  const isChosen = Uint8Array.from(ending, (end, i) => (end === -1 && starting[i] === -1 ? 0 : 1));
  return {
    ...rows,
    sources: chooseProfiles(sources, isChosen),
    profiles: chooseColumns(profiles, isChosen),
  };
}

/** A line that is being computed. */
interface Line {
  readonly labels: LabelSet;
  readonly buckets: Buckets;
  readonly shares: Map<SelectedSeries, bigint>;
}

class Lines {
  /** Approximate upper bound for the sum of the magnitudes of all added profiles. */
  #magnitude = 0;
  #newBuckets = 0;
  readonly #lines = new Map<string, Line>();
  /**
   * Lines to which the current series is being added, each with its sum before that. Only used if
   * shares are requested.
   */
  readonly #begun = new Map<Line, bigint>();
  readonly #selection: SummedProfiles;
  readonly #question: TimeQuestion;
  readonly #context: ReadContext;
  /** Filters of stacks, by part. */
  readonly #filters: StackFilter[] = [];

  constructor(selection: SummedProfiles, question: TimeQuestion, context: ReadContext) {
    this.#selection = selection;
    this.#question = question;
    this.#context = context;
  }

  /**
   * Returns the number of rows to read for a series. If only totals are read, each profile counts
   * as one row.
   */
  rowsRead(series: SpannedSeries): number {
    const areRows = this.#readsLabels(series) || this.#question.keeps !== undefined;
    let rows = 0;
    for (const { slices } of series.spans) {
      for (const slice of slices) rows += areRows ? slice.digest().rowCount : slice.profileCount;
    }
    return rows;
  }

  /** Adds a series, span by span. Returns undefined if that was synchronous. */
  add(series: SpannedSeries): Promise<void> | undefined {
    const adding = this.#readsLabels(series)
      ? this.#addRows(series)
      : this.#question.keeps === undefined
        ? this.#addTotals(series)
        : this.#addFiltered(series);
    if (adding !== undefined) return adding.then(() => this.#end(series));
    this.#end(series);
    return undefined;
  }

  /** Adds the values of the steps of a series. */
  async addSteps(series: SpannedSeries, own: SeriesSteps | undefined): Promise<void> {
    if (own === undefined) return;
    const { steps } = own;
    const areRows = this.#question.keeps !== undefined || this.#readsLabels(series);
    const rows = areRows ? own.rowCount : steps.length;
    const { budget } = this.#context;
    budget.selectRows(rows);
    const lines = areRows
      ? await this.#readStepLines(series, own)
      : [await this.#readTotals(series)];
    budget.rowsDone += rows;
    for (const { line, profiles } of lines) {
      line.buckets.addProfiles(profilesOfSteps(steps, profiles, this.#question.timesPeriod));
    }
    this.#end(series);
  }

  /** Returns the number of buckets created since the last call. */
  takeGrowth(): number {
    const growth = this.#newBuckets;
    this.#newBuckets = 0;
    return growth;
  }

  finish(): SumsOverTime {
    const lines = Array.from(this.#lines.values(), ({ labels, buckets, shares }): LineOverTime => {
      return { labels, ...buckets.finish(), total: buckets.total, shares };
    });
    return { lines, magnitude: this.#magnitude };
  }

  /**
   * Returns the values of the series' own labels that determine its line. If lines do not depend on
   * labels, no labels are read, because that would take as long as reading the totals.
   */
  #ownLabels({ series }: SpannedSeries): readonly string[] {
    const { groupBy = noNames } = this.#question;
    return groupBy.length === 0 ? noNames : groupBy.map((name) => labelValue(series.labels, name));
  }

  #readsLabels(series: SpannedSeries): boolean {
    return readsLabels(series, () => this.#ownLabels(series).includes(''));
  }

  /**
   * Adds the totals of a series. Data in memory is added synchronously, because the promises for
   * 1,000 series were a third of the garbage of a graph.
   */
  #addTotals(series: SpannedSeries): Promise<void> | undefined {
    const { buckets } = this.#seriesLine(series);
    const { spans } = series;
    for (let i = 0; i < spans.length; i += 1) {
      const runs = this.#readRuns(spans[i]);
      if (runs instanceof Promise) return this.#addLaterTotals(runs, spans.slice(i + 1), buckets);
      this.#addRuns(runs, buckets);
    }
    return undefined;
  }

  async #addLaterTotals(
    first: Promise<readonly ProfileRun[]>,
    others: readonly SeriesSpan[],
    buckets: Buckets,
  ): Promise<void> {
    this.#addRuns(await first, buckets);
    for (const span of others) this.#addRuns(await this.#readRuns(span), buckets);
  }

  #readRuns(span: SeriesSpan): readonly ProfileRun[] | Promise<readonly ProfileRun[]> {
    if (!this.#question.timesPeriod) this.#magnitude += span.magnitudeMax();
    return span.runs();
  }

  #addRuns(runs: readonly ProfileRun[], buckets: Buckets): void {
    for (const { columns, sums } of runs) {
      if (this.#question.timesPeriod) this.#magnitude += computeMagnitude(columns, true);
      buckets.addProfiles(columns, sums);
    }
  }

  /**
   * Adds the profiles of a series. The value of each is the sum of its stacks that pass the filter.
   */
  async #addFiltered(series: SpannedSeries): Promise<void> {
    const { buckets } = this.#seriesLine(series);
    for (const span of series.spans) buckets.addProfiles(await this.#readFiltered([span]));
  }

  /** Adds the rows of a series. The rows of each profile are summed by their labels. */
  async #addRows(series: SpannedSeries): Promise<void> {
    const lines = new Map<Line, LineProfiles>();
    for (const span of series.spans) {
      await this.#readLines(span, series, lines);
      for (const [{ buckets }, profiles] of lines) buckets.addProfiles(profiles.take());
    }
  }

  async #readTotals(
    series: SpannedSeries,
  ): Promise<{ readonly line: Line; readonly profiles: ProfileColumns }> {
    return { line: this.#seriesLine(series), profiles: await readColumns(series.spans) };
  }

  /**
   * Returns each line of a series, with the profiles at the starts and ends of steps and their
   * values on the line.
   */
  async #readStepLines(
    series: SpannedSeries,
    { steps, profileCount }: SeriesSteps,
  ): Promise<{ readonly line: Line; readonly profiles: ProfileColumns }[]> {
    const reads = new StepReads();
    reads.expect(profileCount);
    return reads.readAll(this.#selection, async () => {
      const chosen = { steps, reads };
      if (!this.#readsLabels(series)) {
        const profiles = await this.#readFiltered(series.spans, chosen);
        return [{ line: this.#seriesLine(series), profiles }];
      }
      const read = new Map<Line, LineProfiles>();
      for (const span of series.spans) await this.#readLines(span, series, read, chosen);
      return Array.from(read, ([line, profiles]) => ({ line, profiles: profiles.take() }));
    });
  }

  /**
   * Returns profiles with the sums of the stacks that pass the filter. With `chosen`, returns only
   * profiles that steps need.
   */
  async #readFiltered(spans: readonly SeriesSpan[], chosen?: ChosenSteps): Promise<ProfileColumns> {
    const all: ProfileColumns[] = [];
    for (const { slices } of spans) {
      for (const slice of slices) {
        const use = async ({ rows }: ReadRows): Promise<void> => {
          all.push(await filteredTotals(rows, this.#context));
        };
        await this.#readSlice(slice, use, chosen);
      }
    }
    return mergeByTime(all);
  }

  /**
   * Adds the rows of a span to the lines of their labels. With `chosen`, adds only rows of profiles
   * that steps need.
   */
  async #readLines(
    { slices }: SeriesSpan,
    series: SpannedSeries,
    lines: Map<Line, LineProfiles>,
    chosen?: ChosenSteps,
  ): Promise<void> {
    const { groupBy = [] } = this.#question;
    const own = this.#ownLabels(series);
    const use = async ({ rows, dictionary }: ReadRows): Promise<void> => {
      const read = createLabelReader(dictionary, own, groupBy);
      const byLabels = new Map<number, LineProfiles>();
      const lineOfLabels = (labels: number): LineProfiles => {
        const known = byLabels.get(labels);
        if (known !== undefined) return known;
        const line = this.#findLine(series, read(labels));
        const profiles = lines.get(line) ?? new LineProfiles();
        if (!lines.has(line)) this.#begin(line);
        lines.set(line, profiles);
        byLabels.set(labels, profiles);
        return profiles;
      };
      await addRowsToLines(rows, lineOfLabels, this.#context);
    };
    for (const slice of slices) await this.#readSlice(slice, use, chosen);
  }

  /** Passes the rows of a slice to `use`. Reports rows that cannot be read as missing. */
  async #readSlice(
    slice: SeriesSlice,
    use: (read: ReadRows) => Promise<void>,
    chosen: ChosenSteps | undefined,
  ): Promise<void> {
    const selection = this.#selection;
    const dictionary = await readOrNote(selection, () => selection.parts[slice.part].dictionary());
    // Steps do not depend on unreadable profiles, so these are not reported again.
    const unread = chosen === undefined ? selection : { missing: [] };
    const profiles = await readOrNote(unread, async () => copyColumns(await slice.profiles()));
    if (profiles === undefined) return;
    if (chosen !== undefined && partsOfSteps(chosen.steps, profiles).profileCount === 0) return;
    const sources = await readOrNote(selection, async () =>
      (await slice.rows(false)).map(lastingSource),
    );
    if (dictionary === undefined || sources === undefined) return;
    if (chosen === undefined)
      this.#magnitude += computeMagnitude(profiles, this.#question.timesPeriod);
    const filter = this.#findFilter(slice.part, dictionary);
    const rows = { sources, profiles, rowFilter: slice.rowFilter, filter };
    await readOrNote(selection, async () => {
      checkRowsAreThere(rows);
      if (chosen === undefined) {
        await use({ rows, dictionary });
        return;
      }
      const own = rowsOfSteps(rows, chosen.steps);
      chosen.reads.note(own.profiles.profileCount);
      await use({ rows: own, dictionary });
    });
  }

  /** Returns the filter of a part; undefined if all stacks are kept. */
  #findFilter(part: number, dictionary: Dictionary): StackFilter | undefined {
    const { keeps } = this.#question;
    return keeps && (this.#filters[part] ??= keeps(dictionary));
  }

  /** Returns the only line of a series, and records that the series will be added to it. */
  #seriesLine(series: SpannedSeries): Line {
    const line = this.#findLine(series, this.#ownLabels(series));
    this.#begin(line);
    return line;
  }

  #begin(line: Line): void {
    if (this.#question.tellsShares) this.#begun.set(line, line.buckets.total);
    line.buckets.beginSeries();
  }

  /** Ends a series after all its profiles have been added. */
  #end({ series }: SpannedSeries): void {
    if (!this.#question.tellsShares) return;
    for (const [{ buckets, shares }, before] of this.#begun) {
      shares.set(series, buckets.total - before);
    }
    this.#begun.clear();
  }

  /** Returns the line for the given values of the labels in `groupBy`. */
  #findLine({ series }: SpannedSeries, values: readonly string[]): Line {
    const { groupBy, stepNanos, offsetNanos, steps, isFirstOnly, timesPeriod } = this.#question;
    const key = JSON.stringify(groupBy === undefined ? series.labels : values);
    const known = this.#lines.get(key);
    if (known !== undefined) return known;
    if (this.#lines.size >= rangeSeriesMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot show profiles over time: there are more than ${rangeSeriesMax} series; ` +
          `narrow the query down or sum by fewer labels`,
      );
    }
    const kind = steps !== undefined ? 'increase' : isFirstOnly ? 'state' : 'delta';
    // The values of steps have already been scaled.
    const isScaled = timesPeriod && kind === 'delta';
    const buckets = new Buckets(kind, { stepNanos, offsetNanos }, isScaled, () => {
      this.#newBuckets += 1;
    });
    const labels = groupBy === undefined ? series.labels : toLabelSet(groupBy, values);
    const line = { labels, buckets, shares: new Map<SelectedSeries, bigint>() };
    this.#lines.set(key, line);
    return line;
  }
}

/** Steps, and a count of their profiles that were read. */
interface ChosenSteps {
  readonly steps: IncreaseSteps;
  readonly reads: StepReads;
}

function toLabelSet(names: readonly string[], values: readonly string[]): LabelSet {
  return names
    .map((name, i) => ({ name, value: values[i] }))
    .filter(({ value }) => value !== '')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
