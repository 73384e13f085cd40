// Profiles of several time ranges, or of several types, as one selection.
import { assert } from '../../base/assert.ts';
import { labelSetKey } from '../../model/labels.ts';
import { joinNameGaps, type NameGaps, noNameGaps } from '../../model/name-gaps.ts';
import { formatProfileType, type ProfileType } from '../../model/profile-type.ts';
import { type PeriodSum, PeriodSums } from '../../model/profiles/period-sums.ts';
import { joinTimelines, type Timeline } from '../../model/profiles/timeline.ts';
import type {
  LineOverTime,
  MergeQuestion,
  Querier,
  ReadContext,
  SampleQuestion,
  SamplesOverTime,
  SelectedSeries,
  Selection,
  SeriesProfiles,
  SeriesQuery,
  StackSums,
  SumsOverTime,
  TimeQuestion,
  TimeRange,
} from '../../storage/interface.ts';
import { addSamplesOverTime, addStackSums, JoiningTools } from './add-sums.ts';
import { UnionSelection } from './union-selection.ts';

/** Query for profiles of several types that have the same meaning. */
export interface TypedQuery extends Pick<SeriesQuery, 'matchers'> {
  /** Profile types, at least one. No profile has two of them. */
  readonly profileTypes: readonly ProfileType[];
}

/**
 * Selects profiles in each of `ranges`, which are in order of time and do not overlap. The caller
 * disposes of the selection.
 */
export async function selectRanges(
  querier: Querier,
  query: TypedQuery,
  ranges: readonly TimeRange[],
  tools: JoiningTools = new JoiningTools(),
): Promise<Selection> {
  if (ranges.length === 1) return selectTypes(querier, query, ranges[0], tools);
  const joined = new JoinedSelection(tools);
  try {
    for (const range of ranges) joined.add(await selectTypes(querier, query, range, tools));
    return joined;
  } catch (error) {
    joined[Symbol.dispose]();
    throw error;
  }
}

/** A series of several ranges: its parts in these ranges, in order of time. */
class JoinedSeries implements SelectedSeries {
  readonly labels: SelectedSeries['labels'];
  readonly profileType: SelectedSeries['profileType'];
  readonly #parts: SelectedSeries[] = [];

  constructor({ labels, profileType }: SelectedSeries) {
    this.labels = labels;
    this.profileType = profileType;
  }

  get profileCount(): number {
    return this.#parts.reduce((sum, { profileCount }) => sum + profileCount, 0);
  }

  add(part: SelectedSeries): void {
    this.#parts.push(part);
  }

  times(): TimeRange {
    const [first] = this.#parts;
    const last = this.#parts.at(-1) ?? first;
    return { from: first.times().from, to: last.times().to };
  }
}

/**
 * Selection that answers with the sums over its ranges. Steps between profiles are not supported,
 * because they would span the excluded time.
 */
class JoinedSelection implements Selection {
  readonly #tools: JoiningTools;
  readonly #parts: Selection[] = [];
  readonly #byKey = new Map<string, JoinedSeries>();
  readonly #joinedOf = new Map<SelectedSeries, JoinedSeries>();

  constructor(tools: JoiningTools) {
    this.#tools = tools;
  }

  /** Adds the selection of the next range. */
  add(part: Selection): void {
    this.#parts.push(part);
    for (const series of part.series) {
      const key = `${formatProfileType(series.profileType)} ${labelSetKey(series.labels)}`;
      const joined = this.#byKey.get(key) ?? new JoinedSeries(series);
      joined.add(series);
      this.#byKey.set(key, joined);
      this.#joinedOf.set(series, joined);
    }
  }

