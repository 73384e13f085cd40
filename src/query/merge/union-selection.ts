// Profiles of several types with one meaning, in one range of time, as one selection.
import { labelSetKey } from '../../model/labels.ts';
import { joinNameGaps, type NameGaps, noNameGaps } from '../../model/name-gaps.ts';
import { type PeriodSum, PeriodSums } from '../../model/profiles/period-sums.ts';
import type { Timeline } from '../../model/profiles/timeline.ts';
import type {
  LineOverTime,
  MergeQuestion,
  ReadContext,
  SelectedSeries,
  Selection,
  SeriesProfiles,
  StackSums,
  SumsOverTime,
  TimeQuestion,
} from '../../storage/interface.ts';
import { addStackSums, type JoiningTools } from './add-sums.ts';

/** Answers are sums of those of the types; series of different types are different series. */
export class UnionSelection implements Selection {
  readonly series: readonly SelectedSeries[];
  readonly #parts: readonly Selection[];
  readonly #tools: JoiningTools;

  /** Takes over the selections of the types. */
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

  async overTime(question: TimeQuestion, context: ReadContext): Promise<SumsOverTime> {
    const lines = new Map<string, LineOverTime[]>();
    let magnitude = 0;
    for (const part of this.#parts) {
      const answer = await part.overTime(withOwnSteps(question, part), context);
      magnitude += answer.magnitude;
      for (const line of answer.lines) {
        const key = labelSetKey(line.labels);
        const same = lines.get(key);
        if (same === undefined) lines.set(key, [line]);
        else same.push(line);
      }
    }
    return { lines: Array.from(lines.values(), addLines), magnitude };
  }
}

/** Returns the question with only the steps of a part's series. */
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

/** Adds up lines with the same labels, bucket by bucket. */
function addLines(all: readonly LineOverTime[]): LineOverTime {
  const [first] = all;
  if (all.length === 1) return first;
  const starts = [...new Set(all.flatMap(({ startNanos }) => [...startNanos]))];
  const rowOf = new Map(starts.map((start, row) => [start, row]));
  const sum = {
    labels: first.labels,
    startNanos: BigInt64Array.from(starts),
    firstNanos: new BigInt64Array(starts.length),
    isMixed: new Uint8Array(starts.length),
    durationNanos: new BigInt64Array(starts.length),
    value: new BigInt64Array(starts.length),
    count: new Uint32Array(starts.length),
    longValue: new BigInt64Array(starts.length),
    longRate: new Float64Array(starts.length),
    total: BigInt.asIntN(
      64,
      all.reduce((total, line) => total + line.total, 0n),
    ),
    shares: new Map(all.flatMap(({ shares }) => [...shares])),
  };
  const isFilled = new Uint8Array(starts.length);
  for (const line of all) {
    line.startNanos.forEach((start, bucket) => {
      const row = rowOf.get(start) ?? 0;
      addTimes(sum, row, line, bucket, isFilled[row] === 1);
      isFilled[row] = 1;
      sum.value[row] += line.value[bucket];
      sum.count[row] += line.count[bucket];
      sum.longValue[row] += line.longValue[bucket];
      sum.longRate[row] += line.longRate[bucket];
    });
  }
  return sum;
}

/** Adds the moments of a bucket to a row of the sum. */
function addTimes(
  sum: Pick<LineOverTime, 'firstNanos' | 'isMixed' | 'durationNanos'>,
  row: number,
  line: LineOverTime,
  bucket: number,
  isFilled: boolean,
): void {
  const first = line.firstNanos[bucket];
  const duration = line.durationNanos[bucket];
  if (!isFilled) {
    sum.firstNanos[row] = first;
    sum.isMixed[row] = line.isMixed[bucket];
    sum.durationNanos[row] = duration;
    return;
  }
  if (line.isMixed[bucket] === 1 || first !== sum.firstNanos[row]) sum.isMixed[row] = 1;
  if (first < sum.firstNanos[row]) sum.firstNanos[row] = first;
  if (duration < sum.durationNanos[row]) sum.durationNanos[row] = duration;
}
