// Metrics of the store and its log.
import { errorCode } from '../base/errors.ts';
import type { Counter, Histogram, Metrics } from '../base/metrics.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { TimeRange } from './interface.ts';

/**
 * Upper bounds of buckets for the duration of a sync, in seconds. They range from 0.2 ms (a fast
 * disk) to a disk that hangs.
 */
const syncBuckets = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
/**
 * Upper bounds of buckets for the duration of a cut, in seconds. They range from a small head to a
 * large head on a busy machine with a slow disk.
 */
const cutBuckets = [0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300];

export interface StorageMetrics {
  readonly walSyncSeconds: Histogram;
  readonly walBytes: Counter;
  readonly walGroups: Counter;
  readonly walFailures: Counter;
  readonly commits: Counter;
  /** Counter by the label `reason`. */
  readonly refusedWrites: Counter;
  readonly delayedWrites: Counter;
  readonly storedProfiles: Counter;
  readonly storedRows: Counter;
  readonly duplicates: Counter;
  readonly corruptRecords: Counter;
  readonly tornTails: Counter;
  readonly lostProfiles: Counter;
  readonly lostSymbols: Counter;
  readonly cuts: Counter;
  readonly cutSeconds: Histogram;
  readonly cutFailures: Counter;
  readonly partFailures: Counter;
  readonly damagedBlocks: Counter;
}

export function createStorageMetrics(metrics: Metrics): StorageMetrics {
  const counter = (name: string, help: string): Counter =>
    metrics.counter(`parca_storage_${name}_total`, help);
  return {
    walSyncSeconds: metrics.histogram(
      'parca_storage_wal_fsync_duration_seconds',
      'Time to make a group of commits durable.',
      syncBuckets,
    ),
    walBytes: counter('wal_written_bytes', 'Bytes appended to the log.'),
    walGroups: counter('wal_groups', 'Groups of commits that shared one fdatasync.'),
    walFailures: counter('wal_failures', 'Groups of commits that could not be made durable.'),
    commits: counter('commits', 'Commits that were acknowledged.'),
    refusedWrites: metrics.counter(
      'parca_storage_refused_writes_total',
      'Commits that were refused, by reason.',
      ['reason'],
    ),
    delayedWrites: counter('delayed_writes', 'Commits that waited for heads to be cut.'),
    // Profiles are counted here, because only the store knows which of them it already had.
    storedProfiles: metrics.counter(
      'parca_ingest_profiles_total',
      'Profiles stored, each once however often it is sent.',
    ),
    storedRows: metrics.counter('parca_ingest_rows_total', 'Rows (stack and values) stored.'),
    duplicates: counter('duplicate_profiles', 'Profiles that were stored already.'),
    corruptRecords: counter('wal_corrupt_records', 'Damaged places found in the log at start.'),
    tornTails: counter('wal_torn_tails', 'Unfinished writes cut from the log at start.'),
    lostProfiles: counter('wal_lost_profiles', 'Profiles that damage of the log made unreadable.'),
    lostSymbols: counter(
      'wal_lost_symbols',
      'Symbols that damage of the log replaced by stand-ins.',
    ),
    cuts: counter('cuts', 'Heads that were cut into blocks.'),
    cutSeconds: metrics.histogram(
      'parca_storage_cut_duration_seconds',
      'Time to cut a head into blocks, in slices between requests.',
      cutBuckets,
    ),
    cutFailures: counter('cut_failures', 'Attempts to cut a head into blocks that failed.'),
    partFailures: counter('part_failures', 'Questions that a head or block could not answer.'),
    damagedBlocks: counter('damaged_blocks', 'Blocks that could not be opened at start.'),
  };
}

/** Values of a head that the gauges read. */
interface ObservedHead {
  readonly streamCount: number;
  readonly profileCount: number;
  readonly rowCount: number;
  readonly usedBytes: number;
  readonly arena: { readonly usedBytes: number };
  readonly dictionary: Dictionary;
  /** Times of the head's first and last profile; undefined without profiles. */
  readonly range: TimeRange | undefined;
}

