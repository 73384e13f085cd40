// A querier that adds names to the stacks of a store. Addresses get the functions and lines that
// are known now, even if they were not known when the addresses were stored.
import { AppError } from '../base/errors.ts';
import { grown } from '../model/column.ts';
import type { Dictionary } from '../model/dictionary.ts';
import {
  JoinedDictionaries,
  type JoinedDictionary,
} from '../model/dictionaries/joined-dictionary.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import { StackMerger } from '../model/merge.ts';
import type { FunctionIndex, StringIndex } from '../model/rows.ts';
import type { ProfileType } from '../model/profile-type.ts';
import { joinNameGaps, type NameGaps, noNameGaps } from '../model/name-gaps.ts';
import type { PeriodSum } from '../model/profiles/period-sums.ts';
import type { Timeline } from '../model/profiles/timeline.ts';
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
  StackFilter,
  StackSums,
  SumsOverTime,
  TimeQuestion,
  TimeRange,
} from '../storage/interface.ts';
import { type Demangler, isMangled } from './demangler.ts';
import { type LocationNames, NamedLocations } from './named-locations.ts';
import type { SourceMaps } from './source-map/source-maps.ts';
import type { Symbolizer } from './symbolizer.ts';
import { NameStates, UnnamedCounter } from './unnamed.ts';

/** The methods of a symbolizer for names of addresses. */
export type Names = Pick<
  Symbolizer,
  | 'findFrames'
  | 'findBias'
  | 'changedAt'
  | 'hasNames'
  | 'hasNotes'
  | 'whyUnnamed'
  | 'readNotes'
  | 'generation'
  | 'settle'
  | 'promise'
>;

/** The methods of source maps for lines. */
export type LineNames = Pick<
  SourceMaps,
  'generation' | 'pendingCount' | 'findOriginal' | 'findKey' | 'hasMaps' | 'settle' | 'promise'
>;

/** The methods of a demangler for readable names. */
export type ReadableNames = Pick<
  Demangler,
  'generation' | 'pendingCount' | 'demangled' | 'canDemangle' | 'settle' | 'promise'
>;

/**
 * A querier whose stacks have names. If all addresses of a store have names, passing on the store's
 * results costs almost nothing, because each location is checked only once.
 */
export class NamingQuerier implements Querier {
  readonly #store: Querier;
  readonly #naming: Naming;

  /** `maps` names lines of JavaScript bundles; `readable` demangles names of functions. */
  constructor(store: Querier, names: Names, maps?: LineNames, readable?: ReadableNames) {
    this.#store = store;
    this.#naming = new Naming(names, maps, readable);
  }

  async select(query: SeriesQuery, signal?: AbortSignal): Promise<Selection> {
    return new NamedSelection(await this.#store.select(query, signal), this.#naming);
  }

  labelNames(query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    return this.#store.labelNames(query, signal);
  }

  labelValues(name: string, query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    return this.#store.labelValues(name, query, signal);
  }

  profileTypes(
    range: TimeRange,
    matchers?: readonly LabelMatcher[],
    signal?: AbortSignal,
  ): Promise<ProfileType[]> {
    return this.#store.profileTypes(range, matchers, signal);
  }

  hasData(): Promise<boolean> {
    return this.#store.hasData();
  }

  missingIn(range: TimeRange): string[] {
    return this.#store.missingIn?.(range) ?? [];
  }

  /** Returns the combined state of the store and of the names, because results depend on both. */
  state(range: TimeRange): string | undefined {
    const state = this.#store.state?.(range);
    return state === undefined ? undefined : `${state} ${this.#naming.generation}`;
  }
}

/** Names stacks of any dictionary of the store. */
class Naming {
  readonly merger = new StackMerger();
  readonly #names: Names;
  readonly #maps: LineNames | undefined;
  readonly #readable: ReadableNames | undefined;
  readonly #scans = new WeakMap<Dictionary, Scan>();
  readonly #states = new WeakMap<Dictionary, NameStates>();
  #named = new JoinedDictionaries();
  /** State of the names of lines in the named dictionaries. */
  #linesState: string;

  constructor(names: Names, maps: LineNames | undefined, readable: ReadableNames | undefined) {
    this.#names = names;
    this.#maps = maps;
    this.#readable = readable;
    this.#linesState = this.#stateOfLines();
  }

