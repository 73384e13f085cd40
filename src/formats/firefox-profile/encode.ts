// Writes merged stacks as JSON for the Firefox Profiler: its processed profile format, version 48.
//
// The viewer upgrades older versions when it loads them; version 48 (2023) is the latest that many
// other writers use, and it suffices for merged profiles. Source:
// https://github.com/firefox-devtools/profiler/blob/main/docs-developer/CHANGELOG-formats.md
import { AppError } from '../../base/errors.ts';
import { exportTextLengthMax } from '../limits.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import type { ValueType } from '../../model/profile-type.ts';
import { exactNumbers } from '../export-text.ts';
import { FirefoxTables } from './tables.ts';

/** Information about the complete file. */
export interface FirefoxMeta {
  /** Name of the profile and of its only thread. */
  readonly name: string;
  readonly valueType: ValueType;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
}

const processedVersion = 48;
/** Version of the Gecko format, which determines categories and units in the viewer. */
const geckoVersion = 27;
const categories = [{ name: 'Other', color: 'grey', subcategories: ['Other'] }];
/** Smallest number of characters that a stack and its frame take in the output. */
const stackTextLength = 24;
const nanosPerMilli = 1e6;

/** Weight type in the viewer for each unit, and the number of units in one of the viewer's. */
const weights: ReadonlyMap<string, { readonly type: string; readonly perUnit: number }> = new Map([
  ['nanoseconds', { type: 'tracing-ms', perUnit: nanosPerMilli }],
  ['microseconds', { type: 'tracing-ms', perUnit: 1e3 }],
  ['milliseconds', { type: 'tracing-ms', perUnit: 1 }],
  ['bytes', { type: 'bytes', perUnit: 1 }],
]);
const samplesWeight = { type: 'samples', perUnit: 1 };

/**
 * Returns the JSON in UTF-8. Times are milliseconds, with all digits of the nanoseconds; values of
 * other units are "samples". A merged profile lacks the times of its samples, so they are spread
 * evenly over its duration. Rows with value 0 are left out.
 *
 * Errors: AppError 'out-of-range' for sums above 2^53, 'resource-exhausted' for too many stacks.
 */
export function encodeFirefoxProfile(
  dictionary: Dictionary,
  { stacks, values }: MergedStacks,
  meta: FirefoxMeta,
): Uint8Array {
  const { type, perUnit } = weights.get(meta.valueType.unit) ?? samplesWeight;
  const exact = exactNumbers(values, 'firefox');
  const rows = Array.from(stacks.keys()).filter((row) => exact[row] !== 0);
  const tables = new FirefoxTables(dictionary, exportTextLengthMax / stackTextLength);
  const stepMillis = Number(meta.durationNanos) / nanosPerMilli / Math.max(1, rows.length);
  const samples = {
    stack: rows.map((row) => tables.internStack(stacks[row])),
    time: rows.map((_, i) => i * stepMillis),
    weight: rows.map((row) => exact[row] / perUnit),
    weightType: type,
    length: rows.length,
  };
  const profile = {
    meta: encodeMeta(meta, stepMillis),
    libs: [],
    pages: [],
    threads: [{ ...threadHead(meta.name), samples, ...tables.toJson() }],
  };
  return new TextEncoder().encode(stringify(profile));
}

function stringify(profile: object): string {
  try {
    return JSON.stringify(profile);
  } catch (error) {
    // This can fail only because the string exceeds V8's maximum length.
    const why = 'cannot export profile as firefox: its text is too long; select less';
    throw new AppError('resource-exhausted', why, { cause: error });
  }
}

function encodeMeta({ name, valueType, timeNanos }: FirefoxMeta, stepMillis: number): object {
  return {
    preprocessedProfileVersion: processedVersion,
    version: geckoVersion,
    product: name,
    importedFrom: 'parca',
    startTime: Number(timeNanos) / nanosPerMilli,
    interval: stepMillis > 0 ? stepMillis : 1,
    processType: 0,
    stackwalk: 1,
    symbolicated: true,
    usesOnlyOneStackType: true,
    doesNotUseFrameImplementation: true,
    sourceCodeIsNotOnSearchfox: true,
    categories,
    markerSchema: [],
    extra: [{ label: 'Values', entries: [{ label: valueType.type, value: valueType.unit }] }],
  };
}

function threadHead(name: string): object {
  return {
    name,
    processType: 'default',
    processName: name,
    processStartupTime: 0,
    processShutdownTime: null,
    registerTime: 0,
    unregisterTime: null,
    pausedRanges: [],
    isMainThread: true,
    showMarkersInTimeline: false,
    pid: '0',
    tid: 0,
    markers: { data: [], name: [], startTime: [], endTime: [], phase: [], category: [], length: 0 },
  };
}
