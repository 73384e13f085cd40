// Converts collapsed ("folded") text to pprof: a line for each stack, `root;caller;leaf 42`.
//
// A line ends with a count after the last space; the stack before it may be empty. The format
// "lines" has no counts: each line is one sample. Lines that begin with # are comments, as in files
// of gProfiler. Source: https://github.com/brendangregg/FlameGraph
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { int64Max } from '../../base/int64.ts';
import { DecodeError } from '../decode-error.ts';
import type { ImportContext, ImportedProfile } from '../reading/imported-profile.ts';
import { splitLines, type TextLine } from '../reading/lines.ts';
import { LineCounter, type SkippedLines } from '../reading/skipped-lines.ts';
import { PprofWriter } from '../pprof/writer.ts';

/** `folded`: lines end with a count; `lines`: each line is one sample. */
export type CollapsedForm = 'folded' | 'lines';

const what = 'cannot read collapsed stacks';
/** Matches a stack, which may be empty, and a number in any form. */
const countForm = /^(?:(.*\S)\s+|\s*)([-+]?\d[\d.eE+-]*)\s*$/;
/** Matches integers, which some writers print with a fraction of zero. */
const wholeForm = /^(\d{1,19})(?:\.0*)?$/;
/** Matches suffixes that stackcollapse-perf adds to names: kernel, inlined, compiled by a JIT. */
const annotationForm = /_\[([kij])\]$/;
/** Matches a frame of py-spy: a function with its file and line. */
const placedForm = /^(\S.*) \(([^()]+\.\w+):(\d{1,9})\)$/;

/** The profile of a file, and the lines that could not be read. */
export interface CollapsedStacks {
  readonly profile: ImportedProfile;
  readonly skipped: SkippedLines | undefined;
}

/**
 * Converts a file to one profile. Lines without an integer count are skipped if they are a
 * minority.
 *
 * Errors: DecodeError for the first line that could not be read, for values beyond int64, and for
 * text that is not UTF-8; AppError 'resource-exhausted' for a stack that is too deep.
 */
export function decodeCollapsed(
  bytes: Uint8Array,
  { timeNanos, durationNanos, counts }: ImportContext,
  form: CollapsedForm = 'folded',
): CollapsedStacks {
  const { name, sampleType, factor, periodType, period } = counts;
  const writer = new PprofWriter();
  const frames = new FrameIds(writer);
  const skipped = new LineCounter();
  let readCount = 0;
  for (const line of splitLines(bytes, what)) {
    if (line.text.trim() === '' || line.text.startsWith('#')) continue;
    const counted = form === 'lines' ? { stack: line.text, count: 1n } : readCounted(line.text);
    if (counted === undefined) {
      skipped.add(line);
      continue;
    }
    readCount += 1;
    const value = counted.count * factor;
    if (value > int64Max) {
      throw new DecodeError(what, `line ${line.number} counts more than int64 holds`, line.offset);
    }
    writer.sample(readLocations(counted.stack, line, frames), [value]);
  }
  if (skipped.first !== undefined && skipped.count >= readCount) throw refusal(skipped.first);
  const header = { sampleTypes: [sampleType], periodType, period, timeNanos, durationNanos };
  const profile = { name, labels: [], pprof: writer.finish(header) };
  return { profile, skipped: skipped.skipped() };
}

/** Returns true if a line looks like this format: it ends with a count. */
export function isCollapsedLine(text: string): boolean {
  return countForm.test(text);
}

/** Splits a line into a stack and its count; undefined for a line of another form. */
function readCounted(text: string): { readonly stack: string; readonly count: bigint } | undefined {
  const [, stack = '', number = ''] = countForm.exec(text) ?? [];
  const digits = wholeForm.exec(number)?.[1];
  return digits === undefined ? undefined : { stack, count: BigInt(digits) };
}

/** Returns the locations of a stack, leaf first. Errors: AppError 'resource-exhausted'. */
function readLocations(stack: string, line: TextLine, frames: FrameIds): number[] {
  if (stack === '') return [];
  const names = stack.split(';', inputLimits.stackDepth + 1);
  if (names.length > inputLimits.stackDepth) {
    throw overInputLimit(
      'stackDepth',
      `${what}: line ${line.number} has more than ${inputLimits.stackDepth} frames`,
    );
  }
  return names.map((text) => frames.intern(text)).reverse();
}

function refusal({ text, number, offset }: TextLine): DecodeError {
  const count = countForm.exec(text)?.[2];
  const why =
    count === undefined
      ? 'does not end with a space and a count'
      : `has the count ${count}, not a whole number`;
  return new DecodeError(what, `line ${number} ${why}`, offset);
}

/** Locations by frame, as the frame is written in the file. */
class FrameIds {
  readonly #writer: PprofWriter;
  readonly #ids = new Map<string, number>();

  constructor(writer: PprofWriter) {
    this.#writer = writer;
  }

  intern(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const [suffix = '', kind] = annotationForm.exec(text) ?? [];
    const mapping = kind === 'k' ? this.#writer.mapping({ file: '[kernel.kallsyms]' }) : 0;
    const name = text.slice(0, text.length - suffix.length);
    const [, placed, file, line] = placedForm.exec(name) ?? [];
    const frame = placed === undefined ? { name } : { name: placed, file, line: Number(line) };
    const id = this.#writer.frame(frame, mapping);
    this.#ids.set(text, id);
    return id;
  }
}
