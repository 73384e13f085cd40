// Finds the names of addresses. Returns known names immediately, and looks up other names in the
// background.
import { AppError, errorMessage } from '../base/errors.ts';
import { symbolizerAddressesMax, symbolizerBatchMax, symbolizerJobsMax } from './limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type { LoadedRange } from './file-addresses.ts';
import type {
  BuildFiles,
  BuildNames,
  FileFetcher,
  Resolver,
  SavedNames,
  SourceFrame,
  SymbolSource,
  Verdict,
} from './interface.ts';
import { loadBias, type ProgramLayout } from './load-bias.ts';

const nothingThere = 'its debug information has no function there';

/** Dependencies of a symbolizer. */
export interface SymbolizerParts {
  readonly findFiles: (buildId: string) => BuildFiles;
  /** Fetches files from other servers if no file has lines. */
  readonly fetcher: FileFetcher;
  readonly saved: SavedNames;
  /**
   * Returns the resolvers for a file. Each resolver gets the addresses that the previous resolvers
   * did not know.
   */
  readonly resolvers: (source: SymbolSource) => readonly Resolver[];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Addresses that are being looked up, by build id. */
export type PendingAddresses = ReadonlyMap<string, readonly number[]>;

/** Addresses of one build id. */
interface Build extends Omit<BuildNames, 'verdict'> {
  frames: BuildNames['frames'];
  /**
   * Resolves when the saved names have been read. Addresses wait until then. Undefined if no names
   * are being read.
   */
  loading: Promise<void> | undefined;
  readonly generation: number;
  readonly files: readonly SymbolSource[];
  readonly layout: ProgramLayout | undefined;
  /**
   * True once a query has used the build. If the build has no file with lines, such a file is then
   * fetched.
   */
  isAsked: boolean;
  /** True if a file with lines may be fetched from another server. */
  isAwaited: boolean;
  /** True if a file with which its files share DWARF may be fetched from another server. */
  awaitsPart: boolean;
  /** Addresses to look up next. */
  readonly waiting: Set<number>;
  /** Controller that aborts the lookup that queries are waiting for. */
  ending: AbortController;
  /** True if a response has promised names, so that the client will send its query again. */
  isPromised: boolean;
  /** Generation of the symbolizer when results for this build last changed. */
  changedAt: number;
  isRunning: boolean;
  /** True during a lookup that no query is waiting for. */
  isAhead: boolean;
  /** Indexes of the pairs of a file and a resolver that failed. */
  readonly failed: Set<number>;
  /** True if an address of the build has names. */
  hasNames: boolean;
  /** Reason why the files give no names; "" if they do. */
  reason: string;
}

/** State of the names of one build id. */
export interface BuildState {
  readonly state: 'named' | 'unnamed' | 'pending';
  /** Reason why there are no names; "" if there are names, or names may still be found. */
  readonly reason: string;
  readonly notes: readonly string[];
}

/** Caches names by build id and address, up to a limit on addresses. */
export class Symbolizer {
  readonly #parts: SymbolizerParts;
  /** Builds in the order of their use, the least recently used first. */
  readonly #builds = new Map<string, Build>();
  /** The build that was used last. */
  #last: Build | undefined;
  /** Build ids that were used since the last call to `takeUsed`. */
  #used = new Set<string>();
  readonly #stopped = new AbortController();
  readonly #resolved: ReturnType<Metrics['counter']>;
  #running = 0;
  #addressCount = 0;
  #generation = 0;
  #hasNotes = false;
  /** Number of queries that wait for names, by build id. */
  readonly #callers = new Map<string, number>();
  #idle: (() => void)[] = [];
  /** Callbacks for when names change or a lookup ends. */
  #watching: (() => void)[] = [];
  #ahead: Promise<void> = Promise.resolve();

  constructor(parts: SymbolizerParts) {
    this.#parts = parts;
    this.#resolved = parts.metrics.counter(
      'parca_symbolizer_addresses_total',
      'Addresses that were looked up, by what became of them.',
      ['result'],
    );
  }

  /** Number that grows whenever the result for an address may have changed. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Returns the calls at an address; undefined while they are being looked up. It takes a
   * microsecond and never waits.
   */
  findFrames(buildId: string, address: number): readonly SourceFrame[] | undefined {
    return this.#lookUp(buildId, this.#findBuild(buildId), address);
  }

