// Counts active series, label names and label values, by caller, and refuses new ones that exceed a
// limit.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { inputLimits, inputLimitTable, type InputLimitName } from '../../base/input-limits.ts';
import {
  cardinalityBytesMax,
  cardinalityPeriodMillis,
  cardinalityShownMax,
  newSeriesGraceMillis,
} from '../limits.ts';
import { memoryShare } from '../../base/memory-limit.ts';
import { Pacer } from '../../base/pacer.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import type { CardinalityStatus, TextCount } from '../interface.ts';
import type { UploadSeries } from '../series.ts';
import { ActiveCount } from './active-count.ts';
import { ShardedMap } from './hash-map.ts';
import { TextHash } from './text-hash.ts';
import { TopCounts, selectTop } from './top-counts.ts';

/** Counts the active series of a server. */
export interface Cardinality {
  /**
   * Counts the series of a write before the write is stored, in slices of a few milliseconds.
   * Series also count if the write is refused later for another reason. If writes of thousands of
   * series arrive at the same time, a limit may be exceeded by one write. `seriesMax` limits the
   * active series of this caller; 0 or undefined = only the limits of the flags apply.
   *
   * Errors: AppError 'resource-exhausted' that names the limit; then no series of the write is
   * counted.
   */
  admit(series: readonly UploadSeries[], caller: string, seriesMax?: number): Promise<void>;
  status(): CardinalityStatus;
}

/** Counts for one label name. */
interface NameCounts {
  readonly series: ActiveCount;
  readonly values: ActiveCount;
  /** Number of values, by the number of the caller that was the first to send them. */
  readonly valuesOf: Map<number, ActiveCount>;
  /**
   * Last period in which the name was used, and the number of the caller that was the first to send
   * it.
   */
  period: number;
  owner: number;
}

interface CallerCounts {
  readonly id: string;
  readonly series: ActiveCount;
  readonly names: ActiveCount;
  minute: number;
  newSeries: number;
}

/**
 * Series and values of one period, each with the number of the caller that was the first to send
 * it.
 */
class Period {
  readonly series = new ShardedMap();
  readonly values = new ShardedMap();
  /** Number of series that have each value. */
  readonly seriesOfValue = new ShardedMap();
  readonly topValues = new TopCounts(cardinalityShownMax);

  get usedBytes(): number {
    return hashBytes * (this.series.size + this.values.size + this.seriesOfValue.size);
  }
}

/** Memory in bytes that a hash and its number take in a map, as measured. */
const hashBytes = 48;

interface NewItems {
  readonly series: Set<number>;
  readonly names: Set<string>;
  /** Hashes of values, by the name of their label. */
  readonly values: Map<string, Set<number>>;
}

export interface CardinalityOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  /**
   * Maximum number of bytes of memory for the counts, above which new series are refused. Known
   * series are still counted, which may take the same memory again in the next period.
   */
  readonly bytesMax?: number | undefined;
}

/** Creates empty counts. */
export function createCardinality(options: CardinalityOptions): Cardinality {
  return new ActiveSeries(options);
}

class ActiveSeries implements Cardinality {
  readonly #clock: Clock;
  readonly #startMillis: number;
  readonly #hash: TextHash;
  #number = 1;
  #current = new Period();
  #previous = new Period();
  readonly #all = new ActiveCount();
  readonly #allNames = new ActiveCount();
  readonly #names = new Map<string, NameCounts>();
  readonly #callers: (CallerCounts | undefined)[] = [];
  readonly #callerNumbers = new Map<string, number>();
  #minute = 0;
  #newSeries = 0;
  readonly #bytesMax: number;

  constructor({ clock, random, metrics, bytesMax }: CardinalityOptions) {
    this.#clock = clock;
    this.#bytesMax = bytesMax ?? memoryShare('cardinality', cardinalityBytesMax);
    this.#startMillis = clock.monotonicMillis();
    this.#hash = new TextHash([random.uint32() | 0, random.uint32() | 0]);
    metrics.observedGauge(
      'parca_active_series',
      'Series that got profiles in the last one to two hours.',
      () => this.#readCount(this.#all),
    );
    metrics.observedGauge('parca_active_label_names', 'Names of labels of active series.', () =>
      this.#readCount(this.#allNames),
    );
    metrics.observedGauge(
      'parca_active_series_bytes',
      'Memory of the counts of active series, names and values.',
      () => this.#usedBytes(),
    );
  }

