// The metrics of the bucket.
import type { Counter, Gauge, Metrics } from '../../base/metrics.ts';

export interface SyncMetrics {
  readonly shipped: Counter;
  readonly shippedBytes: Counter;
  readonly removed: Counter;
  readonly failures: Counter;
  readonly lastSuccess: Gauge;
}

/** Registers the metrics. `remoteCount` is called when /metrics is read. */
export function createSyncMetrics(metrics: Metrics, remoteCount: () => number): SyncMetrics {
  metrics.observedGauge(
    'parca_storage_object_blocks',
    'Blocks that are only in the bucket.',
    remoteCount,
  );
  return {
    shipped: metrics.counter(
      'parca_storage_object_shipped_blocks_total',
      'Blocks that were shipped to the bucket.',
    ),
    shippedBytes: metrics.counter(
      'parca_storage_object_shipped_bytes_total',
      'Bytes that were shipped to the bucket.',
    ),
    removed: metrics.counter(
      'parca_storage_object_removed_total',
      'Objects that were removed from the bucket.',
    ),
    failures: metrics.counter(
      'parca_storage_object_sync_failures_total',
      'Passes over the bucket, and objects in them, that failed.',
    ),
    lastSuccess: metrics.gauge(
      'parca_storage_object_last_success_timestamp_seconds',
      'When bucket and disk were last brought together.',
    ),
  };
}
