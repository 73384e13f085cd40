// The rows of some of a piece's profiles.
import type { ChunkRows, RowSource, RunRows } from '../storage/selection.ts';
import { profileCountOf } from './profile-rows.ts';

/**
 * Those profiles of `sources` whose element of `isChosen` is 1; `sources` hold each profile by
 * itself, one after another. Ownership: columns of runs are the caller's.
 */
export function chooseProfiles(sources: readonly RowSource[], isChosen: Uint8Array): RowSource[] {
  const chosen: RowSource[] = [];
  let at = 0;
  for (const source of sources) {
    const end = at + profileCountOf(source);
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
  const isOwn = (_: unknown, i: number): boolean => isChosen[i] === 1;
  const runRows = runs.runRows.filter(isOwn);
  return {
    ...runs,
    profileCount: runRows.length,
    period: runs.period.filter(isOwn),
    runSegment: runs.runSegment.filter(isOwn),
    runOffset: runs.runOffset.filter(isOwn),
    runRows,
    runLabelled: runs.runLabelled.filter(isOwn),
  };
}

/** Profiles of a chunk that follow each other stay together; rows are estimated. */
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
