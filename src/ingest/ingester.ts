// The write path of scrape and push: uploads in, one durable batch out.
import type { Clock } from '../base/clock.ts';
import { AppError, errorCode, errorMessage } from '../base/errors.ts';
import { seriesPerRequestMax } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { openContent, releaseContent } from '../formats/gzip.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { Appender, Storage } from '../storage/interface.ts';
import type { Ingester, ProfileUpload } from './interface.ts';
import { ProfileBuilder } from './profile-builder.ts';
import { readSeries } from './series.ts';

/** Memory kept between profiles; what a giant one needed beyond this is given back. */
const keptScratchBytesMax = 64 * 1024 * 1024;

export interface IngesterOptions {
  readonly storage: Pick<Storage, 'appender'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Added to every series that does not have them. */
  readonly externalLabels?: LabelSet;
}

/** What a batch adds to the counters once it is durable. */
interface BatchCounts {
  profiles: number;
  rows: number;
  bytes: number;
  empty: number;
}

/** Creates the write path over a store. */
export function createIngester(options: IngesterOptions): Ingester {
  return new StorageIngester(options);
}

class StorageIngester implements Ingester {
  private readonly options: IngesterOptions;
  private readonly counters: IngestCounters;
  private builder: ProfileBuilder | undefined;

  constructor(options: IngesterOptions) {
    this.options = options;
    this.counters = createCounters(options.metrics);
  }

  async write(uploads: readonly ProfileUpload[]): Promise<void> {
    try {
      await this.writeBatch(uploads);
    } catch (error) {
      const reason = errorCode(error);
      this.counters.rejected.add(1, { reason });
      this.options.logger.debug('upload rejected', { reason, error: errorMessage(error) });
      throw error;
    }
  }

  private async writeBatch(uploads: readonly ProfileUpload[]): Promise<void> {
    if (uploads.length > seriesPerRequestMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot store ${uploads.length} profiles in one request: ` +
          `the limit is ${seriesPerRequestMax}`,
      );
    }
    const appender = this.options.storage.appender();
    const counts = this.appendAll(appender, uploads);
    if (counts.profiles === 0) appender.rollback();
    else await appender.commit();
    this.counters.profiles.add(counts.profiles);
    this.counters.rows.add(counts.rows);
    this.counters.bytes.add(counts.bytes);
    this.counters.empty.add(counts.empty);
  }

  /** Appends every upload, or rolls back and throws. Synchronous, so scratch memory is shared. */
  private appendAll(appender: Appender, uploads: readonly ProfileUpload[]): BatchCounts {
    const { dictionary } = appender;
    const knownStacks = dictionary.stacks.length;
    const counts: BatchCounts = { profiles: 0, rows: 0, bytes: 0, empty: 0 };
    try {
      for (const upload of uploads) this.appendOne(appender, upload, counts);
    } catch (error) {
      appender.rollback();
      throw error;
    } finally {
      this.counters.newStacks.add(dictionary.stacks.length - knownStacks);
      this.trimScratch();
    }
    return counts;
  }

  private appendOne(appender: Appender, upload: ProfileUpload, counts: BatchCounts): void {
    const series = readSeries(upload.labels, this.options.externalLabels ?? []);
    const content = openContent(upload.profile);
    const builder = this.scratch(appender.dictionary);
    const profile = builder.build(content, {
      series,
      keepSampleTypes: upload.keepSampleTypes ?? [],
      receivedNanos: this.options.clock.nowNanos(),
    });
    counts.bytes += upload.profile.length;
    if (profile === undefined) {
      counts.empty += 1;
      return;
    }
    appender.append(profile);
    releaseContent(content, upload.profile);
    counts.profiles += 1;
    counts.rows += profile.rowCount;
  }

  private scratch(dictionary: Dictionary): ProfileBuilder {
    if (this.builder?.dictionary === dictionary) return this.builder;
    this.builder = new ProfileBuilder(dictionary);
    return this.builder;
  }

  private trimScratch(): void {
    if (this.builder !== undefined && this.builder.reservedBytes() > keptScratchBytesMax) {
      this.builder = undefined;
    }
  }
}

type IngestCounters = ReturnType<typeof createCounters>;

function createCounters(metrics: Metrics) {
  return {
    profiles: metrics.counter('parca_ingest_profiles_total', 'Profiles stored.'),
    rows: metrics.counter('parca_ingest_rows_total', 'Rows (stack and values) stored.'),
    bytes: metrics.counter('parca_ingest_bytes_total', 'Bytes of accepted profiles as uploaded.'),
    empty: metrics.counter(
      'parca_ingest_empty_profiles_total',
      'Profiles accepted that had no value to store.',
    ),
    rejected: metrics.counter(
      'parca_ingest_rejected_total',
      'Writes refused as a whole, by reason.',
      ['reason'],
    ),
    newStacks: metrics.counter('parca_ingest_new_stacks_total', 'Stacks seen for the first time.'),
  };
}