  /** Sum of the generations of all names. The sum never decreases, because no generation does. */
  get generation(): number {
    return this.#names.generation + this.#generationOfLines();
  }

  #generationOfLines(): number {
    return (this.#maps?.generation ?? 0) + (this.#readable?.generation ?? 0);
  }

  /** Returns true if any location lacks names, or has lines that must be replaced. */
  isToName(dictionary: Dictionary): boolean {
    return this.#lacksNames(dictionary) || this.#hasOtherLines(dictionary);
  }

  #hasOtherLines(dictionary: Dictionary): boolean {
    return this.#hasBundles(dictionary) || this.#hasMangled(dictionary);
  }

  /** Returns true if names may be known for a dictionary's binaries or lines. */
  hasNames(dictionary: Dictionary): boolean {
    if (this.#hasOtherLines(dictionary)) return true;
    const { mappings, strings } = dictionary;
    for (let row = 1; row < mappings.length; row += 1) {
      const buildId = mappings.buildId[row];
      if (buildId !== 0 && this.#names.hasNames(strings.text(buildId as StringIndex))) return true;
    }
    return false;
  }

  /**
   * Returns a dictionary with names for the stacks of another dictionary. It is kept if only some
   * names change, because new names arrive all the time in a fleet.
   */
  dictionaryFor(dictionary: Dictionary): JoinedDictionary {
    const state = this.#stateOfLines();
    if (this.#linesState !== state) {
      this.#named = new JoinedDictionaries();
      this.#linesState = state;
    }
    const names = this.#locationNames();
    const show = (from: Dictionary): NamedLocations => new NamedLocations(from, names);
    const { generation } = this.#names;
    const kept = this.#named.current(dictionary, show);
    if (kept.renewNames(dictionary, generation)) return kept;
    this.#named = new JoinedDictionaries();
    const empty = this.#named.current(dictionary, show);
    empty.renewNames(dictionary, generation);
    return empty;
  }

  #locationNames(): LocationNames {
    const maps = this.#knownMaps();
    const readable = this.#readable?.canDemangle === true ? this.#readable : undefined;
    return {
      findFrames: (buildId, address) => this.#names.findFrames(buildId, address),
      findBias: (buildId, range) => this.#names.findBias(buildId, range),
      changedAt: (buildId) => this.#names.changedAt(buildId),
      findLine:
        maps === undefined && readable === undefined
          ? undefined
          : (buildId, line) => maps?.findOriginal(buildId, line) ?? readable?.demangled(line),
    };
  }

  /** Returns a string that changes when lines get other names or lose their names. */
  #stateOfLines(): string {
    const isReadable = this.#readable?.canDemangle === true;
    return `${this.#generationOfLines()} ${isReadable} ${this.#knownMaps() !== undefined}`;
  }

