// Sample times in an Arrow write: schema metadata that this program adds and other readers ignore.
// The value is a blob of docs/format/sample-times.md in base64, with times by row of the record.
import { AppError } from '../../base/errors.ts';
import { sampleSpanMillisMax } from '../../model/limits.ts';
import { decodeSampleTimes, encodeSampleTimes } from '../../model/profiles/sample-times-codec.ts';
import type { SampleTimes } from '../../model/profiles/sample-times.ts';
import { badRecord } from './bad-record.ts';

/** Key of the metadata. */
export const sampleTimesKey = 'parca_sample_times';

/**
 * Encodes sample times in nanoseconds since 1970, row by row: each sample has an equal share of the
 * value of its row. Undefined if no row has times.
 */
export function encodeRecordTimes(
  rows: readonly (readonly bigint[] | undefined)[],
  values: readonly bigint[],
): string | undefined {
  if (rows.every((times) => times === undefined)) return undefined;
  const start = new Uint32Array(rows.length + 1);
  rows.forEach((times, row) => (start[row + 1] = start[row] + (times?.length ?? 0)));
  const millis = new Float64Array(start[rows.length]);
  rows.forEach((times, row) => {
    const own = millis.subarray(start[row], start[row + 1]);
    times?.forEach((time, i) => (own[i] = Number(time / 1_000_000n)));
    own.sort();
  });
  // If times are far apart, the clock was changed in between. A server would refuse such times.
  if (!areNear(millis)) return undefined;
  const times = { start, millis, values: [undefined] };
  const bytes = encodeSampleTimes(times, [BigInt64Array.from(values)]);
  return Buffer.from(bytes).toString('base64');
}

function areNear(millis: Float64Array): boolean {
  const first = millis.reduce((least, milli) => Math.min(least, milli), Infinity);
  const last = millis.reduce((most, milli) => Math.max(most, milli), 0);
  return last - first <= sampleSpanMillisMax;
}

/** Decodes the times of `rowCount` rows. Errors: as in badRecord. */
export function decodeRecordTimes(text: string, rowCount: number): SampleTimes {
  try {
    return decodeSampleTimes(Buffer.from(text, 'base64'), rowCount);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw badRecord(`metadata ${sampleTimesKey}: ${error.message}`);
  }
}
