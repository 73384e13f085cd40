// The statements that a store sends to ClickHouse.
import type { LabelMatcher } from '../../model/matcher.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import type { TimeRange } from '../interface.ts';
import { floorToDay, floorToHour } from './encode-rows.ts';

/** Returns a string as an SQL literal. */
export function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`;
}

/** Returns an array literal of numbers of one type. */
function formatArray(
  type: 'UInt64' | 'UInt32' | 'Int64',
  values: readonly (bigint | number)[],
): string {
  // Without the cast, the first number would decide the type of the array.
  return `CAST([${values.join(',')}] AS Array(${type}))`;
}

function int64(value: bigint): string {
  // The number is written as a string, because the smallest int64 cannot be written as a negated
  // literal.
  return `toInt64('${value}')`;
}

/** Returns the statement for the streams that may match. `readStream` reads its rows. */
export function streamsStatement(
  { from, to }: TimeRange,
  matchers: readonly LabelMatcher[],
  type: ProfileType | undefined,
): string {
  const conditions = [
    `day BETWEEN ${int64(floorToDay(from))} AND ${int64(floorToDay(to))}`,
    ...matchers.map(formatCondition),
    ...(type === undefined ? [] : typeConditions(type)),
  ];
  return (
    'SELECT stream, name, service, sample_types, sample_units, period_type, period_unit, delta, ' +
    `label_names, label_values FROM streams WHERE ${conditions.join(' AND ')} LIMIT 1 BY stream`
  );
}

/**
 * Returns a condition for a matcher. A stream without the label passes, because the labels of its
 * samples decide later.
 */
function formatCondition({ name, operator, value }: LabelMatcher): string {
  const [has, text] =
    name === '__name__'
      ? ['1', 'name']
      : [
          `has(label_names, ${quoted(name)})`,
          `label_values[indexOf(label_names, ${quoted(name)})]`,
        ];
  const compared =
    operator === '=' || operator === '!='
      ? `${text} = ${quoted(value)}`
      : `match(${text}, ${quoted(`(?s)^(?:${value})$`)})`;
  const holds = operator === '=' || operator === '=~' ? compared : `NOT ${compared}`;
  return `(NOT ${has} OR ${holds})`;
}

function typeConditions({ name, sample, period, delta }: ProfileType): string[] {
  return [
    `name = ${quoted(name)}`,
    `period_type = ${quoted(period.type)}`,
    `period_unit = ${quoted(period.unit)}`,
    `delta = ${delta ? 1 : 0}`,
    `arrayExists((t, u) -> t = ${quoted(sample.type)} AND u = ${quoted(sample.unit)}, ` +
      'sample_types, sample_units)',
  ];
}

/** A set of streams and a time range, with conditions that reduce the rows to read. */
export interface StreamSet {
  readonly range: TimeRange;
  readonly services: readonly string[];
  readonly names: readonly string[];
  readonly streams: readonly bigint[];
}

/** Returns the condition that a profile row is in a set. */
function setCondition({ range, services, names, streams }: StreamSet): string {
  const hours = [range.from, range.to].map((time) => int64(floorToHour(time)));
  const conditions = [
    `service IN (${services.map(quoted).join(',')})`,
    `name IN (${names.map(quoted).join(',')})`,
    `hour BETWEEN ${hours.join(' AND ')}`,
    `time BETWEEN ${int64(range.from)} AND ${int64(range.to)}`,
    `stream IN (${streams.join(',')})`,
  ];
  return conditions.join(' AND ');
}

/**
 * Returns a subquery that yields the given columns of each profile of a set, without duplicates.
 */
function profilesTable(set: StreamSet, columns: readonly string[]): string {
  // A retry may have inserted a row twice. Both copies exist until the engine merges the parts.
  return (
    `(SELECT ${columns.join(', ')} FROM profiles WHERE ${setCondition(set)} ` +
    'LIMIT 1 BY stream, time, content)'
  );
}

/** A filter of samples by the hash of their label set; 0 = none. */
export interface SampleFilter {
  /**
   * Hashes of label sets. If `isIncluded`, only samples with one of these sets match; otherwise,
   * only the other samples match.
   */
  readonly labels: readonly bigint[];
  readonly isIncluded: boolean;
}

/** Returns a condition on the hash of a sample's labels. */
function filterCondition({ labels, isIncluded }: SampleFilter, column: string): string {
  return `${column} ${isIncluded ? 'IN' : 'NOT IN'} (${labels.join(',')})`;
}

/**
 * Returns the statement for the extents of streams that have profiles. Its columns: stream, number
 * of profiles, first and last time, number of rows. With a filter, only streams with a matching
 * sample are included.
 */
export function extentsStatement(set: StreamSet, filter: SampleFilter | undefined): string {
  const columns = ['stream', 'time', 'content', 'counts', ...(filter ? ['labels'] : [])];
  const having = filter === undefined ? '' : ` HAVING max(${belongsExpression(filter)}) = 1`;
  return (
    'SELECT stream, toUInt32(count()), min(time), max(time), ' +
    "toUInt64(sum(arrayReduce('max', counts))) " +
    `FROM ${profilesTable(set, columns)} GROUP BY stream${having}`
  );
}

/**
 * Returns an expression that is 1 if any sample of a profile passes the filter. In a profile
 * without sample labels, all samples pass or none does.
 */
function belongsExpression(filter: SampleFilter): string {
  const isNoneIn = filter.labels.includes(0n) === filter.isIncluded ? 1 : 0;
  const any = `arrayExists(l -> ${filterCondition(filter, 'l')}, labels)`;
  return `if(empty(labels), ${isNoneIn}, ${any})`;
}

/** Profiles of one sample type, with a series number for each stream, and a filter of samples. */
export interface Branch {
  readonly set: StreamSet;
  /** Series number of each stream of the set. */
  readonly series: readonly number[];
  /** Index of the sample type in the uploaded profiles. */
  readonly valueColumn: number;
  readonly filter: SampleFilter | undefined;
}

function formatSeries({ set, series }: Branch): string {
  const [streams, numbers] = [formatArray('UInt64', set.streams), formatArray('UInt32', series)];
  return `transform(stream, ${streams}, ${numbers}, toUInt32(0)) AS series`;
}

/** Returns a subquery of profiles. Its columns: series, time, duration, period, total, count. */
function selectProfiles(branches: readonly Branch[]): string {
  const tables = branches.map((branch) => {
    const columns = ['stream', 'time', 'duration', 'period', 'totals', 'counts', 'content'];
    const valueColumn = branch.valueColumn + 1;
    return (
      `SELECT ${formatSeries(branch)}, time, duration, period, totals[${valueColumn}] AS total, ` +
      `counts[${valueColumn}] AS count FROM ${profilesTable(branch.set, columns)}`
    );
  });
  return `(${tables.join(' UNION ALL ')})`;
}

/**
 * Returns a subquery of matching samples. Its columns: series, time, duration, period, count of the
 * profile, stack, label, value. A profile without samples counts as one sample of value 0.
 */
function selectSamples(branches: readonly Branch[], withLabels: boolean): string {
  const tables = branches.map((branch) => {
    const { filter } = branch;
    const needsLabels = withLabels || filter !== undefined;
    const valueColumn = branch.valueColumn + 1;
    const columns = ['stream', 'time', 'duration', 'period', 'counts', 'stacks', 'data', 'content'];
    const [labels, joined, label] = needsLabels
      ? [', arrayResize(labels, length(stacks)) AS of_samples', ', of_samples AS label', 'label']
      : ['', '', 'toUInt64(0) AS label'];
    const where = filter === undefined ? '' : ` WHERE ${filterCondition(filter, 'label')}`;
    const rows =
      `(SELECT ${formatSeries(branch)}, time, duration, period, counts[${valueColumn}] AS count, stacks, ` +
      `data[${valueColumn}] AS vals${labels} FROM ` +
      `${profilesTable(branch.set, needsLabels ? [...columns, 'labels'] : columns)})`;
    return (
      `SELECT series, time, duration, period, count, stack, ${label}, value FROM ${rows} ` +
      `LEFT ARRAY JOIN stacks AS stack, vals AS value${joined}${where}`
    );
  });
  return `(${tables.join(' UNION ALL ')})`;
}

/** Returns the statement that deletes the profiles of a set. */
export function deleteStatement(set: StreamSet, isModern: boolean): string {
  // Older servers reply before they have deleted the rows.
  const settings = isModern ? ' SETTINGS mutations_sync = 2' : '';
  return `ALTER TABLE profiles DELETE WHERE ${setCondition(set)}${settings}`;
}

/**
 * Returns the statement for sums by period. Its columns: period, profiles, total, magnitude, count.
 */
export function periodsStatement(branches: readonly Branch[]): string {
  return (
    'SELECT period, toUInt32(count()), sum(total), sum(abs(toFloat64(total))), ' +
    `toUInt32(sum(count)) FROM ${selectProfiles(branches)} GROUP BY period`
  );
}

/**
 * Returns the statement for profiles, sorted by its columns: series, time, duration, period, total,
 * count.
 */
export function profilesStatement(branches: readonly Branch[]): string {
  return (
    'SELECT series, time, duration, period, total, toUInt32(count) ' +
    `FROM ${selectProfiles(branches)} ORDER BY series, time`
  );
}

/** Starts and ends of the steps of counters (see StepRow), as columns of equal length. */
export interface StepColumns {
  readonly series: readonly number[];
  readonly atNanos: readonly bigint[];
  readonly factors: readonly number[];
  readonly timeNanos: readonly bigint[];
  readonly durationNanos: readonly bigint[];
}

/** Rule for grouping samples, and for the value of each sample. */
export interface SumShape {
  /** Number of the group of each series. */
  readonly groups: readonly number[];
  /**
   * Class of each sample label set, by hash; samples are grouped by class, too. Other sets have
   * class 0.
   */
  readonly classes: ReadonlyMap<bigint, number>;
  readonly timesPeriod: boolean;
  readonly steps: StepColumns | undefined;
}

function formatGroups({ groups, classes }: SumShape): string {
  const [first] = groups;
  const group = groups.every((one) => one === first)
    ? `toUInt32(${first})`
    : `${formatArray('UInt32', groups)}[series + 1]`;
  if (classes.size === 0) return `${group} AS label_group, toUInt32(0) AS label_class`;
  const [labels, numbers] = [[...classes.keys()], [...classes.values()]];
  return (
    `${group} AS label_group, transform(label, ${formatArray('UInt64', labels)}, ` +
    `${formatArray('UInt32', numbers)}, toUInt32(0)) AS label_class`
  );
}

/**
 * Returns a subquery that joins profiles with steps. The times of a step replace the times of the
 * profile, and the factor of the step is added.
 */
function joinedSteps(table: string, steps: StepColumns | undefined): string {
  if (steps === undefined) return table;
  const joined =
    `(SELECT step_series AS series, step_at AS time, factor, span_time, span_duration ` +
    `FROM (SELECT 1 AS one) ARRAY JOIN ${formatArray('UInt32', steps.series)} AS step_series, ` +
    `${formatArray('Int64', steps.atNanos)} AS step_at, ${formatArray('Int64', steps.factors)} AS factor, ` +
    `${formatArray('Int64', steps.timeNanos)} AS span_time, ` +
    `${formatArray('Int64', steps.durationNanos)} AS span_duration)`;
  return `(SELECT * FROM ${table} AS of_profiles ALL INNER JOIN ${joined} AS of_steps USING (series, time))`;
}

function formatWorth(shape: SumShape): string {
  const factors = [
    'value',
    ...(shape.timesPeriod ? ['period'] : []),
    ...(shape.steps ? ['factor'] : []),
  ];
  return factors.join(' * ');
}

/**
 * Returns the statement for sums by stack. Its columns: group, class, time, duration, stack, value.
 */
export function mergeStatement(
  branches: readonly Branch[],
  shape: SumShape,
  byTime: boolean,
): string {
  const table = joinedSteps(selectSamples(branches, shape.classes.size > 0), shape.steps);
  const span = shape.steps ? 'span_time, span_duration' : 'time, duration';
  const times = byTime ? span : 'toInt64(0), toInt64(0)';
  return (
    `SELECT ${formatGroups(shape)}, ${times}, stack, sum(${formatWorth(shape)}) AS worth FROM ${table} ` +
    `GROUP BY label_group, label_class, ${byTime ? `${span}, ` : ''}stack HAVING worth != 0`
  );
}

/** Returns the statement for the distinct stacks of the samples. */
export function usedStacksStatement(branches: readonly Branch[]): string {
  return `SELECT DISTINCT stack FROM ${selectSamples(branches, false)}`;
}

/** A list of the stacks to include, or of the stacks to exclude. */
export interface StackList {
  readonly digits: readonly string[];
  readonly isKept: boolean;
}

/**
 * Rule for joining the points of a graph. The points of a bucket are joined by series or by group.
 */
export interface Buckets {
  readonly stepNanos: bigint;
  readonly offsetNanos: bigint;
  readonly bySeries: boolean;
}

/** Columns and grouping keys of the points of a graph. */
interface PointParts {
  /** Columns: series, group, class, first time, duration. */
  readonly columns: string;
  readonly lastTime: string;
  readonly keys: string;
}

function pointParts(shape: SumShape, buckets: Buckets | undefined): PointParts {
  if (buckets === undefined) {
    const [time, duration] = shape.steps ? ['span_time', 'span_duration'] : ['time', 'duration'];
    return {
      columns: `series, ${formatGroups(shape)}, ${time}, ${duration}`,
      lastTime: time,
      keys: `series, label_group, label_class, ${time}, ${duration}`,
    };
  }
  const { stepNanos, offsetNanos, bySeries } = buckets;
  // The remainder of a negative number is negative, so the step is added and the remainder is taken
  // again.
  const moved = `(time + ${int64(offsetNanos)})`;
  const bucket = `${moved} - (${moved} % ${stepNanos} + ${stepNanos}) % ${stepNanos} AS bucket`;
  return {
    columns: `${bySeries ? 'series' : 'any(series)'}, ${formatGroups(shape)}, min(time), min(duration)`,
    lastTime: `max(time), ${bucket}`,
    keys: `${bySeries ? 'series, ' : ''}label_group, label_class, bucket`,
  };
}

/**
 * Returns the statement for the points of a graph. Its columns: series, group, class, time,
 * duration, worth, count, last time; with buckets, also the start of the bucket. With steps, the
 * times are those of the steps.
 */
export function pointsStatement(
  branches: readonly Branch[],
  shape: SumShape,
  buckets: Buckets | undefined,
  stacks: StackList | undefined,
): string {
  const table = joinedSteps(selectSamples(branches, shape.classes.size > 0), shape.steps);
  const { columns, lastTime, keys } = pointParts(shape, buckets);
  const isKept = keptCondition(stacks);
  const isCounted = shape.steps ? 'factor > 0 AND ' : '';
  // A profile without nonzero samples (count 0) also gets a point. In other profiles, samples of
  // value 0 are ignored.
  return (
    `SELECT ${columns}, sumIf(${formatWorth(shape)}, ${isKept}), ` +
    `toUInt32(countIf(${isCounted}value != 0 AND ${isKept})), ${lastTime} FROM ${table} ` +
    `WHERE value != 0 OR count = 0 GROUP BY ${keys}`
  );
}

/**
 * Returns a statement like pointsStatement without a filter of stacks. It computes the same points
 * from the totals of profiles.
 */
export function totalsStatement(
  branches: readonly Branch[],
  shape: SumShape,
  buckets: Buckets | undefined,
): string {
  const table = joinedSteps(selectProfiles(branches), shape.steps);
  const { columns, lastTime, keys } = pointParts(shape, buckets);
  const counted = shape.steps ? 'if(factor > 0, count, 0)' : 'count';
  const worth = formatWorth(shape).replace('value', 'total');
  return (
    `SELECT ${columns}, sum(${worth}), toUInt32(sum(${counted})), ${lastTime} ` +
    `FROM ${table} GROUP BY ${keys}`
  );
}

function keptCondition(stacks: StackList | undefined): string {
  if (stacks === undefined) return '1';
  const { digits, isKept } = stacks;
  if (digits.length === 0) return isKept ? '0' : '1';
  return `stack ${isKept ? 'IN' : 'NOT IN'} (${hashesTable(digits)})`;
}

/** Returns the statement for the sample label sets of some streams. */
export function usedLabelsStatement(set: StreamSet, filter: SampleFilter | undefined): string {
  const where = filter === undefined ? '' : ` WHERE ${filterCondition(filter, 'label')}`;
  const table = profilesTable(set, ['stream', 'time', 'content', 'labels']);
  return `SELECT DISTINCT label FROM ${table} ARRAY JOIN labels AS label${where}`;
}

const labelSetColumns = 'labels, label_names, label_texts, label_numbers, label_units';

/** Returns the statement for the sample label sets that have a label with any of these names. */
export function sampleLabelsStatement({ from }: TimeRange, names: readonly string[]): string {
  const has = names.map((name) => `has(label_names, ${quoted(name)})`);
  return (
    `SELECT ${labelSetColumns} FROM sample_labels ` +
    `WHERE day >= ${int64(floorToDay(from))} AND (${has.join(' OR ')}) LIMIT 1 BY labels`
  );
}

/** Returns the statement for the sample label sets with these hashes. */
export function labelSetsStatement(hashes: readonly bigint[]): string {
  return (
    `SELECT ${labelSetColumns} FROM sample_labels ` +
    `WHERE labels IN (${hashes.join(',')}) LIMIT 1 BY labels`
  );
}

/** Statement for the hours that have profiles, in order. */
export const hoursStatement = 'SELECT hour FROM profiles GROUP BY hour ORDER BY hour';

/** Returns the statement for whole profiles of streams, ordered by stream and time. */
export function wholeProfilesStatement(set: StreamSet): string {
  const columns = ['stream', 'time', 'duration', 'period', 'content', 'stacks', 'labels', 'data'];
  return `SELECT * FROM ${profilesTable(set, columns)} ORDER BY stream, time`;
}

/** Returns a subquery that lists hashes. There must be at least one. */
function hashesTable(digits: readonly string[]): string {
  return (
    'SELECT arrayJoin(arrayMap(x -> toFixedString(unhex(x), 16), ' +
    `splitByChar(' ', '${digits.join(' ')}')))`
  );
}

/** Returns the statement for stacks. Its columns: hash, hashes of locations. */
export function stacksStatement(digits: readonly string[]): string {
  return (
    'SELECT stack, locations FROM stacks ' +
    `WHERE stack IN (${hashesTable(digits)}) LIMIT 1 BY stack`
  );
}

/** Returns the statement for locations, with all columns except the day. */
export function locationsStatement(digits: readonly string[]): string {
  return (
    'SELECT location, address, mapping_start, mapping_limit, mapping_offset, mapping_file, ' +
    'build_id, line_numbers, line_columns, function_names, system_names, file_names, start_lines ' +
    `FROM locations WHERE location IN (${hashesTable(digits)}) LIMIT 1 BY location`
  );
}
