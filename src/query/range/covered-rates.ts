// Rates of the buckets of a graph over the time that profiles cover, consistent with reports.
import { numberAt, asWords } from '../../base/int64.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import { gapSteps, type Timeline, usualStepNanos } from '../../model/profiles/timeline.ts';
import { representedNanos, usualStep } from '../merge/coverage.ts';

/** Buckets of a graph, which are adjacent and of equal width. */
export interface BucketGrid {
  /** Start of the first bucket. */
  readonly startNanos: bigint;
  readonly stepNanos: number;
  readonly count: number;
  /** Offset that is added to the time of every profile. */
  readonly offsetNanos: bigint;
}

/** Meaning of values: sums over the duration of a profile, snapshots, or steps between profiles. */
export type RecordKind = 'delta' | 'state' | 'increase';

/** One series of a line, with its profiles. */
export interface TimedSeries {
  readonly timeline: Timeline;
  /** Profiles in order of time; for an increase, its steps with their start times. */
  readonly columns: Pick<ProfileColumns, 'profileCount' | 'timeNanos' | 'durationNanos' | 'total'>;
}

/** Columns by bucket. */
export interface CoveredBuckets {
  /**
   * Factor that turns the sum of a bucket into its rate per nanosecond, or states into their
   * average; 0 if the time is unknown.
   */
  readonly factor: Float64Array;
  /** Nanoseconds of the bucket in which any series was profiled. */
  readonly coveredNanos: Float64Array;
}

/**
 * Rates of one line, by the rule of `averagingDivisor` in each bucket. The average of a series over
 * its profiles that start in the bucket is multiplied by the time in the bucket in which the series
 * was alive. The sum of these products is divided by the time in which any series was alive.
 * Therefore the average of all buckets, weighted by covered time, is the average of the complete
 * range.
 *
 * If a series is alive in a bucket but none of its profiles starts there, its previous profile is
 * used, because graphs of many programs have buckets that are narrower than the time between
 * profiles. Series that begin or end within a step of each other are treated as if they began or
 * ended together.
 */
export class CoveredRates {
  readonly #grid: BucketGrid;
  readonly #kind: RecordKind;
  readonly #usual: number;
  /** Time from which the line is alive, relative to the start of the first bucket. */
  readonly #from: number;
  readonly #to: number;
  /**
   * Magnitudes of the profiles that start in a bucket, and values spread over the time in which
   * their series were alive.
   */
  readonly #started: Float64Array;
  readonly #spread: Float64Array;
  /** Times in which the line was profiled, as alternating starts and ends. */
  readonly #profiled: number[] = [];
  readonly #series: SeriesSums;

  /** `timelines` has all series of the line; `rangeNanos` is the length of the queried range. */
  constructor(
    series: SeriesSums,
    kind: RecordKind,
    timelines: readonly Timeline[],
    rangeNanos: number,
  ) {
    const { grid } = series;
    this.#series = series;
    this.#grid = grid;
    this.#kind = kind;
    this.#usual = usualStep(timelines, kind !== 'state', rangeNanos);
    const starts = timelines.map((timeline) => this.#start(timeline));
    const ends = timelines.map((timeline) => this.#end(timeline));
    this.#from = starts.reduce((least, one) => Math.min(least, one), Infinity);
    this.#to = ends.reduce((most, one) => Math.max(most, one), -Infinity);
    this.#started = new Float64Array(grid.count);
    this.#spread = new Float64Array(grid.count);
  }

  /** Adds a series. */
  add({ timeline, columns }: TimedSeries): void {
    const { count } = this.#grid;
    const { value, covered, alive, lastRate, moments } = this.#series;
    for (const column of [value, covered, alive]) column.fill(0);
    moments.read(columns, this.#grid);
    if (moments.length === 0) return;
    const start = this.#start(timeline);
    const end = this.#end(timeline);
    // A series that starts or ends within a step of the line is treated like the line.
    const from = start - this.#from < this.#usual ? this.#from : start;
    const to = this.#to - end < this.#usual ? this.#to : end;
    this.#addMoments(timeline, from, to);
    for (let i = 0; i < count; i += 1) {
      if (covered[i] > 0) {
        this.#started[i] += value[i];
        this.#spread[i] += (value[i] / covered[i]) * alive[i];
      } else if (alive[i] > 0) this.#spread[i] += lastRate[i] * alive[i];
    }
  }

  finish(): CoveredBuckets {
    const coveredNanos = this.#unions();
    const factor = this.#started.map((started, i) =>
      started > 0 && coveredNanos[i] > 0 ? this.#spread[i] / started / coveredNanos[i] : 0,
    );
    return { factor, coveredNanos };
  }

  #stepNanos(timeline: Timeline): number {
    return representedNanos(timeline, this.#kind !== 'state', this.#usual);
  }

  #start({ stretches }: Timeline): number {
    return this.#relative(stretches[0].from);
  }

  #end(timeline: Timeline): number {
    const { stretches } = timeline;
    const { to } = stretches[stretches.length - 1];
    const lasts =
      this.#kind === 'increase' ? timeline.lastDurationNanos : this.#stepNanos(timeline);
    return this.#relative(to) + lasts;
  }

  #relative(time: bigint): number {
    return Number(time + this.#grid.offsetNanos - this.#grid.startNanos);
  }

