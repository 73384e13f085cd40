// Names of addresses: what is known is given at once, the rest is found out in the background.
import { AppError, errorMessage } from '../base/errors.ts';
import { symbolizerAddressesMax, symbolizerBatchMax, symbolizerJobsMax } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type { FindSource, Resolver, SourceFrame, SymbolSource } from './interface.ts';

/** Parts that a symbolizer is made of. */
export interface SymbolizerParts {
  readonly findSource: FindSource;
  /** Asked one after the other about what those before did not know. */
  readonly resolvers: (source: SymbolSource) => readonly Resolver[];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Addresses of one build id. */
interface Build {
  /** Generation of the file that names were read from; 0 = there was none. */
  generation: number;
  /** Calls by address, the innermost first; empty: the file knows nothing of it. */
  readonly frames: Map<number, readonly SourceFrame[]>;
  /** Addresses to look up next. */
  readonly waiting: Set<number>;
  isRunning: boolean;
  /** Why the file gives no names; undefined while it does. */
  failure: string | undefined;
}

/** State of the names of one build id, for people who look at addresses. */
export interface NamesState {
  /** Addresses that are being looked up. */
  readonly pendingCount: number;
  /** Why there are no names; undefined when there may be. */
  readonly reason: string | undefined;
}

/** Keeps names by build id and address, up to a number of addresses. */
export class Symbolizer {
  readonly #parts: SymbolizerParts;
  /** The build id that was asked for longest ago comes first. */
  readonly #builds = new Map<string, Build>();
  readonly #stopped = new AbortController();
  readonly #resolved: ReturnType<Metrics['counter']>;
  #running = 0;
  #addressCount = 0;
  #generation = 0;
  #idle: (() => void)[] = [];

  constructor(parts: SymbolizerParts) {
    this.#parts = parts;
    this.#resolved = parts.metrics.counter(
      'parca_symbolizer_addresses_total',
      'Addresses that were looked up, by what became of them.',
      ['result'],
    );
  }

  /** Rises whenever an address may have another answer than before. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * The calls at an address; undefined while they are not known, and then they are looked up.
   * Takes a microsecond, never waits.
   */
  framesOf(buildId: string, address: number): readonly SourceFrame[] | undefined {
    const build = this.#buildOf(buildId);
    const known = build.frames.get(address);
    if (known !== undefined || build.failure !== undefined || build.generation === 0) return known;
    build.waiting.add(address);
    this.#start(buildId, build);
    return undefined;
  }

  /** Returns what keeps the addresses of a build id without names. */
  stateOf(buildId: string): NamesState {
    const build = this.#buildOf(buildId);
    const reason = build.generation === 0 ? 'no debug information was uploaded' : build.failure;
    return { pendingCount: build.waiting.size, reason };
  }

  /** Says that another file is the best one for a build id: its names are read again. */
  sourceChanged(buildId: string): void {
    const build = this.#builds.get(buildId);
    if (build === undefined) return;
    this.#forget(buildId, build);
    this.#generation += 1;
  }

  /** Resolves when nothing is being looked up. */
  async settled(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Ends what is under way; nothing is looked up again. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.settled();
  }

  #buildOf(buildId: string): Build {
    const known = this.#builds.get(buildId);
    if (known !== undefined) {
      this.#builds.delete(buildId);
      this.#builds.set(buildId, known);
      return known;
    }
    const build: Build = {
      generation: this.#parts.findSource(buildId)?.generation ?? 0,
      frames: new Map(),
      waiting: new Set(),
      isRunning: false,
      failure: undefined,
    };
    this.#builds.set(buildId, build);
    return build;
  }

  #forget(buildId: string, build: Build): void {
    this.#builds.delete(buildId);
    this.#addressCount -= build.frames.size;
    build.waiting.clear();
  }

  #start(buildId: string, build: Build): void {
    if (build.isRunning || this.#running >= symbolizerJobsMax || this.#stopped.signal.aborted)
      return;
    build.isRunning = true;
    this.#running += 1;
    void this.#work(buildId, build);
  }

  /** Looks addresses up until none of the build waits. */
  async #work(buildId: string, build: Build): Promise<void> {
    // Addresses that the same query asks for next belong to the first batch.
    await Promise.resolve();
    while (build.waiting.size > 0 && !this.#stopped.signal.aborted) {
      await this.#resolveBatch(buildId, build);
    }
    build.isRunning = false;
    this.#running -= 1;
    for (const [nextId, next] of this.#builds) if (next.waiting.size > 0) this.#start(nextId, next);
    if (this.#running > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #resolveBatch(buildId: string, build: Build): Promise<void> {
    const addresses = [...build.waiting].slice(0, symbolizerBatchMax);
    const source = this.#parts.findSource(buildId);
    try {
      if (source === undefined) throw new AppError('not-found', 'its file is gone');
      const found = await this.#resolve(source, addresses);
      // A better file has taken its place meanwhile.
      if (this.#builds.get(buildId) !== build) return;
      addresses.forEach((address, i) => {
        build.frames.set(address, found[i]);
        this.#resolved.add(1, { result: found[i].length > 0 ? 'named' : 'unknown' });
      });
      this.#addressCount += addresses.length;
    } catch (error) {
      build.failure = errorMessage(error);
      this.#resolved.add(addresses.length, { result: 'failed' });
      this.#parts.logger.warn('addresses stay without names', { buildId, error: build.failure });
    }
    for (const address of addresses) build.waiting.delete(address);
    if (build.failure !== undefined) build.waiting.clear();
    this.#generation += 1;
    this.#makeRoom();
  }

  async #resolve(
    source: SymbolSource,
    addresses: readonly number[],
  ): Promise<(readonly SourceFrame[])[]> {
    const found: (readonly SourceFrame[])[] = addresses.map(() => []);
    let open = addresses.map((_, i) => i);
    let failure: AppError | undefined;
    for (const resolver of this.#parts.resolvers(source)) {
      if (open.length === 0) break;
      try {
        const asked = open.map((i) => addresses[i]);
        const frames = await resolver.resolve(source, asked, this.#stopped.signal);
        open.forEach((index, i) => (found[index] = frames[i]));
        open = open.filter((index) => found[index].length === 0);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        failure = error;
      }
    }
    if (open.length === addresses.length && failure !== undefined) throw failure;
    return found;
  }

  #makeRoom(): void {
    for (const [buildId, build] of this.#builds) {
      if (this.#addressCount <= symbolizerAddressesMax) return;
      if (!build.isRunning) this.#forget(buildId, build);
    }
  }
}
