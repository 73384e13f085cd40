// Converts the profiles of a batch for WriteRaw.
import { gzip } from '../../src/base/threads/zlib.ts';
import type { SeriesProfile } from '../../src/forward/write-raw.ts';
import { type BatchProfile, profileName } from '../profile/batch-profiles.ts';

/** Encodes and compresses each profile. */
export function compressProfiles(profiles: readonly BatchProfile[]): Promise<SeriesProfile[]> {
  return Promise.all(
    profiles.map(async ({ labels, head, samples }) => {
      return { name: profileName, labels, profile: await gzip(samples.encode(head)) };
    }),
  );
}
