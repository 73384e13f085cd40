// Profiles of an Arrow write as columns: rows of stacks with values, grouped by profile.
import type { PprofColumns } from '../pprof/columns.ts';
import type { Label } from '../../model/labels.ts';
import type { ValueType } from '../../model/profile-type.ts';
import type { SampleTimes } from '../../model/profiles/sample-times.ts';

/** Facts that the rows of one or more profiles have in common. */
export interface RecordHead {
  /** Name of the profile, such as parca_agent or memory. */
  readonly name: string;
  /** Labels of the series, in the order of the record, none empty. */
  readonly labels: readonly Label[];
  readonly sampleType: ValueType;
  readonly periodType: ValueType;
  readonly period: bigint;
  readonly durationNanos: bigint;
}

/** A sample label: its name, and the row of its value in the columns' strings. */
export interface RecordLabel {
  readonly name: string;
  readonly text: number;
}

/**
 * The content of one Arrow write.
 *
 * Rows are ordered by profile: the rows of profile p are `rowStart[p] .. rowStart[p + 1]`.
 */
export interface RecordColumns {
  /** Symbols, and the distinct stacks as samples without values or labels. */
  readonly symbols: PprofColumns;
  readonly heads: readonly RecordHead[];
  readonly profileCount: number;
  /** Row in `heads` and time of each profile. No two profiles have the same row and time. */
  readonly headOfProfile: Uint32Array;
  readonly timeNanos: BigInt64Array;
  readonly rowStart: Uint32Array;
  readonly rowCount: number;
  /** Stack of each row, as a row of the samples in `symbols`. */
  readonly stack: Uint32Array;
  readonly values: BigInt64Array<ArrayBuffer>;
  /** Row of `labelSets`; row 0 has no labels. */
  readonly labelSet: Uint32Array;
  readonly labelSets: readonly (readonly RecordLabel[])[];
  /**
   * Sample times of rows, if the sender sends them. The samples of a row share its value equally.
   */
  readonly sampleTimes: SampleTimes | undefined;
  /** Hash of the bytes of the write. */
  readonly contentHash: bigint;
}
