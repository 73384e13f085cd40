// Selects the rows of chosen profiles in a slice.
import type { ChunkRows, RowSource, RunRows } from '../selection.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import { countProfiles } from './profile-rows.ts';

/**
 * Returns the profiles of `sources` for which `isChosen` is 1. In `sources`, each profile must be
 * separate. Ownership: the caller owns the columns of runs.
 */
export function chooseProfiles(sources: readonly RowSource[], isChosen: Uint8Array): RowSource[] {
  const chosen: RowSource[] = [];
  let at = 0;
  for (const source of sources) {
    const end = at + countProfiles(source);
    const own = isChosen.subarray(at, end);
    if (own.includes(1)) {
      if (source.kind === 'runs') chosen.push(chooseRuns(source, own));
      else chosen.push(...chooseStretches(source, own));
    }
    at = end;
  }
  return chosen;
}

function chooseRuns(runs: RunRows, isChosen: Uint8Array): RunRows {
  const rows = rowsOfChosen(isChosen);
  return {
    ...runs,
    profileCount: rows.length,
    period: BigInt64Array.from(rows, (i) => runs.period[i]),
    runSegment: rows.map((i) => runs.runSegment[i]),
    runOffset: rows.map((i) => runs.runOffset[i]),
    runRows: rows.map((i) => runs.runRows[i]),
    runLabelled: Uint8Array.from(rows, (i) => runs.runLabelled[i]),
  };
}

/** Returns the profiles for which `isChosen` is 1. */
export function chooseColumns(columns: ProfileColumns, isChosen: Uint8Array): ProfileColumns {
  const rows = rowsOfChosen(isChosen);
  return {
    profileCount: rows.length,
    timeNanos: BigInt64Array.from(rows, (i) => columns.timeNanos[i]),
    durationNanos: BigInt64Array.from(rows, (i) => columns.durationNanos[i]),
    period: BigInt64Array.from(rows, (i) => columns.period[i]),
    total: BigInt64Array.from(rows, (i) => columns.total[i]),
    count: rows.map((i) => columns.count[i]),
  };
}

/** Returns the positions of elements that are 1. */
function rowsOfChosen(isChosen: Uint8Array): Uint32Array {
  const rows = new Uint32Array(isChosen.length);
  let count = 0;
  for (let i = 0; i < isChosen.length; i += 1) {
    if (isChosen[i] !== 1) continue;
    rows[count] = i;
    count += 1;
  }
  return rows.subarray(0, count);
}

/**
 * Chooses profiles of a chunk. Adjacent chosen profiles stay together. Numbers of rows are
 * estimates.
 */
function chooseStretches(chunk: ChunkRows, isChosen: Uint8Array): ChunkRows[] {
  const { first, end: last, rowCount } = chunk;
  const stretches: ChunkRows[] = [];
  for (let i = 0; i < isChosen.length; i += 1) {
    if (isChosen[i] !== 1) continue;
    const start = i;
    while (i + 1 < isChosen.length && isChosen[i + 1] === 1) i += 1;
    const length = i + 1 - start;
    const rows = Math.ceil((rowCount / (last - first)) * length);
    const end = first + start + length;
    stretches.push({ ...chunk, first: first + start, end, rowCount: rows });
  }
  return stretches;
}
