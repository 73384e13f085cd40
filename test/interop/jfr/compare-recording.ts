// Compares what our reader makes of a recording with `jfr print`, stack by stack.
import assert from 'node:assert/strict';
import type { Recorder } from './compare-converted.ts';
import { printedSums } from './jfr-print.ts';
import { readSums } from './read-sums.ts';

/** Compares the times of a stack's samples, each of which is rounded once. */
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
 * Compares a recording with the output of the JDK's tool `jfr`; returns the events in it. With
 * `wall`, execution samples are wall time, as in async-profiler before version 4, so samples of
 * sleeping threads are not CPU time.
 */
export function compareRecording(jfr: string, file: string, recorder: Recorder): Set<string> {
  const isOfWall = recorder === 'wall';
  const reading = { isNativeC: recorder !== 'jdk', hasCpuOfWall: recorder === 'wall-4' };
  const [read, printed] = [readSums(file), printedSums(jfr, file, reading)];
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
    // Both sides round each duration to nanoseconds, so sums may differ by 1 ns for each event.
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
