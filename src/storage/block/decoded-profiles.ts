// The columns of a chunk's profiles, each decoded on first use and cached.
import { ChunkProfiles } from '../chunk/decode-profiles.ts';
import { DigestGroups } from './digest-groups.ts';
import { columnsIn, lazyColumns } from './lazy-columns.ts';
import type { RunningSums } from '../selection.ts';
import type { ProfileDigest } from '../../model/profiles/profile-digest.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';

/** The columns of a chunk. All callers share them and must not change them. */
export class DecodedProfiles {
  readonly profileCount: number;
  readonly #profiles: ChunkProfiles;
  /** Columns by sample type. */
  readonly #valueColumns: ProfileColumns[] = [];
  /** Running sums by sample type. */
  readonly #running: RunningSums[] = [];
  /** Digest groups by sample type. */
  readonly #groups: DigestGroups[] = [];
  #times: BigInt64Array | undefined;
  #durations: BigInt64Array | undefined;
  #periods: BigInt64Array | undefined;
  #rows: Uint32Array | undefined;

  /** Opens the `profiles` section of a chunk. Errors: AppError 'data-loss'. */
  constructor(section: Uint8Array) {
    this.#profiles = new ChunkProfiles(section);
    this.profileCount = this.#profiles.profileCount;
  }

  /** Memory in bytes once everything is decoded. */
  get byteLength(): number {
    return 500 + this.profileCount * (28 + 25 * this.#profiles.valueColumnCount);
  }

  get timeNanos(): BigInt64Array {
    this.#times ??= this.#profiles.timeNanos();
    return this.#times;
  }

  get durationNanos(): BigInt64Array {
    this.#durations ??= this.#profiles.durationNanos();
    return this.#durations;
  }

  get period(): BigInt64Array {
    this.#periods ??= this.#profiles.period();
    return this.#periods;
  }

  /** Number of rows of each profile. */
  get rowCounts(): Uint32Array {
    this.#rows ??= this.#profiles.rowCounts();
    return this.#rows;
  }

  /**
   * Low half of each profile's content hash; undefined if hashes are not stored. Decoded on each
   * call.
   */
  get contentHashes(): Uint32Array | undefined {
    return this.#profiles.contentHashes();
  }

  /** Returns the columns of profiles `first` .. `end`. */
  columns(valueColumn: number, first: number, end: number): ProfileColumns {
    const all = this.#valueColumn(valueColumn);
    if (first === 0 && end === this.profileCount) return all;
    return columnsIn(all, first, end);
  }

  /** Returns the running sums over profiles `first` .. `end`. */
  runningSums(valueColumn: number, first: number, end: number): RunningSums {
    const all = (this.#running[valueColumn] ??= addUp(
      this.#profiles.totals(valueColumn),
      this.#profiles.counts(valueColumn),
    ));
    if (first === 0 && end === this.profileCount) return all;
    return { total: all.total.subarray(first, end + 1), count: all.count.subarray(first, end + 1) };
  }

  /** Returns the digest of profiles `first` .. `end`. */
  sumDigests(valueColumn: number, first: number, end: number): ProfileDigest {
    const groups = (this.#groups[valueColumn] ??= new DigestGroups(
      this.#valueColumn(valueColumn),
      this.rowCounts,
    ));
    return groups.sumDigests(first, end);
  }

  #valueColumn(valueColumn: number): ProfileColumns {
    let columns = this.#valueColumns[valueColumn];
    if (columns === undefined) {
      columns = lazyColumns(this.profileCount, {
        timeNanos: () => this.timeNanos,
        durationNanos: () => this.durationNanos,
        period: () => this.period,
        total: () => this.#profiles.totals(valueColumn),
        count: () => this.#profiles.counts(valueColumn),
      });
      this.#valueColumns[valueColumn] = columns;
    }
    return columns;
  }
}

function addUp(totals: BigInt64Array, counts: Uint32Array): RunningSums {
  const total = new BigInt64Array(totals.length + 1);
  const count = new Uint32Array(counts.length + 1);
  for (let i = 0; i < totals.length; i += 1) {
    total[i + 1] = total[i] + totals[i];
    count[i + 1] = count[i] + counts[i];
  }
  return { total, count };
}
