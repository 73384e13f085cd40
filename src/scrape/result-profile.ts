// Converts the result of a scrape to a profile: success or failure, and duration.
//
// This way, the health of targets can be queried and drawn over time, and is removed after the
// retention time like any profile.
import { PprofWriter } from '../formats/pprof/writer.ts';
import type { ProfileUpload } from '../ingest/interface.ts';
import { profileNameLabel } from '../model/labels.ts';
import type { ScrapeFailure } from './scrape-error.ts';
import type { Target } from './target.ts';

/** Name of the profile; its types are `scrape:up` and `scrape:duration`. */
export const resultProfileName = 'scrape';
/** Label for the name of the profile that was scraped. */
const scrapedProfileLabel = 'profile';

const header = {
  sampleTypes: [
    { type: 'up', unit: 'count' },
    { type: 'duration', unit: 'nanoseconds' },
  ],
  periodType: { type: 'scrape', unit: 'count' },
  period: 1n,
} as const;

/** Outcome of one scrape. */
export interface ScrapeResult {
  readonly startNanos: bigint;
  /** Duration of the fetch, without the write. */
  readonly durationNanos: bigint;
  /** Undefined after a success. */
  readonly failure: ScrapeFailure | undefined;
}

/**
 * Builds the upload. It has one sample, whose frame is `ok` or the reason of the failure. The value
 * of `up` is 1 or 0. The duration is at least 1, because a profile without values is not stored.
 */
export function resultProfile(target: Target, result: ScrapeResult): ProfileUpload {
  const { startNanos, durationNanos, failure } = result;
  const writer = new PprofWriter();
  const frame = writer.frame({ name: failure ?? 'ok' });
  const duration = durationNanos > 0n ? durationNanos : 1n;
  writer.sample([frame], [failure === undefined ? 1n : 0n, duration]);
  return {
    labels: [
      { name: profileNameLabel, value: resultProfileName },
      { name: scrapedProfileLabel, value: target.profileName },
      // Labels are renamed if their names are reserved, as in Prometheus.
      ...target.labels.map(({ name, value }) =>
        name === scrapedProfileLabel ? { name: `exported_${name}`, value } : { name, value },
      ),
    ],
    profile: writer.finish({ ...header, timeNanos: startNanos }),
  };
}
