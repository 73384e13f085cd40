// Finds the profiles of one stream of a block that are in an answer.
import { assert } from '../../base/assert.ts';
import type { TimeRange } from '../interface.ts';
import { computeDigest, type ProfileDigest } from '../../model/profiles/profile-digest.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import type { ChunkEntry } from './index/chunk-entry.ts';
import type { DecodedProfiles } from './decoded-profiles.ts';
import { joinDigests } from './digest-groups.ts';
import { lazyColumns } from './lazy-columns.ts';
import type { StreamEntry } from './index/stream-group.ts';

/** Consecutive profiles of one chunk. */
export interface ChunkSpan {
  readonly chunk: ChunkEntry;
  readonly first: number;
  readonly end: number;
  /** Columns of the chunk. They are undefined only if the span is the whole chunk. */
  readonly profiles: DecodedProfiles | undefined;
  /**
   * True if no profile of the chunk is deleted, so that stored sums over many profiles are right.
   */
  readonly hasSums: boolean;
}

/** A span whose columns have been read. */
export interface ReadChunkSpan extends ChunkSpan {
  readonly profiles: DecodedProfiles;
}

/** Profiles of a stream, at least one, in order of time. */
export interface Coverage<Stream = StreamEntry> {
  readonly stream: Stream;
  readonly spans: readonly ChunkSpan[];
}

/** Returns true if a span is a whole chunk. */
export function isWholeChunk({ chunk, first, end }: ChunkSpan): boolean {
  return first === 0 && end === chunk.digests[0].profileCount;
}

/**
 * Finds the profiles of a stream in `range`, without those in the `deleted` ranges; undefined if
 * there are none. `load` reads the columns of a chunk that is only partly covered; if it returns
 * undefined, the chunk is left out.
 */
export async function cover<Stream extends Pick<StreamEntry, 'chunks'>>(
  stream: Stream,
  range: TimeRange,
  deleted: readonly TimeRange[],
  load: (chunk: ChunkEntry) => Promise<DecodedProfiles | undefined>,
): Promise<Coverage<Stream> | undefined> {
  const spans: ChunkSpan[] = [];
  for (const [i, chunk] of stream.chunks.entries()) {
    const [{ firstNanos, lastNanos, profileCount }] = chunk.digests;
    if (lastNanos < range.from || firstNanos > range.to) continue;
    const touching = deleted.filter(({ from, to }) => from <= lastNanos && firstNanos <= to);
    const isInRange = range.from <= firstNanos && lastNanos <= range.to;
    // A digest does not tell in which order profiles with the same time come on both sides of a
    // chunk border.
    const before = stream.chunks[i - 1]?.digests[0].lastNanos;
    const after = stream.chunks[i + 1]?.digests[0].firstNanos;
    const isApart = before !== firstNanos && after !== lastNanos;
    if (isInRange && isApart && touching.length === 0) {
      spans.push({ chunk, first: 0, end: profileCount, profiles: undefined, hasSums: true });
      continue;
    }
    const profiles = await load(chunk);
    if (profiles === undefined) continue;
    const hasSums = touching.length === 0;
    for (const { first, end } of runsIn(profiles.timeNanos, range, touching)) {
      spans.push({ chunk, first, end, profiles, hasSums });
    }
  }
  return spans.length === 0 ? undefined : { stream, spans };
}

/** Consecutive rows `first` .. `end`. */
interface Run {
  readonly first: number;
  readonly end: number;
}

/**
 * Returns runs of consecutive rows whose time is in `range` and in none of the `deleted` ranges.
 * Times are ascending.
 */
export function runsIn(
  times: BigInt64Array,
  range: TimeRange,
  deleted: readonly TimeRange[],
): readonly Run[] {
  const isSome = ({ first, end }: Run): boolean => first < end;
  let runs = [findRun(times, range)].filter(isSome);
  for (const gone of deleted) {
    const { first, end } = findRun(times, gone);
    runs = runs
      .flatMap((run) => [
        { first: run.first, end: Math.min(run.end, first) },
        { first: Math.max(run.first, end), end: run.end },
      ])
      .filter(isSome);
  }
  return runs;
}

function findRun(times: BigInt64Array, { from, to }: TimeRange): Run {
  return { first: firstAt(times, from), end: firstAt(times, to + 1n) };
}

/**
 * Returns the first row, starting at `first`, whose time is not before `nanos`. Times are
 * ascending.
 */
export function firstAt(times: BigInt64Array, nanos: bigint, first = 0): number {
  let low = first;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] < nanos) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the digest of one sample type over the covered profiles. */
export function digestOfCoverage({ spans }: Coverage, valueColumn: number): ProfileDigest {
  let joined: ProfileDigest | undefined;
  for (const group of groupsThatMeet(spans)) {
    const digest = digestOfSpans(group, valueColumn);
    joined = joined === undefined ? digest : joinDigests(joined, digest);
  }
  assert(joined !== undefined, 'a coverage has profiles');
  return joined;
}

/** Groups spans so that all times of a group are later than those of the previous group. */
export function groupsThatMeet<T extends ChunkSpan>(
  spans: readonly T[],
): readonly (readonly T[])[] {
  const groups: T[][] = [];
  for (const [i, span] of spans.entries()) {
    if (i > 0 && meets(spans[i - 1], span)) groups[groups.length - 1].push(span);
    else groups.push([span]);
  }
  return groups;
}

/** Returns true if both spans have profiles with the same time. */
function meets(a: ChunkSpan, b: ChunkSpan): boolean {
  if (a.profiles === undefined || b.profiles === undefined) return false;
  return a.profiles.timeNanos[a.end - 1] === b.profiles.timeNanos[b.first];
}

function digestOfSpans(spans: readonly ChunkSpan[], valueColumn: number): ProfileDigest {
  const [{ chunk, profiles, first, end }] = spans;
  if (spans.length === 1)
    return profiles?.sumDigests(valueColumn, first, end) ?? chunk.digests[valueColumn];
  const columns: ProfileColumns[] = [];
  let rowCount = 0;
  for (const span of spans) {
    if (span.profiles === undefined) continue;
    columns.push(span.profiles.columns(valueColumn, span.first, span.end));
    const rows = span.profiles.rowCounts.subarray(span.first, span.end);
    for (const count of rows) rowCount += count;
  }
  return computeDigest(joinColumns(columns), rowCount);
}

/** Joins the columns of several runs of profiles. */
export function joinColumns(columns: readonly ProfileColumns[]): ProfileColumns {
  if (columns.length === 1) return columns[0];
  const profileCount = columns.reduce((sum, one) => sum + one.profileCount, 0);
  const longs = (parts: readonly BigInt64Array[]): BigInt64Array =>
    joined(new BigInt64Array(profileCount), parts);
  return lazyColumns(profileCount, {
    timeNanos: () => longs(columns.map(({ timeNanos }) => timeNanos)),
    durationNanos: () => longs(columns.map(({ durationNanos }) => durationNanos)),
    period: () => longs(columns.map(({ period }) => period)),
    total: () => longs(columns.map(({ total }) => total)),
    count: () =>
      joined(
        new Uint32Array(profileCount),
        columns.map(({ count }) => count),
      ),
  });
}

/** Concatenates several columns in `into`. */
function joined<T extends { readonly length: number; set(from: T, at: number): void }>(
  into: T,
  parts: readonly T[],
): T {
  let at = 0;
  for (const part of parts) {
    into.set(part, at);
    at += part.length;
  }
  return into;
}
