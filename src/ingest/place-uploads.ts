// Puts uploads into memory that a worker can read: slots of shared memory, or memory that is sent
// with the request.
import { createOwnedBuffer, type Owned } from '../base/owned.ts';
import type { SentUpload } from './decode-worker.ts';
import type { SeriesUpload } from './upload-reader.ts';
import type { UploadSlots } from './upload-slots.ts';

/**
 * Returns uploads in the form in which they are sent. Uploads without a slot share one buffer:
 * 10,000 separate buffers would take 0.2 s to make, and the same time to collect. Profiles in
 * `isOwn` are not copied.
 */
export function placeUploads(
  uploads: readonly SeriesUpload[],
  slots: Pick<UploadSlots, 'put'>,
  isOwn: ReadonlySet<Uint8Array>,
): SentUpload[] {
  const slotted = uploads.map(({ profile }) => (isOwn.has(profile) ? profile : slots.put(profile)));
  const bytes = uploads.reduce((sum, { profile }, i) => {
    return slotted[i] === undefined ? sum + profile.length : sum;
  }, 0);
  const shared = new Uint8Array(createOwnedBuffer(bytes));
  let start = 0;
  return uploads.map((upload, i): SentUpload => {
    const placed = slotted[i];
    if (placed !== undefined) return { ...upload, profile: placed };
    const { length } = upload.profile;
    const profile: Owned<Uint8Array> = shared.subarray(start, start + length);
    profile.set(upload.profile);
    start += length;
    return { ...upload, profile };
  });
}
