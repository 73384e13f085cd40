// Decodes WriteRawRequest.
import type { Steps } from '../../../base/pacer.ts';
import type { ProfileUpload } from '../../../ingest/interface.ts';
import type { Label } from '../../../model/labels.ts';
import { type RawRequest, readRawSeries } from '../raw-series.ts';

/** Uploads of a request, and the labels of its series without profiles. */
export interface WrittenSeries {
  readonly uploads: ProfileUpload[];
  /** Labels of series without profiles. */
  readonly bare: readonly (readonly Label[])[];
}

const layout = {
  message: 'WriteRawRequest',
  seriesField: 2,
  areLabelsNested: true,
  flagField: 3,
} as const;

/**
 * Decodes a WriteRawRequest, one series in each step. Each profile becomes one upload.
 *
 * Ownership: `profile` is a view of `bytes`. Errors: as in readRawSeries. Source:
 * proto/parca/profilestore/v1alpha1/profilestore.proto.
 */
export function decodeWriteRaw(bytes: Uint8Array): Steps<WrittenSeries> {
  return readRawSeries(bytes, layout, toWrittenSeries);
}

function toWrittenSeries({ series, flag: areFileAddresses }: RawRequest): WrittenSeries {
  const uploads: ProfileUpload[] = [];
  const bare: (readonly Label[])[] = [];
  for (const { labels, profiles } of series) {
    if (profiles.length === 0) bare.push(labels);
    for (const profile of profiles) {
      uploads.push(areFileAddresses ? { labels, profile, areFileAddresses } : { labels, profile });
    }
  }
  return { uploads, bare };
}
