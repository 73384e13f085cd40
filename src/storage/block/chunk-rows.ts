// Finds the rows of the profiles that a query covers. For whole chunks and windows, it finds sums;
// for the rest, single rows.
import type { ChunkRows } from '../selection.ts';
import type { BlockContent } from './block-content.ts';
import type { ChunkEntry } from './index/chunk-entry.ts';
import type { DecodedProfiles } from './decoded-profiles.ts';
import { firstAt, isWholeChunk, type Coverage, type ChunkSpan } from './coverage.ts';

const second = 1_000_000_000n;

/** Consecutive windows of a rollup whose sums replace profiles of a chunk. */
interface Windows {
  readonly chunk: ChunkEntry;
  readonly windows: DecodedProfiles;
  readonly first: number;
  readonly end: number;
  /** Profiles of the chunk that the windows cover. */
  readonly firstProfile: number;
  readonly endProfile: number;
}

/** Profiles of one chunk that no window covers, so their rows are read. */
interface Rest {
  readonly first: number;
  readonly end: number;
}

/** Finds and reads the rows of the covered profiles, for one sample type. */
export class RowFinder {
  readonly #content: BlockContent;
  readonly #coverage: Coverage;
  readonly #valueColumn: number;
  readonly #needsLabels: boolean;

  /**
   * Creates a finder. With `needsLabels`, it does not use sums of chunks that store sample labels
   * row by row.
   */
  constructor(
    content: BlockContent,
    coverage: Coverage,
    valueColumn: number,
    needsLabels: boolean,
  ) {
    this.#content = content;
    this.#coverage = coverage;
    this.#valueColumn = valueColumn;
    this.#needsLabels = needsLabels;
  }

