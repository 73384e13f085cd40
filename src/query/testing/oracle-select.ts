// A second, naive evaluation of what a query selects: rows of profiles by type, labels and time.
import type { FrameStack, OracleFrame } from './oracle-frames.ts';

type Labels = Readonly<Record<string, string>>;

export interface OracleProfile {
  readonly type: string;
  readonly labels: Labels;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  readonly period: bigint;
  readonly rows: readonly OracleRow[];
}

export interface OracleRow {
  readonly frames: readonly OracleFrame[];
  readonly value: bigint;
  readonly labels: Labels;
}

/** A condition on a label, with a JavaScript expression for =~ and !~. */
export interface OracleMatcher {
  readonly name: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

export interface OracleSelector {
  readonly type: string;
  readonly matchers: readonly OracleMatcher[];
  readonly from: bigint;
  readonly to: bigint;
}

/** The profiles of series that have rows that belong, each with just these. */
export function oracleSelect(
  profiles: readonly OracleProfile[],
  { type, matchers, from, to }: OracleSelector,
): OracleProfile[] {
  const selected = profiles
    .filter((one) => one.type === type && one.timeNanos >= from && one.timeNanos <= to)
    .map((one) => ({
      ...one,
      rows: one.rows.filter((row) =>
        matchers.every((matcher) => satisfies(labelOf(matcher.name, one, row), matcher)),
      ),
    }));
  const seriesOf = ({ labels }: OracleProfile): string => JSON.stringify(labels);
  const found = new Set(selected.filter(({ rows }) => rows.length > 0).map(seriesOf));
  return selected.filter((one) => found.has(seriesOf(one)));
}

/** The label of a series, else of the sample, else "". */
export function labelOf(name: string, profile: OracleProfile, row: OracleRow): string {
  return profile.labels[name] ?? row.labels[name] ?? '';
}

function satisfies(own: string, { operator, value }: OracleMatcher): boolean {
  if (operator === '=') return own === value;
  if (operator === '!=') return own !== value;
  return new RegExp(`^(?:${value})$`, 's').test(own) === (operator === '=~');
}

/** Whether counts of samples are shown as what each stands for. */
export function isCountOfSamples(type: string): boolean {
  return type.split(':').slice(1, 3).join(':') === 'samples:count';
}

/** Stacks by the labels of a report's groups: `a=1 b=2`, "" for those without any. */
export function oracleGroups(
  profiles: readonly OracleProfile[],
  names: readonly string[],
  isScaled: boolean,
): Map<string, FrameStack[]> {
  const groups = new Map<string, FrameStack[]>();
  for (const profile of profiles) {
    for (const row of profile.rows) {
      const pairs = names.map((name) => [name, labelOf(name, profile, row)]);
      const key = pairs
        .filter(([, value]) => value !== '')
        .map((pair) => pair.join('='))
        .join(' ');
      const group = groups.get(key) ?? [];
      groups.set(key, group);
      group.push({ frames: row.frames, value: row.value * (isScaled ? profile.period : 1n) });
    }
  }
  return groups;
}
