// Looks up addresses of arriving profiles before the first query, within a budget.
import type { Clock, Timer } from '../base/clock.ts';
import {
  lookAheadAddressesMax,
  lookAheadBuildMillis,
  lookAheadBurstMillis,
  lookAheadKeptMax,
  lookAheadMillis,
  lookAheadShare,
  symbolizerBatchMax,
} from './limits.ts';
import type { Metrics } from '../base/metrics.ts';
import { Pacer } from '../base/pacer.ts';
import { duringWork } from '../base/work.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { StringIndex } from '../model/rows.ts';
import { FileAddresses } from './file-addresses.ts';
import type { BinaryPaths } from './binary-paths.ts';
import type { Symbolizer } from './symbolizer.ts';

export interface LookAheadParts {
  readonly symbolizer: Pick<Symbolizer, 'lookAhead' | 'findBias' | 'isBusy' | 'addressCount'>;
  /** Returns true if there is a file with the build id from which names can be read. */
  readonly hasFile: (buildId: string) => boolean;
  /** Records the paths of all binaries in profiles. */
  readonly paths: BinaryPaths;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/**
 * Number of locations that are checked between two pauses. Checking them takes less than a
 * millisecond.
 */
const rowsPerPause = 1_024;
/**
 * Length of a build's pause after a run, as a multiple of the run's duration. Large files take
 * long, and therefore pause longer.
 */
const pausePerRun = 20;

/**
 * Every second, checks the locations that were added to a dictionary. Ingest therefore has no
 * additional work, and addresses need no memory until they are looked up.
 *
 * Only one run is active at a time, and only while no query waits for names. In the long term, runs
 * take a tenth of a core.
 */
export class LookAhead {
  readonly #parts: LookAheadParts;
  #dictionary: (() => Dictionary) | undefined;
  /** Number of locations checked so far, by dictionary. */
  #seen = new WeakMap<Dictionary, number>();
  /**
   * Build ids whose file has arrived. Their addresses are checked again, because they may have been
   * checked before the file arrived.
   */
  readonly #changed = new Set<string>();
  /** Addresses to look up, by build id. */
  readonly #found = new Map<string, Set<number>>();
  #foundCount = 0;
  /** Times until which builds are paused. */
  readonly #pauses = new Map<string, number>();
  #budgetMillis = lookAheadBurstMillis;
  #budgetAtMillis = 0;
  #timer: Timer | undefined;
  #run: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: LookAheadParts) {
    this.#parts = parts;
    parts.metrics.observedGauge(
      'parca_symbolizer_ahead_addresses',
      'Addresses of arrived profiles that wait to be looked up ahead of questions.',
      () => this.#foundCount,
    );
  }

  /** Starts to check the dictionary that `dictionary` returns, which may change. */
  start(dictionary: () => Dictionary): void {
    this.#dictionary = dictionary;
    this.#budgetAtMillis = this.#parts.clock.monotonicMillis();
    this.#wait();
  }

