// pprof profiles whose sender declares which types are states and which are changes since the last
// profile.
//
// A profile is a change if it has a duration. Heap profiles of godeltaprof and Pyroscope's SDKs
// have none: their allocations are changes, and memory in use is a state.
import { isGzip } from '../../formats/gzip.ts';
import { plausibleTimeNanosMin, type PprofHead, withTimes } from '../../formats/pprof/head.ts';
import type { ProfileUpload } from '../../ingest/interface.ts';
import type { ValueType } from '../../model/profile-type.ts';

/** An upload without labels. */
export type UnlabelledUpload = Omit<ProfileUpload, 'labels'>;

/** Times that the sender gives outside of the profile. */
export interface GivenTimes {
  readonly isChange: (type: ValueType) => boolean;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
}

/**
 * Returns uploads of an uncompressed profile: changes get `durationNanos`, states get no duration.
 * A profile that has a duration is not changed. `timeNanos` replaces a missing time, unless it is
 * 0.
 *
 * `sent`: the profile as it was sent, which is uploaded. Gzipped profiles stay gzipped:
 * uncompressed, each of the many small profiles of a request could be as large as the limit allows.
 */
export function splitChanges(
  profile: Uint8Array,
  head: PprofHead,
  { isChange, timeNanos, durationNanos }: GivenTimes,
  sent = profile,
): UnlabelledUpload[] {
  const whole = isGzip(sent) ? sent : profile;
  const timed =
    timeNanos !== 0n && head.timeNanos < plausibleTimeNanosMin
      ? withTimes(whole, { timeNanos })
      : whole;
  if (head.durationNanos !== 0n || durationNanos === 0n) return [{ profile: timed }];
  const changes = head.sampleTypes.filter((type) => isChange(type));
  const states = head.sampleTypes.filter((type) => !isChange(type));
  const uploads: UnlabelledUpload[] = [];
  if (changes.length > 0) {
    const changed = withTimes(timed, { durationNanos });
    uploads.push({ profile: changed, ...(states.length > 0 && { keepSampleTypes: changes }) });
  }
  if (states.length > 0 || changes.length === 0) {
    uploads.push({ profile: timed, ...(changes.length > 0 && { keepSampleTypes: states }) });
  }
  return uploads;
}
