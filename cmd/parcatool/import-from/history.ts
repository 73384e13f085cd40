// Reads the data of another server through Parca's query API, which this server implements, too.
import { AppError } from '../../../src/base/errors.ts';
import { parseRfc3339 } from '../../../src/base/text/instant.ts';
import { formatNanos } from '../../../src/api/transport/json/time.ts';
import {
  type ClientOptions,
  field,
  getJson,
  readInt64,
  readList,
  readString,
} from '../shared/client.ts';

/** Labels by name, in the order of their names. */
export type Labels = ReadonlyMap<string, string>;

/** A profile of a series. */
export interface StoredProfile {
  /**
   * Sum of the profile's values. For `samples:count`, this is the time that the samples represent.
   */
  readonly value: bigint;
  /** Nanoseconds covered by the profile; 0n for a snapshot. */
  readonly durationNanos: bigint;
}

/** A series, with its profiles by time in nanoseconds. */
export interface StoredSeries {
  readonly labels: Labels;
  readonly profiles: Map<bigint, StoredProfile>;
}

/** Range of times. Both the first and the last nanosecond belong to it. */
export interface NanoRange {
  readonly start: bigint;
  readonly end: bigint;
}

/**
 * Names of sample labels. On this server, they do not identify a series, but in profiles of Parca's
 * agents they do.
 */
const sampleLabelNames: ReadonlySet<string> = new Set(['cpu', 'thread_id', 'thread_name']);

/** Returns a key that is the same for equal labels. */
export function labelsKey(labels: Labels): string {
  return JSON.stringify([...labels]);
}

/** Returns the labels of a sample that identify its series. */
export function seriesLabels(labels: Labels): Labels {
  const kept = [...labels].filter(([name]) => !sampleLabelNames.has(name));
  return new Map(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Data of another server. */
export class History {
  readonly #client: ClientOptions;

  constructor(client: ClientOptions) {
    this.#client = client;
  }

  /** Returns the profile types as written in queries, sorted. */
  async types(range: NanoRange): Promise<readonly string[]> {
    const answer = await getJson(this.#client, '/api/profiles/types', bounds(range));
    const parts = ['name', 'sampleType', 'sampleUnit', 'periodType', 'periodUnit'];
    const types = readList(field(answer, 'types')).map((type) => {
      const delta = field(type, 'delta') === true ? ['delta'] : [];
      return [...parts.map((part) => readString(field(type, part))), ...delta].join(':');
    });
    return types.sort();
  }

  /** Returns all label names of a type. */
  async labelNames(type: string, range: NanoRange): Promise<readonly string[]> {
    const parameters = { ...bounds(range), profileType: type };
    const answer = await getJson(this.#client, '/api/profiles/labels', parameters);
    return readList(field(answer, 'labelNames')).map(readString);
  }

  /**
   * Splits a range into steps, and returns the starts of the steps that have profiles of a type.
   */
  async usedSteps(type: string, range: NanoRange, stepNanos: bigint): Promise<Set<bigint>> {
    const answer = await this.#range(type, range, stepNanos, []);
    const times = readList(answer).flatMap((series) =>
      readList(field(series, 'samples')).map((sample) => readTime(sample)),
    );
    return new Set(times.map((time) => (time / stepNanos) * stepNanos));
  }

  /** Returns all series of a type with their profiles. */
  async series(
    type: string,
    range: NanoRange,
    labelNames: readonly string[],
  ): Promise<ReadonlyMap<string, StoredSeries>> {
    const names = labelNames.filter((name) => !sampleLabelNames.has(name));
    const answer = await this.#range(type, range, 1n, names);
    const found = new Map<string, StoredSeries>();
    for (const one of readList(answer)) {
      const all = readList(field(one, 'labelset', 'labels')).map(
        (label) => [readString(field(label, 'name')), readString(field(label, 'value'))] as const,
      );
      const labels = seriesLabels(new Map(all.filter(([, value]) => value !== '')));
      const key = labelsKey(labels);
      const known = found.get(key) ?? { labels, profiles: new Map<bigint, StoredProfile>() };
      found.set(key, known);
      for (const sample of readList(field(one, 'samples'))) {
        const time = readTime(sample);
        const value = readInt64(field(sample, 'value')) + (known.profiles.get(time)?.value ?? 0n);
        const durationNanos = readInt64(field(sample, 'duration'));
        known.profiles.set(time, { value, durationNanos });
      }
    }
    return found;
  }

  /**
   * Returns the sum of all profiles of a type in a range as gzipped pprof. Samples with different
   * labels are kept separate.
   */
  merged(type: string, range: NanoRange, labelNames: readonly string[]): Promise<Uint8Array> {
    return this.#pprof({
      mode: 'MODE_MERGE',
      'merge.query': `${type}{}`,
      'merge.start': formatNanos(range.start),
      'merge.end': formatNanos(range.end),
      'groupBy.fields': labelNames.map((name) => `labels.${name}`),
    });
  }

  /** Returns the sum of a series' profiles in a millisecond. */
  single(
    type: string,
    timeNanos: bigint,
    labels: Labels,
    labelNames: readonly string[],
  ): Promise<Uint8Array> {
    const matchers = labelNames
      .filter((name) => !sampleLabelNames.has(name))
      .map((name) => `${name}=${JSON.stringify(labels.get(name) ?? '')}`);
    return this.#pprof({
      mode: 'MODE_SINGLE_UNSPECIFIED',
      'single.query': `${type}{${matchers.join(',')}}`,
      'single.time': formatNanos((timeNanos / 1_000_000n) * 1_000_000n),
    });
  }

  async #pprof(
    parameters: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<Uint8Array> {
    const answer = await getJson(this.#client, '/api/profiles/query', {
      ...parameters,
      reportType: 'REPORT_TYPE_PPROF',
    });
    const text = readString(field(answer, 'pprof'));
    if (text !== '') return Buffer.from(text, 'base64');
    throw new AppError('unavailable', `cannot import from ${this.#client.url.href}: no profile`);
  }

  async #range(
    type: string,
    range: NanoRange,
    stepNanos: bigint,
    sumBy: readonly string[],
  ): Promise<unknown> {
    try {
      const answer = await getJson(this.#client, '/api/profiles/query_range', {
        ...bounds(range),
        query: `${type}{}`,
        step: `${stepNanos / 1_000_000_000n}.${String(stepNanos % 1_000_000_000n).padStart(9, '0')}s`,
        sumBy,
      });
      return field(answer, 'series');
    } catch (error) {
      // Parca returns this error if there is no data.
      if (error instanceof AppError && error.code === 'not-found') return [];
      throw error;
    }
  }
}

function bounds({ start, end }: NanoRange): { readonly start: string; readonly end: string } {
  return { start: formatNanos(start), end: formatNanos(end) };
}

function readTime(sample: unknown): bigint {
  return parseRfc3339(readString(field(sample, 'timestamp'))) ?? 0n;
}
