// The store as Pyroscope's clients see it, with Pyroscope's names of types and labels, and plain
// sums.
//
// All types are deltas here: Pyroscope adds up the profiles of a range, whatever their type is. For
// counters we use increases, because Pyroscope's own senders also send increases.
import type { LabelMatcher } from '../../model/matcher.ts';
import {
  equalProfileTypes,
  formatProfileType,
  type ProfileType,
} from '../../model/profile-type.ts';
import { type NameGaps, noNameGaps } from '../../model/name-gaps.ts';
import type { PeriodSum } from '../../model/profiles/period-sums.ts';
import type { Timeline } from '../../model/profiles/timeline.ts';
import type {
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
import { JoiningTools } from '../merge/add-sums.ts';
import { UnionSelection } from '../merge/union-selection.ts';
import {
  isServiceName,
  pyroscopeLabel,
  type ServiceSource,
  listSources,
  type SplitMatchers,
  splitMatchers,
  unknownService,
} from './label-names.ts';
import { PartSelection } from './part-selection.ts';
import { type ShownType, listShownTypes, typeLabels } from './type-names.ts';

/** A stored type with one of its names. */
interface NamedType {
  readonly stored: ProfileType;
  readonly type: ShownType;
}

/** Querier that presents the profiles of another querier as Pyroscope's clients expect them. */
export class PyroscopeQuerier implements Querier {
  readonly #querier: Querier;
  readonly #tools = new JoiningTools();

  constructor(querier: Querier) {
    this.#querier = querier;
  }

  async select(query: SeriesQuery): Promise<Selection> {
    const split = splitMatchers(query.matchers);
    const types = await this.#namedTypes(query, split);
    const open = (isByService: boolean): Promise<PartSelection[]> => {
      return this.#open(types, listSources(split, isByService), query.range);
    };
    return new ShownSelection(await open(false), () => open(true), this.#tools);
  }

  async labelNames(query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    const names = new Set<string>();
    for (const asked of await this.#storedQueries(query, false)) {
      for (const name of await this.#querier.labelNames(asked, signal)) names.add(name);
    }
    const isSome = names.size > 0 || (await this.#namedTypesIn(query)).length > 0;
    const derived = [...typeLabels.keys(), '__service_name__', 'service_name'];
    for (const name of isSome ? derived : []) names.add(name);
    return [...names].sort();
  }

  async labelValues(name: string, query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    const readTypeLabel = typeLabels.get(pyroscopeLabel(name));
    if (readTypeLabel !== undefined) {
      const types = await this.#namedTypesIn(query);
      const values = new Set(types.map(({ type }) => readTypeLabel(type.shown)));
      values.delete('');
      return [...values].sort();
    }
    const isService = isServiceName(name);
    const values = new Set<string>();
    for (const { serviceLabels = [], ...asked } of await this.#storedQueries(query, isService)) {
      if (isService && serviceLabels.length === 0) {
        using selection = await this.#querier.select(asked);
        if (selection.series.length > 0) values.add(unknownService);
      }
      for (const stored of isService ? serviceLabels : [name]) {
        for (const value of await this.#querier.labelValues(stored, asked, signal)) {
          values.add(value);
        }
      }
    }
    return [...values].sort();
  }

  async profileTypes(
    range: TimeRange,
    matchers: readonly LabelMatcher[] = [],
  ): Promise<ProfileType[]> {
    const types = await this.#namedTypesIn({ matchers, profileType: undefined, range });
    const byText = new Map(types.map(({ type }) => [formatProfileType(type.shown), type.shown]));
    return [...byText.keys()].sort().flatMap((text) => byText.get(text) ?? []);
  }

  hasData(): Promise<boolean> {
    return this.#querier.hasData();
  }

  state(range: TimeRange): string | undefined {
    return this.#querier.state?.(range);
  }

  missingIn(range: TimeRange): string[] {
    return this.#querier.missingIn?.(range) ?? [];
  }

  /** Returns the types of a query, ignoring conditions on labels. */
  async #namedTypes(
    { profileType, range }: SeriesQuery,
    { ofTypes }: SplitMatchers,
    matchers: readonly LabelMatcher[] = [],
  ): Promise<NamedType[]> {
    const stored = await this.#querier.profileTypes(range, matchers);
    const named = stored.flatMap((one) =>
      listShownTypes(one).map((type): NamedType => ({ stored: one, type })),
    );
    return named.filter(({ type: { shown } }) => {
      if (profileType !== undefined && !equalProfileTypes(profileType, shown)) return false;
      return ofTypes.every(({ name, matches }) => {
        return matches(typeLabels.get(pyroscopeLabel(name))?.(shown) ?? '');
      });
    });
  }

  /** Returns the types of the series that a query covers. */
  async #namedTypesIn(query: SeriesQuery): Promise<NamedType[]> {
    const split = splitMatchers(query.matchers);
    const all = new Map<string, NamedType>();
    for (const { matchers } of listSources(split, false)) {
      for (const one of await this.#namedTypes(query, split, matchers)) {
        all.set(`${formatProfileType(one.stored)} ${formatProfileType(one.type.shown)}`, one);
      }
    }
    return [...all.values()];
  }

  /** Returns the queries to the store for the labels of the series that a query covers. */
  async #storedQueries(
    query: SeriesQuery,
    isByService: boolean,
  ): Promise<(SeriesQuery & ServiceSource)[]> {
    const { range } = query;
    const split = splitMatchers(query.matchers);
    const sources = listSources(split, isByService);
    if (query.profileType === undefined && split.ofTypes.length === 0) {
      return sources.map((source) => ({ ...source, profileType: undefined, range }));
    }
    const types = new Map<string, ProfileType>();
    for (const { stored } of await this.#namedTypes(query, split)) {
      types.set(formatProfileType(stored), stored);
    }
    return sources.flatMap((source) =>
      Array.from(types.values(), (profileType) => ({ ...source, profileType, range })),
    );
  }

  /** Selects the profiles of all types and sources. */
  async #open(
    types: readonly NamedType[],
    sources: readonly ServiceSource[],
    range: TimeRange,
  ): Promise<PartSelection[]> {
    const parts: PartSelection[] = [];
    try {
      const shown = new Set<string>();
      for (const { stored, type } of types.toSorted(fallbacksLast)) {
        const text = formatProfileType(type.shown);
        if (type.isFallback && shown.has(text)) continue;
        for (const { matchers, serviceLabels } of sources) {
          const query = { matchers, profileType: stored, range };
          const found = await this.#querier.select(query);
          const asked = { matchers, stored, type, range, serviceLabels };
          parts.push(new PartSelection(this.#querier, found, asked));
          if (found.series.length > 0) shown.add(text);
        }
      }
      const filled = parts.filter(({ series, missing }) => series.length + missing.length > 0);
      for (const part of parts) if (!filled.includes(part)) part[Symbol.dispose]();
      return filled;
    } catch (error) {
      for (const part of parts) part[Symbol.dispose]();
      throw error;
    }
  }
}

function fallbacksLast(a: NamedType, b: NamedType): number {
  return Number(a.type.isFallback) - Number(b.type.isFallback);
}

/**
 * Selection of the profiles of a query. If the query needs it, profiles are separated by the label
 * that names the service.
 */
class ShownSelection implements Selection {
  readonly #parts: readonly PartSelection[];
  readonly #whole: Selection;
  readonly #openByService: () => Promise<readonly PartSelection[]>;
  readonly #tools: JoiningTools;
  #byService: Selection | undefined;

  constructor(
    parts: readonly PartSelection[],
    openByService: () => Promise<readonly PartSelection[]>,
    tools: JoiningTools,
  ) {
    this.#parts = parts;
    this.#whole = joinParts(parts, tools);
    this.#openByService = openByService;
    this.#tools = tools;
  }

  [Symbol.dispose](): void {
    this.#whole[Symbol.dispose]();
    this.#byService?.[Symbol.dispose]();
  }

  get series(): readonly SelectedSeries[] {
    return this.#whole.series;
  }

  get missing(): string[] {
    return this.#whole.missing;
  }

  get nameGaps(): NameGaps {
    return this.#whole.nameGaps ?? noNameGaps;
  }

  periods(context: ReadContext): Promise<readonly PeriodSum[]> {
    return this.#whole.periods(context);
  }

  timelines(context: ReadContext): Promise<ReadonlyMap<SelectedSeries, Timeline>> {
    return this.#whole.timelines(context);
  }

  profiles(context: ReadContext): AsyncIterable<SeriesProfiles> {
    return this.#whole.profiles(context);
  }

  merge(question: MergeQuestion, context: ReadContext): Promise<StackSums> {
    return this.#whole.merge(question, context);
  }

  async overTime(question: TimeQuestion, context: ReadContext): Promise<SumsOverTime> {
    const isByService = question.groupBy?.some(isServiceName) === true;
    if (!isByService || this.#parts.every(({ serviceLabels }) => serviceLabels !== undefined)) {
      return this.#whole.overTime(question, context);
    }
    this.#byService ??= joinParts(await this.#openByService(), this.#tools);
    return this.#byService.overTime(question, context);
  }

  samplesOverTime(question: SampleQuestion, context: ReadContext): Promise<SamplesOverTime> {
    return this.#whole.samplesOverTime(question, context);
  }
}

function joinParts(parts: readonly PartSelection[], tools: JoiningTools): Selection {
  const [only] = parts;
  return parts.length === 1 ? only : new UnionSelection(parts, tools);
}
