// GET /api/v1/changes: the functions that changed most between two selections, as JSON.
import { assert } from '../../base/assert.ts';
import { AppError } from '../../base/errors.ts';
import { changesMax } from '../../base/limits.ts';
import { addressName } from '../../formats/frame-names.ts';
import { baseName } from '../../model/file-path.ts';
import { nameGapSentences } from '../../model/name-gaps.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import type { FunctionIndex, LocationIndex, StringIndex } from '../../model/rows.ts';
import type { AnswerFacts, DiffSelector, ProfileSelector, Report } from '../../query/interface.ts';
import { changeSentence, type NamedCause } from '../../report/change-sentence.ts';
import type { ChangeCause, FunctionMeasure, MeasureChange } from '../../report/changes.ts';
import type { LoadRatio } from '../../report/load-ratio.ts';
import type { Top } from '../../report/top.ts';
import type { TimeRange } from '../../storage/interface.ts';
import type { InsightCall } from './insight-answers.ts';
import {
  readChoice,
  readCount,
  readParameters,
  readQueryText,
  readRange,
  readTime,
  type UrlParameters,
} from '../transport/http/parameters.ts';

export interface ChangesRequest {
  readonly select: DiffSelector;
  readonly measure: FunctionMeasure;
  /** Largest number of functions to list. */
  readonly limit: number;
}

/**
 * Answers a call; see docs/api.md. Errors: AppError 'invalid-argument', and errors of the engine.
 */
export async function answerChanges(call: InsightCall): Promise<Uint8Array> {
  const { bytes } = await call.engine.encodedReport(
    {
      ...readChangesRequest(call.url, call.nowMillis),
      report: 'changes',
      nodeTrimFraction: 0,
      rootTrimFraction: 0,
      groupBy: [],
    },
    'json',
    call.caller,
  );
  return bytes;
}

/** Names of the parameters that `readSides` reads. */
export const sideNames = ['query', 'start', 'end', 'base_query', 'base_start', 'base_end'];

/**
 * Parses the parameters of `url`. A missing parameter of the base gets the value of the other side;
 * if all are missing, the engine chooses the base.
 *
 * Errors: AppError 'invalid-argument' for unknown or repeated names, and for wrong values.
 */
export function readChangesRequest(url: string, nowMillis: number): ChangesRequest {
  const given = readParameters(url, [...sideNames, 'normalize', 'sort', 'limit']);
  return {
    select: {
      mode: 'diff',
      ...readSides(given, nowMillis),
      baseScale: readChoice(given, 'normalize', ['time', 'total', 'load', 'none']),
    },
    measure: readChoice(given, 'sort', ['flat', 'cumulative']),
    limit: readCount(given, 'limit', 100, changesMax),
  };
}

/** Reads what is compared, and its base. Errors: AppError 'invalid-argument'. */
export function readSides(
  given: UrlParameters,
  nowMillis: number,
): Pick<DiffSelector, 'compared' | 'base'> {
  const query = readQueryText(given);
  const range = readRange(given, nowMillis);
  return {
    compared: { mode: 'merge', query, range },
    base: readBase(given, query, range, nowMillis),
  };
}

/** Reads the base; undefined if all of its parameters are missing. */
function readBase(
  given: UrlParameters,
  query: string,
  range: TimeRange,
  nowMillis: number,
): ProfileSelector | undefined {
  const [start, end] = [given.get('base_start'), given.get('base_end')];
  const baseQuery = given.get('base_query');
  if (start === undefined && end === undefined && baseQuery === undefined) return undefined;
  const from = start === undefined ? range.from : readTime('base_start', start, nowMillis);
  const to = end === undefined ? range.to : readTime('base_end', end, nowMillis);
  if (from > to) throw new AppError('invalid-argument', 'base_start must be before base_end');
  return { mode: 'merge', query: baseQuery ?? query, range: { from, to } };
}

/** A report of changes, with facts about both sides. */
type ChangesReport = Extract<Report, { kind: 'changes' }>;

/** Encodes a 'changes' report as JSON text; see `encodeChanges`. */
export function encodeChangesText(report: Report, limit: number): Uint8Array {
  if (report.kind !== 'changes') throw new AppError('internal', `got a ${report.kind} report`);
  return Buffer.from(JSON.stringify(encodeChanges(report, limit)));
}

