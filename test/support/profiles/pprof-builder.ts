// Builds pprof profiles for tests from stacks written as strings, without the product's encoder.
import { gzipSync } from 'node:zlib';
import Long from 'long';
import protobuf from 'protobufjs/minimal.js';

/** The content of a test profile; stacks are written root first: `main;serve;decode`. */
export interface TestProfile {
  /** [type, unit] of each value. */
  readonly sampleTypes: readonly (readonly [string, string])[];
  readonly periodType: readonly [string, string];
  readonly period: bigint;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  /** Path of the only mapping; none by default. */
  readonly binary?: string | undefined;
  /** A stack and its values, one for each sample type. */
  readonly samples: readonly (readonly [string, ...bigint[]])[];
}

/** Makes a CPU profile like Go's, with samples/count and cpu/nanoseconds. */
export function cpuProfile(options: {
  readonly timeNanos: bigint;
  readonly samples: readonly (readonly [string, bigint])[];
  readonly durationNanos?: bigint;
  readonly binary?: string;
}): TestProfile {
  const period = 10_000_000n;
  return {
    sampleTypes: [
      ['samples', 'count'],
      ['cpu', 'nanoseconds'],
    ],
    periodType: ['cpu', 'nanoseconds'],
    period,
    timeNanos: options.timeNanos,
    durationNanos: options.durationNanos ?? 10_000_000_000n,
    binary: options.binary,
    samples: options.samples.map(([stack, count]) => [stack, count, count * period]),
  };
}

/** Encodes and gzips the pprof message. */
export function gzippedPprof(profile: TestProfile): Buffer {
  return gzipSync(encodeProfile(profile), { level: 1 });
}

/** Encodes the pprof message without compression. */
export function encodeProfile(profile: TestProfile): Uint8Array {
  const strings = new Map<string, number>([['', 0]]);
  const intern = (text: string): number => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    strings.set(text, strings.size);
    return strings.size - 1;
  };
  const functions = new Map<string, number>();
  const writer = new protobuf.Writer();
  for (const [type, unit] of profile.sampleTypes) {
    writer.uint32(0x0a).fork();
    writer.uint32(0x08).int32(intern(type)).uint32(0x10).int32(intern(unit)).ldelim();
  }
  for (const [stack, ...values] of profile.samples) {
    const names = stack === '' ? [] : stack.split(';').reverse();
    writer.uint32(0x12).fork();
    writer.uint32(0x0a).fork();
    for (const name of names) {
      if (!functions.has(name)) functions.set(name, functions.size + 1);
      writer.uint32(functions.get(name) ?? 0);
    }
    writer.ldelim();
    writer.uint32(0x12).fork();
    for (const value of values) writer.int64(asLong(value));
    writer.ldelim().ldelim();
  }
  const { binary } = profile;
  if (binary !== undefined) {
    writer.uint32(0x1a).fork().uint32(0x08).uint32(1);
    writer.uint32(0x10).uint32(0x1000).uint32(0x18).uint32(0x100000);
    writer.uint32(0x28).uint32(intern(binary)).ldelim();
  }
  for (const [name, id] of functions) {
    // Each function has one location with its own address.
    writer.uint32(0x22).fork();
    writer.uint32(0x08).uint32(id);
    if (binary !== undefined) writer.uint32(0x10).uint32(1);
    writer.uint32(0x18).uint32(0x1000 + id);
    writer.uint32(0x22).fork().uint32(0x08).uint32(id).uint32(0x10).uint32(id).ldelim();
    writer.ldelim();
    writer.uint32(0x2a).fork();
    writer.uint32(0x08).uint32(id).uint32(0x10).uint32(intern(name));
    writer.uint32(0x18).uint32(intern(name)).uint32(0x20).uint32(intern('test.go'));
    writer.ldelim();
  }
  const [periodType, periodUnit] = profile.periodType;
  writer.uint32(0x48).int64(asLong(profile.timeNanos));
  writer.uint32(0x50).int64(asLong(profile.durationNanos));
  writer.uint32(0x5a).fork().uint32(0x08).int32(intern(periodType));
  writer.uint32(0x10).int32(intern(periodUnit)).ldelim();
  writer.uint32(0x60).int64(asLong(profile.period));
  for (const text of strings.keys()) writer.uint32(0x32).string(text);
  return writer.finish();
}

function asLong(value: bigint): Long {
  return Long.fromString(value.toString());
}
