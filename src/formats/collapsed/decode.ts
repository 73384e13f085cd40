// Collapsed ("folded") text -> pprof: a line for each stack, `root;caller;leaf 42`.
//
// The text ends with a count after the last space. The format "lines" has no counts: each line is
// one sample. Lines that begin with # are comments, as gProfiler writes them.
// Source: https://github.com/brendangregg/FlameGraph
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { int64Max } from '../../base/int64.ts';
import { DecodeError } from '../decode-error.ts';
import type { ImportContext, ImportedProfile } from '../import/imported-profile.ts';
import { linesOf, type TextLine } from '../import/lines.ts';
import { PprofWriter } from '../pprof/writer.ts';

/** `folded`: lines end with a count; `lines`: each line is one sample. */
export type CollapsedForm = 'folded' | 'lines';

const what = 'cannot read collapsed stacks';
/** A number of any form: -1, 1.5 and 1e3 are refused by name rather than read as part of a frame. */
const countForm = /^(.*\S)\s+([-+]?\d[\d.eE+-]*)\s*$/;
/** Suffixes that stackcollapse-perf adds to names: kernel, inlined, compiled by a JIT. */
const annotationForm = /_\[([kij])\]$/;

/**
 * Converts a text to one profile.
 *
 * Errors: DecodeError naming the line without a whole count, past int64, too deep, or not UTF-8.
 */
export function decodeCollapsed(
  bytes: Uint8Array,
  { timeNanos, durationNanos, counts }: ImportContext,
  form: CollapsedForm = 'folded',
): ImportedProfile {
  const { name, sampleType, factor, periodType, period } = counts;
  const writer = new PprofWriter();
  const frames = new FrameIds(writer);
  for (const line of linesOf(bytes, what)) {
    if (line.text.trim() === '' || line.text.startsWith('#')) continue;
    const { stack, count } = form === 'lines' ? { stack: line.text, count: 1n } : counted(line);
    const value = count * factor;
    if (value > int64Max) {
      throw new DecodeError(what, `line ${line.number} counts more than int64 holds`, line.offset);
    }
    const names = stack.split(';', inputLimits.stackDepth + 1);
    if (names.length > inputLimits.stackDepth) {
      throw overInputLimit(
        'stackDepth',
        `${what}: line ${line.number} has more than ${inputLimits.stackDepth} frames`,
      );
    }
    const locations = names.map((text) => frames.idOf(text)).reverse();
    writer.sample(locations, [value]);
  }
  const header = { sampleTypes: [sampleType], periodType, period, timeNanos, durationNanos };
  return { name, labels: [], pprof: writer.finish(header) };
}

/** Returns true if a line looks like one of this format: it ends with a count. */
export function isCollapsedLine(text: string): boolean {
  return countForm.test(text);
}

function counted({ text, number, offset }: TextLine): { stack: string; count: bigint } {
  const match = countForm.exec(text);
  if (match === null) {
    throw new DecodeError(what, `line ${number} does not end with a space and a count`, offset);
  }
  const [, stack, digits] = match;
  if (!/^\d{1,19}$/.test(digits)) {
    throw new DecodeError(
      what,
      `line ${number} has the count ${digits}, not a whole number`,
      offset,
    );
  }
  return { stack, count: BigInt(digits) };
}

/** Locations by the text of a frame. */
class FrameIds {
  readonly #writer: PprofWriter;
  readonly #ids = new Map<string, number>();

  constructor(writer: PprofWriter) {
    this.#writer = writer;
  }

  idOf(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const [suffix = '', kind] = annotationForm.exec(text) ?? [];
    const mapping = kind === 'k' ? this.#writer.mapping({ file: '[kernel.kallsyms]' }) : 0;
    const name = text.slice(0, text.length - suffix.length);
    const id = this.#writer.frame({ name }, mapping);
    this.#ids.set(text, id);
    return id;
  }
}
