// Buckets of time of one line in the metrics graph.
import { grown } from '../model/column.ts';
import type { SelectedSeries } from '../storage/interface.ts';
import type { MetricsSeries } from './interface.ts';

const nanosPerSecond = 1e9;

/** What a bucket shows: the sum of its deltas, or the first state of each series. */
export type BucketKind = 'delta' | 'state';

type BucketColumns = Pick<
  MetricsSeries,
  'timeNanos' | 'value' | 'valuePerSecond' | 'durationNanos' | 'count'
>;

/**
 * Sums profiles into buckets of `stepNanos` (0 = a bucket for each moment).
 *
 * A series is in order of time, so the bucket is looked up only when a profile leaves the last
 * one; the rest is words and adds from array to array, a few nanoseconds a profile.
 */
export class Buckets {
  private readonly kind: BucketKind;
  private readonly step: bigint;
  private readonly isScaled: boolean;
  /** Position of each bucket by its start. */
  private readonly positions = new Map<bigint, number>();
  private start = new BigInt64Array(16);
  private value = new BigInt64Array(16);
  private count = new Uint32Array(16);
  /** Earliest profile. */
  private first = new BigInt64Array(16);
  /** Shortest duration of a profile. */
  private duration = new BigInt64Array(16);
  /** 1 when profiles of several moments are in it. */
  private isMixed = new Uint8Array(16);
  /** The bucket of the last profile, -1 at the start of a series, and its end in two words. */
  private bucket = -1;
  private endHigh = 0;
  private endLow = 0;
  /** Times of the series at hand. */
  private words: Int32Array = new Int32Array(0);

  constructor(kind: BucketKind, stepNanos: bigint, isScaled: boolean) {
    this.kind = kind;
    this.step = stepNanos > 0n ? stepNanos : 1n;
    this.isScaled = isScaled;
  }

  /** Adds a whole series with its totals. */
  addSeries(series: SelectedSeries): void {
    this.beginSeries(series);
    for (let i = 0; i < series.profileCount; i += 1) {
      this.addProfile(series, i, series.total, i, series.count[i]);
    }
  }

  /** Comes before the first profile of a series; they follow in order of time. */
  beginSeries({ timeNanos }: SelectedSeries): void {
    this.bucket = -1;
    this.words = new Int32Array(timeNanos.buffer, timeNanos.byteOffset, timeNanos.length * 2);
  }

  /** Adds profile `i` of a series with the value `totals[at]`, the sum of `count` rows. */
  addProfile(
    series: SelectedSeries,
    i: number,
    totals: BigInt64Array,
    at: number,
    count: number,
  ): void {
    const { timeNanos } = series;
    const { words } = this;
    const low = words[i * 2] >>> 0;
    const high = words[i * 2 + 1];
    const isPast = high > this.endHigh || (high === this.endHigh && low >= this.endLow);
    if (this.bucket === -1 || isPast) {
      const start = this.startOf(timeNanos[i]);
      const end = start + this.step;
      this.endHigh = Number(end >> 32n);
      this.endLow = Number(end & 0xffff_ffffn);
      this.bucket = this.positionOf(start, timeNanos[i], series.durationNanos[i]);
      this.note(this.bucket, timeNanos[i], series.durationNanos[i]);
      this.addValue(totals, at, series.period, i);
    } else if (this.kind === 'delta') {
      // Two profiles of one series are of different moments.
      this.isMixed[this.bucket] = 1;
      this.addValue(totals, at, series.period, i);
    }
    this.count[this.bucket] += count;
  }

  finish(isCpuTime: boolean): BucketColumns {
    const size = this.positions.size;
    const order = Uint32Array.from({ length: size }, (_, i) => i);
    const time = this.kind === 'delta' ? this.start : this.first;
    order.sort((a, b) => (time[a] < time[b] ? -1 : 1));
    const columns: BucketColumns = {
      timeNanos: new BigInt64Array(size),
      value: new BigInt64Array(size),
      valuePerSecond: new Float64Array(size),
      durationNanos: new BigInt64Array(size),
      count: new Uint32Array(size),
    };
    order.forEach((bucket, i) => {
      const value = this.value[bucket];
      columns.timeNanos[i] = time[bucket];
      columns.value[i] = value;
      columns.count[i] = this.count[bucket];
      if (this.kind === 'state') {
        columns.valuePerSecond[i] = Number(value);
        return;
      }
      const duration = this.isMixed[bucket] === 1 ? this.step : this.duration[bucket];
      columns.durationNanos[i] = duration;
      const seconds = isCpuTime ? Number(duration) : Number(duration) / nanosPerSecond;
      columns.valuePerSecond[i] = seconds === 0 ? 0 : Number(value) / seconds;
    });
    return columns;
  }

  private addValue(totals: BigInt64Array, at: number, period: BigInt64Array, i: number): void {
    const { value, bucket } = this;
    if (this.isScaled) value[bucket] += BigInt.asIntN(64, totals[at] * period[i]);
    else value[bucket] += totals[at];
  }

  private startOf(time: bigint): bigint {
    const rest = time % this.step;
    return time - (rest < 0n ? rest + this.step : rest);
  }

  private positionOf(start: bigint, time: bigint, duration: bigint): number {
    const known = this.positions.get(start);
    if (known !== undefined) return known;
    const position = this.positions.size;
    this.positions.set(start, position);
    this.start = grown(this.start, position + 1);
    this.value = grown(this.value, position + 1);
    this.count = grown(this.count, position + 1);
    this.first = grown(this.first, position + 1);
    this.duration = grown(this.duration, position + 1);
    this.isMixed = grown(this.isMixed, position + 1);
    this.start[position] = start;
    this.first[position] = time;
    this.duration[position] = duration;
    return position;
  }

  /** Notes the first profile that a series has in a bucket. */
  private note(bucket: number, time: bigint, duration: bigint): void {
    if (time !== this.first[bucket]) this.isMixed[bucket] = 1;
    if (time < this.first[bucket]) this.first[bucket] = time;
    if (duration < this.duration[bucket]) this.duration[bucket] = duration;
  }
}
