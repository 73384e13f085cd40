// A piece of a series without rows that satisfy the matchers, when other pieces have some.
import type { ProfileRun, RowSource, SeriesPiece } from './selection.ts';
import type { ProfileDigest } from '../model/profiles/profile-digest.ts';
import type { ProfileColumns } from '../model/profiles/profile-columns.ts';

/** Filter by SampleLabelsIndex that no row passes. */
const noRow = new Uint8Array(1);

/**
 * A piece without rows that belong. Its profiles still count as measured, so that the time that a
 * series covers does not depend on the split into parts.
 */
export class RowlessPiece implements SeriesPiece {
  readonly rowFilter = noRow;
  readonly #piece: SeriesPiece;

  constructor(piece: SeriesPiece) {
    this.#piece = piece;
  }

  get part(): number {
    return this.#piece.part;
  }

  get isLabelled(): boolean {
    return this.#piece.isLabelled;
  }

  get profileCount(): number {
    return this.#piece.profileCount;
  }

  digest(): ProfileDigest {
    return this.#piece.digest();
  }

  profiles(): ProfileColumns | Promise<ProfileColumns> {
    return this.#piece.profiles();
  }

  profileRuns(): readonly ProfileRun[] | Promise<readonly ProfileRun[]> {
    return this.#piece.profileRuns();
  }

  magnitudeMax(): number {
    return this.#piece.magnitudeMax();
  }

  rows(isWhole: boolean): readonly RowSource[] | Promise<readonly RowSource[]> {
    return isWhole ? [] : this.#piece.rows(false);
  }
}
