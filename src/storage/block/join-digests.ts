// Joins the digests of two halves to the digest of all their profiles.
import type { ProfileDigest } from '../../model/profiles/profile-digest.ts';

/** Joins the digests of `a` and `b`. The first profile of `b` is later than all of `a`. */
export function joinDigests(a: ProfileDigest, b: ProfileDigest): ProfileDigest {
  const spacing = Number(b.firstNanos - a.lastNanos);
  const spacings = [spacing];
  if (a.profileCount > 1) spacings.push(a.spacingMinNanos, a.spacingMaxNanos);
  if (b.profileCount > 1) spacings.push(b.spacingMinNanos, b.spacingMaxNanos);
  const covered = Math.min(Math.max(a.lastDurationNanos, 0), spacing);
  return {
    profileCount: a.profileCount + b.profileCount,
    rowCount: a.rowCount + b.rowCount,
    firstNanos: a.firstNanos,
    lastNanos: b.lastNanos,
    total: BigInt.asIntN(64, a.total + b.total),
    magnitude: a.magnitude + b.magnitude,
    count: a.count + b.count,
    period: a.period === b.period ? a.period : undefined,
    spacingMinNanos: Math.min(...spacings),
    spacingMaxNanos: Math.max(...spacings),
    coveredNanos: a.coveredNanos + covered + b.coveredNanos,
    lastDurationNanos: b.lastDurationNanos,
  };
}
