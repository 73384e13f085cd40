// Makes columns from a list of profiles, for tests.
import type { ProfileColumns, ProfileTimes } from '../profile-columns.ts';

export interface PlainProfile extends ProfileTimes {
  readonly period: bigint;
  readonly total: bigint;
  readonly count: number;
}

export function toColumns(profiles: readonly PlainProfile[]): ProfileColumns {
  return {
    profileCount: profiles.length,
    timeNanos: BigInt64Array.from(profiles, ({ timeNanos }) => timeNanos),
    durationNanos: BigInt64Array.from(profiles, ({ durationNanos }) => durationNanos),
    period: BigInt64Array.from(profiles, ({ period }) => period),
    total: BigInt64Array.from(profiles, ({ total }) => total),
    count: Uint32Array.from(profiles, ({ count }) => count),
  };
}
