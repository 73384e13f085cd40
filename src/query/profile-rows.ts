// The rows of single profiles, wherever they lie: values with the labels of their samples.
import { assert } from '../base/assert.ts';
import type { RowSource, RunRows } from '../storage/selection.ts';

/** Rows of one profile; row i has `values[valueStart + i]` and `labels[labelStart + i]`. */
export interface ProfileRows {
  readonly rowCount: number;
  readonly values: BigInt64Array;
  readonly valueStart: number;
  /** SampleLabelsIndex by row; undefined when no row has labels. */
  readonly labels: Uint32Array | undefined;
  readonly labelStart: number;
}

/** The rows of each profile of a source, in order of time; each is good until the next. */
export function* rowsOfProfiles(source: RowSource): Generator<ProfileRows> {
  assert(source.kind === 'runs', 'rows are runs');
  for (let i = 0; i < source.profileCount; i += 1) yield rowsOfRun(source, i);
}

function rowsOfRun(runs: RunRows, i: number): ProfileRows {
  const { words, values } = runs.segments[runs.runSegment[i]];
  const rowCount = runs.runRows[i];
  const start = runs.runOffset[i];
  return {
    rowCount,
    values,
    valueStart: start + runs.plane * rowCount,
    labels: runs.runLabelled[i] === 1 ? words : undefined,
    labelStart: (start + runs.planeCount * rowCount) * 2 + rowCount,
  };
}
