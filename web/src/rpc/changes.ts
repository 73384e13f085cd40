// Requests the changed functions, which the server ranks; see docs/api.md.
import type { Span } from './api.ts';
import type { Asking } from './asking.ts';
import { getJson } from './json.ts';
import { timeBounds } from './time-bounds.ts';

/** A measure of a function on both sides; int64 values are strings. */
export interface MeasureChange {
  readonly base: string;
  readonly compared: string;
  /** `compared` minus the scaled base, and its 95 % interval. */
  readonly difference: string;
  readonly low: number;
  readonly high: number;
  /** Ratio of both sides; null if the base is 0. */
  readonly ratio: number | null;
  readonly baseSamples: number;
  readonly comparedSamples: number;
}

/** Part of a sentence; for a side, the page chooses the text. */
export interface SentencePart {
  readonly kind: 'compared' | 'base' | 'function' | 'package' | 'text';
  readonly text: string;
}

export interface FunctionChange {
  readonly name: string;
  readonly flat: MeasureChange;
  readonly cumulative: MeasureChange;
}

/** Total of a side, and its profiles. */
export interface ChangesSide {
  readonly total: string;
  readonly profiles: number;
  readonly coveredNanos: string;
  readonly snapshots: number;
}

export interface ChangesAnswer {
  readonly base: ChangesSide;
  readonly compared: ChangesSide;
  readonly difference: string;
  /** Scale of the base, its factor, and the load if known. */
  readonly scale: {
    readonly by: 'time' | 'total' | 'load' | 'none';
    readonly factor: number;
    readonly load?: { readonly factor: number; readonly functions: number };
  };
  /** Functions with a significant change, largest difference first. */
  readonly functions: readonly FunctionChange[];
  /** Number of functions that are not listed, and of functions whose change may be chance. */
  readonly more: { readonly functions: number };
  readonly noise: {
    readonly functions: number;
    /** Number of functions that are known to have changed little or not at all. */
    readonly unchanged: number;
  };
  /** Sentence about the difference and its cause; undefined for an older server. */
  readonly sentence?: readonly SentencePart[];
  /** Cause of the difference; undefined if nothing or everything changed. */
  readonly cause?: ChangeCause;
  /**
   * Function that is known to have grown, although the cause of the difference is a function that
   * shrank.
   */
  readonly rise?: ChangeCause;
  /** Warnings about data that the server could not read. */
  readonly warnings: readonly string[];
}

/** Function that causes a change; differences are in the unit of the values. */
export interface ChangeCause {
  readonly name: string;
  readonly difference: number;
}

/** Returns the name of the function that is known to have grown; undefined if there is none. */
export function grownFunction({ cause, rise }: ChangesAnswer): string | undefined {
  return (cause !== undefined && cause.difference > 0 ? cause : rise)?.name;
}

/** Returns the sentence with the names of both sides. */
export function sentenceText(
  parts: readonly SentencePart[],
  names: { readonly before: string; readonly now: string },
): string {
  const sides: Readonly<Record<string, string>> = { compared: names.now, base: names.before };
  return parts.map(({ kind, text }) => sides[kind] ?? text).join('');
}

/** Options of a comparison: scale of the base, and the value that ranks functions. */
export interface ChangesOptions {
  readonly normalize: 'time' | 'total' | 'load';
  readonly sort: 'flat' | 'cumulative';
}

/** Requests the changes in `span` since the equally long time right before it. */
export async function askChanges(
  base: string,
  query: string,
  span: Span,
  options: ChangesOptions,
  asking: Asking,
): Promise<ChangesAnswer> {
  const parameters = new URLSearchParams({ query, ...timeBounds(span), ...options });
  return (await getJson(base, 'changes', parameters, asking)) as ChangesAnswer;
}