  /** Returns rows that can be read profile by profile. */
  async findRows(span: ChunkSpan): Promise<ChunkRows[]> {
    const profiles = span.profiles ?? (await this.#content.profiles(span.chunk));
    return this.#splitByPeriod(span.chunk, profiles, span.first, span.end);
  }

  /** Like `findRows`, but returns equal sums instead of rows where the sums are cheaper to read. */
  async findSums(span: ChunkSpan): Promise<ChunkRows[]> {
    const { chunk, first, end } = span;
    const [{ period }] = chunk.digests;
    if (!span.hasSums || period === undefined) return this.findRows(span);
    if (isWholeChunk(span)) return [await this.#wholeChunk(chunk, period)];
    const profiles = span.profiles ?? (await this.#content.profiles(chunk));
    const found: ChunkRows[] = [];
    const rests: Rest[] = [];
    let at = first;
    for (const run of await this.#windowsIn(chunk, profiles, first, end)) {
      if (at < run.firstProfile) rests.push({ first: at, end: run.firstProfile });
      found.push(...(await this.#splitByPeriod(run.chunk, run.windows, run.first, run.end)));
      at = run.endProfile;
    }
    if (at < end) rests.push({ first: at, end });
    for (const rest of rests) {
      found.push(...(await this.#splitByPeriod(chunk, profiles, rest.first, rest.end)));
    }
    return found;
  }

  /** Returns the largest windows that cover only profiles `first` .. `end` of a chunk, in order. */
  async #windowsIn(
    chunk: ChunkEntry,
    profiles: DecodedProfiles,
    first: number,
    end: number,
  ): Promise<Windows[]> {
    const { chunks, rollups } = this.#coverage.stream;
    if (rollups.length === 0) return [];
    const times = profiles.timeNanos;
    const at = chunks.indexOf(chunk);
    // A window may include profiles outside of this range, even of other chunks.
    const after = first > 0 ? times[first - 1] : chunks[at - 1]?.digests[0].lastNanos;
    const before = end < times.length ? times[end] : chunks[at + 1]?.digests[0].firstNanos;
    const lengths = [...new Set(rollups.map(({ windowSeconds }) => windowSeconds))];
    let runs: Windows[] = [];
    for (const length of lengths.sort((a, b) => b - a)) {
      for (const rollup of rollups.filter(({ windowSeconds }) => windowSeconds === length)) {
        const nanos = BigInt(length) * second;
        if (!mayHold(rollup, times[first], times[end - 1], nanos)) continue;
        const windows = await this.#content.profiles(rollup);
        const starts = windows.timeNanos;
        // Most windows begin where the previous window ended.
        let borderNanos = times[first];
        let border = first;
        for (let window = 0; window < starts.length; window += 1) {
          const from = starts[window];
          if (after !== undefined && from <= after) continue;
          if (before !== undefined && from + nanos > before) break;
          const firstProfile = from === borderNanos ? border : firstAt(times, from, border);
          const endProfile = firstAt(times, from + nanos, firstProfile);
          borderNanos = from + nanos;
          border = endProfile;
          if (firstProfile === endProfile) continue;
          if (runs.some((run) => run.firstProfile < endProfile && firstProfile < run.endProfile)) {
            continue;
          }
          const run = { windows, first: window, end: window + 1, firstProfile, endProfile };
          runs.push({ chunk: rollup, ...run });
        }
      }
      runs = joined(runs.sort((a, b) => a.firstProfile - b.firstProfile));
    }
    return runs;
  }

  async #wholeChunk(chunk: ChunkEntry, period: bigint): Promise<ChunkRows> {
    const stacks = await this.#content.section(chunk, 'stacks');
    const needsRows = this.#needsLabels && chunk.hasLabelsInRows;
    const rows = needsRows ? await this.#content.section(chunk, 'rows') : undefined;
    const [{ profileCount, rowCount }] = chunk.digests;
    const place = { valueColumn: this.#valueColumn, first: 0, end: profileCount };
    return { kind: 'chunk', chunk: { stacks, rows }, ...place, rowCount, period };
  }

  /** Returns profiles `first` .. `end` of a chunk, split where the period changes. */
  async #splitByPeriod(
    chunk: ChunkEntry,
    profiles: DecodedProfiles,
    first: number,
    end: number,
  ): Promise<ChunkRows[]> {
    const [{ period, profileCount }] = chunk.digests;
    const isAll = first === 0 && end === profileCount && chunk.windowSeconds !== 0;
    if (isAll && period !== undefined) return [await this.#wholeChunk(chunk, period)];
    const [stacks, rows] = await Promise.all([
      this.#content.section(chunk, 'stacks'),
      this.#content.section(chunk, 'rows'),
    ]);
    const bytes = { stacks, rows };
    const periods = profiles.period.subarray(first, end);
    const rowCounts = profiles.rowCounts.subarray(first, end);
    const found: ChunkRows[] = [];
    for (let at = 0; at < periods.length;) {
      const start = at;
      let rowCount = 0;
      for (; at < periods.length && periods[at] === periods[start]; at += 1) {
        rowCount += rowCounts[at];
      }
      const place = { valueColumn: this.#valueColumn, first: first + start, end: first + at };
      found.push({ kind: 'chunk', chunk: bytes, ...place, rowCount, period: periods[start] });
    }
    return found;
  }
}

/** Returns true if a rollup may have a window inside a time range. */
function mayHold({ digests }: ChunkEntry, from: bigint, to: bigint, windowNanos: bigint): boolean {
  const [{ firstNanos, lastNanos }] = digests;
  return firstNanos <= to && lastNanos + windowNanos > from;
}

/** Joins adjacent windows of one rollup. */
function joined(runs: readonly Windows[]): Windows[] {
  const result: Windows[] = [];
  for (const run of runs) {
    const last = result.at(-1);
    if (last?.chunk === run.chunk && last.end === run.first) {
      result[result.length - 1] = { ...last, end: run.end, endProfile: run.endProfile };
    } else {
      result.push(run);
    }
  }
  return result;
}
