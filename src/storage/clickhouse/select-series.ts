// Finds the series of a selection. First finds streams by labels, then keeps those that have
// profiles.
import { ByteReader } from '../../base/bytes.ts';
import { createLabelSet, type LabelSet, labelSetKey, labelValue } from '../../model/labels.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import { formatProfileType, type ProfileType } from '../../model/profile-type.ts';
import type { SelectedSeries, SeriesQuery, TimeRange } from '../interface.ts';
import type { Stream } from './encode-rows.ts';
import { readArray, readTexts, readUnsigned } from './row-bytes.ts';
import type { StatementContext, ClickHouseServers } from './server.ts';
import {
  type Branch,
  extentsStatement,
  sampleLabelsStatement,
  type SampleFilter,
  type StreamSet,
  streamsStatement,
} from './statements.ts';

/** A set of sample labels: values by name. */
export interface SampleLabelSet {
  readonly hash: bigint;
  readonly values: ReadonlyMap<string, string>;
}

/** Time range of a stream's profiles in a query, and a filter of their samples. */
export interface StreamExtent {
  readonly stream: Stream;
  readonly filter: SampleFilter | undefined;
  readonly profileCount: number;
  readonly rowCount: number;
  readonly firstNanos: bigint;
  readonly lastNanos: bigint;
}

/** A sample type of a stream. */
interface Member {
  readonly extent: StreamExtent;
  readonly valueColumn: number;
}

/**
 * Streams with the same labels and profile type, even if other sample types were uploaded with
 * them.
 */
export class ClickHouseSeries implements SelectedSeries {
  readonly labels: LabelSet;
  readonly profileType: ProfileType;
  readonly members: readonly Member[];

  constructor(profileType: ProfileType, members: readonly Member[]) {
    this.profileType = profileType;
    this.members = members;
    this.labels = members[0].extent.stream.labels;
  }

  get profileCount(): number {
    return this.members.reduce((sum, { extent }) => sum + extent.profileCount, 0);
  }

  get rowCount(): number {
    return this.members.reduce((sum, { extent }) => sum + extent.rowCount, 0);
  }

  times(): TimeRange {
    const first = this.members.map(({ extent }) => extent.firstNanos);
    const last = this.members.map(({ extent }) => extent.lastNanos);
    return {
      from: first.reduce((a, b) => (a < b ? a : b)),
      to: last.reduce((a, b) => (a > b ? a : b)),
    };
  }
}

/** Returns the streams that a query selects, and the extent of their profiles in its range. */
export async function selectStreams(
  servers: ClickHouseServers,
  { matchers, profileType, range }: SeriesQuery,
  asker?: StatementContext,
): Promise<StreamExtent[]> {
  if (range.from > range.to) return [];
  const answer = await servers.ask(streamsStatement(range, matchers, profileType), asker);
  const candidates = readStreams(answer).map((stream) => ({
    stream,
    lacking: lackingMatchers(stream, matchers),
  }));
  const names = new Set(
    candidates.flatMap(({ lacking }) => lacking?.map(({ name }) => name) ?? []),
  );
  const labelSets = await readLabelSets(servers, range, [...names], asker);
  const groups = new Map<string, { filter: SampleFilter | undefined; streams: Stream[] }>();
  for (const { stream, lacking } of candidates) {
    if (lacking === undefined) continue;
    const filter = seriesFilter(lacking, labelSets);
    if (filter === 'none') continue;
    const key = lacking.map(({ name }) => name).join();
    const group = groups.get(key) ?? { filter, streams: [] };
    groups.set(key, group);
    group.streams.push(stream);
  }
  const found: StreamExtent[] = [];
  for (const { filter, streams } of groups.values()) {
    const byId = new Map(streams.map((stream) => [stream.id, stream]));
    const set = streamSet(range, streams);
    const reader = new ByteReader(await servers.ask(extentsStatement(set, filter), asker));
    while (reader.at < reader.end) {
      const stream = byId.get(readUnsigned(reader));
      const extent = {
        profileCount: reader.u32(),
        firstNanos: reader.i64(),
        lastNanos: reader.i64(),
        rowCount: reader.u64(),
      };
      if (stream !== undefined) found.push({ stream, filter, ...extent });
    }
  }
  return found;
}

/** Returns the series of streams: one for each label set and profile type. */
export function toSeries(
  extents: readonly StreamExtent[],
  wanted: ProfileType | undefined,
): ClickHouseSeries[] {
  const text = wanted && formatProfileType(wanted);
  const groups = new Map<string, { type: ProfileType; members: Member[] }>();
  for (const extent of extents) {
    const { name, sampleTypes, periodType, delta, labels } = extent.stream;
    sampleTypes.forEach((sample, valueColumn) => {
      const type = { name, sample, period: periodType, delta };
      if (text !== undefined && formatProfileType(type) !== text) return;
      const key = formatProfileType(type) + labelSetKey(labels);
      const group = groups.get(key) ?? { type, members: [] };
      groups.set(key, group);
      group.members.push({ extent, valueColumn });
    });
  }
  return Array.from(groups.values(), ({ type, members }) => new ClickHouseSeries(type, members));
}

