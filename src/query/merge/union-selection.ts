// Profiles of several types with the same meaning, in one time range, as one selection.
import { joinNameGaps, type NameGaps, noNameGaps } from '../../model/name-gaps.ts';
import { type PeriodSum, PeriodSums } from '../../model/profiles/period-sums.ts';
import type { Timeline } from '../../model/profiles/timeline.ts';
import type {
  LineOverTime,
  MergeQuestion,
  ReadContext,
  SampleQuestion,
  SamplesOverTime,
  SelectedSeries,
  Selection,
  SeriesProfiles,
  StackSums,
  SumsOverTime,
  TimeQuestion,
} from '../../storage/interface.ts';
import { addSamplesOverTime, addStackSums, type JoiningTools } from './add-sums.ts';
import { joinLines } from './join-lines.ts';

/** Selection that answers with the sums over its types. Each series has only one type. */
export class UnionSelection implements Selection {
  readonly series: readonly SelectedSeries[];
  readonly #parts: readonly Selection[];
  readonly #tools: JoiningTools;

  /** Takes ownership of `parts`, one selection for each type. */
  constructor(parts: readonly Selection[], tools: JoiningTools) {
    this.#parts = parts;
    this.#tools = tools;
    this.series = parts.flatMap(({ series }) => series);
  }

  [Symbol.dispose](): void {
    for (const part of this.#parts) part[Symbol.dispose]();
  }

  get missing(): string[] {
    return [...new Set(this.#parts.flatMap(({ missing }) => missing))];
  }

  get nameGaps(): NameGaps {
    return joinNameGaps(this.#parts.map(({ nameGaps = noNameGaps }) => nameGaps));
  }

  async periods(context: ReadContext): Promise<readonly PeriodSum[]> {
    const sums = new PeriodSums();
    for (const part of this.#parts) {
      for (const sum of await part.periods(context)) sums.addSum(sum);
    }
    return sums.all;
  }

  async timelines(context: ReadContext): Promise<ReadonlyMap<SelectedSeries, Timeline>> {
    const all = new Map<SelectedSeries, Timeline>();
    for (const part of this.#parts) {
      for (const [series, timeline] of await part.timelines(context)) all.set(series, timeline);
    }
    return all;
  }

  async *profiles(context: ReadContext): AsyncGenerator<SeriesProfiles> {
    for (const part of this.#parts) yield* part.profiles(context);
  }

  async merge(question: MergeQuestion, context: ReadContext): Promise<StackSums> {
    const sums: StackSums[] = [];
    for (const part of this.#parts) {
      sums.push(await part.merge(withOwnSteps(question, part), context));
    }
    return addStackSums(sums, this.#tools, context);
  }

  samplesOverTime(question: SampleQuestion, context: ReadContext): Promise<SamplesOverTime> {
    return addSamplesOverTime(this.#parts, question, context);
  }

  async overTime(question: TimeQuestion, context: ReadContext): Promise<SumsOverTime> {
    const lines: LineOverTime[] = [];
    let magnitude = 0;
    for (const part of this.#parts) {
      const answer = await part.overTime(withOwnSteps(question, part), context);
      magnitude += answer.magnitude;
      lines.push(...answer.lines);
    }
    return { lines: joinLines(lines), magnitude };
  }
}

/** Returns the question with only the steps of the series of one part. */
function withOwnSteps<T extends MergeQuestion | TimeQuestion>(question: T, part: Selection): T {
  const { steps } = question;
  if (steps === undefined) return question;
  const own = new Map(
    part.series.flatMap((series) => {
      const found = steps.get(series);
      return found === undefined ? [] : [[series, found] as const];
    }),
  );
  return { ...question, steps: own };
}
