// Profiles of one series of a block, read when they are asked for.
import { AppError, errorMessage } from '../../base/errors.ts';
import type { ChunkRows, PieceDigest, ProfileColumns, SeriesPiece } from '../selection.ts';
import type { BlockContent } from './block-content.ts';
import { RowFinder } from './chunk-rows.ts';
import { digestOfCoverage, joinColumns, type Coverage, type Span } from './coverage.ts';

export interface BlockPieceOptions {
  readonly content: BlockContent;
  readonly part: number;
  readonly coverage: Coverage;
  /** Which of the stream's sample types it is. */
  readonly plane: number;
  readonly rowFilter: Uint8Array | undefined;
  /** Told what of it cannot be read; may be told more than once. */
  readonly noteMissing: (sentence: string) => void;
}

export class BlockPiece implements SeriesPiece {
  readonly part: number;
  readonly rowFilter: Uint8Array | undefined;
  readonly isLabelled: boolean;
  private readonly options: BlockPieceOptions;
  private known: PieceDigest | undefined;

  constructor(options: BlockPieceOptions) {
    this.options = options;
    this.part = options.part;
    this.rowFilter = options.rowFilter;
    this.isLabelled = options.coverage.spans.some(({ chunk }) => chunk.isLabelled);
  }

  get profileCount(): number {
    let count = 0;
    for (const { first, end } of this.options.coverage.spans) count += end - first;
    return count;
  }

  digest(): PieceDigest {
    const { coverage, plane } = this.options;
    this.known ??= digestOfCoverage(coverage, plane);
    return this.known;
  }

  profiles(): ProfileColumns | Promise<ProfileColumns> {
    const { content, plane, coverage } = this.options;
    const columns: ProfileColumns[] = [];
    for (const { chunk, profiles, first, end } of coverage.spans) {
      const loaded = profiles ?? content.profiles(chunk);
      if (loaded instanceof Promise) return this.loadProfiles();
      columns.push(loaded.columns(plane, first, end));
    }
    return joinColumns(columns);
  }

  private async loadProfiles(): Promise<ProfileColumns> {
    const { content, plane } = this.options;
    const columns = await this.ofSpans(async ({ chunk, profiles, first, end }) => [
      (profiles ?? (await content.profiles(chunk))).columns(plane, first, end),
    ]);
    return joinColumns(columns);
  }

  rows(isWhole: boolean): Promise<readonly ChunkRows[]> {
    const { content, coverage, plane, rowFilter } = this.options;
    const finder = new RowFinder(content, coverage, plane, rowFilter !== undefined);
    return this.ofSpans((span) => (isWhole ? finder.sumsOf(span) : finder.rowsOf(span)));
  }

  /** What `read` gives for each span; those that cannot be read are noted and left out. */
  private async ofSpans<T>(read: (span: Span) => Promise<T[]>): Promise<T[]> {
    const { coverage, content, noteMissing } = this.options;
    const found: T[] = [];
    for (const span of coverage.spans) {
      try {
        found.push(...(await read(span)));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        noteMissing(missingSentence(content, span.end - span.first, error));
      }
    }
    return found;
  }
}

/** Says that profiles of a block cannot be read. */
export function missingSentence(content: BlockContent, count: number, error: unknown): string {
  const { id } = content.file.facts;
  return `cannot read ${count} profiles of block ${id}: ${errorMessage(error)}`;
}
