// Encodes a pprof CPU profile with files, lines and columns, as from a program that knows all its
// names.
import Long from 'long';
import protobuf from 'protobufjs/minimal.js';

/** One call of a stack. */
export interface LineFrame {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** Stacks of one binary, innermost call first. */
export interface LineProfile {
  readonly timeNanos: bigint;
  readonly buildId: string;
  /** Nanoseconds of one sample; 1 if absent. */
  readonly period?: number;
  /** A second when absent. */
  readonly durationNanos?: number;
  readonly samples: readonly (readonly [value: number, ...stack: LineFrame[]])[];
}

/** Encodes the message without compression. */
export function encodeLineProfile({
  timeNanos,
  buildId,
  samples,
  period = 1,
  durationNanos = 1e9,
}: LineProfile): Uint8Array {
  const strings = ['', 'samples', 'count', 'cpu', 'nanoseconds', '/app/server', buildId];
  const writer = new protobuf.Writer();
  const text = (value: string): number => strings.push(value) - 1;
  const part = (field: number, values: readonly (readonly [number, number])[]): void => {
    writer.uint32((field << 3) | 2).fork();
    for (const [number, value] of values) writer.uint32(number << 3).int64(value);
    writer.ldelim();
  };
  part(1, [
    [1, 1],
    [2, 2],
  ]);
  part(3, [
    [1, 1],
    [3, 0x10_0000],
    [5, 5],
    [6, 6],
  ]);
  let id = 0;
  for (const [value, ...stack] of samples) {
    const ids = stack.map(({ name, file, line, column = 0 }): [number, number] => {
      id += 1;
      part(5, [
        [1, id],
        [2, text(name)],
        [3, text(name)],
        [4, text(file)],
      ]);
      writer.uint32((4 << 3) | 2).fork();
      writer.uint32(1 << 3).int64(id);
      writer.uint32(2 << 3).int64(1);
      writer.uint32(3 << 3).int64(id);
      part(4, [
        [1, id],
        [2, line],
        [3, column],
      ]);
      writer.ldelim();
      return [1, id];
    });
    part(2, [...ids, [2, value]]);
  }
  for (const string of strings) writer.uint32((6 << 3) | 2).string(string);
  writer.uint32(9 << 3).int64(Long.fromString(timeNanos.toString()));
  writer.uint32(10 << 3).int64(durationNanos);
  part(11, [
    [1, 3],
    [2, 4],
  ]);
  writer.uint32(12 << 3).int64(period);
  return writer.finish();
}
