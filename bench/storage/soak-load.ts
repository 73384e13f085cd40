// Uploads for the soak test, and their known sums. An upload can be sent repeatedly with new times.
import { gzipSync } from 'node:zlib';
import { ByteWriter } from '../../src/base/bytes.ts';
import { writeRawRequest } from '../../test/support/grpc-client.ts';
import { generateFleet } from '../fleet/fleet.ts';

/** Tag of pprof's time field, a varint. */
const timeTag = 0x48;

/**
 * Profiles of a series. They have no time, so that each profile can be sent any number of times.
 */
export interface SoakSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly variants: readonly { readonly gzipped: Uint8Array; readonly cpuNanos: bigint }[];
}

/** Generates series with a few different profiles each. */
export function createSoakSeries(seriesCount: number, variantCount: number): SoakSeries[] {
  const all: { labels: Record<string, string>; variants: SoakSeries['variants'][number][] }[] = [];
  const fleet = generateFleet({ series: seriesCount, profilesPerSeries: variantCount });
  for (const { labels, name, plain, series, timeNanos, totals } of fleet) {
    all[series] ??= { labels: { __name__: name, ...labelValues(labels) }, variants: [] };
    const gzipped = gzipSync(withoutTime(plain, timeNanos), { level: 1 });
    all[series].variants.push({ gzipped, cpuNanos: totals[1] });
  }
  return all;
}

function labelValues(labels: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(labels.map(({ name, value }) => [name, value]));
}

/**
 * Returns a request with the series' profile for round `round` and the given time. The time is a
 * separate gzip member before the rest, so the rest is compressed only once.
 */
export function soakRequest(series: SoakSeries, round: number, timeNanos: bigint): Uint8Array {
  const { gzipped } = series.variants[round % series.variants.length];
  const profile = Buffer.concat([gzipSync(timeField(timeNanos), { level: 0 }), gzipped]);
  return writeRawRequest(series.labels, profile);
}

/** Returns the sum of CPU nanoseconds of all series in a round. */
export function soakRoundNanos(all: readonly SoakSeries[], round: number): bigint {
  let sum = 0n;
  for (const { variants } of all) sum += variants[round % variants.length].cpuNanos;
  return sum;
}

function timeField(timeNanos: bigint): Uint8Array {
  const writer = new ByteWriter(16);
  writer.u8(timeTag);
  writer.varintBig(timeNanos);
  return writer.copy();
}

function withoutTime(plain: Uint8Array, timeNanos: bigint): Uint8Array {
  const field = timeField(timeNanos);
  const bytes = Buffer.from(plain.buffer, plain.byteOffset, plain.length);
  const at = bytes.lastIndexOf(field);
  if (at < 0) throw new Error('the profile has no time');
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + field.length)]);
}
