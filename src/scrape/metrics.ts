// Metrics of scraping. They have Parca's names if Parca has the same metrics.
import { createLimitCounter } from '../base/input-limits.ts';
import type { Counter, Gauge, Histogram, Metrics } from '../base/metrics.ts';

export interface ScrapeMetrics {
  /** Time between the starts of two scrapes of a target. */
  readonly intervalSeconds: Histogram;
  /** Duration of the fetch and the write. */
  readonly durationSeconds: Histogram;
  readonly scrapes: Counter;
  readonly failures: Counter;
  /** Counts an error that was caused by a limit, under the name of that limit. */
  readonly countLimit: (error: unknown) => void;
  readonly bodyBytes: Counter;
  readonly samples: Counter;
  readonly skipped: Counter;
  readonly skippedFailures: Counter;
  readonly late: Counter;
  readonly syncs: Counter;
  readonly syncSeconds: Histogram;
  readonly reloadSeconds: Histogram;
  readonly targets: Gauge;
  readonly mistakes: Counter;
}

const secondsBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120, 300];
const shortBuckets = [0.0001, 0.001, 0.01, 0.1, 1, 10];

/** Creates the metrics of scraping, or returns the existing metrics. */
export function createScrapeMetrics(metrics: Metrics): ScrapeMetrics {
  const job = ['scrape_job'];
  return {
    intervalSeconds: metrics.histogram(
      'parca_target_interval_length_seconds',
      'Actual intervals between scrapes.',
      secondsBuckets,
      job,
    ),
    durationSeconds: metrics.histogram(
      'parca_target_scrape_duration_seconds',
      'Duration of scrapes, fetch and write together.',
      secondsBuckets,
      job,
    ),
    scrapes: metrics.counter('parca_target_scrapes_total', 'Scrapes that ended.', job),
    failures: metrics.counter(
      'parca_target_scrape_failures_total',
      'Scrapes that failed, by reason.',
      [...job, 'reason'],
    ),
    countLimit: createLimitCounter(metrics),
    bodyBytes: metrics.counter(
      'parca_target_scrape_body_bytes_total',
      'Bytes of the profiles that were fetched.',
      job,
    ),
    samples: metrics.counter(
      'parca_target_samples_total',
      'Samples (stack and values) of profiles that were scraped and accepted.',
    ),
    skipped: metrics.counter(
      'parca_target_scrapes_skipped_total',
      'Scrapes that were left out, because the one before took longer than the interval.',
      job,
    ),
    skippedFailures: metrics.counter(
      'parca_target_failures_skipped_total',
      'Results of failed scrapes that were not stored, because too many waited.',
    ),
    late: metrics.counter(
      'parca_target_scrapes_late_total',
      'Scrapes that started more than half a second after their time.',
      job,
    ),
    syncs: metrics.counter(
      'parca_target_scrape_pool_sync_total',
      'Total number of syncs that were executed on a scrape pool.',
      job,
    ),
    syncSeconds: metrics.histogram(
      'parca_target_sync_length_seconds',
      'Actual interval to sync the scrape pool.',
      shortBuckets,
      job,
    ),
    reloadSeconds: metrics.histogram(
      'parca_target_reload_length_seconds',
      'Actual interval to reload the scrape pools with a given configuration.',
      shortBuckets,
    ),
    targets: metrics.gauge('parca_target_scrape_pool_targets', 'Targets that are scraped.', job),
    mistakes: metrics.counter(
      'parca_target_invalid_total',
      'Discovered targets without a usable address, URL or name.',
      job,
    ),
  };
}
