// Records the times and totals of copied profiles, and compares them with the store afterwards.
import { labelSetKey } from '../../model/labels.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import { freeContext } from '../free-context.ts';
import type { IncomingProfile, Storage, TimeRange } from '../interface.ts';
import { listProfileTypes } from '../series/stream-key.ts';

/** Times and totals of the profiles of a series. */
interface SeriesTotals {
  readonly times: bigint[];
  readonly totals: bigint[];
}

export class ExpectedTotals {
  readonly #series = new Map<string, SeriesTotals>();

  /** Records the time of a profile, and its total for each of its sample types. */
  add(profile: IncomingProfile): void {
    const { timeNanos, durationNanos, values, rowCount } = profile;
    const types = listProfileTypes({ ...profile, delta: durationNanos !== 0n });
    for (const [valueColumn, type] of types.entries()) {
      const key = seriesKey(formatProfileType(type), profile.labels);
      const series = this.#series.get(key) ?? { times: [], totals: [] };
      this.#series.set(key, series);
      series.times.push(timeNanos);
      series.totals.push(sumValues(values[valueColumn].subarray(0, rowCount)));
    }
  }

  /**
   * Compares the recorded profiles with the store. Returns a sentence for each series in which a
   * profile is missing or different.
   */
  async compare(
    { querier }: Pick<Storage, 'querier'>,
    range: TimeRange,
    source: string,
  ): Promise<string[]> {
    using selection = await querier.select({ matchers: [], profileType: undefined, range });
    const left = new Map(this.#series);
    const missing = [...selection.missing];
    for await (const { series, columns } of selection.profiles(freeContext)) {
      const key = seriesKey(formatProfileType(series.profileType), series.labels);
      const wanted = left.get(key);
      if (wanted === undefined) continue;
      const found = new Set(
        Array.from(columns.timeNanos, (time, i) => `${time} ${columns.total[i]}`),
      );
      const isThere = (time: bigint, i: number): boolean =>
        found.has(`${time} ${wanted.totals[i]}`);
      if (wanted.times.every(isThere)) left.delete(key);
    }
    for (const key of left.keys()) {
      const [type] = key.split('\u0000');
      missing.push(`${source}: a series of ${type} did not arrive whole`);
    }
    return missing;
  }
}

function seriesKey(type: string, labels: IncomingProfile['labels']): string {
  return `${type}\u0000${labelSetKey(labels)}`;
}

/** Returns the sum of a column. An overflow wraps around at 64 bits, as in the sums of a store. */
export function sumValues(values: BigInt64Array): bigint {
  return BigInt.asIntN(
    64,
    values.reduce((sum, value) => sum + value, 0n),
  );
}
