// Compares what our reader makes of a recording with async-profiler's converter, stack by stack.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { formatClassName } from '../../../src/formats/jfr/frames.ts';
import type { SampleSums } from './jfr-print.ts';
import { readSums } from './read-sums.ts';

/** A kind of sample that the converter can select. */
interface Kind {
  readonly flag: string;
  readonly events: readonly string[];
  /** True if the last frame is an object's class. */
  readonly hasClass?: boolean;
  /** True if our weights are the sums that the converter prints with `--total`. */
  readonly hasTotal?: boolean;
}

const kinds: readonly Kind[] = [
  {
    flag: '--alloc',
    events: [
      'jdk.ObjectAllocationInNewTLAB',
      'jdk.ObjectAllocationOutsideTLAB',
      'jdk.ObjectAllocationSample',
    ],
    hasClass: true,
    hasTotal: true,
  },
  { flag: '--live', events: ['profiler.LiveObject'], hasClass: true },
  {
    flag: '--lock',
    events: ['jdk.JavaMonitorEnter', 'jdk.ThreadPark'],
    hasClass: true,
    hasTotal: true,
  },
  { flag: '--nativemem', events: ['profiler.Malloc'], hasTotal: true },
];

/**
 * Suffixes of an object's class: for objects allocated inside and outside a thread-local buffer.
 */
const classForm = /_\[[ik]\]$/;

/** Programs that convert recordings. */
export interface Converter {
  readonly java: string;
  readonly jar: string;
}

/**
 * Recorder of a recording. `profiler` is async-profiler from version 3 on; `wall` and `wall-4` are
 * async-profiler with `event=wall` before version 4, and from version 4 on.
 */
export type Recorder = 'jdk' | 'profiler-2' | 'profiler' | 'wall' | 'wall-4';

/** The flag `--cpu` selects a thread state that the other recorders do not write. */
const executed: Kind = {
  flag: '--wall',
  events: ['jdk.ExecutionSample', 'jdk.NativeMethodSample'],
};
const wall: Kind = { flag: '--wall', events: ['profiler.WallClockSample'] };

const sampledKinds: Readonly<Record<Recorder, readonly Kind[]>> = {
  jdk: [executed],
  'profiler-2': [executed],
  profiler: [{ flag: '--cpu', events: ['jdk.ExecutionSample'] }, wall],
  wall: [wall],
  'wall-4': [wall],
};

/** Compares a recording with what the converter makes of it; returns the number of stacks. */
export function compareConverted(converter: Converter, file: string, recorder: Recorder): number {
  const read = readSums(file);
  let stacks = 0;
  for (const kind of [...sampledKinds[recorder], ...kinds]) {
    const ours = sumsOf(kind, read);
    const counts = convert(converter, file, kind, recorder, []);
    for (const key of ours.keys()) {
      // The converter leaves out samples whose stack is not in the recording.
      if (key.endsWith('} [unknown]:0') && !counts.has(key)) ours.delete(key);
    }
    const counted = Array.from(ours, ([key, [count]]) => `${key} ${count}`);
    const want = Array.from(counts, ([key, count]) => `${key} ${count}`);
    assert.deepEqual(counted.sort(), want.sort(), kind.flag);
    stacks += counts.size;
    if (kind.hasTotal !== true) continue;
    const totals = convert(converter, file, kind, recorder, ['--total']);
    for (const [key, [count, weight]] of ours) {
      // We round each duration, and the converter rounds their sum.
      const most = kind.flag === '--lock' ? count : 0;
      const total = totals.get(key) ?? 0;
      assert.ok(Math.abs(weight - total) <= most, `${kind.flag} ${key}: ${weight}, not ${total}`);
    }
  }
  return stacks;
}

/** Adds up the numbers of samples and the weights of a kind, by thread and stack. */
function sumsOf({ events }: Kind, read: SampleSums): Map<string, [number, number]> {
  const sums = new Map<string, [number, number]>();
  for (const [key, [count, weight]] of read) {
    const [event] = key.split(' ', 1);
    if (!events.includes(event)) continue;
    const own = key.slice(event.length + 1);
    const [counted, weighed] = sums.get(own) ?? [0, 0];
    // A wall-time event may count as several samples; its weight is their number.
    const isWall = event === 'profiler.WallClockSample';
    sums.set(own, [counted + (isWall ? weight : count), weighed + weight]);
  }
  return sums;
}

/** Returns the converter's sums by thread and stack. */
function convert(
  { java, jar }: Converter,
  file: string,
  { flag, hasClass }: Kind,
  recorder: Recorder,
  more: readonly string[],
): Map<string, number> {
  const into = `${file}.collapsed`;
  const flags = [flag, ...more, '--output', 'collapsed', '--threads', '--lines'];
  execFileSync(java, ['-jar', jar, ...flags, file, into], { stdio: 'pipe' });
  const sums = new Map<string, number>();
  for (const line of readFileSync(into, 'utf8').split('\n')) {
    if (line === '') continue;
    const at = line.lastIndexOf(' ');
    const [thread, ...frames] = line.slice(0, at).split(';');
    if (hasClass === true && classForm.test(frames.at(-1) ?? '')) frames.pop();
    const stack = frames.length === 0 ? '[unknown]:0' : frames.toReversed().map(frame).join(' < ');
    // async-profiler names an unnamed thread by its number when it records.
    const unnamed = recorder === 'jdk' ? '' : thread;
    const name = /^\[(.*) tid=\d+\]$/.exec(thread)?.[1] ?? unnamed;
    const key = `{${name}} ${stack}`;
    sums.set(key, (sums.get(key) ?? 0) + Number(line.slice(at + 1)));
  }
  return sums;
}

/** Returns a frame of the converter, such as `java/util/List.add:12_[j]`, as we name it. */
function frame(text: string): string {
  const [, name, line, suffix] = /^(.*?)(?::(\d+))?(_\[\w\])?$/.exec(text) ?? [];
  // C functions have neither a line nor a suffix; kernel functions have their own suffix.
  const isJava = line !== undefined || (suffix !== undefined && suffix !== '_[k]');
  const at = name.lastIndexOf('.');
  const full = isJava && at > 0 ? `${formatClassName(name.slice(0, at))}${name.slice(at)}` : name;
  // The converter does not mark unknown lines.
  return `${full}:${line === '65535' ? '0' : (line ?? '0')}`;
}
