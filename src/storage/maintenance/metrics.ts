// Metrics of maintenance.
import type { Counter, Gauge, Histogram, Metrics } from '../../base/metrics.ts';

/**
 * Upper bounds of buckets in seconds. They range from one small block to a day of a large fleet.
 */
const compactionBuckets = [0.1, 1, 10, 60, 300, 1_800, 7_200];

export interface MaintenanceMetrics {
  /** Label: level of the new block. */
  readonly compactions: Counter;
  /** Labels: reason. */
  readonly compactionFailures: Counter;
  readonly compactionSeconds: Histogram;
  /** Number of compactions that are due. */
  readonly backlog: Gauge;
  /** Labels: reason. */
  readonly retiredBlocks: Counter;
  readonly retentionFailures: Counter;
  readonly deletedProfiles: Counter;
  /** Labels: level. */
  readonly blocks: Gauge;
  readonly blockBytes: Gauge;
  readonly usedBytes: Gauge;
  readonly retentionSeconds: Gauge;
  readonly retentionBytes: Gauge;
}

export function createMaintenanceMetrics(metrics: Metrics): MaintenanceMetrics {
  const name = (rest: string): string => `parca_storage_${rest}`;
  return {
    compactions: metrics.counter(
      name('compactions_total'),
      'Blocks written from others, by their level.',
      ['level'],
    ),
    compactionFailures: metrics.counter(
      name('compaction_failures_total'),
      'Compactions that did not end with a block, by reason.',
      ['reason'],
    ),
    compactionSeconds: metrics.histogram(
      name('compaction_duration_seconds'),
      'Time to write a block from others.',
      compactionBuckets,
    ),
    backlog: metrics.gauge(name('compaction_backlog'), 'Compactions that are due.'),
    retiredBlocks: metrics.counter(
      name('retired_blocks_total'),
      'Blocks removed by retention, by reason.',
      ['reason'],
    ),
    retentionFailures: metrics.counter(
      name('retention_failures_total'),
      'Passes of retention that failed.',
    ),
    deletedProfiles: metrics.counter(
      name('deleted_profiles_total'),
      'Deleted profiles that a compaction left out for good.',
    ),
    blocks: metrics.gauge(name('blocks'), 'Blocks, by level.', ['level']),
    blockBytes: metrics.gauge(name('block_bytes'), 'Bytes of blocks, by level.', ['level']),
    usedBytes: metrics.gauge(name('used_bytes'), 'Bytes of everything under the storage path.'),
    retentionSeconds: metrics.gauge(
      name('retention_limit_seconds'),
      'Age from which on profiles are removed; 0 = no limit.',
    ),
    retentionBytes: metrics.gauge(
      name('retention_limit_bytes'),
      'Bytes on the disk from which on the oldest profiles are removed; 0 = no limit.',
    ),
  };
}
