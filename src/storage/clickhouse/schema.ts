// The tables of a ClickHouse store, and the statements that create them.

/** Version of the tables below; stored in the table `schema_version`. */
export const schemaVersion = 2;

/** Length of a partition in nanoseconds: one day. Retention drops complete partitions. */
export const dayNanos = 86_400_000_000_000n;
/** Nanoseconds of an hour; the profiles of a service are sorted by hour. */
export const hourNanos = 3_600_000_000_000n;

/** Options that the definitions of the tables depend on. */
export interface SchemaOptions {
  /** Name of the cluster on which tables are replicated; "" for a single server. */
  readonly cluster: string;
  /** False for servers before 20.1, which support neither codecs nor fsync of inserts. */
  readonly isModern: boolean;
}

interface Table {
  readonly name: string;
  /** Columns in the order in which rows are written. */
  readonly columns: readonly string[];
  readonly partition: string;
  readonly order: string;
}

/**
 * A profile is one row, so that a push succeeds or fails completely. Its arrays have an element for
 * each sample. `data` has an array of values for each sample type. Writing a row twice does no
 * harm: the engine merges equal rows when it merges parts, and queries read only one of them.
 *
 * The ids of symbols are hashes of their content, which every server computes in the same way. Each
 * server writes the symbols that it uses once a day.
 */
const tables: readonly Table[] = [
  {
    name: 'profiles',
    columns: [
      'service String',
      'name String',
      'hour Int64 DELTA',
      'stream UInt64',
      'time Int64 DELTA',
      'duration Int64',
      'period Int64',
      'content UInt64',
      'totals Array(Int64)',
      'counts Array(UInt32)',
      'stacks Array(LowCardinality(FixedString(16)))',
      'labels Array(UInt64)',
      'data Array(Array(Int64))',
    ],
    partition: `intDiv(time, ${dayNanos})`,
    order: 'service, name, hour, stream, time, content',
  },
  {
    name: 'streams',
    columns: [
      'day Int64',
      'name String',
      'service String',
      'stream UInt64',
      'sample_types Array(String)',
      'sample_units Array(String)',
      'period_type String',
      'period_unit String',
      'delta UInt8',
      'label_names Array(String)',
      'label_values Array(String)',
    ],
    partition: 'day',
    order: 'name, service, stream',
  },
  {
    name: 'stacks',
    columns: [
      'day Int64',
      'stack FixedString(16)',
      'locations Array(LowCardinality(FixedString(16)))',
    ],
    partition: 'day',
    order: 'stack',
  },
  {
    name: 'locations',
    columns: [
      'day Int64',
      'location FixedString(16)',
      'address UInt64',
      'mapping_start UInt64',
      'mapping_limit UInt64',
      'mapping_offset UInt64',
      'mapping_file LowCardinality(String)',
      'build_id LowCardinality(String)',
      'line_numbers Array(Int32)',
      'line_columns Array(Int32)',
      'function_names Array(LowCardinality(String))',
      'system_names Array(LowCardinality(String))',
      'file_names Array(LowCardinality(String))',
      'start_lines Array(Int32)',
    ],
    partition: 'day',
    order: 'location',
  },
  {
    name: 'sample_labels',
    columns: [
      'day Int64',
      'labels UInt64',
      'label_names Array(String)',
      'label_texts Array(String)',
      'label_numbers Array(Int64)',
      'label_units Array(String)',
    ],
    partition: 'day',
    order: 'labels',
  },
];

export type TableName = 'profiles' | 'streams' | 'stacks' | 'locations' | 'sample_labels';

/** Names of the tables that have a partition for each day. */
export const tableNames = tables.map(({ name }) => name as TableName);

/** Returns the statements that create missing tables. */
export function createStatements({ cluster, isModern }: SchemaOptions): string[] {
  const engine = (name: string): string =>
    cluster === ''
      ? 'ReplacingMergeTree'
      : `ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/parca_${name}', '{replica}')`;
  // With these settings, an acknowledged insert is on disk. Without them, an insert does not wait
  // for fsync.
  const settings = isModern ? ' SETTINGS fsync_after_insert = 1, fsync_part_directory = 1' : '';
  const statements = tables.map(({ name, columns, partition, order }) => {
    const defined = columns.map((column) => columnDefinition(column, isModern)).join(', ');
    return (
      `CREATE TABLE IF NOT EXISTS ${name}${onCluster(cluster)} (${defined}) ` +
      `ENGINE = ${engine(name)} ` +
      `PARTITION BY ${partition} ORDER BY (${order})${settings}`
    );
  });
  const version =
    `CREATE TABLE IF NOT EXISTS schema_version${onCluster(cluster)} (version UInt32) ` +
    `ENGINE = ${engine('schema_version')} ORDER BY version${settings}`;
  return [version, ...statements];
}

/**
 * Returns the statements that migrate tables of an earlier version, in which strings and hashes
 * were not deduplicated. ClickHouse converts existing data in the background.
 */
export function migrationStatements(stored: number, { isModern }: SchemaOptions): string[] {
  if (stored !== 1 || !isModern) return [];
  return tables.flatMap(({ name, columns }) => {
    const changed = columns.filter((column) => column.includes('LowCardinality'));
    if (changed.length === 0) return [];
    const changes = changed.map((column) => `MODIFY COLUMN ${columnDefinition(column, isModern)}`);
    return [`ALTER TABLE ${name} ${changes.join(', ')} SETTINGS alter_sync = 0`];
  });
}

/** Returns the definition of a column; modern servers compress it with zstd. */
function columnDefinition(column: string, isModern: boolean): string {
  const definition = column.replace(/ DELTA$/, '');
  if (!isModern) return definition.replace(/LowCardinality\((\w+(?:\(16\))?)\)/, '$1');
  return `${definition} CODEC(${column === definition ? '' : 'Delta, '}ZSTD(1))`;
}

/** Returns the clause that runs a statement on a cluster; "" for a single server. */
export function onCluster(cluster: string): string {
  return cluster === '' ? '' : ` ON CLUSTER ${quoteName(cluster)}`;
}

/** Quotes a name as an identifier. */
export function quoteName(name: string): string {
  return `\`${name.replace(/[\\`]/g, '\\$&')}\``;
}
