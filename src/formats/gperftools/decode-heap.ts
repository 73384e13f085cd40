// Converts heap profiles of gperftools (`HEAPPROFILE=`, `pprof/heap` of tcmalloc) and jemalloc to
// pprof.
//
// The file has a header, `heap profile: objects: bytes [objects: bytes] @ heapprofile`, for the
// memory in use and, in brackets, the allocated memory; a similar line with addresses for each
// stack, leaf first; and the memory map. jemalloc writes `heap_v2/RATE`, and two lines for a stack.
// The numbers of a sampled heap (`_v2`) are scaled up here: each is divided by the probability that
// an allocation of its size is sampled. Source:
// https://github.com/google/pprof/blob/main/profile/legacy_profile.go
import { AppError } from '../../base/errors.ts';
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { int64Max, int64Min } from '../../base/int64.ts';
import type { ImportContext, ImportedProfile } from '../reading/imported-profile.ts';
import { splitLines, type TextLine } from '../reading/lines.ts';
import { LineCounter, type SkippedLines } from '../reading/skipped-lines.ts';
import { wholeNumber } from '../reading/whole-number.ts';
import { PprofWriter } from '../pprof/writer.ts';
import { MappedAddresses, type MappedRange, mapTitleForm, readMapLine } from './memory-map.ts';

const what = 'cannot read heap profile';
const countsForm = String.raw`(\d{1,19}): *(\d{1,19}) *\[ *(\d{1,19}): *(\d{1,19}) *\]`;
const headerForm = new RegExp(
  String.raw`^heap profile: *${countsForm} *@ *(heapprofile|heap_v2|heapz_v2|growthz?|fragmentationz?)(?:/(\d{1,15}))?`,
);
const jemallocForm = /^heap_v2\/(\d{1,15})$/;
const stackForm = new RegExp(String.raw`^\s*${countsForm} *@((?: +0x[0-9a-f]{1,16})*)\s*$`);
const jemallocStackForm = /^@((?: 0x[0-9a-f]{1,16})*)\s*$/;
const jemallocCountsForm = new RegExp(String.raw`^\s*t\*: *${countsForm}\s*$`);

/** The profile of a file, and lines that could not be read. */
export interface HeapProfile {
  readonly profile: ImportedProfile;
  readonly skipped: SkippedLines | undefined;
}

/** Returns true if a line is the first line of such a file. */
export function isGperftoolsHeap(line: string): boolean {
  return headerForm.test(line) || jemallocForm.test(line);
}

/** Objects and bytes, in use and allocated. */
type Counts = readonly [bigint, bigint, bigint, bigint];

interface HeapStack {
  readonly counts: Counts;
  readonly addresses: readonly bigint[];
}

/**
 * Converts a file. `buildIds` maps paths to build ids, which the memory map lacks.
 *
 * Errors: DecodeError for text that is not UTF-8; AppError 'invalid-argument' without a header.
 */
export function decodeGperftoolsHeap(
  bytes: Uint8Array,
  { timeNanos }: ImportContext,
  buildIds?: ReadonlyMap<string, string>,
): HeapProfile {
  const { rate, stacks, ranges, skipped } = readHeap(bytes);
  const hasAllocations = stacks.some(({ counts }) => counts[2] !== 0n || counts[3] !== 0n);
  const writer = new PprofWriter();
  const addresses = new MappedAddresses(writer, ranges, buildIds);
  for (const stack of stacks) {
    const [objects, space] = unsampled(stack.counts[0], stack.counts[1], rate);
    const allocated = hasAllocations ? unsampled(stack.counts[2], stack.counts[3], rate) : [];
    writer.sample(
      stack.addresses.map((address) => addresses.location(address)),
      [...allocated, objects, space],
    );
  }
  const space = { type: 'space', unit: 'bytes' };
  const pprof = writer.finish({
    sampleTypes: [...(hasAllocations ? valueTypes('alloc') : []), ...valueTypes('inuse')],
    periodType: space,
    period: wholeNumber(Math.max(1, rate), what),
    timeNanos,
  });
  return { profile: { name: 'memory', labels: [], pprof }, skipped: skipped.skipped() };
}

