// Reads a recording's samples with our reader.
import { readFileSync } from 'node:fs';
import { google } from '../../../proto/gen/pyroscope.js';
import { decodeJfr } from '../../../src/formats/jfr/decode.ts';
import { plainCounts } from '../../../src/formats/reading/imported-profile.ts';
import { readSampleTimes } from '../../../src/formats/testing/read-sample-times.ts';
import type { SampleSums } from './jfr-print.ts';

/** Events, by the first sample type of the profile that is made from them. */
const events: ReadonlyMap<string, string> = new Map([
  ['process_cpu:cpu', 'jdk.ExecutionSample'],
  ['native:samples', 'jdk.NativeMethodSample'],
  ['wall:wall', 'profiler.WallClockSample'],
  ['memory:alloc_in_new_tlab_objects', 'jdk.ObjectAllocationInNewTLAB'],
  ['memory:alloc_outside_tlab_objects', 'jdk.ObjectAllocationOutsideTLAB'],
  ['memory:alloc_sample_objects', 'jdk.ObjectAllocationSample'],
  ['memory:live', 'profiler.LiveObject'],
  ['memory:malloc_objects', 'profiler.Malloc'],
  ['mutex:contentions', 'jdk.JavaMonitorEnter'],
  ['block:contentions', 'jdk.ThreadPark'],
]);

/** Adds up what our reader makes of a recording, as `printedSums` does. */
export function readSums(file: string): SampleSums {
  const sums: SampleSums = new Map();
  const context = { timeNanos: 0n, durationNanos: 0n, counts: plainCounts };
  for (const { name, pprof } of decodeJfr(readFileSync(file), context).profiles) {
    // The reader in `pprof-format` fails if it finds unknown fields.
    const profile = google.v1.Profile.decode(pprof);
    const { stringTable, location, function: functions, sample, sampleType, period } = profile;
    const text = (row: unknown): string => stringTable[Number(row)];
    const event = events.get(`${name}:${text(sampleType[0].type)}`) ?? name;
    const factor = sampleType.length === 1 ? Number(period) : 1;
    const times = readSampleTimes(pprof);
    for (const [row, { locationId, value, label }] of sample.entries()) {
      const stack = locationId.map((id) => {
        const [line] = location[Number(id) - 1].line;
        return `${text(functions[Number(line.functionId) - 1].name)}:${line.line}`;
      });
      const thread = label.find(({ key }) => text(key) === 'thread_name');
      const key = `${event} {${thread === undefined ? '' : text(thread.str)}} ${stack.join(' < ')}`;
      const counted = Number(value[0]) / factor;
      const [count, weight, millis] = sums.get(key) ?? [0, 0, []];
      const own = times[row].map(({ offset }) => (Number(profile.timeNanos) + offset) / 1e6);
      // A wall-time event may count as several samples; its weight is their number.
      const isWall = name === 'wall';
      sums.set(key, [
        isWall ? 0 : count + counted,
        isWall ? weight + counted : weight + Number(value[1] ?? 0),
        [...millis, ...own],
      ]);
    }
  }
  return sums;
}