/** Lists at most `limit` functions and adds up the rest; docs/api.md describes the fields. */
function encodeChanges(report: ChangesReport, limit: number): object {
  const { changes, top, base, difference, profileTypes, valueType, missing, nameGaps, notes } =
    report;
  const { ratio, baseScale, load } = report;
  const cause = nameCause(report, report.changes.cause);
  const rise = nameCause(report, report.changes.rise);
  const { functions, flat, cumulative, significantCount } = changes;
  assert(base !== undefined, 'a diff');
  const shown = Math.min(limit, top === 0 ? limit : top, significantCount);
  return {
    profileType: formatProfileType(profileTypes[0]),
    profileTypes: profileTypes.map(formatProfileType),
    unit: valueType.unit,
    base: side(base),
    compared: side(report),
    difference: String(difference),
    scale: {
      by: baseScale,
      factor: Number(ratio.numerator) / Number(ratio.denominator),
      ...(load === undefined ? {} : { load: loadJson(load) }),
    },
    sentence: changeSentence({
      compared: report,
      base,
      profileType: profileTypes[0],
      valueType,
      cause,
      rise,
      load,
    }),
    ...(cause === undefined ? {} : { cause: causeJson(changes.cause, cause) }),
    ...(rise === undefined ? {} : { rise: causeJson(changes.rise, rise) }),
    functions: Array.from({ length: shown }, (_, row) => ({
      ...listNames(functions, row),
      flat: toMeasure(flat, row),
      cumulative: toMeasure(cumulative, row),
    })),
    more: toSum(flat, shown, significantCount),
    noise: {
      ...toSum(flat, significantCount, functions.rowCount),
      unchanged: changes.unchangedCount,
    },
    warnings: [...missing, ...nameGapSentences(nameGaps), ...notes],
  };
}

function side({ total, sampleCount, profileCount, durationNanos, snapshots }: AnswerFacts): object {
  return {
    total: String(total),
    samples: String(sampleCount),
    profiles: profileCount,
    coveredNanos: String(durationNanos),
    snapshots,
  };
}

function loadJson({ ratio, relativeError, functionCount }: LoadRatio): object {
  return { factor: ratio, relativeError, functions: functionCount };
}

function nameCause(
  { changes: { functions } }: ChangesReport,
  cause: ChangeCause | undefined,
): NamedCause | undefined {
  if (cause === undefined) return undefined;
  const { row, callerRow, difference, halfWidth, collected, isCall } = cause;
  const { name, file } = listNames(functions, row);
  const { startLine } = functions.dictionary.functions;
  return {
    name,
    file: baseName(file),
    line: startLine[functions.function[row]],
    caller: callerRow === -1 ? '' : listNames(functions, callerRow).name,
    isCall,
    package: cause.package,
    difference,
    halfWidth,
    collected,
  };
}

function causeJson(cause: ChangeCause | undefined, named: NamedCause): object {
  const { name, file, line, caller, isCall, difference, halfWidth, collected } = named;
  return {
    name,
    file,
    line,
    caller,
    isCall,
    package: named.package ?? '',
    base: String(cause?.base ?? 0n),
    compared: String(cause?.compared ?? 0n),
    difference: Math.round(difference),
    low: Math.round(difference - halfWidth),
    high: Math.round(difference + halfWidth),
    collected: Math.round(collected),
  };
}

/**
 * Returns the names of a row; "" for a file or binary that is not the same for all frames of the
 * row.
 */
function listNames(
  { dictionary, name, location, mapping, function: functionRow }: Top,
  row: number,
): { readonly name: string; readonly file: string; readonly binary: string } {
  const { strings, functions, mappings } = dictionary;
  const text = (index: number): string => strings.text(index as StringIndex);
  return {
    name:
      name[row] === 0 ? addressName(dictionary, location[row] as LocationIndex) : text(name[row]),
    file: text(functions.fileName[functionRow[row] as FunctionIndex]),
    binary: text(mappings.fileName[mapping[row]]),
  };
}

function toMeasure(change: MeasureChange, row: number): object {
  const difference = change.difference[row];
  const halfWidth = Math.round(change.halfWidth[row]);
  const compared = change.compared[row];
  const scaledBase = Number(compared - difference);
  return {
    base: String(change.base[row]),
    compared: String(compared),
    difference: String(difference),
    low: Number(difference) - halfWidth,
    high: Number(difference) + halfWidth,
    ratio: scaledBase === 0 ? null : Number(compared) / scaledBase,
    baseSamples: Math.round(change.baseSamples[row]),
    comparedSamples: Math.round(change.comparedSamples[row]),
  };
}

/**
 * Sums a range of rows. Only self values are added up, because total values of functions overlap.
 */
function toSum({ base, compared, difference }: MeasureChange, from: number, to: number): object {
  const sum = (column: BigInt64Array): string =>
    String(column.subarray(from, to).reduce((total, value) => total + value, 0n));
  return {
    functions: to - from,
    flat: { base: sum(base), compared: sum(compared), difference: sum(difference) },
  };
}
