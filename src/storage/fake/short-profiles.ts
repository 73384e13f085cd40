// Profiles in short notation, written and read through the storage seam; for its tests.
import { createMatcher, type MatchOperator } from '../../model/matcher.ts';
import { parseProfileType } from '../../model/profile-type.ts';
import type { SampleLabelsIndex } from '../../model/rows.ts';
import type {
  Appender,
  IncomingProfile,
  SelectedSeries,
  SeriesQuery,
  Storage,
} from '../interface.ts';
import { internStack } from './workload.ts';

export const wholeTime = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
export const cpu = { type: 'cpu', unit: 'nanoseconds' };
export const samples = { type: 'samples', unit: 'count' };

export type Labels = Readonly<Record<string, string>>;

/** A row in short: stack of names (leaf first, ";"), values, labels of the sample. */
export interface Row {
  readonly stack: string;
  readonly values: readonly bigint[];
  readonly labels?: Labels;
}

/** A profile in short; what is left out has a usual value. */
export interface Profile {
  readonly labels: Labels;
  readonly time: bigint;
  readonly rows: readonly Row[];
  readonly name?: string;
  readonly duration?: bigint;
  readonly period?: bigint;
  readonly sampleTypes?: readonly { readonly type: string; readonly unit: string }[];
  readonly hash?: bigint;
}

/** A matcher in short. */
export type Matcher = readonly [name: string, operator: MatchOperator, value: string];

/** A query in short. */
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

/** The series that a query in short selects. */
export async function select(
  storage: Storage,
  options: Parameters<typeof query>[0],
): Promise<readonly SelectedSeries[]> {
  return (await storage.querier.select(query(options))).series;
}

/** Appends one profile and commits. */
export async function write(storage: Storage, profile: Profile): Promise<void> {
  const appender = storage.appender();
  append(appender, profile);
  await appender.commit();
}

/** Each profile without a hash gets its own. */
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

/** The rows of a profile as text, one plane of values. */
export function rowsOf(profile: Profile, plane: number): string {
  const lines = profile.rows.map(({ stack, values, labels }) => {
    const text = Object.entries(labels ?? {}).map(([name, value]) => `{${name}=${value}}`);
    return `${stack}${text.join('')}=${values[plane]}`;
  });
  return lines.join('\n');
}

/** The rows of one profile of a series that belong to it, in the notation of rowsOf. */
export function rowsText(
  selection: Awaited<ReturnType<Storage['querier']['select']>>,
  series: SelectedSeries,
  profile: number,
): string {
  const { strings, sampleLabels, stacks, functions, locations } = selection.dictionary;
  const { words, values } = selection.segments[series.runSegment[profile]];
  const rows = series.runRows[profile];
  const start = series.runOffset[profile];
  const ids = (start + rows * series.planeCount) * 2;
  const text = (row: number): string => strings.text(row as Parameters<typeof strings.text>[0]);
  const lines: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    const labelRow = series.runLabelled[profile] === 1 ? words[ids + rows + row] : 0;
    if (series.rowFilter && series.rowFilter[labelRow as SampleLabelsIndex] === 0) continue;
    const names: string[] = [];
    for (let node = stacks.leaf[words[ids + row]]; node !== 0; node = stacks.nodeParent[node]) {
      const line = locations.lineStart[stacks.nodeLocation[node]];
      names.push(text(functions.name[locations.lineFunction[line]]));
    }
    let labels = '';
    const { entryStart } = sampleLabels;
    for (let i = entryStart[labelRow]; i < entryStart[labelRow + 1]; i += 1) {
      labels += `{${text(sampleLabels.key[i])}=${text(sampleLabels.text[i])}}`;
    }
    lines.push(`${names.join(';')}${labels}=${values[start + series.plane * rows + row]}`);
  }
  return lines.join('\n');
}

/** `name=value,...` */
export function labelsText(labels: SelectedSeries['labels']): string {
  return labels.map(({ name, value }) => `${name}=${value}`).join(',');
}
