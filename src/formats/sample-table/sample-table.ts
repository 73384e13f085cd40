// Samples as a table, for tools that read tables: one row for each value of each sample.

/** A column of strings with few distinct values. */
export interface Words {
  /** Index in `texts` of each value. */
  readonly indices: Uint32Array;
  readonly texts: readonly string[];
}

/** All columns have `rowCount` elements; `sampleColumns` has their names in files. */
export interface SampleTable {
  readonly rowCount: number;
  readonly timeNanos: BigInt64Array;
  readonly durationNanos: BigInt64Array;
  readonly period: BigInt64Array;
  /** The profile type: `name:sample_type:sample_unit:period_type:period_unit[:delta]`. */
  readonly profileType: Words;
  /** A JSON object of the series' labels. */
  readonly labels: Words;
  /** A JSON object of the sample's labels; "{}" if it has none. */
  readonly sampleLabels: Words;
  /** Names from the root to the leaf: `root;caller;leaf`. */
  readonly stack: Words;
  readonly value: BigInt64Array;
}

/** Names and types of the columns, in the order of the file. */
export const sampleColumns = [
  { name: 'time_nanos', field: 'timeNanos', kind: 'integer' },
  { name: 'duration_nanos', field: 'durationNanos', kind: 'integer' },
  { name: 'period', field: 'period', kind: 'integer' },
  { name: 'profile_type', field: 'profileType', kind: 'words' },
  { name: 'labels', field: 'labels', kind: 'words' },
  { name: 'sample_labels', field: 'sampleLabels', kind: 'words' },
  { name: 'stack', field: 'stack', kind: 'words' },
  { name: 'value', field: 'value', kind: 'integer' },
] as const;