  #addMoments(timeline: Timeline, first: number, end: number): void {
    const { time, duration, value, length } = this.#series.moments;
    const { stepNanos, count } = this.#grid;
    const isIncrease = this.#kind === 'increase';
    const step = this.#stepNanos(timeline);
    // Continuous profiles leave out idle time, but the idle time was also profiled.
    const joined = usualStepNanos(timeline, this.#kind !== 'state', this.#usual);
    for (let i = 0; i < length; i += 1) {
      const spacing = i + 1 < length ? time[i + 1] - time[i] : Infinity;
      const covered = this.#kind === 'state' ? 1 : Math.min(Math.max(duration[i], 0), spacing);
      // A step belongs to the bucket of its end; a profile belongs to the bucket of its start.
      const bucket = Math.floor((isIncrease ? time[i] + duration[i] : time[i]) / stepNanos);
      if (bucket >= 0 && bucket < count) {
        this.#series.value[bucket] += value[i];
        this.#series.covered[bucket] += covered;
      }
      if (covered <= 0) continue;
      const lasts = isIncrease ? duration[i] : spacing > gapSteps * joined ? step : spacing;
      const from = i === 0 ? Math.min(first, time[i]) : time[i];
      const to = i + 1 === length ? Math.max(end, time[i] + lasts) : time[i] + lasts;
      // A step that ends at the start of a bucket belongs to that bucket, so a step includes its
      // end.
      const ownEnd = isIncrease ? 1 : 0;
      this.#addProfiled(from + ownEnd, to + ownEnd);
      const rate = value[i] / covered;
      if (timeline.isContinuous) this.#addAlive(time[i], time[i] + covered, rate);
      else this.#addAlive(from + ownEnd, to + ownEnd, rate);
    }
  }

  /**
   * Adds a time in which the line was profiled; it must be later than the other times of the
   * current series.
   */
  #addProfiled(from: number, to: number): void {
    const profiled = this.#profiled;
    const last = profiled.length - 1;
    // Most profiles begin where the previous one ends.
    if (last > 0 && profiled[last] >= from && profiled[last - 1] <= from) {
      profiled[last] = Math.max(profiled[last], to);
    } else profiled.push(from, to);
  }

  /**
   * Adds a time in which the current series was alive. It must be later than the other times of the
   * series.
   */
  #addAlive(from: number, to: number, rate: number): void {
    const { stepNanos, count } = this.#grid;
    const end = Math.min(count - 1, Math.ceil(to / stepNanos) - 1);
    for (let i = Math.max(0, Math.floor(from / stepNanos)); i <= end; i += 1) {
      const start = i * stepNanos;
      this.#series.alive[i] += Math.min(to, start + stepNanos) - Math.max(from, start);
      this.#series.lastRate[i] = rate;
    }
  }

  /** Returns the time in which the line was profiled, by bucket. */
  #unions(): Float64Array {
    const { stepNanos, count } = this.#grid;
    const unions = new Float64Array(count);
    const profiled = this.#profiled;
    const order = Array.from({ length: profiled.length / 2 }, (_, i) => i * 2);
    order.sort((a, b) => profiled[a] - profiled[b]);
    let end = -Infinity;
    for (const i of order) {
      const from = Math.max(profiled[i], end);
      const to = profiled[i + 1];
      if (to <= from) continue;
      end = to;
      const last = Math.min(count - 1, Math.ceil(to / stepNanos) - 1);
      for (let at = Math.max(0, Math.floor(from / stepNanos)); at <= last; at += 1) {
        const start = at * stepNanos;
        unions[at] += Math.min(to, start + stepNanos) - Math.max(from, start);
      }
    }
    return unions;
  }
}

/** Sums by bucket for one series at a time. All lines of a graph share this memory. */
export class SeriesSums {
  readonly grid: BucketGrid;
  readonly moments = new Moments();
  /** Magnitude and covered time of the profiles that start in the bucket. */
  readonly value: Float64Array;
  readonly covered: Float64Array;
  /** Time in which the series was alive, and its rate in that time. */
  readonly alive: Float64Array;
  readonly lastRate: Float64Array;

  constructor(grid: BucketGrid) {
    this.grid = grid;
    this.value = new Float64Array(grid.count);
    this.covered = new Float64Array(grid.count);
    this.alive = new Float64Array(grid.count);
    this.lastRate = new Float64Array(grid.count);
  }
}

/**
 * The times of a series: profiles with the same time are treated as one profile with the longest
 * duration.
 */
class Moments {
  length = 0;
  time = new Float64Array(64);
  duration = new Float64Array(64);
  value = new Float64Array(64);

  /** Reads profiles; times are relative to the start of the grid. */
  read(
    { profileCount, timeNanos, durationNanos, total }: TimedSeries['columns'],
    { startNanos, offsetNanos }: BucketGrid,
  ): void {
    if (profileCount > this.time.length) {
      this.time = new Float64Array(profileCount);
      this.duration = new Float64Array(profileCount);
      this.value = new Float64Array(profileCount);
    }
    const times = asWords(timeNanos);
    const totals = asWords(total);
    const durations = asWords(durationNanos);
    const origin = asWords(BigInt64Array.of(startNanos - offsetNanos));
    const [originLow, originHigh] = [origin[0] >>> 0, origin[1]];
    let at = -1;
    let before = Number.NaN;
    for (let i = 0; i < profileCount; i += 1) {
      // The words are subtracted separately, which is exact. A double for the complete time would
      // be off by a few hundred nanoseconds.
      const high = times[i * 2 + 1] - originHigh;
      const time = high * 0x1_0000_0000 + ((times[i * 2] >>> 0) - originLow);
      const magnitude = Math.abs(numberAt(totals, i));
      const duration = numberAt(durations, i);
      if (time === before) {
        this.value[at] += magnitude;
        if (duration > this.duration[at]) this.duration[at] = duration;
        continue;
      }
      at += 1;
      before = time;
      this.time[at] = time;
      this.duration[at] = duration;
      this.value[at] = magnitude;
    }
    this.length = at + 1;
  }
}