  #knownMaps(): LineNames | undefined {
    return this.#maps?.hasMaps() === true ? this.#maps : undefined;
  }

  #lacksNames(dictionary: Dictionary): boolean {
    return scanLocations(dictionary, this.#findScan(dictionary));
  }

  #hasMangled(dictionary: Dictionary): boolean {
    if (this.#readable?.canDemangle !== true) return false;
    return scanFunctions(dictionary, this.#findScan(dictionary));
  }

  #hasBundles(dictionary: Dictionary): boolean {
    return hasBundles(dictionary, this.#findScan(dictionary), this.#knownMaps());
  }

  #findScan(dictionary: Dictionary): Scan {
    const scan = this.#scans.get(dictionary) ?? {
      locationCount: 1,
      lacksNames: false,
      functionCount: 1,
      hasMangled: false,
    };
    this.#scans.set(dictionary, scan);
    return scan;
  }

  /**
   * Requests the names of all addresses in stacks of a stored dictionary, and waits for pending
   * names as long as the query allows. Returns the names that are still missing.
   */
  async askNames(
    dictionary: Dictionary,
    stacks: readonly Uint32Array[],
    context: ReadContext,
  ): Promise<NameGaps> {
    if (!this.#lacksNames(dictionary) && !this.#names.hasNotes) return noNameGaps;
    const counter = this.#count(dictionary, stacks);
    if (!counter.isPending) return counter.gaps();
    const pending = counter.pending();
    const areKnown = await context.awaitNames?.((signal) =>
      this.#names.settle(pending, signal, context.signal),
    );
    if (areKnown !== true) this.#names.promise(pending);
    if (areKnown === undefined) return counter.gaps();
    return this.#count(dictionary, stacks).gaps();
  }

  /**
   * Waits for pending names of lines as long as the query allows. Returns true if stacks may have
   * changed in the meantime.
   */
  async awaitLines(context: ReadContext): Promise<boolean> {
    if (this.pendingLines === 0) return false;
    const before = this.#stateOfLines();
    const caller = context.signal;
    const areKnown = await context.awaitNames?.(async (signal) => {
      const maps = this.#maps?.settle(signal, caller);
      await Promise.all([maps, this.#readable?.settle(signal, caller)]);
    });
    if (areKnown !== true) {
      this.#maps?.promise();
      this.#readable?.promise();
    }
    return this.#stateOfLines() !== before;
  }

  /** Number of lines whose names are being looked up. */
  get pendingLines(): number {
    return (this.#maps?.pendingCount ?? 0) + (this.#readable?.pendingCount ?? 0);
  }

  #count(dictionary: Dictionary, stacks: readonly Uint32Array[]): UnnamedCounter {
    const states = this.#states.get(dictionary) ?? new NameStates(this.#names.generation);
    this.#states.set(dictionary, states);
    states.renew(dictionary, this.#names);
    const counter = new UnnamedCounter(dictionary, this.#names, states);
    for (const rows of stacks) counter.addStacks(rows);
    return counter;
  }
}

/** Result of scanning the locations and functions of a dictionary, whose numbers only grow. */
interface Scan {
  /** Number of locations that were scanned. */
  locationCount: number;
  lacksNames: boolean;
  /** Number of functions that were scanned. */
  functionCount: number;
  hasMangled: boolean;
  /** Generation of the maps, number of scanned rows, and whether any row has the key of a map. */
  bundles?: { readonly generation: number; readonly length: number; readonly areThere: boolean };
}

/** Returns true if a build id or a file name of the dictionary is the key of a source map. */
function hasBundles(
  { mappings, functions, strings }: Dictionary,
  scan: Scan,
  maps: LineNames | undefined,
): boolean {
  if (maps === undefined) return false;
  const { generation } = maps;
  const length = mappings.length + functions.length;
  const known = scan.bundles;
  if (known?.generation === generation && known.length === length) return known.areThere;
  const keys = new Set<number>();
  for (let row = 1; row < mappings.length; row += 1) keys.add(mappings.buildId[row]);
  for (let row = 1; row < functions.length; row += 1) keys.add(functions.fileName[row]);
  let areThere = false;
  for (const key of keys) areThere ||= maps.findKey(strings.text(key as StringIndex)) !== undefined;
  scan.bundles = { generation, length, areThere };
  return areThere;
}

/** Returns true if a location has an address in a known build, and no lines. */
function scanLocations({ locations, mappings }: Dictionary, scan: Scan): boolean {
  const { length, lineStart, mapping } = locations;
  for (let row = scan.locationCount; row < length && !scan.lacksNames; row += 1) {
    const lacksLines = lineStart[row] === lineStart[row + 1];
    scan.lacksNames = lacksLines && mappings.buildId[mapping[row]] !== 0;
  }
  scan.locationCount = length;
  return scan.lacksNames;
}

/** Returns true if a function has a mangled name. */
function scanFunctions({ functions, strings }: Dictionary, scan: Scan): boolean {
  const { length } = functions;
  for (let row = scan.functionCount; row < length && !scan.hasMangled; row += 1) {
    const name = functions.displayName(row as FunctionIndex);
    // All mangled names begin with an underscore, 0x5f.
    if (strings.bytes(name)[0] === 0x5f) scan.hasMangled = isMangled(strings.text(name));
  }
  scan.functionCount = length;
  return scan.hasMangled;
}

class NamedSelection implements Selection {
  readonly #stored: Selection;
  readonly #naming: Naming;
  readonly #gaps: NameGaps[] = [noNameGaps];

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

  get nameGaps(): NameGaps {
    return joinNameGaps(this.#gaps);
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
    if (dictionary === undefined) return sums;
    const stacks = sums.groups.map(({ merged }) => merged.stacks);
    const gaps = await this.#naming.askNames(dictionary, stacks, context);
    let named = await this.#named(sums, dictionary, context);
    if (await this.#naming.awaitLines(context)) {
      named = await this.#named(sums, dictionary, context);
    }
    this.#gaps.push({ ...gaps, pendingLines: this.#naming.pendingLines });
    return named;
  }

  /** Returns the sums with the names that are known now. */
  async #named(sums: StackSums, dictionary: Dictionary, context: ReadContext): Promise<StackSums> {
    const naming = this.#naming;
    if (!naming.isToName(dictionary) || !naming.hasNames(dictionary)) return sums;
    const named = naming.dictionaryFor(dictionary);
    const groups: StackSums['groups'][number][] = [];
    for (const group of sums.groups) {
      const rows = await named.translatePausing(dictionary, group.merged, context);
      groups.push({ ...group, merged: named.sum([rows], naming.merger) });
    }
    return { dictionary: named.dictionary, groups };
  }

  samplesOverTime(question: SampleQuestion, context: ReadContext): Promise<SamplesOverTime> {
    return this.#stored.samplesOverTime(question, context);
  }

  async overTime(question: TimeQuestion, context: ReadContext): Promise<SumsOverTime> {
    const { keeps } = question;
    if (keeps === undefined) return this.#stored.overTime(question, context);
    const first = await this.#filterOverTime(question, keeps, context);
    const asked = await this.#askNames(first.stacks, context);
    const hasOtherLines = await this.#naming.awaitLines(context);
    // If names have arrived since the filter was applied, it must be applied again.
    const isAgain = asked.hasWaited || hasOtherLines;
    const last = isAgain ? await this.#filterOverTime(question, keeps, context) : first;
    this.#gaps.push({ ...asked.gaps, pendingLines: this.#naming.pendingLines });
    return last.sums;
  }

  async #askNames(
    stacks: ReadonlyMap<Dictionary, StackSet>,
    context: ReadContext,
  ): Promise<{ readonly gaps: NameGaps; readonly hasWaited: boolean }> {
    const { generation } = this.#naming;
    const gaps: NameGaps[] = [noNameGaps];
    for (const [dictionary, set] of stacks) {
      gaps.push(await this.#naming.askNames(dictionary, [set.rows()], context));
    }
    return { gaps: joinNameGaps(gaps), hasWaited: this.#naming.generation !== generation };
  }

  /** Sums the stacks that a filter keeps, using the names that are known now. */
  async #filterOverTime(
    question: TimeQuestion,
    keeps: NonNullable<TimeQuestion['keeps']>,
    context: ReadContext,
  ): Promise<{ readonly sums: SumsOverTime; readonly stacks: Map<Dictionary, StackSet> }> {
    const stacks = new Map<Dictionary, StackSet>();
    const byNames = (dictionary: Dictionary): StackFilter => {
      if (!this.#naming.isToName(dictionary)) return keeps(dictionary);
      const asked = stacks.get(dictionary) ?? new StackSet();
      stacks.set(dictionary, asked);
      const joined = this.#naming.dictionaryFor(dictionary);
      const filter = keeps(joined.dictionary);
      return {
        keeps: (stack) => {
          const named = namedStack(joined, dictionary, stack);
          asked.add(stack);
          return filter.keeps(named);
        },
      };
    };
    const sums = await this.#stored.overTime({ ...question, keeps: byNames }, context);
    return { sums, stacks };
  }

  [Symbol.dispose](): void {
    this.#stored[Symbol.dispose]();
  }
}

/** Distinct rows of stacks. */
class StackSet {
  #seen = new Uint8Array(0);

  add(stack: number): void {
    if (stack >= this.#seen.length) this.#seen = grown(this.#seen, stack + 1);
    this.#seen[stack] = 1;
  }

  rows(): Uint32Array {
    const rows: number[] = [];
    for (let row = 1; row < this.#seen.length; row += 1) if (this.#seen[row] === 1) rows.push(row);
    return Uint32Array.from(rows);
  }
}

/** Translates a stack. Errors: AppError 'data-loss' for a stack that the dictionary lacks. */
function namedStack(named: JoinedDictionary, dictionary: Dictionary, stack: number): number {
  const { length } = dictionary.stacks;
  if (stack >= length) {
    throw new AppError('data-loss', `cannot read rows: they have stack ${stack} of ${length}`);
  }
  return named.stack(dictionary, stack);
}
