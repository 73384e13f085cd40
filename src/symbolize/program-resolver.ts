// Finds names with the program parca-symbolizer (native/symbolizer), which reads DWARF and symbol
// tables.
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { symbolizerAnswerBytesMax, symbolizerMillisMax } from './limits.ts';
import { symbolizerCpuSecondsMax, symbolizerMemoryBytesMax } from '../base/limits.ts';
import { finishPausing, Pacer, type Steps } from '../base/pacer.ts';
import type { RunProgram } from '../base/node/run-program.ts';
import type { Demangle } from './demangler.ts';
import type { DemangleMode, Resolver, SourceFrame } from './interface.ts';
import { type MissingLines, countMissingLines } from './missing-lines.ts';

const magic = 0x4d59_5350; // "PSYM"
/** Flags of a response, each with the type of DWARF that is missing. */
const missing: readonly (readonly [flag: number, kind: MissingLines])[] = [
  [2, 'damaged'],
  [4, 'split'],
  [8, 'alternate'],
];

/** Limits of one run of the program. */
export interface ProgramLimits {
  /** Memory in bytes, without the mapped file. */
  readonly memoryBytesMax: number;
  /** CPU time in whole seconds. */
  readonly cpuSecondsMax: number;
}

const usualLimits: ProgramLimits = {
  memoryBytesMax: symbolizerMemoryBytesMax,
  cpuSecondsMax: symbolizerCpuSecondsMax,
};

/**
 * Creates a resolver that starts the program for each query, so that a hostile file ends only that
 * process.
 */
export function createProgramResolver(
  run: RunProgram,
  program: string,
  mode: DemangleMode,
  clock: Clock,
  { memoryBytesMax, cpuSecondsMax }: ProgramLimits = usualLimits,
): Resolver {
  return {
    async resolve(source, addresses, signal, note, isAhead = false) {
      const alternatePath = source.alternate?.path;
      const limits = [String(memoryBytesMax), String(cpuSecondsMax)];
      const options = alternatePath === undefined ? [] : ['alternate'];
      const answer = await run({
        program,
        programArguments: [mode, ...limits, ...options],
        filePath: source.path,
        alternatePath,
        input: encodeAddresses(addresses),
        millisMax: Math.max(symbolizerMillisMax, 4_000 * cpuSecondsMax),
        outputBytesMax: symbolizerAnswerBytesMax,
        signal,
        isBackground: isAhead,
      });
      const decoding = decodeAnswer(answer, addresses.length);
      const { frames, flags } = await finishPausing(decoding, new Pacer(clock));
      for (const [flag, kind] of missing) {
        if ((flags & flag) !== 0) note?.(countMissingLines(kind, source));
      }
      return frames;
    },
  };
}

/** Creates a function that demangles names in the program. */
export function createProgramDemangler(
  run: RunProgram,
  program: string,
  mode: DemangleMode,
  clock: Clock,
): Demangle {
  const limits = [String(symbolizerMemoryBytesMax), String(symbolizerCpuSecondsMax)];
  return async (names, signal) => {
    const answer = await run({
      program,
      programArguments: [mode, ...limits, 'names'],
      signal,
      // The program must be given a file, but does not read it in this mode.
      filePath: program,
      input: encodeNames(names),
      millisMax: symbolizerMillisMax,
      outputBytesMax: symbolizerAnswerBytesMax,
    });
    const decoding = decodeAnswer(answer, names.length);
    const { frames } = await finishPausing(decoding, new Pacer(clock));
    return names.map((name, i) => frames[i].at(0)?.functionName ?? name);
  };
}

function encodeNames(names: readonly string[]): Uint8Array {
  const writer = new ByteWriter();
  const encoder = new TextEncoder();
  for (const name of names) {
    const bytes = encoder.encode(name);
    writer.u32(bytes.length);
    writer.raw(bytes);
  }
  return writer.copy();
}

/** Encodes addresses as eight bytes each, little-endian. */
export function encodeAddresses(addresses: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(8 * addresses.length);
  const view = new DataView(bytes.buffer);
  addresses.forEach((address, i) => view.setBigUint64(8 * i, BigInt(address), true));
  return bytes;
}

/** Number of calls or strings that are decoded in one step, which takes about 0.5 ms. */
const rowsPerStep = 512;
const callBytes = 24;

/**
 * Decodes a response in steps. native/symbolizer/src/wire.rs describes the format.
 *
 * Errors: AppError 'data-loss' for bytes that are not a response about `count` addresses.
 */
export function* decodeAnswer(
  answer: Uint8Array,
  count: number,
): Steps<{ readonly frames: SourceFrame[][]; readonly flags: number }> {
  const reader = new ByteReader(answer);
  if (reader.u32() !== magic) throw damaged('it has another magic number');
  const [flags, addressCount, stringCount] = [reader.u32(), reader.u32(), reader.u32()];
  if (addressCount !== count) throw damaged(`it is about ${addressCount} of ${count} addresses`);
  const starts: number[] = [];
  for (let i = 0; i < addressCount; i += 1) {
    starts.push(reader.at);
    reader.skip(callBytes * (reader.u32() >>> 16));
  }
  const strings: string[] = [];
  const decoder = new TextDecoder();
  for (let i = 0; i < stringCount; i += 1) {
    const length = reader.u32();
    const start = reader.skip(length);
    strings.push(decoder.decode(answer.subarray(start, start + length)));
    if (i % rowsPerStep === rowsPerStep - 1) yield;
  }
  const frames: SourceFrame[][] = [];
  let left = rowsPerStep;
  for (const start of starts) {
    reader.at = start;
    const calls: SourceFrame[] = [];
    for (let rest = reader.u32() >>> 16; rest > 0; rest -= 1) calls.push(readCall(reader, strings));
    frames.push(calls);
    left -= 1 + calls.length;
    if (left > 0) continue;
    left = rowsPerStep;
    yield;
  }
  return { frames, flags };
}

function readCall(reader: ByteReader, strings: readonly string[]): SourceFrame {
  return {
    functionName: readText(reader, strings),
    systemName: readText(reader, strings),
    fileName: readText(reader, strings),
    line: reader.u32(),
    startLine: reader.u32(),
    column: reader.u32(),
  };
}

function readText(reader: ByteReader, strings: readonly string[]): string {
  const index = reader.u32();
  const found = strings[index];
  if (found === undefined) throw damaged(`it has no text ${index}`);
  return found;
}

function damaged(why: string): AppError {
  return new AppError('data-loss', `cannot read the answer of the symbolizer: ${why}`);
}
