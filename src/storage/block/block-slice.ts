// Profiles of one series of a block, read on demand.
import { counted } from '../../base/text/counted.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import type { ChunkRows, ProfileRun, SampleTimesOfProfiles, SeriesSlice } from '../selection.ts';
import type { ProfileDigest } from '../../model/profiles/profile-digest.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import type { BlockContent } from './block-content.ts';
import { RowFinder } from './chunk-rows.ts';
import {
  digestOfCoverage,
  groupsThatMeet,
  joinColumns,
  type Coverage,
  type ReadChunkSpan,
  type ChunkSpan,
} from './coverage.ts';

export interface BlockSliceOptions {
  readonly content: BlockContent;
  readonly part: number;
  readonly coverage: Coverage;
  /** Index of the sample type in the stream. */
  readonly valueColumn: number;
  readonly rowFilter: Uint8Array | undefined;
  /** Called for data of the slice that cannot be read, possibly several times for the same data. */
  readonly noteMissing: (sentence: string) => void;
}

/** Placeholder for times that cannot be read. */
const noTimes = new Uint8Array(0);

export class BlockSlice implements SeriesSlice {
  readonly part: number;
  readonly rowFilter: Uint8Array | undefined;
  readonly isLabelled: boolean;
  readonly #options: BlockSliceOptions;
  #known: ProfileDigest | undefined;

  constructor(options: BlockSliceOptions) {
    this.#options = options;
    this.part = options.part;
    this.rowFilter = options.rowFilter;
    this.isLabelled = options.coverage.spans.some(({ chunk }) => chunk.isLabelled);
  }

  get profileCount(): number {
    let count = 0;
    for (const { first, end } of this.#options.coverage.spans) count += end - first;
    return count;
  }

  digest(): ProfileDigest {
    const { coverage, valueColumn } = this.#options;
    this.#known ??= digestOfCoverage(coverage, valueColumn);
    return this.#known;
  }

  async profiles(): Promise<ProfileColumns> {
    const runs = await this.profileRuns();
    return joinColumns(runs.map(({ columns }) => columns));
  }

  async profileRuns(): Promise<readonly ProfileRun[]> {
    const { content, valueColumn } = this.#options;
    const read = await this.#ofSpans(async (span) => [
      { ...span, profiles: span.profiles ?? (await content.profiles(span.chunk)) },
    ]);
    const readColumns = ({ profiles, first, end }: ReadChunkSpan): ProfileColumns =>
      profiles.columns(valueColumn, first, end);
    return groupsThatMeet(read).map((group): ProfileRun => {
      const columns = joinColumns(group.map(readColumns));
      const [{ profiles, first, end }] = group;
      const sums = group.length === 1 ? profiles.runningSums(valueColumn, first, end) : undefined;
      return { columns, sums };
    });
  }

  magnitudeMax(): number {
    const { coverage, valueColumn } = this.#options;
    const chunks = new Set(coverage.spans.map(({ chunk }) => chunk));
    let magnitude = 0;
    for (const { digests } of chunks) magnitude += digests[valueColumn].magnitude;
    return magnitude;
  }

  rows(isWhole: boolean): Promise<readonly ChunkRows[]> {
    const { content, coverage, valueColumn, rowFilter } = this.#options;
    const finder = new RowFinder(content, coverage, valueColumn, rowFilter !== undefined);
    return this.#ofSpans((span) => (isWhole ? finder.findSums(span) : finder.findRows(span)));
  }

  async sampleTimes(): Promise<SampleTimesOfProfiles> {
    const { content, coverage, noteMissing } = this.#options;
    if (coverage.spans.every(({ chunk }) => chunk.times === undefined)) return undefined;
    const found: (Uint8Array | undefined)[] = [];
    for (const span of coverage.spans) {
      const { chunk, first, end } = span;
      const fill = (times: Uint8Array | undefined): void => {
        for (let i = first; i < end; i += 1) found.push(times);
      };
      try {
        const times = await content.sampleTimes(chunk);
        if (times === undefined) fill(undefined);
        else found.push(...times.slice(first, end));
      } catch (error) {
        content.throwIfAborted();
        if (!(error instanceof AppError)) throw error;
        noteMissing(missingSentence(content, end - first, error));
        fill(noTimes);
      }
    }
    return found;
  }

  /** Calls `read` for each span, and reports spans that cannot be read as missing. */
  async #ofSpans<T>(read: (span: ChunkSpan) => Promise<T[]>): Promise<T[]> {
    const { coverage, content, noteMissing } = this.#options;
    const found: T[] = [];
    for (const span of coverage.spans) {
      try {
        found.push(...(await read(span)));
      } catch (error) {
        content.throwIfAborted();
        if (!(error instanceof AppError)) throw error;
        noteMissing(missingSentence(content, span.end - span.first, error));
      }
    }
    return found;
  }
}

/** Returns the sentence that reports unreadable profiles of a block. */
export function missingSentence(content: BlockContent, count: number, error: unknown): string {
  const { id } = content.file.facts;
  return `cannot read ${counted(count, 'profile')} of block ${id}: ${errorMessage(error)}`;
}
