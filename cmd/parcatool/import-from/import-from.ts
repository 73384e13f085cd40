// `parcatool import-from`: copies the data of another server hour by hour, and compares the sums.
import { AppError } from '../../../src/base/errors.ts';
import { createClock } from '../../../src/base/node/clock.ts';
import { counted } from '../../../src/base/text/counted.ts';
import { parseRfc3339 } from '../../../src/base/text/instant.ts';
import { printable } from '../../../src/base/printable.ts';
import { formatNanos } from '../../../src/api/transport/json/time.ts';
import {
  encodeWriteRaw,
  type SeriesProfile,
  writeRawMethod,
} from '../../../src/forward/write-raw.ts';
import { call } from '../shared/client.ts';
import type { FailedOutput } from '../shared/command.ts';
import { type Options, serverUrl, takeLogin } from '../shared/options.ts';
import { History, type NanoRange, type StoredSeries } from './history.ts';
import { type PlannedRequest, planRequests, type WantedProfile } from './plan-requests.ts';
import { type MergedProfile, readMerged, sumValues, writePart } from './split-profile.ts';

/** Length in nanoseconds of the ranges that are copied and compared one after another. */
const chunkNanos = 3_600_000_000_000n;
/** Concurrent requests to the source server. */
const parallel = 4;
/** Maximum number of bytes of profiles in one request to the destination. */
const requestBytesMax = 4 * 1024 * 1024;
/**
 * Milliseconds between writes, and between progress lines. Parca may take a second for each
 * request. The time is short, because a command that is stopped loses the profiles that it has not
 * written yet.
 */
const writeMillis = 5_000;

/** Counts for one profile type. */
interface Copied {
  readonly series: Set<string>;
  /** Profiles that were copied now, and profiles that existed already. */
  profiles: number;
  known: number;
  /** Sum of all values on the source server. */
  value: bigint;
  readonly problems: string[];
}

/**
 * Copies all types in a range, and prints how much was copied. Fails if the sums on both servers
 * differ afterwards.
 */
export async function importFrom(
  [address]: readonly string[],
  options: Options,
): Promise<FailedOutput> {
  const { client, profileType, deletes, sourceTokenFile } = options;
  const { authorityFile, clientCertFile, clientKeyFile, timeoutMillis, warn } = client;
  const url = serverUrl(address, 'the argument of import-from');
  const login = takeLogin(url);
  const source = new History({
    url,
    timeoutMillis,
    bearerTokenFile: sourceTokenFile,
    ...(login.user === '' ? {} : { login: { ...login, passwordFile: '' } }),
    ...(authorityFile === undefined ? {} : { authorityFile }),
    ...(clientCertFile === undefined ? {} : { clientCertFile }),
    ...(clientKeyFile === undefined ? {} : { clientKeyFile }),
    ...(warn === undefined ? {} : { warn }),
  });
  const whole = { start: parseNanos(options.from), end: parseNanos(options.to) };
  const types = (await source.types(whole)).filter(
    (type) => profileType === '' || type === profileType,
  );
  if (types.length === 0) throw new AppError('not-found', 'nothing to import in this range');
  const importer = new Importer(source, options, deletes.isDryRun);
  const lines: string[] = [];
  let isFailed = false;
  for (const type of types) {
    const copied = await importer.copyType(type, whole);
    isFailed ||= copied.problems.length > 0;
    lines.push(...copied.problems, formatLine(type, copied, deletes.isDryRun));
  }
  return { text: lines.map((line) => `${printable(line)}\n`).join(''), isFailed };
}

function formatLine(
  type: string,
  { series, profiles, known, value }: Copied,
  isDryRun: boolean,
): string {
  const verb = isDryRun ? 'would copy' : 'copied';
  const before = known === 0 ? '' : `, ${counted(known, 'profile')} were there`;
  const sum = `sum ${value}`;
  return `${type}: ${verb} ${counted(profiles, 'profile')} of ${counted(series.size, 'series', 'series')}${before}, ${sum}`;
}

