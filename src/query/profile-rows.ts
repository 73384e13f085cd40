// The rows of single profiles, wherever they lie: values with stacks and labels of their samples.
import type { DecodedRows } from '../storage/chunk/decode-rows.ts';
import type { RowSource, RunRows } from '../storage/selection.ts';
import { decodeInSteps } from './chunk-sums.ts';

/** Rows of one profile; row i has `values[valueStart + i]`, and so on. */
export interface ProfileRows {
  readonly rowCount: number;
  readonly values: BigInt64Array;
  readonly valueStart: number;
  readonly stacks: Uint32Array;
  readonly stackStart: number;
  /** SampleLabelsIndex by row; undefined when no row has labels. */
  readonly labels: Uint32Array | undefined;
  readonly labelStart: number;
}

/** Profiles of a source. */
export function profileCountOf(source: RowSource): number {
  return source.kind === 'runs' ? source.profileCount : source.end - source.first;
}

/**
 * The rows of each profile of a source, in order of time; each is good until the next.
 *
 * Errors: AppError 'data-loss'.
 */
export function* rowsOfProfiles(source: RowSource): Generator<ProfileRows> {
  if (source.kind === 'runs') {
    for (let i = 0; i < source.profileCount; i += 1) yield rowsOfRun(source, i);
    return;
  }
  const { chunk, plane, first, end, rowCount } = source;
  for (const rows of decodeInSteps(chunk, first, end, rowCount)) {
    for (let i = 0; i < rows.profileCount; i += 1) yield rowsOfDecoded(rows, i, plane);
  }
}

function rowsOfDecoded(rows: DecodedRows, i: number, plane: number): ProfileRows {
  const start = rows.rowStart[i];
  return {
    rowCount: rows.rowStart[i + 1] - start,
    values: rows.values[plane],
    valueStart: start,
    stacks: rows.stacks,
    stackStart: start,
    labels: rows.sampleLabels,
    labelStart: start,
  };
}

function rowsOfRun(runs: RunRows, i: number): ProfileRows {
  const { words, values } = runs.segments[runs.runSegment[i]];
  const rowCount = runs.runRows[i];
  const start = runs.runOffset[i];
  const stackStart = (start + runs.planeCount * rowCount) * 2;
  return {
    rowCount,
    values,
    valueStart: start + runs.plane * rowCount,
    stacks: words,
    stackStart,
    labels: runs.runLabelled[i] === 1 ? words : undefined,
    labelStart: stackStart + rowCount,
  };
}
