// Reads the rows of single profiles in heads and chunks. A row has a value, a stack and sample
// labels.
import type { DecodedRows } from '../chunk/decode-rows.ts';
import type { RowSource, RunRows } from '../selection.ts';
import { decodeInSteps } from './chunk-sums.ts';

/**
 * Rows of one profile. Row i has value `values[valueStart + i]`, and likewise for the other
 * columns.
 */
export interface ProfileRows {
  readonly rowCount: number;
  readonly values: BigInt64Array;
  readonly valueStart: number;
  /** `values` as 32-bit words, low words first: value i has the words 2 * i and 2 * i + 1. */
  readonly valueWords: Uint32Array;
  /** StackIndex by row. */
  readonly stacks: Uint32Array;
  readonly stackStart: number;
  /** SampleLabelsIndex by row; undefined when no row has labels. */
  readonly labels: Uint32Array | undefined;
  readonly labelStart: number;
}

/** Returns a copy of a source that stays valid after an await. */
export function lastingSource(source: RowSource): RowSource {
  if (source.kind === 'chunk') return source;
  return {
    ...source,
    period: source.period.slice(),
    runSegment: source.runSegment.slice(),
    runOffset: source.runOffset.slice(),
    runRows: source.runRows.slice(),
    runLabelled: source.runLabelled.slice(),
  };
}

/** Returns the number of profiles of a source. */
export function countProfiles(source: RowSource): number {
  return source.kind === 'runs' ? source.profileCount : source.end - source.first;
}

/**
 * Yields the rows of each profile of a source, in order of time. Ownership: rows are valid until
 * the next rows are requested.
 *
 * Errors: AppError 'data-loss'.
 */
export function* rowsOfProfiles(source: RowSource): Generator<ProfileRows> {
  if (source.kind === 'runs') {
    for (let i = 0; i < source.profileCount; i += 1) yield rowsOfRun(source, i);
    return;
  }
  const { chunk, valueColumn, first, end, rowCount } = source;
  for (const rows of decodeInSteps(chunk, first, end, rowCount)) {
    const values = rows.values[valueColumn];
    const valueWords = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
    for (let i = 0; i < rows.profileCount; i += 1) yield rowsOfDecoded(rows, i, values, valueWords);
  }
}

function rowsOfDecoded(
  rows: DecodedRows,
  i: number,
  values: BigInt64Array,
  valueWords: Uint32Array,
): ProfileRows {
  const start = rows.rowStart[i];
  return {
    rowCount: rows.rowStart[i + 1] - start,
    values,
    valueWords,
    valueStart: start,
    stacks: rows.stacks,
    stackStart: start,
    labels: rows.sampleLabels,
    labelStart: start,
  };
}

/** Returns the rows of profile `i`. */
export function rowsOfRun(runs: RunRows, i: number): ProfileRows {
  const { words, values } = runs.segments[runs.runSegment[i]];
  const rowCount = runs.runRows[i];
  const start = runs.runOffset[i];
  const stackStart = (start + runs.valueColumnCount * rowCount) * 2;
  return {
    rowCount,
    values,
    valueStart: start + runs.valueColumn * rowCount,
    valueWords: words,
    stacks: words,
    stackStart,
    labels: runs.runLabelled[i] === 1 ? words : undefined,
    labelStart: stackStart + rowCount,
  };
}
