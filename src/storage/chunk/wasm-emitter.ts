// Writes small WebAssembly modules: one function of i32 parameters over an imported memory.
import { ByteWriter } from '../../base/bytes.ts';

/** Instructions, as bytes. */
export type Code = readonly number[];

/** An exported function that takes i32s and returns an i32. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: number;
  /** Number of locals after the parameters, i32s first. */
  readonly i32Locals: number;
  readonly i64Locals: number;
  readonly body: Code;
}

const i32Type = 0x7f;
const i64Type = 0x7e;
const noResult = 0x40;
const functionType = 0x60;

/** The instructions in use; those that access memory need `load`. */
export const op = {
  end: [0x0b],
  return: [0x0f],
  i32: {
    load: [0x28],
    load8: [0x2d],
    load16: [0x2f],
    eq: [0x46],
    ne: [0x47],
    ltU: [0x49],
    geU: [0x4f],
    add: [0x6a],
    mul: [0x6c],
    and: [0x71],
    shl: [0x74],
  },
  i64: {
    load: [0x29],
    store: [0x37],
    extendU: [0xad],
    add: [0x7c],
    sub: [0x7d],
    mul: [0x7e],
    and: [0x83],
    xor: [0x85],
    shrU: [0x88],
  },
  v128: {
    load64Zero: [0xfd, 0x5d],
    /** Followed by the number of the lane. */
    load64Lane: [0xfd, 0x57],
    anyTrue: [0xfd, 0x53],
  },
  i8x16: {
    eq: [0xfd, 0x23],
  },
} as const satisfies Record<string, Code | Record<string, Code>>;

/** Loads or stores at `offset` bytes after the address on the stack, at any alignment. */
export function load(instruction: Code, offset = 0): Code {
  return [...instruction, 0, ...unsigned(offset)];
}

/** Joins instructions, one after the other. */
export function sequence(...parts: readonly Code[]): Code {
  return parts.flat();
}

export function get(local: number): Code {
  return [0x20, ...unsigned(local)];
}

export function set(local: number): Code {
  return [0x21, ...unsigned(local)];
}

/** Sets a local and leaves the value on the stack. */
export function tee(local: number): Code {
  return [0x22, ...unsigned(local)];
}

export function i32Const(value: number): Code {
  return [0x41, ...signed(BigInt(value))];
}

export function i64Const(value: bigint): Code {
  return [0x42, ...signed(value)];
}

/** A constant of which every bit is 1. */
export const v128Ones: Code = [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0xff)];

/** Runs `body` while `condition` leaves a value other than 0. */
export function loopWhile(condition: Code, body: Code): Code {
  const again = [0x0c, 1];
  return [0x03, noResult, ...condition, 0x04, noResult, ...body, ...again, 0x0b, 0x0b];
}

/** Runs `body` if the value on the stack is not 0, else `otherwise`. */
export function ifElse(body: Code, otherwise: Code = []): Code {
  const rest = otherwise.length === 0 ? [] : [0x05, ...otherwise];
  return [0x04, noResult, ...body, ...rest, 0x0b];
}

/** Returns the module's bytes. The module imports `env.memory`. */
export function emitModule(only: WasmFunction): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(1024);
  writer.raw(Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  const parameters = vector(Array.from({ length: only.parameters }, () => [i32Type]));
  section(writer, 1, [functionType, ...parameters, ...vector([[i32Type]])]);
  section(writer, 2, [...text('env'), ...text('memory'), 2, 0, 1]);
  section(writer, 3, [0]);
  section(writer, 7, [...text(only.name), 0, 0]);
  section(writer, 10, functionBody(only));
  return Uint8Array.from(writer.bytes.subarray(0, writer.length));
}

function functionBody({ i32Locals, i64Locals, body }: WasmFunction): Code {
  const locals = vector([
    [...unsigned(i32Locals), i32Type],
    [...unsigned(i64Locals), i64Type],
  ]);
  const bytes = [...locals, ...body, ...op.end];
  return [...unsigned(bytes.length), ...bytes];
}

/** Writes a section with one item. */
function section(writer: ByteWriter, id: number, item: Code): void {
  const bytes = vector([item]);
  writer.u8(id);
  writer.varint(bytes.length);
  writer.raw(Uint8Array.from(bytes));
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): Code {
  return vector(Array.from(value, (char) => [char.charCodeAt(0)]));
}

/** Encodes an unsigned integer as LEB128. */
function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return [...bytes, rest];
}

/** Encodes a signed integer as LEB128. */
function signed(value: bigint): Code {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 63n || rest < -64n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest & 127n)];
}