/**
 * Returns the branches of a statement about series. The number of each series is its index in
 * `series`.
 */
export function listBranches(range: TimeRange, series: readonly ClickHouseSeries[]): Branch[] {
  const all = series.flatMap(({ members }, number) =>
    members.map((member) => ({ ...member, number })),
  );
  const groups = Map.groupBy(all, ({ valueColumn, extent: { filter } }) =>
    [valueColumn, filter?.isIncluded, ...(filter?.labels ?? [])].join(),
  );
  return Array.from(groups.values(), (group) => ({
    set: streamSet(
      range,
      group.map(({ extent }) => extent.stream),
    ),
    series: group.map(({ number }) => number),
    valueColumn: group[0].valueColumn,
    filter: group[0].extent.filter,
  }));
}

/** Returns a set of the streams, in the given order. */
export function streamSet(range: TimeRange, streams: readonly Stream[]): StreamSet {
  return {
    range,
    services: [...new Set(streams.map(({ service }) => service))],
    names: [...new Set(streams.map(({ name }) => name))],
    streams: streams.map(({ id }) => id),
  };
}

/** Reads the sample label sets that have a label with any of these names. */
export async function readLabelSets(
  servers: ClickHouseServers,
  range: TimeRange,
  names: readonly string[],
  context?: StatementContext,
): Promise<SampleLabelSet[]> {
  if (names.length === 0) return [];
  return decodeLabelSets(await servers.ask(sampleLabelsStatement(range, names), context));
}

/** Decodes sample label sets; see readLabelRows. */
export function decodeLabelSets(rows: Uint8Array): SampleLabelSet[] {
  return Array.from(readLabelRows(rows), ({ hash, names, texts, numbers }) => {
    const values = new Map<string, string>();
    // If a name is repeated, its first value is used, as in the other stores.
    names.forEach((name, i) => {
      if (!values.has(name)) values.set(name, texts[i] === '' ? String(numbers[i]) : texts[i]);
    });
    return { hash, values };
  });
}

/** A stored set of sample labels: arrays with an element for each label. */
interface LabelRow {
  readonly hash: bigint;
  readonly names: readonly string[];
  readonly texts: readonly string[];
  readonly numbers: readonly bigint[];
  readonly units: readonly string[];
}

/** Yields the sample label sets in an answer. */
export function* readLabelRows(rows: Uint8Array): Generator<LabelRow> {
  const reader = new ByteReader(rows);
  while (reader.at < reader.end) {
    const hash = readUnsigned(reader);
    const [names, texts] = [readTexts(reader), readTexts(reader)];
    const numbers = readArray(reader, () => reader.i64());
    yield { hash, names, texts, numbers, units: readTexts(reader) };
  }
}

function readStreams(rows: Uint8Array): Stream[] {
  const reader = new ByteReader(rows);
  const streams: Stream[] = [];
  while (reader.at < reader.end) {
    const id = readUnsigned(reader);
    const [name, service] = [reader.text(), reader.text()];
    const [types, units] = [readTexts(reader), readTexts(reader)];
    const periodType = { type: reader.text(), unit: reader.text() };
    const delta = reader.u8() === 1;
    const [labelNames, labelValues] = [readTexts(reader), readTexts(reader)];
    const labels = createLabelSet(
      labelNames.map((label, i) => ({ name: label, value: labelValues[i] })),
    );
    const sampleTypes = types.map((type, i) => ({ type, unit: units[i] }));
    streams.push({ id, service, name, labels, sampleTypes, periodType, delta });
  }
  return streams;
}

/**
 * Returns the matchers whose labels the stream lacks; undefined if any other matcher does not
 * match.
 */
function lackingMatchers(
  { labels, name: profileName }: Stream,
  matchers: readonly LabelMatcher[],
): LabelMatcher[] | undefined {
  const lacking: LabelMatcher[] = [];
  for (const matcher of matchers) {
    const isName = matcher.name === '__name__';
    const value = isName ? profileName : labelValue(labels, matcher.name);
    if (value === '' && !isName) lacking.push(matcher);
    else if (!matcher.matches(value)) return undefined;
  }
  return lacking;
}

/**
 * Returns a filter that applies matchers to the labels of the stream's samples; undefined if all
 * samples match.
 */
function seriesFilter(
  lacking: readonly LabelMatcher[],
  labelSets: readonly SampleLabelSet[],
): SampleFilter | 'none' | undefined {
  const belongs = (values: ReadonlyMap<string, string>): boolean =>
    lacking.every(({ name, matches }) => matches(values.get(name) ?? ''));
  const isUsual = belongs(new Map());
  const others = labelSets.filter(({ values }) => belongs(values) !== isUsual);
  if (others.length === 0) return isUsual ? undefined : 'none';
  return { labels: others.map(({ hash }) => hash), isIncluded: !isUsual };
}
