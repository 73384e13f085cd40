// A selection of one part in memory as plain columns, which merges and summaries read.
import { assert } from '../base/assert.ts';
import { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type {
  ProfileColumns,
  RowSegment,
  RunRows,
  SelectedSeries,
  Selection,
} from '../storage/selection.ts';

/** One series with all of its columns. */
export interface LoadedSeries extends ProfileColumns, Omit<RunRows, 'kind' | 'segments'> {
  readonly labels: LabelSet;
  readonly profileType: ProfileType;
  readonly rowFilter: Uint8Array | undefined;
}

export interface LoadedSelection {
  readonly dictionary: Dictionary;
  readonly segments: readonly RowSegment[];
  readonly series: readonly LoadedSeries[];
  readonly rowCount: number;
}

/** Reads what a selection of one part holds. */
export async function loadSelection(selection: Selection): Promise<LoadedSelection> {
  const { parts, series, rowCount } = selection;
  assert(parts.length <= 1, 'a selection has one part');
  const dictionary = (await parts[0]?.dictionary()) ?? new Dictionary([0, 0, 0]);
  const loaded = await Promise.all(series.map(loadSeries));
  const segments = loaded[0]?.segments ?? [];
  return { dictionary, segments, series: loaded.map((one) => one.series), rowCount };
}

async function loadSeries({
  labels,
  profileType,
  pieces,
}: SelectedSeries): Promise<{ series: LoadedSeries; segments: readonly RowSegment[] }> {
  assert(pieces.length === 1, 'a series has one piece');
  const [piece] = pieces;
  const columns = await piece.profiles();
  const [rows] = await piece.rows(true);
  assert(rows.kind === 'runs', 'rows are runs');
  const { segments, ...runs } = rows;
  const series = { ...runs, ...columns, labels, profileType, rowFilter: piece.rowFilter };
  return { series, segments };
}
