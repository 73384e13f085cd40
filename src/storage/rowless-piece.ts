// Profiles of a series none of whose rows satisfies the matchers, where other rows of it do.
import type { ProfileRun, RowSource, SeriesPiece } from './selection.ts';
import type { ProfileDigest } from '../model/profiles/profile-digest.ts';
import type { ProfileColumns } from '../model/profiles/profile-columns.ts';

/** By SampleLabelsIndex: no row belongs. */
const noRow = new Uint8Array(1);

/** They were measured, too: what a series covers does not depend on how it lies in parts. */
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
