// Profiles as columns, in order of time: everything about each profile except its stacks.

/** Start and duration of a profile or of a step. */
export interface ProfileTimes {
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
}

/**
 * Profiles of one series. Ownership: the columns are often views that are valid only until the next
 * await.
 */
export interface ProfileColumns {
  readonly profileCount: number;
  /** Times of the profiles, ascending. */
  readonly timeNanos: BigInt64Array;
  readonly durationNanos: BigInt64Array;
  readonly period: BigInt64Array;
  /** Sum of the values of the selected type over all rows, for each profile. */
  readonly total: BigInt64Array;
  /** Number of rows with a nonzero value of the selected type, for each profile. */
  readonly count: Uint32Array;
}

export const noProfiles: ProfileColumns = {
  profileCount: 0,
  timeNanos: new BigInt64Array(0),
  durationNanos: new BigInt64Array(0),
  period: new BigInt64Array(0),
  total: new BigInt64Array(0),
  count: new Uint32Array(0),
};

/** Returns a copy that stays valid. */
export function copyColumns(columns: ProfileColumns): ProfileColumns {
  return {
    profileCount: columns.profileCount,
    timeNanos: columns.timeNanos.slice(),
    durationNanos: columns.durationNanos.slice(),
    period: columns.period.slice(),
    total: columns.total.slice(),
    count: columns.count.slice(),
  };
}

/** Merges profiles by time; profiles with the same time stay in the given order. */
export function mergeByTime(all: readonly ProfileColumns[]): ProfileColumns {
  const timeNanos = concat64(all.map((columns) => columns.timeNanos));
  const count = new Uint32Array(timeNanos.length);
  let at = 0;
  for (const columns of all) {
    count.set(columns.count, at);
    at += columns.profileCount;
  }
  const joined = {
    profileCount: timeNanos.length,
    timeNanos,
    durationNanos: concat64(all.map(({ durationNanos }) => durationNanos)),
    period: concat64(all.map(({ period }) => period)),
    total: concat64(all.map(({ total }) => total)),
    count,
  };
  const order = findOrder(timeNanos);
  if (order === undefined) return joined;
  return {
    profileCount: order.length,
    timeNanos: permuted(joined.timeNanos, order),
    durationNanos: permuted(joined.durationNanos, order),
    period: permuted(joined.period, order),
    total: permuted(joined.total, order),
    count: order.map((i) => count[i]),
  };
}

/** Returns the rows sorted by time; undefined if they are already sorted. */
function findOrder(times: BigInt64Array): Uint32Array | undefined {
  let isInOrder = true;
  for (let i = 1; i < times.length && isInOrder; i += 1) isInOrder = times[i - 1] <= times[i];
  if (isInOrder) return undefined;
  // Doubles are compared, because that is much faster. They distinguish all times within 104 days;
  // for times further apart, bigints are compared.
  const rough = new Float64Array(times.length);
  for (let i = 0; i < rough.length; i += 1) rough[i] = Number(times[i] - times[0]);
  const order = Uint32Array.from(times, (_, i) => i);
  return order.sort((a, b) => rough[a] - rough[b] || compare(times[a], times[b]) || a - b);
}

function permuted(column: BigInt64Array, order: Uint32Array): BigInt64Array {
  const result = new BigInt64Array(order.length);
  for (let i = 0; i < order.length; i += 1) result[i] = column[order[i]];
  return result;
}

function concat64(columns: readonly BigInt64Array[]): BigInt64Array {
  const joined = new BigInt64Array(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    joined.set(column, at);
    at += column.length;
  }
  return joined;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
