// Profiles in a short notation for tests of the storage seam, and functions that write and read
// them through the seam.
import type { LabelSet } from '../../model/labels.ts';
import { createMatcher, type MatchOperator } from '../../model/matcher.ts';
import { parseProfileType } from '../../model/profile-type.ts';
import type { Appender, IncomingProfile, SeriesQuery, Storage } from '../interface.ts';
import { readSelection, type ReadProfile, type ReadSeries } from './read-selection.ts';
import { storedSeries } from './stored-series.ts';
import { internStack } from './intern.ts';

export const wholeTime = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
export const cpu = { type: 'cpu', unit: 'nanoseconds' };
export const samples = { type: 'samples', unit: 'count' };

export type Labels = Readonly<Record<string, string>>;

/** A row in short notation: stack of names (leaf first, ";"), values, sample labels. */
export interface Row {
  readonly stack: string;
  readonly values: readonly bigint[];
  readonly labels?: Labels;
}

/** A profile in short notation; absent fields have default values. */
export interface Profile {
  readonly labels: Labels;
  readonly time: bigint;
  readonly rows: readonly Row[];
  readonly name?: string;
  readonly duration?: bigint;
  readonly period?: bigint;
  readonly sampleTypes?: readonly { readonly type: string; readonly unit: string }[];
  readonly hash?: bigint;
  readonly sampleTimes?: Uint8Array;
}

/** A matcher in short notation. */
export type Matcher = readonly [name: string, operator: MatchOperator, value: string];

/** Returns a query from its short notation. */
export function query(options: {
  readonly matchers?: readonly Matcher[];
  readonly type?: string;
  readonly from?: bigint;
  readonly to?: bigint;
}): SeriesQuery {
  return {
    matchers: (options.matchers ?? []).map((matcher) => createMatcher(...matcher)),
    profileType: options.type === undefined ? undefined : parseProfileType(options.type),
    range: { from: options.from ?? wholeTime.from, to: options.to ?? wholeTime.to },
  };
}

/** Returns the series that a query in short notation selects. */
export async function select(
  storage: Storage,
  options: Parameters<typeof query>[0],
): Promise<ReadSeries[]> {
  return readSelection(await storedSeries(storage.querier).select(query(options)));
}

/** Appends one profile and commits. */
export async function write(storage: Storage, profile: Profile): Promise<void> {
  const appender = storage.appender();
  append(appender, profile);
  await appender.commit();
}

/** Counter that gives each profile without a content hash its own hash. */
let hashes = 0;

/** Interns and appends a profile. */
export function append(appender: Appender, profile: Profile): void {
  const { dictionary } = appender;
  const { rows } = profile;
  const sampleTypes = profile.sampleTypes ?? [samples, cpu];
  const labelRows = rows.map(({ labels }) => internLabels(appender, labels ?? {}));
  hashes += 1;
  const incoming: IncomingProfile = {
    labels: Object.entries(profile.labels)
      .map(([name, value]) => ({ name, value }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    name: profile.name ?? 'process_cpu',
    sampleTypes,
    periodType: cpu,
    period: profile.period ?? 10_000_000n,
    timeNanos: profile.time,
    durationNanos: profile.duration ?? 10_000_000_000n,
    rowCount: rows.length,
    stacks: Uint32Array.from(rows, ({ stack }) => internStack(dictionary, stack.split(';'))),
    values: sampleTypes.map((_, i) => BigInt64Array.from(rows, ({ values }) => values[i])),
    sampleLabels: labelRows.some((row) => row !== 0) ? Uint32Array.from(labelRows) : undefined,
    contentHash: profile.hash ?? BigInt(hashes),
    sampleTimes: profile.sampleTimes,
  };
  appender.append(incoming);
}

function internLabels({ dictionary }: Appender, labels: Labels): number {
  const { strings, sampleLabels } = dictionary;
  const none = strings.internText('');
  const entries = Object.entries(labels).map(([name, value]) => ({
    key: strings.internText(name),
    text: strings.internText(value),
    number: 0n,
    unit: none,
  }));
  return sampleLabels.intern(entries.sort((a, b) => a.key - b.key));
}

/** Returns the rows of a profile as sorted lines, with the values of one sample type. */
export function formatRows(profile: Profile, valueColumn: number): string {
  const lines = profile.rows.map(({ stack, values, labels }) => {
    const text = Object.entries(labels ?? {}).map(([name, value]) => `{${name}=${value}}`);
    return `${stack}${text.join('')}=${values[valueColumn]}`;
  });
  return lines.sort().join('\n');
}

/** Returns the rows of a profile that was read, as `formatRows` prints them. */
export function rowsText({ rows }: ReadProfile): string {
  const lines = rows.map(({ stack, labels, value }) => `${stack}${labels}=${value}`);
  return lines.sort().join('\n');
}

/** `name=value,...` */
export function labelsText(labels: LabelSet): string {
  return labels.map(({ name, value }) => `${name}=${value}`).join(',');
}