  /**
   * Returns the number to subtract from run-time addresses in a range to get the addresses for
   * `findFrames`. `isAsked` is false if no query needs it.
   */
  findBias(buildId: string, range: LoadedRange, isAsked = true): number {
    const { layout } = this.#findBuild(buildId, isAsked);
    return layout === undefined ? 0 : loadBias(layout, range);
  }

  #lookUp(buildId: string, build: Build, address: number): readonly SourceFrame[] | undefined {
    const known = build.frames.get(address);
    if (known !== undefined || build.reason !== '') return known;
    build.waiting.add(address);
    if (build.loading !== undefined) return undefined;
    this.#start(buildId, build);
    return undefined;
  }

  /** True while any query waits for names. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  /**
   * Resolves when none of these addresses is being looked up; never rejects. `signal` ends the
   * wait. If `caller` is aborted by then, the query has ended. Lookups that no other query is
   * waiting for are then aborted, unless a response has promised their names.
   */
  async settle(
    pending: PendingAddresses,
    signal: AbortSignal,
    caller: AbortSignal = signal,
  ): Promise<void> {
    const buildIds = [...pending.keys()];
    for (const id of buildIds) this.#callers.set(id, (this.#callers.get(id) ?? 0) + 1);
    await this.#settle(pending, signal);
    for (const id of buildIds) {
      const left = (this.#callers.get(id) ?? 1) - 1;
      if (left > 0) this.#callers.set(id, left);
      else this.#callers.delete(id);
      if (left === 0 && caller.aborted) this.#end(id);
    }
  }

  /**
   * Records that a response has promised these names. Their lookups then continue even if no caller
   * waits.
   */
  promise(pending: PendingAddresses): void {
    for (const buildId of pending.keys()) {
      const build = this.#builds.get(buildId);
      if (build !== undefined) build.isPromised = isComing(build);
    }
  }

  async #settle(pending: PendingAddresses, signal: AbortSignal): Promise<void> {
    const open = new Map(pending);
    while (!signal.aborted && !this.#stopped.signal.aborted) {
      for (const [buildId, addresses] of open) {
        const left = addresses.filter((address) => this.#isPending(buildId, address));
        if (left.length > 0) open.set(buildId, left);
        else open.delete(buildId);
      }
      if (open.size === 0) return;
      await this.#nextChange(signal);
    }
  }

  /**
   * Aborts the lookups of a build that no query is waiting for. A later query starts them again.
   */
  #end(buildId: string): void {
    const build = this.#builds.get(buildId);
    if (build === undefined || build.isPromised || !isComing(build)) return;
    build.waiting.clear();
    build.ending.abort();
    build.ending = new AbortController();
    const files = [...(build.isAwaited ? [buildId] : []), ...missingParts(build)];
    if (build.isAwaited || build.awaitsPart) {
      build.isAwaited = false;
      build.awaitsPart = false;
      build.isAsked = false;
      if (this.#last === build) this.#last = undefined;
      for (const file of files) if (!this.#isAwaited(file)) this.#parts.fetcher.release(file);
    }
    // Readers that saw these addresses as pending must check them again.
    this.#change();
    build.changedAt = this.#generation;
  }

  /**
   * Returns true if a query waits for a file from another server, or was promised names from it.
   */
  #isAwaited(fileId: string): boolean {
    for (const [buildId, build] of this.#builds) {
      if (build.isAwaited && buildId === fileId) return true;
      if (build.awaitsPart && missingParts(build).includes(fileId)) return true;
    }
    return false;
  }

  #isPending(buildId: string, address: number): boolean {
    const build = this.#findBuild(buildId);
    const known = this.#lookUp(buildId, build, address);
    // Nearly all calls change when the missing part of the DWARF arrives.
    if (build.awaitsPart) return true;
    if (known !== undefined && known.length > 0) return false;
    return build.isAwaited || (known === undefined && build.reason === '');
  }

  #nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done);
        resolve();
      };
      signal.addEventListener('abort', done, { once: true });
      this.#watching.push(done);
    });
  }

  /** Records that results for addresses may have changed. */
  #change(): void {
    this.#generation += 1;
    for (const done of this.#watching.splice(0)) done();
  }

  /**
   * Looks up addresses that no query has needed yet. Resolves when they are known. Only one call
   * may run at a time. No response depends on these addresses, so no cached response is dropped.
   */
  lookAhead(buildId: string, addresses: readonly number[]): Promise<void> {
    this.#ahead = this.#lookAhead(buildId, addresses);
    return this.#ahead;
  }

  async #lookAhead(buildId: string, addresses: readonly number[]): Promise<void> {
    const build = this.#findBuild(buildId, false);
    await build.loading;
    if (this.#builds.get(buildId) !== build) return;
    const unknown = addresses.filter(
      (address) => !build.frames.has(address) && !build.waiting.has(address),
    );
    const isNeeded = unknown.length > 0 && build.reason === '' && build.files.length > 0;
    if (!isNeeded || this.#stopped.signal.aborted) return;
    // Profiles of the build are arriving, so its file is in use.
    this.#used.add(buildId);
    build.isAhead = true;
    await this.#resolveBatch(buildId, build, unknown, true);
    build.isAhead = false;
  }

  /** Number of addresses whose names are in memory. */
  get addressCount(): number {
    return this.#addressCount;
  }

  /** Returns the generation in which the results for a build id last changed. */
  changedAt(buildId: string): number {
    return this.#builds.get(buildId)?.changedAt ?? this.#generation;
  }

  /** True if lines of any build id are missing although it has DWARF. */
  get hasNotes(): boolean {
    return this.#hasNotes;
  }

  /** Returns true if an address of a build id has names. */
  hasNames(buildId: string): boolean {
    return this.#findBuild(buildId).hasNames;
  }

  /** Returns the reason why an address has no names; undefined while they are being looked up. */
  whyUnnamed(buildId: string, address: number): string | undefined {
    const build = this.#findBuild(buildId);
    const known = this.#lookUp(buildId, build, address);
    const isAwaited = build.isAwaited || build.awaitsPart;
    if (isAwaited || (known !== undefined && known.length > 0)) return undefined;
    if (build.reason !== '') return build.reason;
    return known && nothingThere;
  }

  /** Returns the reasons why lines of a build id are missing although it has DWARF. */
  readNotes(buildId: string): ReadonlySet<string> {
    return this.#findBuild(buildId).notes;
  }

  /** Returns the state of each build id that was used. */
  states(): ReadonlyMap<string, BuildState> {
    const states = new Map<string, BuildState>();
    for (const [buildId, build] of this.#builds) states.set(buildId, buildState(build));
    return states;
  }

  /** Returns the build ids whose names were used since the last call. */
  takeUsed(): ReadonlySet<string> {
    const used = this.#used;
    this.#used = new Set();
    this.#last = undefined;
    return used;
  }

  /** Records new files for a build id, so that its names are read again. */
  filesChanged(buildId: string): void {
    const build = this.#builds.get(buildId);
    if (build !== undefined) this.#forget(buildId, build);
    // The build may have been dropped for lack of memory. Results about it may now be wrong.
    this.#change();
  }

  /** Reads all names again, because the method of reading names has changed. */
  readAgain(): void {
    for (const [buildId, build] of this.#builds) this.#forget(buildId, build);
    this.#change();
  }

  /** Resolves when no name is being looked up. */
  async settled(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Aborts all lookups, and starts no new ones. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    for (const done of this.#watching.splice(0)) done();
    await Promise.all([this.settled(), this.#ahead]);
  }

  #findBuild(buildId: string, isAsked = true): Build {
    const known = this.#builds.get(buildId);
    if (known !== undefined) {
      if (known === this.#last || !isAsked) return known;
      this.#used.add(buildId);
      this.#builds.delete(buildId);
      this.#builds.set(buildId, known);
      this.#last = known;
      if (!known.isAsked) this.#setAsked(buildId, known);
      return known;
    }
    const { findFiles, saved } = this.#parts;
    const { generation, files, reason, layout } = findFiles(buildId);
    const names = saved.load(buildId, generation);
    const build: Build = {
      generation,
      files,
      layout,
      reason,
      isAsked: false,
      isAwaited: false,
      awaitsPart: false,
      isAhead: false,
      loading: undefined,
      frames: new Map(),
      notes: new Set(),
      waiting: new Set(),
      ending: new AbortController(),
      isPromised: false,
      changedAt: this.#generation,
      isRunning: false,
      failed: new Set(),
      hasNames: false,
    };
    if (names instanceof Promise) {
      this.#running += 1;
      build.loading = names.then((loaded) => this.#endLoading(buildId, build, loaded));
    } else {
      this.#take(build, names);
    }
    if (isAsked) this.#setAsked(buildId, build);
    this.#builds.set(buildId, build);
    this.#used.add(buildId);
    this.#addressCount += buildWeight(build);
    this.#makeRoom(build);
    return build;
  }

  /** Uses saved names as the names of a build. */
  #take(build: Build, { frames, notes, verdict }: BuildNames): void {
    build.frames = frames;
    build.hasNames = frames.size > 0;
    build.reason ||= verdict?.reason ?? '';
    for (const note of notes) build.notes.add(note);
    for (const i of verdict?.failed ?? []) build.failed.add(i);
    this.#hasNotes ||= notes.size > 0;
  }

  /**
   * Uses saved names that took long to read. Looks up the waiting addresses that the saved names do
   * not contain.
   */
  #endLoading(buildId: string, build: Build, names: BuildNames): void {
    build.loading = undefined;
    // If the build was forgotten in the meantime, its names are not needed.
    if (this.#builds.get(buildId) === build) {
      this.#take(build, names);
      this.#addressCount += build.frames.size;
      for (const address of build.waiting) {
        if (build.reason !== '' || build.frames.has(address)) build.waiting.delete(address);
      }
      this.#change();
      build.changedAt = this.#generation;
    }
    this.#endRun();
    this.#makeRoom(build);
  }

  #setAsked(buildId: string, build: Build): void {
    build.isAsked = true;
    const { files } = build;
    const { fetcher } = this.#parts;
    const haveLines = files.some(({ hasDwarf, hasGoLineTable }) => hasDwarf || hasGoLineTable);
    build.isAwaited = !haveLines && fetcher.fetch(buildId);
    for (const part of missingParts(build)) if (fetcher.fetch(part)) build.awaitsPart = true;
  }

  #forget(buildId: string, build: Build): void {
    if (this.#last === build) this.#last = undefined;
    this.#builds.delete(buildId);
    this.#addressCount -= buildWeight(build);
    build.waiting.clear();
    build.ending.abort();
  }

  #start(buildId: string, build: Build): void {
    if (build.isRunning || build.loading !== undefined) return;
    if (this.#running >= symbolizerJobsMax || this.#stopped.signal.aborted) return;
    build.isRunning = true;
    this.#running += 1;
    void this.#work(buildId, build);
  }

  /** Looks up addresses of a build until none is waiting. */
  async #work(buildId: string, build: Build): Promise<void> {
    // Waits until the same query has added its other addresses, so that they are in the first
    // batch, too.
    await Promise.resolve();
    while (build.waiting.size > 0 && !this.#stopped.signal.aborted) {
      const addresses = [...build.waiting].slice(0, symbolizerBatchMax);
      await this.#resolveBatch(buildId, build, addresses);
    }
    build.isPromised &&= isComing(build);
    build.isRunning = false;
    this.#endRun();
  }

  /** Ends a run, and starts the runs that are waiting for it. */
  #endRun(): void {
    this.#running -= 1;
    for (const [nextId, next] of this.#builds) if (next.waiting.size > 0) this.#start(nextId, next);
    if (this.#running > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #resolveBatch(
    buildId: string,
    build: Build,
    addresses: readonly number[],
    isAhead = false,
  ): Promise<void> {
    const { logger, saved } = this.#parts;
    const notesBefore = build.notes.size;
    const stopped = this.#stopped.signal;
    const signal = isAhead ? stopped : AbortSignal.any([stopped, build.ending.signal]);
    try {
      const found = await this.#resolve(build, addresses, signal, isAhead);
      // If the build got new files in the meantime, these names are outdated.
      if (this.#builds.get(buildId) !== build) return;
      const before = build.frames.size;
      let named = 0;
      for (const [i, address] of addresses.entries()) {
        build.frames.set(address, found[i]);
        if (found[i].length > 0) named += 1;
      }
      build.hasNames ||= named > 0;
      if (named > 0) this.#resolved.add(named, { result: 'named' });
      if (named < addresses.length) {
        this.#resolved.add(addresses.length - named, { result: 'unknown' });
      }
      this.#addressCount += build.frames.size - before;
      saved.add(buildId, build.generation, addresses, found, build.notes, buildVerdict(build));
    } catch (error) {
      const isCurrent = this.#builds.get(buildId) === build;
      if (!isCurrent || signal.aborted) return;
      build.reason = errorMessage(error);
      // A failure of the resolver itself is not saved, because the resolver may be available or
      // less busy after a restart.
      const isVerdict = error instanceof AppError && !isPassing(error);
      const { generation, notes } = build;
      if (isVerdict) saved.add(buildId, generation, [], [], notes, buildVerdict(build));
      this.#resolved.add(addresses.length, { result: 'failed' });
      logger.warn('addresses stay without names', { buildId, error: build.reason });
    }
    // No response depends on addresses that no query has needed.
    let isOther = build.reason !== '' || build.notes.size > notesBefore;
    for (const address of addresses) if (build.waiting.delete(address)) isOther = true;
    if (build.reason !== '') build.waiting.clear();
    if (isOther) {
      this.#change();
      build.changedAt = this.#generation;
    }
    this.#makeRoom(build);
  }

  /** Tries each file for the addresses that the previous files did not have. */
  async #resolve(
    build: Build,
    addresses: readonly number[],
    signal: AbortSignal,
    isAhead: boolean,
  ): Promise<(readonly SourceFrame[])[]> {
    const found: (readonly SourceFrame[])[] = addresses.map(() => []);
    let open = addresses.map((_, i) => i);
    let failure: AppError | undefined;
    const note = (reason: string): void => {
      build.notes.add(reason);
      this.#hasNotes = true;
    };
    const asked = build.files.flatMap((source) =>
      this.#parts.resolvers(source).map((resolver) => ({ source, resolver })),
    );
    for (const [i, { source, resolver }] of asked.entries()) {
      if (open.length === 0) break;
      if (build.failed.has(i)) continue;
      try {
        const rest = open.map((i) => addresses[i]);
        const frames = await resolver.resolve(source, rest, signal, note, isAhead);
        open.forEach((index, row) => (found[index] = frames[row]));
        open = open.filter((index) => found[index].length === 0);
      } catch (error) {
        if (!(error instanceof AppError) || signal.aborted) throw error;
        if (failure === undefined || !isPassing(failure)) failure = error;
        // A file that exceeds a resolver's limits would exceed them for every batch.
        if (!isPassing(error)) build.failed.add(i);
      }
    }
    if (open.length === addresses.length && failure !== undefined) throw failure;
    if (failure !== undefined) note(failure.message);
    return found;
  }

  #makeRoom(current: Build): void {
    for (const [buildId, build] of this.#builds) {
      if (this.#addressCount <= symbolizerAddressesMax) return;
      if (build.isRunning || build.isAhead || build === current) continue;
      if (build.loading !== undefined) continue;
      // Callers that wait for the build's names will request them again.
      if (build.waiting.size > 0) this.#change();
      this.#forget(buildId, build);
    }
  }
}

/** Returns true if names of a build are being looked up, or a file for it is being fetched. */
function isComing({ isAwaited, awaitsPart, waiting, loading, reason }: Build): boolean {
  const isRead = loading !== undefined;
  return isRead || isAwaited || awaitsPart || (waiting.size > 0 && reason === '');
}

/** Returns the build ids of missing files with which the files of a build share DWARF. */
function missingParts({ files }: Build): string[] {
  return files.flatMap(({ alternate }) =>
    alternate === undefined || alternate.path !== undefined ? [] : [alternate.buildId],
  );
}

function buildState(build: Build): BuildState {
  const { hasNames, reason, frames, notes } = build;
  const isPending = isComing(build);
  const why = reason === '' && frames.size > 0 ? nothingThere : reason;
  return {
    state: hasNames ? 'named' : isPending ? 'pending' : 'unnamed',
    reason: hasNames || isPending ? '' : why,
    notes: [...notes],
  };
}

/** Returns true if a failure was not caused by the file. */
function isPassing({ code }: AppError): boolean {
  return code === 'cancelled' || code === 'unavailable';
}

function buildVerdict({ failed, reason }: Build): Verdict | undefined {
  return failed.size > 0 ? { failed, reason } : undefined;
}

/** Returns the number of addresses of a build, plus 1 for the build. */
function buildWeight({ frames }: Build): number {
  return frames.size + 1;
}
