// Values of single profiles, for heatmaps, averages and exemplars.
import { hash } from 'node:crypto';
import Long from 'long';
import type { types } from '../../../../proto/gen/pyroscope.js';
import { createLabelSet, type LabelSet, labelSetKey } from '../../../model/labels.ts';
import type { QueryEngine, RangeQuestion } from '../../../query/interface.ts';
import type { TimeRange } from '../../../storage/interface.ts';
import type { CallContext } from '../../transport/call/method.ts';
import { readLines } from './ask.ts';
import { invalid, type SelectedProfiles } from './request.ts';
import { parsePyroscopeSelector, profilesQuery } from './selector.ts';

const spanNames = ['span_id', 'profile_id'] as const;
/** Sample labels that may have several values within one profile. */
const partNames: ReadonlySet<string> = new Set([...spanNames, 'trace_id']);

/** A profile of one series, or the part of it that belongs to a span. */
export interface ProfileValue {
  /** Labels of the series; for the part of a span, also the labels of its samples. */
  readonly labels: LabelSet;
  readonly timeNanos: bigint;
  readonly value: number;
  /** Id of the span; "" for a whole profile. */
  readonly span: string;
}

/** Profiles, and the selection that they come from. */
export interface ProfileValues {
  /** Names of the labels that distinguish series. */
  readonly names: readonly string[];
  readonly query: string;
  readonly range: TimeRange;
  /** Profiles of each series in order of time, series after series. */
  readonly profiles: ProfileValue[];
}

/**
 * Returns the values of all profiles that a graph adds up, or of their spans; the offset that the
 * query of `question` adds is removed from the times and the range.
 */
export async function profileValues(
  engine: QueryEngine,
  { profileTypeID, labelSelector }: SelectedProfiles,
  question: RangeQuestion,
  { offsetNanos, isSpans }: { readonly offsetNanos: bigint; readonly isSpans: boolean },
  context: CallContext,
): Promise<ProfileValues> {
  const { conditions } = parsePyroscopeSelector(labelSelector);
  const query = profilesQuery(profileTypeID, conditions);
  const { from, to } = question.range;
  const range = { from: from - offsetNanos, to: to - offsetNanos };
  const names = await engine.labelNames({ match: [query], profileType: '', range }, context);
  const own = names.filter((name) => {
    return !isDerived(name) && (isSpans || !partNames.has(name));
  });
  const sumBy = [...new Set([...question.sumBy, ...own])];
  const lines = await readLines(engine, { ...question, stepNanos: 0n, sumBy }, context);
  const profiles = lines.flatMap(({ labels, timeNanos, value }): ProfileValue[] => {
    const span = labels.find(({ name }) => spanNames.some((one) => one === name))?.value ?? '';
    if (isSpans && span === '') return [];
    return Array.from(timeNanos, (time, i) => ({
      labels,
      timeNanos: time - offsetNanos,
      value: Number(value[i]),
      span,
    }));
  });
  return { names: sumBy, query, range, profiles };
}

/**
 * Returns those labels of a profile's series by which profiles are grouped, including labels of its
 * type.
 */
export function groupLabels({ labels }: ProfileValue, groupBy: readonly string[]): LabelSet {
  return createLabelSet(labels.filter(({ name }) => groupBy.includes(name)));
}

/** Returns a profile as an exemplar, with the labels by which profiles are not grouped. */
export function toExemplar(
  profile: ProfileValue,
  groupBy: readonly string[],
): types.v1.Exemplar.$Properties {
  const { labels, timeNanos, value, span } = profile;
  return {
    timestamp: Long.fromString(`${timeNanos / 1_000_000n}`),
    profileId: span === '' ? makeProfileId(profile) : '',
    spanId: span,
    value: Long.fromNumber(value),
    labels: labels
      .filter(({ name }) => !groupBy.includes(name) && !partNames.has(name))
      .map(({ name, value: text }) => ({ name, value: text })),
  };
}

/** Returns the id of a profile: its time and a hash of its labels, as a UUID. */
function makeProfileId({ labels, timeNanos }: Pick<ProfileValue, 'labels' | 'timeNanos'>): string {
  const time = BigInt.asUintN(64, timeNanos).toString(16).padStart(16, '0');
  const own = labels.filter(({ name }) => !isDerived(name));
  const digits = time + hash('sha256', labelSetKey(own)).slice(0, 16);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns true for labels that are derived from the type. */
function isDerived(name: string): boolean {
  return name.startsWith('__');
}

/** Returns the time in an id that `makeProfileId` made. Errors: AppError 'invalid-argument'. */
export function timeOfProfileId(id: string): bigint {
  if (!/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(id)) {
    throw invalid(`invalid profile id ${JSON.stringify(id)}: expected a UUID`);
  }
  return BigInt.asIntN(64, BigInt(`0x${id.replaceAll('-', '').slice(0, 16)}`));
}

/**
 * Returns conditions that select a profile by its id among the profiles with the same time; none if
 * there is no such profile.
 */
export function conditionsOfProfile(
  id: string,
  profiles: readonly ProfileValue[],
): string[] | undefined {
  const found = profiles.find((profile) => makeProfileId(profile) === id.toLowerCase());
  if (found === undefined) return undefined;
  const names = new Set(profiles.flatMap(({ labels }) => labels.map(({ name }) => name)));
  return Array.from(names, (name) => {
    const value = found.labels.find((label) => label.name === name)?.value ?? '';
    return `${JSON.stringify(name)}=${JSON.stringify(value)}`;
  });
}
