// A series of a selection, with its pieces.
import type { LabelSet } from '../../model/labels.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import type { SelectedSeries, TimeRange } from '../interface.ts';
import type { SeriesPiece, StoredSeries } from '../selection.ts';
import type { Span } from './spans.ts';

export class SumSeries implements SelectedSeries {
  readonly labels: LabelSet;
  readonly profileType: ProfileType;
  readonly pieces: readonly SeriesPiece[];

  constructor({ labels, profileType, pieces }: StoredSeries) {
    this.labels = labels;
    this.profileType = profileType;
    this.pieces = pieces;
  }

  get profileCount(): number {
    return this.pieces.reduce((sum, { profileCount }) => sum + profileCount, 0);
  }

  times(): TimeRange {
    let { firstNanos: from, lastNanos: to } = this.pieces[0].digest();
    for (const piece of this.pieces) {
      const { firstNanos, lastNanos } = piece.digest();
      if (firstNanos < from) from = firstNanos;
      if (lastNanos > to) to = lastNanos;
    }
    return { from, to };
  }
}

/** A series with its spans, at least one. */
export interface SpannedSeries {
  readonly series: SumSeries;
  readonly spans: readonly Span[];
}