/** Lists the files of the memory map of a heap profile. Errors: as in decodeGperftoolsHeap. */
export function filesOfGperftoolsHeap(bytes: Uint8Array): string[] {
  return readHeap(bytes).ranges.map(({ file }) => file);
}

function valueTypes(kind: 'alloc' | 'inuse') {
  return [
    { type: `${kind}_objects`, unit: 'count' },
    { type: `${kind}_space`, unit: 'bytes' },
  ];
}

interface ReadHeap {
  /** Average number of bytes between two samples; 1 for a heap that is not sampled. */
  readonly rate: number;
  readonly stacks: readonly HeapStack[];
  readonly ranges: readonly MappedRange[];
  readonly skipped: LineCounter;
}

function readHeap(bytes: Uint8Array): ReadHeap {
  const skipped = new LineCounter();
  const stacks: HeapStack[] = [];
  const ranges: MappedRange[] = [];
  let rate: number | undefined;
  let isMap = false;
  /** Addresses of a jemalloc stack, whose counts are on the next line. */
  let open: readonly bigint[] | undefined;
  for (const line of splitLines(bytes, what)) {
    const { text } = line;
    if (text.trim() === '' || text.startsWith('#')) continue;
    if (rate === undefined) rate = readRate(text);
    else if (mapTitleForm.test(text)) isMap = true;
    else if (isMap) {
      const range = readMapLine(text);
      if (range !== undefined) ranges.push(range);
    } else {
      const stack = jemallocStackForm.exec(text);
      if (stack !== null) {
        open = parseAddresses(stack[1], line);
        continue;
      }
      const counts = stackForm.exec(text) ?? jemallocCountsForm.exec(text);
      if (counts?.[5] !== undefined) add(stacks, counts, parseAddresses(counts[5], line));
      else if (counts !== null && open !== undefined) add(stacks, counts, open);
      // Lines of this form have jemalloc's totals, for all threads and for each thread.
      else if (!/^\s*t[*\d]+:/.test(text)) skipped.add(line);
      open = undefined;
    }
  }
  if (rate !== undefined) return { rate, stacks, ranges, skipped };
  throw new AppError('invalid-argument', `${what}: it is empty`);
}

/** Reads the average number of bytes between two samples. */
function readRate(text: string): number {
  const jemalloc = jemallocForm.exec(text);
  if (jemalloc !== null) return Number(jemalloc[1]);
  const header = headerForm.exec(text);
  if (header === null) throw new AppError('invalid-argument', `${what}: it has no header`);
  return header[5].endsWith('_v2') ? Number(header[6] ?? 1) : 1;
}

function add(stacks: HeapStack[], match: RegExpExecArray, addresses: readonly bigint[]): void {
  const [a, b, c, d] = match.slice(1, 5).map((digits) => BigInt.asIntN(64, BigInt(digits)));
  stacks.push({ counts: [a, b, c, d], addresses });
}

/** Reads addresses, leaf first. Return addresses point after the call. */
function parseAddresses(text: string, { number }: TextLine): bigint[] {
  const words = text.split(' ').filter((word) => word !== '');
  if (words.length > inputLimits.stackDepth) {
    const why = `line ${number} has more than ${inputLimits.stackDepth} frames`;
    throw overInputLimit('stackDepth', `${what}: ${why}`);
  }
  return words.map((word) => {
    const address = BigInt(word);
    return address === 0n ? address : address - 1n;
  });
}

/** Estimates the number of all objects and bytes from the number of sampled objects and bytes. */
function unsampled(objects: bigint, bytes: bigint, rate: number): [bigint, bigint] {
  if (rate <= 1) return [objects, bytes];
  if (objects === 0n || bytes === 0n) return [0n, 0n];
  const [count, size] = [Number(objects), Number(bytes)];
  const scale = 1 / (1 - Math.exp(-(size / count) / rate));
  const times = (value: number): bigint => {
    const scaled = Math.trunc(value * scale);
    if (scaled <= Number(int64Min)) return int64Min;
    return scaled < Number(int64Max) ? BigInt(scaled) : int64Max;
  };
  return [times(count), times(size)];
}