  /** Records that a build id has a new file. */
  filesChanged(buildId: string): void {
    if (this.#dictionary !== undefined) this.#changed.add(buildId);
  }

  /**
   * Forgets which locations have been checked, so that all are checked again. Called when the
   * method of reading names has changed.
   */
  readAgain(): void {
    this.#seen = new WeakMap();
  }

  /** Stops the checks. A running lookup is aborted by the symbolizer, not here. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#run;
  }

  #wait(): void {
    if (this.#isStopped) return;
    this.#timer = this.#parts.clock.setTimer(lookAheadMillis, () => this.#look(), true);
  }

  #look(): void {
    const dictionary = this.#dictionary?.();
    this.#run = duringWork('names ahead of questions', async () => {
      if (dictionary !== undefined) await this.#collect(dictionary);
      await this.#lookUp();
    }).finally(() => this.#wait());
  }

  async #collect(dictionary: Dictionary): Promise<void> {
    const seen = this.#seen.get(dictionary) ?? 1;
    if (this.#changed.size > 0) {
      const changed = new Set(this.#changed);
      const end = await this.#scan(dictionary, 1, seen, changed);
      // Files of other build ids may have arrived in the meantime.
      if (end === seen) for (const buildId of changed) this.#changed.delete(buildId);
    }
    const map = this.#seen;
    const end = await this.#scan(dictionary, seen, dictionary.locations.length);
    // If `readAgain` was called in the meantime, all locations must be checked again.
    if (map === this.#seen) map.set(dictionary, end);
  }

  /**
   * Collects, in slices, addresses without lines in builds that have files. If `only` is given,
   * collects only addresses in these builds. Returns the first row that did not fit into the limit.
   */
  async #scan(
    dictionary: Dictionary,
    from: number,
    to: number,
    only?: ReadonlySet<string>,
  ): Promise<number> {
    const { locations, mappings, strings } = dictionary;
    const { symbolizer, hasFile, paths, clock } = this.#parts;
    const pacer = new Pacer(clock);
    const fileAddresses = new FileAddresses(dictionary, (id, range) =>
      symbolizer.findBias(id, range, false),
    );
    /** Addresses of the build by mapping; null for mappings without names. */
    const lists: (Set<number> | null | undefined)[] = [];
    for (let row = from; row < to; row += 1) {
      if (this.#foundCount >= lookAheadAddressesMax || this.#isStopped) return row;
      if (row % rowsPerPause === 0) await pacer.pause();
      const { lineStart, mapping } = locations;
      if (lineStart[row] !== lineStart[row + 1]) continue;
      const of = mapping[row];
      let list = lists[of];
      if (list === undefined) {
        const buildId = strings.text(mappings.buildId[of] as StringIndex);
        paths.note(buildId, strings.text(mappings.fileName[of] as StringIndex));
        const isWanted = buildId !== '' && (only?.has(buildId) ?? true) && hasFile(buildId);
        list = isWanted ? this.#findList(buildId) : null;
        lists[of] = list;
      }
      if (list === null) continue;
      const before = list.size;
      list.add(fileAddresses.address(row));
      this.#foundCount += list.size - before;
    }
    return to;
  }

  #findList(buildId: string): Set<number> {
    const list = this.#found.get(buildId) ?? new Set();
    this.#found.set(buildId, list);
    return list;
  }

  /** Looks up the collected addresses, until the budget is used up or a query waits. */
  async #lookUp(): Promise<void> {
    const { clock, symbolizer } = this.#parts;
    this.#refill();
    for (const [buildId, addresses] of this.#found) {
      if (this.#isStopped || this.#budgetMillis <= 0 || symbolizer.isBusy) return;
      if (symbolizer.addressCount >= lookAheadKeptMax) return this.#drop();
      const start = clock.monotonicMillis();
      if ((this.#pauses.get(buildId) ?? 0) > start) continue;
      const batch = [...addresses].slice(0, symbolizerBatchMax);
      await symbolizer.lookAhead(buildId, batch);
      for (const address of batch) addresses.delete(address);
      this.#foundCount -= batch.length;
      if (addresses.size === 0) this.#found.delete(buildId);
      const took = clock.monotonicMillis() - start;
      this.#budgetMillis -= took;
      const pause = Math.max(lookAheadBuildMillis, pausePerRun * took);
      // If the names were already known, the run took no time, so the build needs no pause.
      if (took >= 1) this.#pauses.set(buildId, start + took + pause);
    }
  }

  #refill(): void {
    const now = this.#parts.clock.monotonicMillis();
    this.#budgetMillis = Math.min(
      lookAheadBurstMillis,
      this.#budgetMillis + lookAheadShare * (now - this.#budgetAtMillis),
    );
    this.#budgetAtMillis = now;
    for (const [buildId, until] of this.#pauses) if (until <= now) this.#pauses.delete(buildId);
  }

  /**
   * Drops all collected addresses, because there is no more memory for names. Queries that need
   * these names look them up.
   */
  #drop(): void {
    this.#found.clear();
    this.#foundCount = 0;
  }
}
