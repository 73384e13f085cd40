// Profiles of one series in a head.
import { sumMagnitude } from '../../model/merge.ts';
import { computeDigest, type ProfileDigest } from '../../model/profiles/profile-digest.ts';
import type { ProfileSegment } from './profile-pool.ts';
import type { RowVerdict } from './sample-label-filter.ts';
import type {
  ProfileRun,
  RowSegment,
  RunRows,
  SampleTimesOfProfiles,
  SeriesSlice,
} from '../selection.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import type { Head } from './head.ts';
import type { SpanSums } from './stream-sums.ts';
import type { ProfileSpan } from './stream-profiles.ts';

/** A stream that has profiles in the range, with these profiles and a filter of their rows. */
export interface HeadMatch {
  readonly ref: number;
  readonly span: ProfileSpan;
  readonly verdict: RowVerdict;
}

/**
 * Profiles of one series. Views are created on demand, because most slices of a long answer need
 * only one of them.
 */
export class HeadSlice implements SeriesSlice {
  readonly part: number;
  readonly rowFilter: Uint8Array | undefined;
  readonly isLabelled: boolean;
  readonly #head: Pick<Head, 'spanSums' | 'times'>;
  readonly #ref: number;
  readonly #span: ProfileSpan;
  readonly #valueColumn: number;
  readonly #segments: readonly RowSegment[];
  #known: ProfileDigest | undefined;
  #columns: ProfileColumns | undefined;

  /**
   * Creates a slice. `segments` has the current segments of the arena, which may get more later.
   * `isLabelled` is true if any sample of the stream has labels, even outside of the range.
   */
  constructor(
    head: Pick<Head, 'spanSums' | 'times'>,
    { ref, span, verdict }: HeadMatch,
    part: number,
    valueColumn: number,
    segments: readonly RowSegment[],
    isLabelled: boolean,
  ) {
    this.part = part;
    this.#head = head;
    this.#ref = ref;
    this.#span = span;
    this.#valueColumn = valueColumn;
    this.#segments = segments;
    this.rowFilter = typeof verdict === 'string' ? undefined : verdict;
    this.isLabelled = isLabelled && hasLabels(span);
  }

  get profileCount(): number {
    return this.#span.end - this.#span.first;
  }

  digest(): ProfileDigest {
    this.#known ??= computeDigest(this.profiles(), countRows(this.#span));
    return this.#known;
  }

  profiles(): ProfileColumns {
    return (this.#columns ??= new HeadProfiles(this.#span, this.#valueColumn));
  }

  profileRuns(): readonly ProfileRun[] {
    return [{ columns: this.profiles(), sums: this.#sums() }];
  }

  magnitudeMax(): number {
    if (this.#known !== undefined) return this.#known.magnitude;
    return this.#sums()?.magnitude ?? sumMagnitude(this.profiles().total);
  }

  #sums(): SpanSums | undefined {
    return this.#head.spanSums(this.#ref, this.#span, this.#valueColumn);
  }

  sampleTimes(): SampleTimesOfProfiles {
    const { columns, first, end } = this.#span;
    return this.#head.times.ofProfiles(columns, first, end);
  }

  rows(): readonly RunRows[] {
    const { columns, first, end } = this.#span;
    return [
      {
        kind: 'runs',
        segments: this.#segments,
        profileCount: end - first,
        period: columns.period.subarray(first, end),
        runSegment: columns.runSegment.subarray(first, end),
        runOffset: columns.runOffset.subarray(first, end),
        runRows: columns.runRows.subarray(first, end),
        runLabelled: columns.runLabelled.subarray(first, end),
        valueColumnCount: columns.total.length,
        valueColumn: this.#valueColumn,
      },
    ];
  }
}

/**
 * Views of profiles. They are created on demand, because a view takes 100 bytes and graphs over
 * time rarely read them.
 */
class HeadProfiles implements ProfileColumns {
  readonly profileCount: number;
  readonly timeNanos: BigInt64Array;
  readonly total: BigInt64Array;
  readonly count: Uint32Array;
  readonly #span: ProfileSpan;

  constructor(span: ProfileSpan, valueColumn: number) {
    const { columns, first, end } = span;
    this.#span = span;
    this.profileCount = end - first;
    this.timeNanos = columns.timeNanos.subarray(first, end);
    this.total = columns.total[valueColumn].subarray(first, end);
    this.count = columns.count[valueColumn].subarray(first, end);
  }

  get durationNanos(): BigInt64Array {
    const { columns, first, end } = this.#span;
    return columns.durationNanos.subarray(first, end);
  }

  get period(): BigInt64Array {
    const { columns, first, end } = this.#span;
    return columns.period.subarray(first, end);
  }
}

function countRows({ columns, first, end }: ProfileSpan): number {
  const { runRows }: ProfileSegment = columns;
  let rows = 0;
  for (let i = first; i < end; i += 1) rows += runRows[i];
  return rows;
}

function hasLabels({ columns, first, end }: ProfileSpan): boolean {
  for (let i = first; i < end; i += 1) if (columns.runLabelled[i] === 1) return true;
  return false;
}
