// Comparison of what our reader makes of a recording with `jfr print`, stack by stack.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { google } from '../../../proto/gen/pyroscope.js';
import { plainCounts } from '../../../src/formats/reading/imported-profile.ts';
import { decodeJfr } from '../../../src/formats/jfr/decode.ts';
import { readSampleTimes } from '../../../src/formats/testing/read-sample-times.ts';
import { printedSums, type SampleSums } from './jfr-print.ts';

/** Events by the first sample type of the profile that they become. */
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
function readSums(file: string): SampleSums {
  const sums: SampleSums = new Map();
  const context = { timeNanos: 0n, durationNanos: 0n, counts: plainCounts };
  for (const { name, pprof } of decodeJfr(readFileSync(file), context).profiles) {
    // The reader of `pprof-format` fails at fields that it does not know.
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
      // The number of samples of one event of wall time is its weight.
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

/** Compares times of the samples of a stack, of which each is rounded once. */
function compareTimes(key: string, ours: readonly number[], printed: readonly number[]): void {
  assert.equal(ours.length, printed.length, `${key}: number of times`);
  const want = printed.toSorted((a, b) => a - b);
  ours
    .toSorted((a, b) => a - b)
    .forEach((milli, i) => {
      assert.ok(Math.abs(milli - want[i]) <= 1.001, `${key}: ${milli}, printed ${want[i]}`);
    });
}

/**
 * Compares a recording with what the JDK's tool `jfr` prints; returns the events that it has.
 * `isOfWall`: its samples of execution are of wall time, as async-profiler before version 4 wrote
 * them, so those of sleeping threads are no CPU time.
 */
export function compareRecording(jfr: string, file: string, isOfWall = false): Set<string> {
  const [read, printed] = [readSums(file), printedSums(jfr, file)];
  const found = new Set<string>();
  const compared = new Set<string>();
  for (const [key, [count, weight, millis]] of printed) {
    const event = key.slice(0, key.indexOf(' '));
    found.add(event);
    const isExecution = isOfWall && event === 'jdk.ExecutionSample';
    const own = isExecution ? key.replace(event, 'profiler.WallClockSample') : key;
    compared.add(own);
    const isWall = own.startsWith('profiler.WallClockSample');
    const [ours, oursWeight, oursMillis] = read.get(own) ?? [0, 0, []];
    if (!own.startsWith('profiler.LiveObject')) compareTimes(key, oursMillis, millis);
    if (!isWall) assert.equal(ours, count, key);
    // Lengths of time are printed as decimal fractions, and ours are rounded one by one.
    const want = isExecution ? count : weight;
    assert.ok(Math.abs(oursWeight - want) <= (isExecution ? 0 : count), `${key}: ${oursWeight}`);
    if (isExecution) assert.ok((read.get(key)?.[0] ?? 0) <= count, key);
  }
  const isKnown = (key: string): boolean => compared.has(key) || printed.has(key);
  assert.deepEqual(
    [...read.keys()].filter((key) => !isKnown(key)),
    [],
  );
  return found;
}
