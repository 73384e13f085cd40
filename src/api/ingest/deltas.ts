// pprof profiles whose sender declares which types are states and which are changes since the last
// profile.
//
// A profile with a duration is a change. Heap profiles of godeltaprof and Pyroscope's SDKs have no
// duration: their allocations are changes, and memory in use is a state.
import { isGzip } from '../../formats/gzip.ts';
import { plausibleTimeNanosMin, type PprofHead, withTimes } from '../../formats/pprof/head.ts';
import type { ProfileUpload } from '../../ingest/interface.ts';
import type { ValueType } from '../../model/profile-type.ts';

/** An upload without labels. */
export type UnlabelledUpload = Omit<ProfileUpload, 'labels'>;

/** Times that the sender states outside of the profile. */
export interface GivenTimes {
  readonly isChange: (type: ValueType) => boolean;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
}

/**
 * Returns uploads of an uncompressed profile: uploads of changes get `durationNanos`, uploads of
 * states get no duration. A profile with a duration stays unchanged. `timeNanos` replaces a missing
 * time, unless it is 0.
 *
 * `sent` has the bytes that the sender sent. If they are gzipped, they are uploaded as they are: a
 * request may have many small profiles, and each of them may be as large as the limit after
 * decompression.
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
