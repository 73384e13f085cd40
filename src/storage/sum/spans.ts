// The profiles of a series as spans that follow each other in time, whatever parts they lie in.
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
  /** At least one. */
  readonly pieces: readonly SeriesPiece[];
  /** All profiles in runs, each later than all of the one before. Ownership: as of `columns`. */
  runs(): readonly ProfileRun[] | Promise<readonly ProfileRun[]>;
  /** At least the sum of the magnitudes of the profiles' totals, about; known without a digest. */
  magnitudeMax(): number;
}

/** Sentences about what cannot be read. */
export interface Notes {
  readonly missing: string[];
}

/**
 * Spans that follow each other: each starts later than the last one ends. Pieces that overlap are
 * read; none is left when they cannot be.
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

/** All profiles of some spans in order of time. Ownership: good until the next await. */
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

/** Returns what can be read, at once where it is there at once, else `nothing`. */
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