/** Copies types from one server to another. */
class Importer {
  readonly #source: History;
  readonly #target: History;
  readonly #options: Options;
  readonly #isDryRun: boolean;
  readonly #clock = createClock();
  /**
   * Sampling period of each series. It is needed for responses that contain only the time that
   * samples represent.
   */
  readonly #periods = new Map<string, bigint>();

  constructor(source: History, options: Options, isDryRun: boolean) {
    this.#source = source;
    this.#target = new History(options.client);
    this.#options = options;
    this.#isDryRun = isDryRun;
  }

  async copyType(type: string, whole: NanoRange): Promise<Copied> {
    const copied: Copied = { series: new Set(), profiles: 0, known: 0, value: 0n, problems: [] };
    this.#periods.clear();
    const starts = [...(await this.#source.usedSteps(type, whole, chunkNanos))];
    starts.sort((a, b) => (a < b ? -1 : 1));
    for (const start of starts) {
      const last = start + chunkNanos - 1n;
      const range = {
        start: start < whole.start ? whole.start : start,
        end: last > whole.end ? whole.end : last,
      };
      if (range.start <= range.end) await this.#copyChunk(type, range, copied);
    }
    return copied;
  }

  async #copyChunk(type: string, range: NanoRange, copied: Copied): Promise<void> {
    const labelNames = await this.#source.labelNames(type, range);
    const requests = planRequests(await this.#source.series(type, range, labelNames), range);
    const wanted = requests.flatMap(({ profiles }) => profiles);
    for (const { key, value } of wanted) {
      copied.series.add(key);
      copied.value += value;
    }
    const there = await this.#target.series(type, range, labelNames);
    const missing = requests
      .map((request) => ({
        ...request,
        profiles: request.profiles.filter((one) => valueAt(there, one) === undefined),
      }))
      .filter(({ profiles }) => profiles.length > 0);
    const count = countProfiles(missing);
    copied.profiles += count;
    copied.known += wanted.length - count;
    if (this.#isDryRun) return;
    await this.#copyProfiles(type, range, missing, labelNames);
    const after = await this.#target.series(type, range, labelNames);
    for (const one of wanted) {
      const found = valueAt(after, one);
      if ((found ?? 0n) === one.value) continue;
      const what = found === undefined ? 'is missing' : `has the sum ${found}, not ${one.value}`;
      copied.problems.push(`${type}${formatSeries(one)} of ${formatNanos(one.timeNanos)} ${what}`);
    }
  }

  /** Requests several profiles at the same time, but writes them in order. */
  async #copyProfiles(
    type: string,
    { start, end }: NanoRange,
    requests: readonly PlannedRequest[],
    labelNames: readonly string[],
  ): Promise<void> {
    const count = countProfiles(requests);
    let batch: SeriesProfile[] = [];
    let bytes = 0;
    let written = 0;
    const write = async (): Promise<void> => {
      for (const message of encodeWriteRaw(batch, requestBytesMax)) {
        await call(this.#options.client, writeRawMethod, new Uint8Array(message));
      }
      written += batch.length;
      batch = [];
      bytes = 0;
    };
    let lastMillis = this.#clock.monotonicMillis();
    for (let i = 0; i < requests.length; i += parallel) {
      const some = requests.slice(i, i + parallel);
      const fetched = await Promise.all(some.map((one) => this.#fetch(type, one, labelNames)));
      for (const profile of fetched.flat()) {
        batch.push(profile);
        bytes += profile.profile.length;
      }
      const isDue = this.#clock.monotonicMillis() - lastMillis >= writeMillis;
      if (bytes >= requestBytesMax || isDue) await write();
      if (!isDue) continue;
      lastMillis = this.#clock.monotonicMillis();
      const times = `${formatNanos(start)} to ${formatNanos(end)}`;
      this.#options.note?.(`${type}: copied ${written} of ${count} profiles from ${times}`);
    }
    if (batch.length > 0) await write();
  }

  async #fetch(
    type: string,
    { range, profiles }: PlannedRequest,
    labelNames: readonly string[],
  ): Promise<SeriesProfile[]> {
    const merged = readMerged(await this.#source.merged(type, range, labelNames));
    const made: SeriesProfile[] = [];
    for (const wanted of profiles) {
      made.push(await this.#make(type, merged, wanted, labelNames));
    }
    return made;
  }

  async #make(
    type: string,
    merged: MergedProfile,
    wanted: WantedProfile,
    labelNames: readonly string[],
  ): Promise<SeriesProfile> {
    const [name, sampleType, sampleUnit, periodType, periodUnit] = type.split(':');
    const samples = merged.samplesOf.get(wanted.key) ?? [];
    const isScaled = merged.sampleType.join(':') !== `${sampleType}:${sampleUnit}`;
    const isCount = sampleType === 'samples' && sampleUnit === 'count';
    const sum =
      sumValues(samples) * (isCount && !isScaled && merged.period > 0n ? merged.period : 1n);
    const where = `${type}${formatSeries(wanted)} of ${formatNanos(wanted.timeNanos)}`;
    if (sum !== wanted.value) {
      const why = `its profile has the sum ${sum}, its graph ${wanted.value}`;
      throw new AppError('unavailable', `cannot import ${where}: ${why}`);
    }
    const divisor = isScaled ? await this.#fetchPeriod(type, wanted, labelNames) : 1n;
    if (samples.some(({ value }) => value % divisor !== 0n)) {
      const why = `values are no multiples of the period ${divisor}`;
      throw new AppError('unavailable', `cannot import ${where}: ${why}`);
    }
    const profile = writePart(merged, samples, {
      sampleType: [sampleType, sampleUnit],
      periodType: [periodType, periodUnit],
      period: isScaled ? divisor : merged.period,
      timeNanos: wanted.timeNanos,
      durationNanos: wanted.durationNanos,
      divisor,
    });
    const labels = [...wanted.labels].map(([label, value]) => ({ name: label, value }));
    return { name, labels, profile, areFileAddresses: true };
  }

  /**
   * Returns the period of a series. Parca multiplies sample counts by it, except in a single
   * profile.
   */
  async #fetchPeriod(
    type: string,
    { key, labels, timeNanos }: WantedProfile,
    labelNames: readonly string[],
  ): Promise<bigint> {
    const known = this.#periods.get(key);
    if (known !== undefined) return known;
    const milli = 1_000_000n;
    const start = (timeNanos / milli) * milli;
    // The first profile in a window may be later than the window's start.
    const series = await this.#source.series(type, { start, end: start + chunkNanos }, labelNames);
    const times = [...(series.get(key)?.profiles ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
    const first = (times[0][0] / milli) * milli;
    const scaled = times
      .filter(([time]) => (time / milli) * milli === first)
      .reduce((sum, [, { value }]) => sum + value, 0n);
    const single = readMerged(await this.#source.single(type, first, labels, labelNames));
    const count = sumValues([...single.samplesOf.values()].flat());
    if (count === 0n || scaled % count !== 0n) {
      const why = `${count} samples cannot mean ${scaled}`;
      throw new AppError('unavailable', `cannot import ${type}${formatSeries({ labels })}: ${why}`);
    }
    this.#periods.set(key, scaled / count);
    return scaled / count;
  }
}

function countProfiles(requests: readonly PlannedRequest[]): number {
  return requests.reduce((sum, { profiles }) => sum + profiles.length, 0);
}

function valueAt(
  found: ReadonlyMap<string, StoredSeries>,
  { key, timeNanos }: WantedProfile,
): bigint | undefined {
  return found.get(key)?.profiles.get(timeNanos)?.value;
}

function formatSeries({ labels }: Pick<WantedProfile, 'labels'>): string {
  return `{${[...labels].map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ')}}`;
}

function parseNanos(time: string): bigint {
  return parseRfc3339(time) ?? 0n;
}
