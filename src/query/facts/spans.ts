// The profiles of a series as spans that follow each other in time, whatever parts they lie in.
import { digestOf } from '../../storage/piece-digest.ts';
import type {
  PieceDigest,
  ProfileColumns,
  ProfileRun,
  SelectedSeries,
  Selection,
  SeriesPiece,
} from '../../storage/selection.ts';
import type { QueryContext } from '../running/context.ts';
import { readOrNote } from './missing.ts';

/** Profiles of one series: a piece, or pieces that overlap in time, read as one. */
export interface Span {
  /** Computed when it is first asked for. */
  readonly digest: PieceDigest;
  /** At least one. */
  readonly pieces: readonly SeriesPiece[];
  /** All profiles in order of time. Ownership: views, valid until the next await. */
  columns(): ProfileColumns | Promise<ProfileColumns>;
  /** The same in runs, each later than all of the one before. Ownership: as of `columns`. */
  runs(): readonly ProfileRun[] | Promise<readonly ProfileRun[]>;
  /** At least the sum of the magnitudes of the profiles' totals, about; known without a digest. */
  magnitudeMax(): number;
}

/** A series whose spans follow each other: each starts later than the last one ends. */
export interface SpannedSeries extends Pick<SelectedSeries, 'labels' | 'profileType'> {
  readonly spans: readonly Span[];
}

/**
 * The spans of every series of a selection, without those that cannot be read. Columns are read
 * where pieces overlap.
 */
export async function spansOf(
  selection: Selection,
  context: QueryContext,
): Promise<SpannedSeries[]> {
  const all: SpannedSeries[] = [];
  for (const { labels, profileType, pieces } of selection.series) {
    const [piece] = pieces;
    const spans =
      pieces.length === 1 ? [singleSpan(piece, selection)] : await joinPieces(pieces, selection);
    if (spans.length === 0) continue;
    all.push({ labels, profileType, spans });
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
  }
  return all;
}

async function joinPieces(pieces: readonly SeriesPiece[], selection: Selection): Promise<Span[]> {
  const singles = pieces
    .map((piece) => singleSpan(piece, selection))
    .sort((a, b) => compare(a.digest.firstNanos, b.digest.firstNanos));
  const spans: Span[] = [];
  let group: Span[] = [];
  let last = 0n;
  for (const single of singles) {
    const { firstNanos, lastNanos } = single.digest;
    if (group.length > 0 && firstNanos > last) {
      spans.push(...(await joinOverlapping(group)));
      group = [];
    }
    last = group.length === 0 || lastNanos > last ? lastNanos : last;
    group.push(single);
  }
  spans.push(...(await joinOverlapping(group)));
  return spans;
}

function singleSpan(piece: SeriesPiece, selection: Selection): Span {
  const columns = (): ProfileColumns | Promise<ProfileColumns> => {
    const read = readOrNote(selection, () => piece.profiles());
    return read instanceof Promise ? read.then((one) => one ?? noProfiles) : (read ?? noProfiles);
  };
  const runs = (): readonly ProfileRun[] | Promise<readonly ProfileRun[]> => {
    const read = readOrNote(selection, () => piece.profileRuns());
    return read instanceof Promise ? read.then((all) => all ?? []) : (read ?? []);
  };
  let known: PieceDigest | undefined;
  return {
    get digest() {
      return (known ??= piece.digest());
    },
    pieces: [piece],
    columns,
    runs,
    magnitudeMax: () => piece.magnitudeMax(),
  };
}

async function joinOverlapping(group: readonly Span[]): Promise<Span[]> {
  if (group.length === 1) return [...group];
  const columns = async (): Promise<ProfileColumns> => {
    const all: ProfileColumns[] = [];
    for (const span of group) all.push(copyOf(await span.columns()));
    return mergeByTime(all);
  };
  const merged = await columns();
  if (merged.profileCount === 0) return [];
  const rowCount = group.reduce((sum, { digest }) => sum + digest.rowCount, 0);
  const pieces = group.flatMap((span) => span.pieces);
  const digest = digestOf(merged, rowCount);
  const runs = async (): Promise<readonly ProfileRun[]> => [
    { columns: await columns(), sums: undefined },
  ];
  return [{ digest, pieces, columns, runs, magnitudeMax: () => digest.magnitude }];
}

export const noProfiles: ProfileColumns = {
  profileCount: 0,
  timeNanos: new BigInt64Array(0),
  durationNanos: new BigInt64Array(0),
  period: new BigInt64Array(0),
  total: new BigInt64Array(0),
  count: new Uint32Array(0),
};

/** Columns of their own, which last. */
export function copyOf(columns: ProfileColumns): ProfileColumns {
  return {
    profileCount: columns.profileCount,
    timeNanos: columns.timeNanos.slice(),
    durationNanos: columns.durationNanos.slice(),
    period: columns.period.slice(),
    total: columns.total.slice(),
    count: columns.count.slice(),
  };
}

/** All profiles in order of time, of the given order among equal times. */
export function mergeByTime(all: readonly ProfileColumns[]): ProfileColumns {
  const timeNanos = concat64(all.map((columns) => columns.timeNanos));
  const count = new Uint32Array(timeNanos.length);
  let at = 0;
  for (const columns of all) {
    count.set(columns.count, at);
    at += columns.profileCount;
  }
  const joined = {
    profileCount: timeNanos.length,
    timeNanos,
    durationNanos: concat64(all.map(({ durationNanos }) => durationNanos)),
    period: concat64(all.map(({ period }) => period)),
    total: concat64(all.map(({ total }) => total)),
    count,
  };
  const order = orderOf(timeNanos);
  if (order === undefined) return joined;
  return {
    profileCount: order.length,
    timeNanos: permuted(joined.timeNanos, order),
    durationNanos: permuted(joined.durationNanos, order),
    period: permuted(joined.period, order),
    total: permuted(joined.total, order),
    count: order.map((i) => count[i]),
  };
}

/** The rows of times in their order; undefined when they are in order. */
function orderOf(times: BigInt64Array): Uint32Array | undefined {
  let isInOrder = true;
  for (let i = 1; i < times.length && isInOrder; i += 1) isInOrder = times[i - 1] <= times[i];
  if (isInOrder) return undefined;
  // Doubles are compared much faster, and tell times of 104 days apart; bigints tell the rest.
  const rough = new Float64Array(times.length);
  for (let i = 0; i < rough.length; i += 1) rough[i] = Number(times[i] - times[0]);
  const order = Uint32Array.from(times, (_, i) => i);
  return order.sort((a, b) => rough[a] - rough[b] || compare(times[a], times[b]) || a - b);
}

function permuted(column: BigInt64Array, order: Uint32Array): BigInt64Array {
  const result = new BigInt64Array(order.length);
  for (let i = 0; i < order.length; i += 1) result[i] = column[order[i]];
  return result;
}

function concat64(columns: readonly BigInt64Array[]): BigInt64Array {
  const joined = new BigInt64Array(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    joined.set(column, at);
    at += column.length;
  }
  return joined;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