  [Symbol.dispose](): void {
    for (const part of this.#parts) part[Symbol.dispose]();
  }

  get series(): readonly SelectedSeries[] {
    return [...this.#byKey.values()];
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
      for (const [series, timeline] of await part.timelines(context)) {
        const joined = this.#joined(series);
        const before = all.get(joined);
        const { delta } = joined.profileType;
        all.set(joined, before === undefined ? timeline : joinTimelines(before, timeline, delta));
      }
    }
    return all;
  }

  /** Yields a series once for each range in which it has profiles. */
  async *profiles(context: ReadContext): AsyncGenerator<SeriesProfiles> {
    for (const part of this.#parts) {
      for await (const { series, columns } of part.profiles(context)) {
        yield { series: this.#joined(series), columns };
      }
    }
  }

  async merge(question: MergeQuestion, context: ReadContext): Promise<StackSums> {
    this.#checkHasNoSteps(question);
    const sums: StackSums[] = [];
    for (const part of this.#parts) sums.push(await part.merge(question, context));
    return addStackSums(sums, this.#tools, context);
  }

  samplesOverTime(question: SampleQuestion, context: ReadContext): Promise<SamplesOverTime> {
    return addSamplesOverTime(this.#parts, question, context);
  }

  async overTime(question: TimeQuestion, context: ReadContext): Promise<SumsOverTime> {
    this.#checkHasNoSteps(question);
    const lines = new Map<string, LineOverTime>();
    let magnitude = 0;
    for (const part of this.#parts) {
      const answer = await part.overTime(question, context);
      magnitude += answer.magnitude;
      for (const line of answer.lines) {
        const own = { ...line, shares: this.#joinedShares(line.shares) };
        const key = labelSetKey(own.labels);
        const before = lines.get(key);
        lines.set(key, before === undefined ? own : addLines(before, own, question.isFirstOnly));
      }
    }
    return { lines: [...lines.values()], magnitude };
  }

  #checkHasNoSteps({ steps }: MergeQuestion | TimeQuestion): void {
    assert(steps === undefined || steps.size === 0, 'steps are of one selection');
  }

  #joined(series: SelectedSeries): JoinedSeries {
    const joined = this.#joinedOf.get(series);
    assert(joined !== undefined, 'a series is of a range');
    return joined;
  }

  #joinedShares(shares: LineOverTime['shares']): LineOverTime['shares'] {
    return new Map(Array.from(shares, ([series, share]) => [this.#joined(series), share]));
  }
}

/** Selects the profiles of all types in one range. */
async function selectTypes(
  querier: Querier,
  { matchers, profileTypes }: TypedQuery,
  range: TimeRange,
  tools: JoiningTools,
): Promise<Selection> {
  if (profileTypes.length === 1) {
    return querier.select({ matchers, profileType: profileTypes[0], range });
  }
  const parts: Selection[] = [];
  try {
    for (const profileType of profileTypes) {
      parts.push(await querier.select({ matchers, profileType, range }));
    }
    // Most selections have series of only one type.
    const filled = parts.filter(({ series, missing }) => series.length + missing.length > 0);
    if (filled.length > 1) return new UnionSelection(parts, tools);
    const [only = parts[0]] = filled;
    for (const part of parts) if (part !== only) part[Symbol.dispose]();
    return only;
  } catch (error) {
    for (const part of parts) part[Symbol.dispose]();
    throw error;
  }
}

/**
 * Adds the later part of a line. If both parts have profiles in the same bucket, their sums are
 * added. Buckets of states stay separate, each with the earliest time of its part.
 */
function addLines(line: LineOverTime, later: LineOverTime, isFirstOnly: boolean): LineOverTime {
  const total = BigInt.asIntN(64, line.total + later.total);
  const shares = new Map(line.shares);
  for (const [series, share] of later.shares) {
    shares.set(series, BigInt.asIntN(64, (shares.get(series) ?? 0n) + share));
  }
  const next = later.startNanos.reduce((least, one) => (one < least ? one : least));
  const at = isFirstOnly ? -1 : line.startNanos.indexOf(next);
  const from = at === -1 ? -1 : later.startNanos.indexOf(next);
  const joined = {
    labels: line.labels,
    total,
    shares,
    startNanos: joinLongs(line.startNanos, later.startNanos, from),
    firstNanos: joinLongs(line.firstNanos, later.firstNanos, from),
    isMixed: Uint8Array.from(joinNumbers(line.isMixed, later.isMixed, from)),
    durationNanos: joinLongs(line.durationNanos, later.durationNanos, from),
    value: joinLongs(line.value, later.value, from),
    count: Uint32Array.from(joinNumbers(line.count, later.count, from)),
    longValue: joinLongs(line.longValue, later.longValue, from),
    longRate: Float64Array.from(joinNumbers(line.longRate, later.longRate, from)),
  };
  if (at === -1) return joined;
  // The earlier bucket keeps the time of its first profile.
  joined.isMixed[at] = 1;
  joined.value[at] += later.value[from];
  joined.count[at] += later.count[from];
  return joined;
}

/** Appends `b` to `a`, except the element of `b` at index `without`; -1 = no exception. */
function joinLongs(a: BigInt64Array, b: BigInt64Array, without: number): BigInt64Array {
  if (without !== -1) {
    return joinLongs(joinLongs(a, b.subarray(0, without), -1), b.subarray(without + 1), -1);
  }
  const joined = new BigInt64Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

function joinNumbers(a: Iterable<number>, b: Iterable<number>, without: number): number[] {
  const others = [...b];
  if (without !== -1) others.splice(without, 1);
  return [...a, ...others];
}
