// Ranked changes as JSON; int64 as text.
import { assert } from '../../base/assert.ts';
import { AppError } from '../../base/errors.ts';
import { addressName } from '../../formats/frame-names.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import type { FunctionIndex, LocationIndex, StringIndex } from '../../model/rows.ts';
import type { AnswerFacts, Report } from '../../query/interface.ts';
import type { MeasureChange } from '../../report/changes.ts';
import type { Top } from '../../report/top.ts';

/** A list of changes with what is said about both sides. */
export type ChangesReport = Extract<Report, { kind: 'changes' }>;

/** A 'changes' report as JSON text, see `encodeChanges`. */
export function encodeChangesText(report: Report, limit: number): Uint8Array {
  if (report.kind !== 'changes') throw new AppError('internal', `got a ${report.kind} report`);
  return Buffer.from(JSON.stringify(encodeChanges(report, limit)));
}

/** docs/api.md describes it; at most `limit` functions are named, the rest is summed up. */
function encodeChanges(report: ChangesReport, limit: number): object {
  const { changes, base, difference, profileType, valueType, missing } = report;
  const { functions, flat, cumulative, significantCount } = changes;
  assert(base !== undefined, 'a diff');
  const shown = Math.min(limit, significantCount);
  return {
    profileType: formatProfileType(profileType),
    unit: valueType.unit,
    base: side(base),
    compared: side(report),
    difference: String(difference),
    functions: Array.from({ length: shown }, (_, row) => ({
      ...namesOf(functions, row),
      flat: measureOf(flat, row),
      cumulative: measureOf(cumulative, row),
    })),
    more: sumOf(flat, shown, significantCount),
    noise: sumOf(flat, significantCount, functions.rowCount),
    warnings: missing,
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

/** "" where the frames of a row disagree, or say nothing. */
export function namesOf(
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

function measureOf(change: MeasureChange, row: number): object {
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

/** Rows from .. to as one; values of what functions called overlap, so only their own add up. */
function sumOf({ base, compared, difference }: MeasureChange, from: number, to: number): object {
  const sum = (column: BigInt64Array): string =>
    String(column.subarray(from, to).reduce((total, value) => total + value, 0n));
  return {
    functions: to - from,
    flat: { base: sum(base), compared: sum(compared), difference: sum(difference) },
  };
}
