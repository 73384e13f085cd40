// Compares the different ways to compute the same numbers: sums of whole ranges, digests, and rows
// of single profiles.
import { assert } from '../../base/assert.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { ChunkReader } from '../chunk/chunk-reader.ts';
import type {
  ChunkRows,
  ProfileRun,
  RowSource,
  SeriesSlice,
  StoredSelection,
} from '../selection.ts';
import {
  readDictionaries,
  readRows,
  sampleLabelsText,
  stackText,
  type ReadRow,
} from './read-selection.ts';

/** Sums by stack, period and, if `byLabels`, labels. Keys are strings. */
interface Sums {
  readonly byLabels: boolean;
  readonly values: Map<string, bigint>;
}

/** Reader that all chunks share, because a reader holds some memory. */
const reader = new ChunkReader();

/** Sums of a slice, each computed in two ways. */
interface SliceSums {
  /** Sums from the rows of single profiles, and from whole ranges. */
  readonly single: string;
  readonly whole: string;
  /** Numbers of the digest, and the same numbers computed from columns. */
  readonly told: string;
  readonly computed: string;
  /** Times, totals and counts, from the running sums and from the columns. */
  readonly runs: string;
  readonly joined: string;
}

/**
 * Checks for every slice that the sums and totals of whole ranges equal those of its single
 * profiles. Skips slices that the answer reports as partly missing. Errors: an Error that names the
 * difference. The selection stays open.
 */
export async function checkSums(selection: StoredSelection): Promise<void> {
  const { missing } = selection;
  const dictionaries = await readDictionaries(selection);
  for (const { slices, labels } of selection.series) {
    for (const slice of slices) {
      const before = missing.length;
      const sums = await readSums(slice, dictionaries[slice.part]);
      if (missing.length > before) continue;
      const { single, whole, told, computed, runs, joined } = sums;
      const name = JSON.stringify(labels);
      if (single !== whole) throw new Error(`sums of ${name} differ: ${single} but ${whole}`);
      if (runs !== joined) throw new Error(`the runs of ${name} are ${runs}, not ${joined}`);
      if (told !== computed) throw new Error(`the digest of ${name} says ${told}, not ${computed}`);
    }
  }
}

async function readSums(slice: SeriesSlice, dictionary: Dictionary): Promise<SliceSums> {
  const ranges = await slice.rows(true);
  // Sums of whole ranges are without labels if these are stored only in the rows of a chunk.
  const byLabels = slice.rowFilter !== undefined || ranges.every(hasLabels);
  const whole = sumRows(ranges, slice, dictionary, byLabels);
  const single = sumRows(await slice.rows(false), slice, dictionary, byLabels);
  const { profileCount, timeNanos, total, count } = await slice.profiles();
  let sum = 0n;
  let rows = 0;
  let magnitude = 0;
  const lines: string[] = [];
  for (let i = 0; i < profileCount; i += 1) {
    lines.push(`${timeNanos[i]} ${total[i]} ${count[i]}`);
    magnitude += Math.abs(Number(total[i]));
    sum += total[i];
    rows += count[i];
  }
  const last = timeNanos[profileCount - 1];
  const computed: unknown[] = [profileCount, BigInt.asIntN(64, sum), rows, timeNanos[0], last];
  const { firstNanos, lastNanos, ...digest } = slice.digest();
  const told = [digest.profileCount, digest.total, digest.count, firstNanos, lastNanos];
  // Sums of doubles depend slightly on the order of addition, so the comparison has a tolerance.
  if (slice.magnitudeMax() < magnitude * (1 - 1e-9)) computed.push('more than its magnitude');
  const runs = printRuns(await slice.profileRuns());
  return {
    single,
    whole,
    told: told.join(),
    computed: computed.join(),
    runs,
    joined: lines.join(),
  };
}

/** Prints a line for each profile, from running sums if there are any. */
function printRuns(runs: readonly ProfileRun[]): string {
  const lines: string[] = [];
  let last: bigint | undefined;
  for (const { columns, sums } of runs) {
    const { profileCount, timeNanos, total, count } = columns;
    if (last !== undefined && timeNanos[0] <= last) lines.push('not later than the run before');
    last = timeNanos[profileCount - 1];
    for (let i = 0; i < profileCount; i += 1) {
      const value = sums && BigInt.asIntN(64, sums.total[i + 1] - sums.total[i]);
      const rows = sums && (sums.count[i + 1] - sums.count[i]) >>> 0;
      lines.push(`${timeNanos[i]} ${value ?? total[i]} ${rows ?? count[i]}`);
    }
  }
  return lines.join();
}

function hasLabels(source: RowSource): boolean {
  if (source.kind === 'runs' || source.chunk.rows !== undefined) return true;
  return !reader.sumChunk(source.chunk, source.valueColumn, source.first, source.end).labelsInRows;
}

/**
 * Sums the rows. With `byLabels`, rows with the same stack but different labels are summed
 * separately.
 */
function sumRows(
  sources: readonly RowSource[],
  slice: SeriesSlice,
  dictionary: Dictionary,
  byLabels: boolean,
): string {
  const sums: Sums = { byLabels, values: new Map() };
  for (const source of sources) {
    if (source.kind === 'chunk') sumChunk(sums, source, slice, dictionary);
    else {
      readRows(source, slice.rowFilter, dictionary).forEach((rows, i) =>
        addRows(sums, rows, source.period[i]),
      );
    }
  }
  const lines = [...sums.values]
    .filter(([, sum]) => sum !== 0n)
    .map(([key, sum]) => `${key}=${sum}`);
  return lines.sort().join('\n');
}

function sumChunk(
  sums: Sums,
  source: ChunkRows,
  { rowFilter }: SeriesSlice,
  dictionary: Dictionary,
): void {
  const { chunk, valueColumn, first, end, period } = source;
  const sum = reader.sumChunk(chunk, valueColumn, first, end);
  const { entryStack, entryLabels } = sum;
  if (sum.labelsInRows && sums.byLabels) {
    for (const rows of readRows(source, rowFilter, dictionary)) addRows(sums, rows, period);
    return;
  }
  assert(sum.sums.length >= sum.entryCount, 'every entry has a sum');
  for (let entry = 0; entry < sum.entryCount; entry += 1) {
    const labels = entryLabels?.[entry] ?? 0;
    if (rowFilter !== undefined && rowFilter[labels] !== 1) continue;
    const row = {
      stack: stackText(dictionary, entryStack[entry]),
      labels: sampleLabelsText(dictionary, labels),
      value: sum.sums[entry],
      times: '',
    };
    addRows(sums, [row], period);
  }
}

function addRows({ byLabels, values }: Sums, rows: readonly ReadRow[], period: bigint): void {
  for (const { stack, labels, value } of rows) {
    const key = `${stack}${byLabels ? labels : ''}/${period}`;
    values.set(key, BigInt.asIntN(64, (values.get(key) ?? 0n) + value));
  }
}
