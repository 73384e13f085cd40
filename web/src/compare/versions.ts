// Finds versions of the selected programs: the label that distinguishes them, and the time of each
// deploy.
import type { Api, Span } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { toNanos } from '../rpc/timestamp.ts';
import { chooseStep } from '../url/time-range.ts';

/** Labels that name a deployed version: the first one that has several values. */
export const versionLabels: readonly string[] = [
  'version',
  'service_version',
  'commit',
  'git_ref',
  'image',
  'build_id',
];

/** Number of times that a version is looked for. */
const points = 60;

/** Versions of a range. */
export interface Versions {
  readonly label: string;
  /**
   * The oldest first; `since` is the time of its first profile, in milliseconds since the epoch.
   */
  readonly list: readonly { readonly value: string; readonly since: number }[];
}

export interface VersionsQuestion {
  /** A query that compares nothing. */
  readonly query: string;
  readonly profileType: string;
  readonly span: Span;
}

/** Returns the milliseconds within which the time of a version is known. */
export function versionStep(span: Span): number {
  return chooseStep(span, points);
}

/** Finds the versions in a range; undefined if there are fewer than two. */
export async function findVersions(
  api: Api,
  { query, profileType, span }: VersionsQuestion,
  asking: Asking,
): Promise<Versions | undefined> {
  const names = await api.labelNames(profileType, asking.signal);
  const stepMillis = versionStep(span);
  for (const label of versionLabels.filter((name) => names.includes(name))) {
    const { series } = await api.queryRange({ query, span, stepMillis, sumBy: [label] }, asking);
    const list = series.flatMap(({ labelset, samples }) => {
      const value = labelset?.labels.find(({ name }) => name === label)?.value ?? '';
      const [first] = samples;
      if (value === '' || first === undefined) return [];
      return [{ value, since: Number(toNanos(first.timestamp) / 1_000_000n) }];
    });
    if (list.length > 1) {
      return {
        label,
        list: list.sort((a, b) => a.since - b.since || (a.value < b.value ? -1 : 1)),
      };
    }
  }
  return undefined;
}

/** A version that was deployed within a range, and the version before it. */
export interface Deploy {
  readonly value: string;
  readonly before: string;
  readonly since: number;
}

/** Number of deploys that are marked: the last ones. */
const deploysMax = 12;

/**
 * Returns the versions that were deployed after the first one; those of the first step were there
 * before.
 */
export function listDeploys({ list }: Versions, stepMillis: number): Deploy[] {
  const [first] = list;
  return list
    .map(({ value, since }, i) => ({ value, before: list[i - 1]?.value ?? '', since }))
    .filter(({ since }) => since > first.since + stepMillis)
    .slice(-deploysMax);
}

/** Number of characters of a version that are shown: versions differ at the end. */
const shownMax = 16;

export function shortVersion(value: string): string {
  return value.length <= shownMax ? value : `\u2026${value.slice(1 - shownMax)}`;
}
