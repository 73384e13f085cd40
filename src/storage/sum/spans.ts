// The profiles of a series as spans that follow each other in time, from all parts.
import { digestOf } from '../../model/profiles/profile-digest.ts';
import {
  copyOf,
  mergeByTime,
  noProfiles,
  type ProfileColumns,
} from '../../model/profiles/profile-columns.ts';
import type { TimedSpan } from '../../model/profiles/timeline.ts';
import type { ProfileRun, SeriesPiece } from '../selection.ts';
import { readOrNote } from './read-or-note.ts';

/** Profiles of one series: a piece, or pieces that overlap in time, read as one. */
export interface Span extends TimedSpan {
  /** Pieces of the span, at least one. */
  readonly pieces: readonly SeriesPiece[];
  /**
   * Returns all profiles in runs, each later than the whole previous one. Ownership: as of
   * `columns`.
   */
  runs(): readonly ProfileRun[] | Promise<readonly ProfileRun[]>;
  /**
   * Returns an approximate upper bound of the sum of the profiles' magnitudes, without a digest.
   */
  magnitudeMax(): number;
}

/** Sentences about what cannot be read. */
export interface Notes {
  readonly missing: string[];
}

/**
 * Returns spans that follow each other: each starts after the end of the previous one. Reads pieces
 * that overlap, and leaves them out if they cannot be read.
 */
export async function spansOf(pieces: readonly SeriesPiece[], notes: Notes): Promise<Span[]> {
  if (pieces.length === 1) return [singleSpan(pieces[0], notes)];
  const singles = pieces
    .map((piece) => singleSpan(piece, notes))
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

/** Returns all profiles of some spans in order of time. Ownership: valid until the next await. */
export async function columnsOf(spans: readonly Span[]): Promise<ProfileColumns> {
  if (spans.length === 1) return spans[0].columns();
  const all: ProfileColumns[] = [];
  for (const span of spans) all.push(copyOf(await span.columns()));
  return mergeByTime(all);
}

function singleSpan(piece: SeriesPiece, notes: Notes): Span {
  let known: Span['digest'] | undefined;
  return {
    get digest() {
      return (known ??= piece.digest());
    },
    pieces: [piece],
    columns: () => readOr(noProfiles, notes, () => piece.profiles()),
    runs: () => readOr<readonly ProfileRun[]>([], notes, () => piece.profileRuns()),
    magnitudeMax: () => piece.magnitudeMax(),
  };
}

/** Returns the result of `read`, at once if it is in memory, or `nothing` if it cannot be read. */
function readOr<T>(nothing: T, notes: Notes, read: () => T | Promise<T>): T | Promise<T> {
  const result = readOrNote(notes, read);
  return result instanceof Promise ? result.then((one) => one ?? nothing) : (result ?? nothing);
}

async function joinOverlapping(group: readonly Span[]): Promise<Span[]> {
  if (group.length === 1) return [...group];
  const columns = () => columnsOf(group);
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

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
