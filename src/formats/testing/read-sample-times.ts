// Reads the sample times of a pprof message with our own reader.
import { PprofColumns } from '../pprof/columns.ts';
import { decodePprof } from '../pprof/decode.ts';

/** A sample's values, and its time in nanoseconds after the profile's time. */
export interface TimedValues {
  readonly offset: number;
  readonly values: readonly bigint[];
}

/** Returns the times of each sample of a message; none for a sample without times. */
export function readSampleTimes(pprof: Uint8Array): TimedValues[][] {
  const columns = new PprofColumns();
  decodePprof(pprof, columns);
  const { offsets, sampleCount, sampleTypeCount } = columns;
  const times = Array.from({ length: sampleCount }, (): TimedValues[] => []);
  for (let row = 0; row < offsets.count; row += 1) {
    const [from, to] = [offsets.offsetStart[row], offsets.offsetStart[row + 1]];
    for (let at = from; at < to; at += 1) {
      const first = offsets.valueStart[row] + (at - from) * sampleTypeCount;
      const values = [...offsets.values.subarray(first, first + sampleTypeCount)];
      times[offsets.sample[row]].push({ offset: offsets.offsets[at], values });
    }
  }
  return times;
}