  async admit(series: readonly UploadSeries[], caller: string, seriesMax = 0): Promise<void> {
    this.#advance();
    const pacer = new Pacer(this.#clock);
    const fresh = new Map<number, UploadSeries>();
    const found: NewItems = { series: new Set(), names: new Set(), values: new Map() };
    for (const one of series) {
      const pausing = pacer.pause();
      if (pausing !== undefined) await pausing;
      const hash = this.#hashSeries(one);
      if (this.#current.series.get(hash) !== undefined || fresh.has(hash)) continue;
      fresh.set(hash, one);
      if (this.#previous.series.get(hash) !== undefined) continue;
      found.series.add(hash);
      this.#addNewLabels(one, found);
    }
    if (fresh.size === 0) return;
    this.#advance();
    const owner = this.#callerNumber(caller);
    if (found.series.size > 0) {
      this.#check(found, owner);
      this.#checkOwn(found.series.size, owner, seriesMax);
      this.#checkMemory(found);
    }
    for (const [hash, one] of fresh) {
      this.#count(one, hash, this.#callerNumber(caller));
      const pausing = pacer.pause();
      if (pausing !== undefined) await pausing;
    }
  }

  status(): CardinalityStatus {
    this.#advance();
    const period = this.#number;
    const callers = this.#callers.filter((one) => one !== undefined);
    const remote = callers.filter(({ id }) => id !== '');
    const most = (counts: Iterable<number>): number => {
      let largest = 0;
      for (const count of counts) if (count > largest) largest = count;
      return largest;
    };
    const names = [...this.#names];
    const ofValues = names.map(([, { values }]) => values.at(period));
    const ofCallers = names.map(([, { valuesOf }]) => {
      return most(Array.from(valuesOf.values(), (count) => count.at(period)));
    });
    const used: readonly (readonly [InputLimitName, number])[] = [
      ['activeSeries', this.#all.at(period)],
      ['activeSeriesOfCaller', most(remote.map(({ series }) => series.at(period)))],
      ['newSeries', this.#newSeries],
      ['newSeriesOfCaller', most(remote.map((one) => this.#countNew(one)))],
      ['labelNames', this.#allNames.at(period)],
      ['labelNamesOfCaller', most(remote.map((one) => one.names.at(period)))],
      ['labelValues', most(ofValues)],
      ['labelValuesOfCaller', most(ofCallers)],
    ];
    const top = (counts: Iterable<readonly [string, number]>): TextCount[] =>
      selectTop(counts, cardinalityShownMax);
    return {
      activeSeries: this.#all.at(period),
      labelNames: this.#allNames.at(period),
      newSeriesThisMinute: this.#newSeries,
      limits: used.map(([name, count]) => {
        return { flag: inputLimitTable[name].flag, limit: inputLimits[name], used: count };
      }),
      seriesByName: top(names.map(([name, { series }]) => [name, series.at(period)] as const)),
      valuesByName: top(names.map(([name], i) => [name, ofValues[i]] as const)),
      seriesByValue: top(
        mergeCounts(this.#previous.topValues.top(), this.#current.topValues.top()),
      ),
      seriesByCaller: top(callers.map(({ id, series }) => [id, series.at(period)] as const)),
    };
  }

  #readCount(count: ActiveCount): number {
    this.#advance();
    return count.at(this.#number);
  }

  /** Starts a new period, or a new minute, if the current one has ended. */
  #advance(): void {
    const millis = this.#clock.monotonicMillis() - this.#startMillis;
    const minute = Math.floor(millis / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#newSeries = 0;
    }
    const number = 1 + Math.floor(millis / cardinalityPeriodMillis);
    if (number === this.#number) return;
    this.#previous = number === this.#number + 1 ? this.#current : new Period();
    this.#current = new Period();
    this.#number = number;
    for (const [name, counts] of this.#names) {
      if (counts.period < number - 1) this.#names.delete(name);
    }
    for (const [id, owner] of this.#callerNumbers) {
      const { series, names } = this.#findCaller(owner);
      if (series.at(number) > 0 || names.at(number) > 0) continue;
      this.#callers[owner] = undefined;
      this.#callerNumbers.delete(id);
    }
  }

  #hashSeries({ name, labels }: UploadSeries): number {
    const hash = this.#hash.begin().add(name);
    for (const label of labels) hash.add(label.name).add(label.value);
    return hash.value;
  }

  #hashOfLabel(name: string, value: string): number {
    return this.#hash.begin().add(name).add(value).value;
  }

  #addNewLabels({ labels }: UploadSeries, found: NewItems): void {
    for (const { name, value } of labels) {
      if (!this.#names.has(name)) found.names.add(name);
      const hash = this.#hashOfLabel(name, value);
      const { values } = this.#current;
      if (values.get(hash) !== undefined) continue;
      if (this.#previous.values.get(hash) !== undefined) continue;
      const own = found.values.get(name);
      if (own === undefined) found.values.set(name, new Set([hash]));
      else own.add(hash);
    }
  }

  #usedBytes(): number {
    return this.#current.usedBytes + this.#previous.usedBytes;
  }

  /** Refuses new series and values whose counts would exceed the limit on memory. */
  #checkMemory({ series, values }: NewItems): void {
    let added = series.size;
    for (const hashes of values.values()) added += 2 * hashes.size;
    const bytes = this.#usedBytes() + hashBytes * added;
    if (bytes <= this.#bytesMax) return;
    const why = `counts of active series would take ${bytes} bytes of memory`;
    throw new AppError(
      'resource-exhausted',
      `cannot store profiles: ${why}, the limit is ${this.#bytesMax} (--memory-limit)`,
      { limit: 'memory-limit', retryAfterMillis: 60_000 },
    );
  }

  /** Refuses new series, names and values that exceed a limit. */
  #check({ series, names, values }: NewItems, owner: number): void {
    const period = this.#number;
    const caller = this.#findCaller(owner);
    const isOwn = caller.id === '';
    // Limits of labels are checked first, because labels are more often the cause.
    if (names.size > 0) {
      const [name] = names;
      const example = `names of labels, such as ${quoted(name)}`;
      requireAtMost('labelNames', this.#allNames.at(period) + names.size, example);
      const own = caller.names.at(period) + names.size;
      if (!isOwn) requireAtMost('labelNamesOfCaller', own, `${example}, of one caller`);
    }
    for (const [name, added] of values) {
      const known = this.#names.get(name);
      const what = `values of label ${quoted(name)}`;
      requireAtMost('labelValues', (known?.values.at(period) ?? 0) + added.size, what);
      const own = (known?.valuesOf.get(owner)?.at(period) ?? 0) + added.size;
      if (!isOwn) requireAtMost('labelValuesOfCaller', own, `${what} of one caller`);
    }
    requireAtMost('activeSeries', this.#all.at(period) + series.size, 'active series');
    const ofCaller = caller.series.at(period) + series.size;
    if (!isOwn) requireAtMost('activeSeriesOfCaller', ofCaller, 'active series of one caller');
    // After the start of the server, every series is new, so new series are not limited yet.
    if (this.#clock.monotonicMillis() - this.#startMillis >= newSeriesGraceMillis) {
      const millis = this.#clock.monotonicMillis() - this.#startMillis;
      const retryMillis = 60_000 - (millis % 60_000);
      const what = 'new series in this minute';
      requireAtMost('newSeries', this.#newSeries + series.size, what, retryMillis);
      const own = this.#countNew(caller) + series.size;
      if (!isOwn) requireAtMost('newSeriesOfCaller', own, `${what} of one caller`, retryMillis);
    }
  }

  /** Refuses new series that exceed the limit of the caller. */
  #checkOwn(added: number, owner: number, seriesMax: number): void {
    const { id, series } = this.#findCaller(owner);
    const count = series.at(this.#number) + added;
    if (seriesMax === 0 || count <= seriesMax) return;
    const why = `they would make ${count} active series of ${id}, its limit is ${seriesMax}`;
    throw new AppError(
      'resource-exhausted',
      `cannot store profiles: ${why} (caller_limits of the web config file)`,
      { retryAfterMillis: 60_000 },
    );
  }

  /**
   * Counts a series that is new in this period. It counts for the caller that was the first to send
   * it.
   */
  #count({ labels }: UploadSeries, hash: number, caller: number): void {
    const period = this.#number;
    const current = this.#current;
    // While this write paused, another write may have counted the series.
    if (current.series.get(hash) !== undefined) return;
    const known = this.#previous.series.get(hash);
    const owner = known ?? caller;
    if (known === undefined) {
      this.#newSeries += 1;
      this.#findCaller(owner).newSeries += 1;
    }
    current.series.set(hash, owner);
    this.#all.add(period, known === undefined);
    this.#findCaller(owner).series.add(period, known === undefined);
    for (const { name, value } of labels) {
      const counts = this.#findName(name, owner);
      counts.series.add(period, known === undefined);
      const label = this.#hashOfLabel(name, value);
      const series = (current.seriesOfValue.get(label) ?? 0) + 1;
      current.seriesOfValue.set(label, series);
      current.topValues.note(`${name}=${JSON.stringify(value)}`, series);
      if (series > 1) continue;
      const before = this.#previous.values.get(label);
      const valueOwner = before ?? owner;
      current.values.set(label, valueOwner);
      counts.values.add(period, before === undefined);
      let own = counts.valuesOf.get(valueOwner);
      if (own === undefined) {
        own = new ActiveCount();
        counts.valuesOf.set(valueOwner, own);
      }
      own.add(period, before === undefined);
    }
  }

  /** Returns the counts of a label name, and marks the name as used in this period. */
  #findName(name: string, caller: number): NameCounts {
    const period = this.#number;
    let counts = this.#names.get(name);
    if (counts === undefined) {
      const [series, values] = [new ActiveCount(), new ActiveCount()];
      counts = { series, values, valuesOf: new Map(), period: 0, owner: caller };
      this.#names.set(name, counts);
    }
    if (counts.period === period) return counts;
    const isNew = counts.period === 0;
    counts.period = period;
    this.#allNames.add(period, isNew);
    this.#findCaller(counts.owner).names.add(period, isNew);
    return counts;
  }

  #countNew(caller: CallerCounts): number {
    if (caller.minute !== this.#minute) {
      caller.minute = this.#minute;
      caller.newSeries = 0;
    }
    return caller.newSeries;
  }

  #callerNumber(id: string): number {
    const known = this.#callerNumbers.get(id);
    if (known !== undefined) {
      this.#countNew(this.#findCaller(known));
      return known;
    }
    const [series, names] = [new ActiveCount(), new ActiveCount()];
    const caller = { id, series, names, minute: this.#minute, newSeries: 0 };
    const number = this.#callers.push(caller) - 1;
    this.#callerNumbers.set(id, number);
    return number;
  }

  #findCaller(number: number): CallerCounts {
    const caller = this.#callers[number];
    if (caller === undefined) throw new Error('a caller with active series is known');
    return caller;
  }
}

/** Throws if a count exceeds a limit. */
function requireAtMost(
  name: InputLimitName,
  count: number,
  what: string,
  retryMillis = 60_000,
): void {
  const limit = inputLimits[name];
  if (count <= limit) return;
  const { flag } = inputLimitTable[name];
  const message = `cannot store profiles: they would make ${count} ${what}, the limit is ${limit}`;
  throw new AppError('resource-exhausted', `${message} (--${flag})`, {
    limit: flag,
    retryAfterMillis: retryMillis,
  });
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}

/** Merges two lists; a string in both lists gets the larger of its counts. */
function mergeCounts(a: readonly TextCount[], b: readonly TextCount[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text, count } of [...a, ...b]) {
    counts.set(text, Math.max(count, counts.get(text) ?? 0));
  }
  return counts;
}
