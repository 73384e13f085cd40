// Converts a gperftools CPU profile (`CPUPROFILE=`, `ProfilerStart`) to pprof.
//
// The file consists of machine words: 0, 3, 0, microseconds per sample, 0; then for each stack a
// count, a depth and its addresses, leaf first; then 0, 1, 0, and the content of /proc/self/maps.
// Source: https://gperftools.github.io/gperftools/cpuprofile-fileformat.html
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { int64Max } from '../../base/int64.ts';
import { DecodeError } from '../decode-error.ts';
import type { ImportContext, ImportedProfile } from '../reading/imported-profile.ts';
import { PprofWriter } from '../pprof/writer.ts';
import { MappedAddresses, type MappedRange, readMapLine } from './memory-map.ts';

const what = "cannot read gperftools' CPU profile";
const headerWords = 5;
/** Maximum number of frames that the signal handler leaves below the leaf in nearly all stacks. */
const handlerFramesMax = 2;
const sampleCountOfOther = 32;

/** Size and byte order of words. */
interface Words {
  readonly bytes: 4 | 8;
  readonly isLittle: boolean;
}

const forms: readonly Words[] = [
  { bytes: 8, isLittle: true },
  { bytes: 4, isLittle: true },
  { bytes: 8, isLittle: false },
  { bytes: 4, isLittle: false },
];

interface Stack {
  readonly count: bigint;
  /** Addresses, leaf first. Addresses of callers point into the call instruction. */
  addresses: readonly bigint[];
}

/** Returns true if the bytes begin like a gperftools CPU profile. */
export function isGperftoolsCpu(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && readWords(bytes) !== undefined;
}

/**
 * Converts a file. `buildIds` maps paths to build ids, which the memory map lacks.
 *
 * Errors: DecodeError; AppError 'resource-exhausted' for a stack that is too deep.
 */
export function decodeGperftoolsCpu(
  bytes: Uint8Array,
  { timeNanos, durationNanos }: ImportContext,
  buildIds?: ReadonlyMap<string, string>,
): ImportedProfile {
  const { stacks, periodNanos, end } = readStacks(bytes);
  removeHandler(stacks);
  const writer = new PprofWriter();
  const addresses = new MappedAddresses(writer, readRanges(bytes, end), buildIds);
  for (const { count, addresses: stack } of stacks) {
    const nanos = count * periodNanos;
    if (nanos > int64Max) throw new DecodeError(what, 'a stack has more than int64 holds', 0);
    writer.sample(
      stack.map((address) => addresses.location(address)),
      [count, nanos],
    );
  }
  const cpu = { type: 'cpu', unit: 'nanoseconds' };
  const pprof = writer.finish({
    sampleTypes: [{ type: 'samples', unit: 'count' }, cpu],
    periodType: cpu,
    period: periodNanos,
    timeNanos,
    durationNanos,
  });
  return { name: 'process_cpu', labels: [], pprof };
}

/** Lists the files of the memory map of a CPU profile. Errors: DecodeError. */
export function filesOfGperftoolsCpu(bytes: Uint8Array): string[] {
  return readRanges(bytes, readStacks(bytes).end).map(({ file }) => file);
}

function readRanges(bytes: Uint8Array, start: number): MappedRange[] {
  const text = new TextDecoder().decode(bytes.subarray(start));
  return text.split('\n').flatMap((line) => readMapLine(line) ?? []);
}

function readWords(bytes: Uint8Array): Words | undefined {
  return forms.find((words) => {
    if (bytes.length < words.bytes * headerWords) return false;
    const header = Array.from({ length: headerWords }, (_, i) =>
      wordAt(bytes, i * words.bytes, words),
    );
    const [zero, three, version, period, padding] = header;
    const isHeader = zero === 0n && three === 3n && version === 0n && padding === 0n;
    return isHeader && period > 0n && period < 1n << 32n;
  });
}

function wordAt(bytes: Uint8Array, at: number, { bytes: size, isLittle }: Words): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return size === 8 ? view.getBigUint64(at, isLittle) : BigInt(view.getUint32(at, isLittle));
}

function readStacks(bytes: Uint8Array): {
  readonly stacks: Stack[];
  readonly periodNanos: bigint;
  /** First byte after the stacks. */
  readonly end: number;
} {
  const words = readWords(bytes);
  if (words === undefined) throw new DecodeError(what, 'it does not have its header', 0);
  let at = headerWords * words.bytes;
  const next = (): bigint => {
    if (at + words.bytes > bytes.length) throw new DecodeError(what, 'it ends too early', at);
    const word = wordAt(bytes, at, words);
    at += words.bytes;
    return word;
  };
  const periodNanos = wordAt(bytes, 3 * words.bytes, words) * 1_000n;
  const stacks: Stack[] = [];
  for (;;) {
    const count = next();
    const depth = next();
    if (depth > BigInt(inputLimits.stackDepth)) {
      throw overInputLimit(
        'stackDepth',
        `${what}: a stack has more than ${inputLimits.stackDepth} frames`,
      );
    }
    // The address of a caller is its return address, which is after the call.
    const addresses = Array.from({ length: Number(depth) }, (_, i) => {
      const address = next();
      return i === 0 || address === 0n ? address : address - 1n;
    });
    if (count === 0n && depth === 1n && addresses[0] === 0n)
      return { stacks, periodNanos, end: at };
    if (stacks.length === inputLimits.profileSamples) {
      throw overInputLimit(
        'profileSamples',
        `${what}: it has more than ${inputLimits.profileSamples} samples`,
      );
    }
    stacks.push({ count, addresses });
  }
}

/** Removes frames that the profiler leaves below the leaf, as pprof does. */
function removeHandler(stacks: readonly Stack[]): void {
  const margin = Math.floor(stacks.length / sampleCountOfOther);
  for (let i = 0; i < handlerFramesMax; i += 1) {
    const counts = new Map<bigint, number>();
    for (const { addresses } of stacks) {
      if (addresses.length > 1) counts.set(addresses[1], (counts.get(addresses[1]) ?? 0) + 1);
    }
    const found = [...counts].find(([, count]) => count >= stacks.length - margin);
    if (found !== undefined) removeSecond(stacks, ({ addresses }) => addresses[1] === found[0]);
  }
  // The leaf may occur twice, once from the signal and once from unwinding.
  removeSecond(stacks, ({ addresses }) => addresses[0] === addresses[1] + 1n);
}

function removeSecond(stacks: readonly Stack[], isOdd: (stack: Stack) => boolean): void {
  for (const stack of stacks) {
    if (stack.addresses.length > 1 && isOdd(stack)) {
      stack.addresses = [stack.addresses[0], ...stack.addresses.slice(2)];
    }
  }
}