/** State of a store that the gauges read. */
interface ObservedStore {
  readonly heads: readonly ObservedHead[];
  readonly cutBacklog: number;
  readonly isReadOnly: boolean;
  readonly lost: { readonly count: number };
  readonly disk: { readonly freeBytes: number; readonly keptFreeBytes: number };
}

/**
 * Creates a function that returns the first or the last time in all heads, in seconds. If there are
 * no profiles, it returns NaN, so that graphs have a gap.
 */
function createEdgeReader(
  store: Pick<ObservedStore, 'heads'>,
  read: (range: TimeRange) => bigint,
  pick: (...seconds: readonly number[]) => number,
): () => number {
  return () => {
    const ranges = store.heads.flatMap(({ range }) => range ?? []);
    if (ranges.length === 0) return Number.NaN;
    return pick(...ranges.map((range) => Number(read(range)) / 1e9));
  };
}

/** Name, help and value of a gauge. */
type Gauge = readonly [string, string, () => number];

function gaugesOfHeads(store: Pick<ObservedStore, 'heads'>): Gauge[] {
  const sum = (read: (head: ObservedHead) => number): (() => number) => {
    return () => store.heads.reduce((total, head) => total + read(head), 0);
  };
  return [
    [
      'series',
      'Label sets and profile names with profiles in memory.',
      sum((head) => head.streamCount),
    ],
    ['profiles', 'Profiles in memory.', sum((head) => head.profileCount)],
    ['rows', 'Rows (stack and values) of profiles in memory.', sum((head) => head.rowCount)],
    ['row_bytes', 'Memory taken by rows.', sum((head) => head.arena.usedBytes)],
    [
      'head_bytes',
      'Memory taken by profiles that are not in blocks yet.',
      sum((head) => head.usedBytes),
    ],
    [
      'head_first_timestamp_seconds',
      'Time of the first profile that is not in a block yet; NaN without one.',
      createEdgeReader(store, ({ from }) => from, Math.min),
    ],
    [
      'head_last_timestamp_seconds',
      'Time of the last profile that is not in a block yet; NaN without one.',
      createEdgeReader(store, ({ to }) => to, Math.max),
    ],
    ['stacks', 'Distinct stacks in memory.', sum(({ dictionary }) => dictionary.stacks.length - 1)],
    [
      'locations',
      'Distinct locations in memory.',
      sum(({ dictionary }) => dictionary.locations.length - 1),
    ],
    [
      'functions',
      'Distinct functions in memory.',
      sum(({ dictionary }) => dictionary.functions.length - 1),
    ],
    [
      'strings',
      'Distinct symbol strings in memory.',
      sum(({ dictionary }) => dictionary.strings.length - 1),
    ],
  ];
}

/** Registers gauges of the heads and of the state of the store. */
export function observeStore(metrics: Metrics, store: ObservedStore): void {
  const gauges: readonly Gauge[] = [
    ...gaugesOfHeads(store),
    ['heads_to_cut', 'Heads that wait to be cut into blocks.', () => store.cutBacklog],
    [
      'lost_parts',
      'Blocks, or a whole bucket, that cannot be opened: answers lack their profiles, and say so.',
      () => store.lost.count,
    ],
    ['disk_free_bytes', 'Free bytes of the disk, as last measured.', () => store.disk.freeBytes],
    [
      'disk_kept_free_bytes',
      'Free bytes of the disk below which writes are refused.',
      () => store.disk.keptFreeBytes,
    ],
    [
      'read_only',
      '1 while writes are refused because the disk is nearly full.',
      () => (store.isReadOnly ? 1 : 0),
    ],
  ];
  for (const [name, help, read] of gauges) {
    metrics.observedGauge(`parca_storage_${name}`, help, read);
  }
}

/** Returns the `reason` label of a refused commit. */
export function refusalReason(error: unknown): string {
  return errorCode(error) === 'resource-exhausted' ? 'disk-full' : 'log-failed';
}
