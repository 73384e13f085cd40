// Builds rows for services that use functions, with versions and histories.
import { noPoints, type SparkPoints } from '../parts/sparkline-path.ts';
import type { NamedLabel, UserMessage, UsersOfType } from './ask-users.ts';

/** One service. */
export interface UserRow {
  readonly service: NamedLabel | undefined;
  /** Profile type of its values. */
  readonly type: string;
  /** Versions, the version with most cores first. */
  readonly versions: readonly UserVersion[];
  /** Cores of all versions over a longer time. */
  readonly history: SparkPoints;
}

/** One version of a service. */
export interface UserVersion {
  readonly version: NamedLabel | undefined;
  /** Cores in stacks with the functions, averaged over the profiled time of the version. */
  readonly cores: number;
  /** Share in the version's total, 0 .. 1. */
  readonly share: number;
}

/** Buckets of a history. */
export interface History {
  readonly answers: readonly UsersOfType[];
  readonly from: number;
  readonly stepMillis: number;
  readonly count: number;
}

/**
 * Returns one row per service. If a service has several profile types, uses the first: its own
 * profiles, not the agent's.
 */
export function userRows(answers: readonly UsersOfType[], history: History | undefined): UserRow[] {
  const rows = new Map<string, UserRow>();
  for (const { type, users } of answers) {
    for (const [key, own] of Map.groupBy(users, serviceKey)) {
      if (rows.has(key)) continue;
      const versions = own.map(toVersion).sort((a, b) => b.cores - a.cores);
      const service = own[0].service ?? undefined;
      rows.set(key, { service, type, versions, history: historyOf(key, type, history) });
    }
  }
  return [...rows.values()].sort((a, b) => b.versions[0].cores - a.versions[0].cores);
}

function serviceKey({ service }: UserMessage): string {
  return service === null ? '' : `${service.name}=${service.value}`;
}

function toVersion({ version, total, whole, coveredNanos }: UserMessage): UserVersion {
  const covered = Number(coveredNanos);
  return {
    version: version ?? undefined,
    cores: covered > 0 ? Number(total) / covered : 0,
    share: Number(whole) > 0 ? Number(total) / Number(whole) : 0,
  };
}

function historyOf(key: string, type: string, history: History | undefined): SparkPoints {
  if (history === undefined) return noPoints;
  const { answers, from, stepMillis, count } = history;
  const users = answers.find((one) => one.type === type)?.users ?? [];
  const values: (number | null)[] = Array.from({ length: count }, () => null);
  const covered: (number | null)[] = Array.from({ length: count }, () => null);
  for (const user of users) {
    if (serviceKey(user) !== key) continue;
    user.buckets.time.forEach((time, i) => {
      const at = Math.floor((Date.parse(time) - from) / stepMillis);
      if (at < 0 || at >= count) return;
      // Consecutive versions within a bucket share its time.
      const nanos = Number(user.buckets.coveredNanos[i]);
      const before = covered[at] ?? 0;
      const sum = (values[at] ?? 0) * before + user.buckets.rate[i] * nanos;
      covered[at] = Math.max(before, nanos);
      values[at] = covered[at] > 0 ? sum / covered[at] : 0;
    });
  }
  return { values, covered };
}
