// Compares buckets of random profiles with a naive evaluation, with and without running sums.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { floorTo } from '../../base/int64.ts';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { toColumns } from '../../model/profiles/testing/to-columns.ts';
import type { ProfileRun, RunningSums } from '../selection.ts';
import { Buckets, type BucketKind, type BucketTimes } from './buckets.ts';

const random = seededRandom(3);

interface Profile {
  readonly time: bigint;
  readonly duration: bigint;
  readonly total: bigint;
  readonly count: number;
}

/**
 * Returns profiles in order of time. Many have a nearly constant interval, some have the same time,
 * and some are far apart.
 */
function randomSeries(count: number, origin: bigint): Profile[] {
  let time = origin + BigInt(randomBelow(random, 5_000));
  return Array.from({ length: count }, () => {
    const kind = randomBelow(random, 20);
    if (kind > 1) time += BigInt(8 + randomBelow(random, 4));
    else if (kind === 1) time += BigInt(randomBelow(random, 900));
    const total = BigInt(randomBelow(random, 1_000)) * 2n ** 40n - 2n ** 48n;
    return { time, total, duration: BigInt(randomBelow(random, 9)), count: randomBelow(random, 5) };
  });
}

/** Splits a series into runs, as parts do. Profiles with the same time stay in the same run. */
function cutIntoRuns(series: readonly Profile[], hasSums: boolean): ProfileRun[] {
  const runs: Profile[][] = [];
  for (const profile of series) {
    const last = runs.at(-1);
    const goesOn = last?.at(-1)?.time === profile.time || randomBelow(random, 50) > 0;
    if (last !== undefined && goesOn) last.push(profile);
    else runs.push([profile]);
  }
  return runs.map((run) => {
    const columns = toColumns(
      run.map(({ time, duration, total, count }) => {
        return { timeNanos: time, durationNanos: duration, period: 0n, total, count };
      }),
    );
    return { columns, sums: hasSums ? runningSums(run) : undefined };
  });
}

function runningSums(run: readonly Profile[]): RunningSums {
  // Only differences of running sums matter, so these can start with any number.
  let total = 77n;
  let count = 2 ** 32 - 3;
  const before = [{ total, count }];
  for (const profile of run) {
    total += profile.total;
    count += profile.count;
    before.push({ total, count });
  }
  return {
    total: BigInt64Array.from(before, (at) => at.total),
    count: Uint32Array.from(before, (at) => at.count),
  };
}

/** Returns a line "time value count duration" for each bucket. */
function evaluate(all: Profile[][], kind: BucketKind, times: BucketTimes): string[] {
  const { stepNanos, offsetNanos } = times;
  const buckets = new Map<bigint, { start: bigint; moments: Profile[][] }>();
  for (const series of all) {
    const moments = Map.groupBy(series, ({ time }) => time + offsetNanos);
    for (const [time, profiles] of moments) {
      const start = floorTo(time, stepNanos);
      const bucket = buckets.get(start) ?? { start, moments: [] };
      buckets.set(start, bucket);
      bucket.moments.push(profiles);
    }
  }
  const sorted = [...buckets.values()].sort((a, b) => (a.start < b.start ? -1 : 1));
  return sorted.map(({ start, moments }) => {
    const profiles = moments.flat();
    const seen = new Set<Profile[]>();
    // In a bucket of states, each series counts only with its profiles of the earliest time.
    const shown = moments.filter((moment) => {
      const owner = all.find((series) => series.includes(moment[0])) ?? [];
      const isFirst = !seen.has(owner);
      seen.add(owner);
      return kind === 'delta' || isFirst;
    });
    const value = shown.flat().reduce((sum, { total }) => sum + total, 0n);
    const count = profiles.reduce((sum, one) => sum + one.count, 0);
    const earliest = profiles.reduce((a, b) => (a.time < b.time ? a : b)).time + offsetNanos;
    const isOneMoment = profiles.every(({ time }) => time === profiles[0].time);
    const shortest = profiles.reduce((a, b) => (a.duration < b.duration ? a : b)).duration;
    const duration = kind === 'state' ? 0n : isOneMoment ? shortest : stepNanos;
    // If a bucket would begin before the smallest int64, it is shown at the smallest int64.
    const shownStart = start < -(2n ** 63n) ? -(2n ** 63n) : start;
    return `${kind === 'delta' ? shownStart : earliest} ${value} ${count} ${duration}`;
  });
}

function check(all: Profile[][], kind: BucketKind, times: BucketTimes, hasSums: boolean): void {
  const buckets = new Buckets(kind, times, false);
  for (const series of all) {
    buckets.beginSeries();
    for (const { columns, sums } of cutIntoRuns(series, hasSums))
      buckets.addProfiles(columns, sums);
  }
  const { startNanos, firstNanos, value, count, durationNanos, isMixed } = buckets.finish();
  const timeNanos = kind === 'delta' ? startNanos : firstNanos;
  const order = Array.from(timeNanos.keys()).sort((a, b) => (timeNanos[a] < timeNanos[b] ? -1 : 1));
  const lines = order.map((i) => {
    const lasts = isMixed[i] === 1 ? times.stepNanos : durationNanos[i];
    return `${timeNanos[i]} ${value[i]} ${count[i]} ${kind === 'state' ? 0n : lasts}`;
  });
  assert.deepEqual(lines, evaluate(all, kind, times));
}

for (const kind of ['delta', 'state'] as const) {
  test(`${kind}: buckets of any width, of series that begin at any time`, () => {
    for (const stepNanos of [1n, 10n, 97n, 640n, 100_000n]) {
      for (const offsetNanos of [0n, -1_234n]) {
        const all = [300, 0, 120, 1, 500].map((count) => randomSeries(count, -2_000n));
        for (const hasSums of [false, true]) check(all, kind, { stepNanos, offsetNanos }, hasSums);
      }
    }
  });

  test(`${kind}: buckets at the ends of time`, () => {
    const origins = [-(2n ** 63n), 2n ** 63n - 30_000n];
    const all = origins.map((origin) => randomSeries(200, origin));
    check(all, kind, { stepNanos: 640n, offsetNanos: 0n }, true);
  });
}
