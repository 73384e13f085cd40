// Puts names between the store and its readers: stacks come with the functions and lines that
// addresses have by now, whenever they were stored.
import { AppError } from '../base/errors.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { LocationNames } from '../model/dictionary-translator.ts';
import { JoinedDictionaries, type JoinedDictionary } from '../model/joined-dictionary.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import { StackMerger } from '../model/merge.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type { PeriodSum } from '../model/profiles/period-sums.ts';
import type { Timeline } from '../model/profiles/timeline.ts';
import type {
  MergeQuestion,
  Querier,
  ReadContext,
  SelectedSeries,
  Selection,
  SeriesProfiles,
  SeriesQuery,
  StackFilter,
  StackSums,
  SumsOverTime,
  TimeQuestion,
  TimeRange,
} from '../storage/interface.ts';
import type { Symbolizer } from './symbolizer.ts';

/** The part of a symbolizer that names are asked of. */
export type Names = Pick<Symbolizer, 'framesOf' | 'stateOf' | 'generation'>;

/**
 * A querier whose stacks have names. A store without addresses that lack them answers as before, at
 * no cost: each location is looked at once.
 */
export class NamingQuerier implements Querier {
  readonly #store: Querier;
  readonly #naming: Naming;

  constructor(store: Querier, names: Names) {
    this.#store = store;
    this.#naming = new Naming(names);
  }

  async select(query: SeriesQuery): Promise<Selection> {
    return new NamedSelection(await this.#store.select(query), this.#naming);
  }

  labelNames(query: SeriesQuery): Promise<string[]> {
    return this.#store.labelNames(query);
  }

  labelValues(name: string, query: SeriesQuery): Promise<string[]> {
    return this.#store.labelValues(name, query);
  }

  profileTypes(range: TimeRange, matchers?: readonly LabelMatcher[]): Promise<ProfileType[]> {
    return this.#store.profileTypes(range, matchers);
  }

  hasData(): Promise<boolean> {
    return this.#store.hasData();
  }

  /** Answers change with the names, too. */
  state(range: TimeRange): string {
    return `${this.#store.state?.(range)} ${this.#naming.generation}`;
  }
}

/** Names stacks of any dictionary of the store. */
class Naming {
  readonly merger = new StackMerger();
  readonly #names: Names;
  readonly #scans = new WeakMap<Dictionary, Scan>();
  #named: JoinedDictionaries;
  #namedGeneration: number;
  /** Build ids that an address of the current dictionary waits for. */
  #awaited = new Set<string>();

  constructor(names: Names) {
    this.#names = names;
    this.#named = new JoinedDictionaries();
    this.#namedGeneration = names.generation;
  }

  get generation(): number {
    return this.#names.generation;
  }

  /** The dictionary with names for stacks of another; undefined when these lack none. */
  dictionaryFor(dictionary: Dictionary): JoinedDictionary | undefined {
    const scan = this.#scans.get(dictionary) ?? { locationCount: 1, lacksNames: false };
    this.#scans.set(dictionary, scan);
    if (!scanLocations(dictionary, scan)) return undefined;
    if (this.#namedGeneration !== this.#names.generation) {
      this.#named = new JoinedDictionaries();
      this.#namedGeneration = this.#names.generation;
      this.#awaited = new Set();
    }
    return this.#named.current(dictionary, this.#lookUp(this.#awaited));
  }

  #lookUp(awaited: Set<string>): LocationNames {
    return (buildId, address) => {
      const frames = this.#names.framesOf(buildId, address);
      if (frames === undefined) awaited.add(buildId);
      return frames;
    };
  }

  /** Sentence on the names that are being looked up; undefined when none is. */
  pendingSentence(): string | undefined {
    let count = 0;
    for (const buildId of this.#awaited) count += this.#names.stateOf(buildId).pendingCount;
    if (count === 0) return undefined;
    return `names of ${count} addresses are being looked up: ask again in a moment`;
  }
}

/** Result of a look at a dictionary's locations, which only grow. */
interface Scan {
  /** Locations that were looked at. */
  locationCount: number;
  lacksNames: boolean;
}

/** Whether a location has an address in a known build, and no lines. */
function scanLocations({ locations, mappings }: Dictionary, scan: Scan): boolean {
  const { length, lineStart, mapping } = locations;
  for (let row = scan.locationCount; row < length && !scan.lacksNames; row += 1) {
    const lacksLines = lineStart[row] === lineStart[row + 1];
    scan.lacksNames = lacksLines && mappings.buildId[mapping[row]] !== 0;
  }
  scan.locationCount = length;
  return scan.lacksNames;
}

class NamedSelection implements Selection {
  readonly #stored: Selection;
  readonly #naming: Naming;

  constructor(stored: Selection, naming: Naming) {
    this.#stored = stored;
    this.#naming = naming;
  }

  get series(): readonly SelectedSeries[] {
    return this.#stored.series;
  }

  get missing(): string[] {
    return this.#stored.missing;
  }

  periods(context: ReadContext): Promise<readonly PeriodSum[]> {
    return this.#stored.periods(context);
  }

  timelines(context: ReadContext): Promise<ReadonlyMap<SelectedSeries, Timeline>> {
    return this.#stored.timelines(context);
  }

  profiles(context: ReadContext): AsyncIterable<SeriesProfiles> {
    return this.#stored.profiles(context);
  }

  async merge(question: MergeQuestion, context: ReadContext): Promise<StackSums> {
    const sums = await this.#stored.merge(question, context);
    const { dictionary } = sums;
    const named = dictionary && this.#naming.dictionaryFor(dictionary);
    if (dictionary === undefined || named === undefined) return sums;
    const groups: StackSums['groups'][number][] = [];
    for (const group of sums.groups) {
      const pause = (): Promise<void> | undefined => context.pause();
      const rows = await named.translatePausing(dictionary, group.merged, pause);
      groups.push({ ...group, merged: named.sum([rows], this.#naming.merger) });
    }
    this.#tellPending();
    return { dictionary: named.dictionary, groups };
  }

  async overTime(question: TimeQuestion, context: ReadContext): Promise<SumsOverTime> {
    const { keeps } = question;
    if (keeps === undefined) return this.#stored.overTime(question, context);
    const byNames = (dictionary: Dictionary): StackFilter => {
      const named = this.#naming.dictionaryFor(dictionary);
      if (named === undefined) return keeps(dictionary);
      const filter = keeps(named.dictionary);
      return { keeps: (stack) => filter.keeps(namedStack(named, dictionary, stack)) };
    };
    const sums = await this.#stored.overTime({ ...question, keeps: byNames }, context);
    this.#tellPending();
    return sums;
  }

  #tellPending(): void {
    const pending = this.#naming.pendingSentence();
    if (pending !== undefined) this.missing.push(pending);
  }

  [Symbol.dispose](): void {
    this.#stored[Symbol.dispose]();
  }
}

/** Errors: AppError 'data-loss' for a stack that the dictionary does not have. */
function namedStack(named: JoinedDictionary, dictionary: Dictionary, stack: number): number {
  const { length } = dictionary.stacks;
  if (stack >= length) {
    throw new AppError('data-loss', `cannot read rows: they have stack ${stack} of ${length}`);
  }
  return named.stack(dictionary, stack);
}
