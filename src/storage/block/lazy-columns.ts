// Columns of profiles, each computed on first use.
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';

/** Functions that compute each column. */
export type ColumnMakers = {
  readonly [Name in Exclude<keyof ProfileColumns, 'profileCount'>]: () => ProfileColumns[Name];
};

/** Returns columns that are computed on first use: most queries need only times and totals. */
export function lazyColumns(profileCount: number, make: ColumnMakers): ProfileColumns {
  let timeNanos: BigInt64Array | undefined;
  let durationNanos: BigInt64Array | undefined;
  let period: BigInt64Array | undefined;
  let total: BigInt64Array | undefined;
  let count: Uint32Array | undefined;
  return {
    profileCount,
    get timeNanos() {
      return (timeNanos ??= make.timeNanos());
    },
    get durationNanos() {
      return (durationNanos ??= make.durationNanos());
    },
    get period() {
      return (period ??= make.period());
    },
    get total() {
      return (total ??= make.total());
    },
    get count() {
      return (count ??= make.count());
    },
  };
}

/** Returns the columns of profiles first .. end. */
export function columnsIn(all: ProfileColumns, first: number, end: number): ProfileColumns {
  return lazyColumns(end - first, {
    timeNanos: () => all.timeNanos.subarray(first, end),
    durationNanos: () => all.durationNanos.subarray(first, end),
    period: () => all.period.subarray(first, end),
    total: () => all.total.subarray(first, end),
    count: () => all.count.subarray(first, end),
  });
}
