// Writes profiles of the generated fleet as pprof messages, with tables in Go's order.
import { type Random, randomBelow } from '../../src/base/random.ts';
import { ProtobufWriter } from '../../src/formats/protobuf-writer.ts';
import type { FleetBinary, FleetFrame, FleetProgram } from './universe.ts';

export interface CpuProfileMeta {
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  readonly periodNanos: bigint;
}

/** Assigns ids, starting at 1, to keys in the order in which they first occur. */
class Ids<K> {
  readonly keys: K[] = [];
  readonly #ids = new Map<K, number>();

  id(key: K): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    this.keys.push(key);
    this.#ids.set(key, this.keys.length);
    return this.keys.length;
  }
}

/** A pprof message under construction; string id 0 is "". */
class ProfileMessage {
  readonly writer = new ProtobufWriter();
  readonly #strings = new Ids<string>();

  string(text: string): number {
    return text === '' ? 0 : this.#strings.id(text);
  }

  valueType(field: number, type: string, unit: string): void {
    const nested = this.writer.begin(field);
    this.writer.uint(1, this.string(type));
    this.writer.uint(2, this.string(unit));
    this.writer.end(nested);
  }

  packed(field: number, values: readonly number[]): void {
    const nested = this.writer.begin(field);
    for (const value of values) this.writer.varint(value);
    this.writer.end(nested);
  }

  mapping(id: number, start: number, limit: number, binary: FleetBinary): void {
    const { writer } = this;
    const nested = writer.begin(3);
    writer.uint(1, id);
    writer.uint(2, start);
    writer.uint(3, limit);
    writer.uint(5, this.string(binary.path));
    writer.uint(6, this.string(binary.buildId));
    for (const flag of [7, 8, 9]) writer.uint(flag, 1);
    writer.end(nested);
  }

  finish(): Uint8Array {
    const encoder = new TextEncoder();
    for (const text of ['', ...this.#strings.keys]) this.writer.bytesField(6, encoder.encode(text));
    return this.writer.finish().slice();
  }
}

const programStart = 0x40_0000;
const runtimeStart = 0x7f12_3456_0000;
const mappingBytes = 0x100_0000;

/**
 * Writes a CPU profile with a sample for each entry of `counts`, which maps a stack of the program
 * to its number of samples.
 */
export function writeCpuProfile(
  runtime: FleetBinary,
  program: FleetProgram,
  counts: ReadonlyMap<number, number>,
  meta: CpuProfileMeta,
): Uint8Array {
  const message = new ProfileMessage();
  const { writer } = message;
  message.valueType(1, 'samples', 'count');
  message.valueType(1, 'cpu', 'nanoseconds');
  const locations = new Ids<FleetFrame>();
  for (const [stack, count] of counts) {
    const sample = writer.begin(2);
    message.packed(
      1,
      program.stacks[stack].map((frame) => locations.id(frame)),
    );
    message.packed(2, [count, count * Number(meta.periodNanos)]);
    writer.end(sample);
  }
  message.mapping(1, programStart, programStart + mappingBytes, program.binary);
  message.mapping(2, runtimeStart, runtimeStart + mappingBytes, runtime);
  writeSymbols(message, locations.keys, [runtime, program.binary]);
  writer.int64(9, meta.timeNanos);
  writer.int64(10, meta.durationNanos);
  message.valueType(11, 'cpu', 'nanoseconds');
  writer.int64(12, meta.periodNanos);
  return message.finish();
}

function writeSymbols(
  message: ProfileMessage,
  frames: readonly FleetFrame[],
  binaries: readonly FleetBinary[],
): void {
  const { writer } = message;
  const functions = new Ids<number>();
  frames.forEach((frame, i) => {
    const inProgram = frame % 2;
    const location = binaries[inProgram].locations[frame >> 1];
    const nested = writer.begin(4);
    writer.uint(1, i + 1);
    writer.uint(2, inProgram === 1 ? 1 : 2);
    writer.uint(3, location.address + (inProgram === 1 ? 0 : runtimeStart));
    for (const { functionIndex, line } of location.lines) {
      const lineMessage = writer.begin(4);
      writer.uint(1, functions.id(functionIndex * 2 + inProgram));
      writer.uint(2, line);
      writer.end(lineMessage);
    }
    writer.end(nested);
  });
  functions.keys.forEach((key, i) => {
    const { name, file, startLine } = binaries[key % 2].functions[key >> 1];
    const nested = writer.begin(5);
    writer.uint(1, i + 1);
    writer.uint(2, message.string(name));
    writer.uint(3, message.string(name));
    writer.uint(4, message.string(file));
    writer.uint(5, startLine);
    writer.end(nested);
  });
}

/**
 * Writes a profile with many samples and few symbols, like Go's heap profile: four values and a
 * numeric label "bytes" per sample, and a binary without a build id.
 */
export function writeHeapProfile(
  random: Random,
  program: FleetProgram,
  sampleCount = 13_500,
  depth = 20,
): Uint8Array {
  const message = new ProfileMessage();
  const { writer } = message;
  message.valueType(1, 'alloc_objects', 'count');
  message.valueType(1, 'alloc_space', 'bytes');
  message.valueType(1, 'inuse_objects', 'count');
  message.valueType(1, 'inuse_space', 'bytes');
  const locations = new Ids<FleetFrame>();
  const { stacks } = program;
  for (let i = 0; i < sampleCount; i += 1) {
    const size = 16 << randomBelow(random, 12);
    const objects = 1 + randomBelow(random, 5_000);
    const live = randomBelow(random, 4) === 0 ? randomBelow(random, objects) : 0;
    // Combines the leaf of one stack with the trunk of another stack, so that a few locations make
    // many stacks.
    const frames = [
      ...stacks[randomBelow(random, 500)].slice(0, 3),
      ...stacks[randomBelow(random, 500)].slice(3 - depth),
    ];
    const sample = writer.begin(2);
    message.packed(
      1,
      frames.map((frame) => locations.id(frame | 1)),
    );
    message.packed(2, [objects, objects * size, live, live * size]);
    const label = writer.begin(3);
    writer.uint(1, message.string('bytes'));
    writer.uint(3, size);
    writer.end(label);
    writer.end(sample);
  }
  message.mapping(1, programStart, programStart + mappingBytes, { ...program.binary, buildId: '' });
  writeSymbols(message, locations.keys, [program.binary, program.binary]);
  writer.int64(9, 1_760_000_000_000_000_000n);
  message.valueType(11, 'space', 'bytes');
  writer.int64(12, 524_288n);
  return message.finish();
}
