// The write path of scrape and push: uploads in, one durable batch out.
import type { Clock } from '../base/clock.ts';
import { AppError, errorCode, errorMessage } from '../base/errors.ts';
import { seriesPerRequestMax } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Label, LabelSet } from '../model/labels.ts';
import type { Appender, IncomingProfile, Storage } from '../storage/interface.ts';
import type { DecodedProfile, DecodePool } from './decode-pool.ts';
import type { Ingester, ProfileUpload } from './interface.ts';
import { readSeries } from './series.ts';
import { UploadReader, type SeriesUpload } from './upload-reader.ts';

export interface IngesterOptions {
  readonly storage: Pick<Storage, 'appender'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Added to every series that does not have them. */
  readonly externalLabels?: LabelSet;
  /** Workers that decode; by default it is done in place. */
  readonly decodePool?: DecodePool | undefined;
}

/** What a batch has; what is new of it the store knows, and counts. */
interface BatchCounts {
  profiles: number;
  bytes: number;
  empty: number;
}

/** Creates the write path over a store. */
export function createIngester(options: IngesterOptions): Ingester {
  return new StorageIngester(options);
}

class StorageIngester implements Ingester {
  readonly #options: IngesterOptions;
  readonly #counters: IngestCounters;
  readonly #reader = new UploadReader();

  constructor(options: IngesterOptions) {
    this.#options = options;
    this.#counters = createCounters(options.metrics);
  }

  async write(
    uploads: readonly ProfileUpload[],
    bare: readonly (readonly Label[])[] = [],
  ): Promise<void> {
    try {
      for (const labels of bare) readSeries(labels, this.#options.externalLabels ?? []);
      await this.#writeBatch(uploads);
    } catch (error) {
      const reason = errorCode(error);
      this.#counters.rejected.add(1, { reason });
      this.#options.logger.debug('upload rejected', { reason, error: errorMessage(error) });
      throw error;
    }
  }

  async #writeBatch(uploads: readonly ProfileUpload[]): Promise<void> {
    if (uploads.length > seriesPerRequestMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot store ${uploads.length} profiles in one request: ` +
          `the limit is ${seriesPerRequestMax}`,
      );
    }
    const placed = uploads.map((upload) => this.#placed(upload));
    let counts = await this.#store(placed);
    // While it waited for a cut, its own head was frozen: the next one takes it.
    while (counts === undefined) counts = await this.#store(placed);
    this.#counters.bytes.add(counts.bytes);
    this.#counters.empty.add(counts.empty);
  }

  /** Undefined when the head that they were appended to takes no more. */
  async #store(uploads: readonly SeriesUpload[]): Promise<BatchCounts | undefined> {
    const { storage, decodePool } = this.#options;
    const { appender, decoded } =
      decodePool === undefined
        ? { appender: storage.appender(), decoded: undefined }
        : await this.#decodeByWorkers(decodePool, uploads);
    const counts = this.#appendAll(appender, uploads, decoded);
    try {
      if (counts.profiles === 0) appender.rollback();
      else await appender.commit();
      return counts;
    } catch (error) {
      if (errorCode(error) === 'aborted') return undefined;
      throw error;
    }
  }

  #placed({ labels, profile, keepSampleTypes = [] }: ProfileUpload): SeriesUpload {
    const series = readSeries(labels, this.#options.externalLabels ?? []);
    return { series, profile, keepSampleTypes, receivedNanos: this.#options.clock.nowNanos() };
  }

  /** What workers made of the uploads, and an appender of the head that it is for. */
  async #decodeByWorkers(
    decodePool: DecodePool,
    uploads: readonly SeriesUpload[],
  ): Promise<{
    readonly appender: Appender;
    readonly decoded: readonly (DecodedProfile | undefined)[];
  }> {
    const { storage } = this.#options;
    for (;;) {
      const { dictionary } = storage.appender();
      const decoded = await decodePool.decode(uploads, dictionary);
      const appender = storage.appender();
      // Else another head has begun meanwhile.
      if (appender.dictionary === dictionary) return { appender, decoded };
    }
  }

  /**
   * Appends every upload, or rolls back and throws. Synchronous, so scratch memory is shared, and
   * no head is cut meanwhile. `decoded`: what workers made of the uploads.
   */
  #appendAll(
    appender: Appender,
    uploads: readonly SeriesUpload[],
    decoded: readonly (DecodedProfile | undefined)[] | undefined,
  ): BatchCounts {
    const { dictionary } = appender;
    const knownStacks = dictionary.stacks.length;
    const counts: BatchCounts = { profiles: 0, bytes: 0, empty: 0 };
    const append = (profile: IncomingProfile): void => {
      appender.append(profile);
      counts.profiles += 1;
    };
    try {
      for (const [i, upload] of uploads.entries()) {
        if (decoded === undefined) this.#reader.read(dictionary, upload, append);
        else appendDecoded(upload, decoded[i], append);
        counts.bytes += upload.profile.length;
      }
    } catch (error) {
      appender.rollback();
      throw error;
    } finally {
      this.#counters.newStacks.add(dictionary.stacks.length - knownStacks);
      this.#reader.trim();
    }
    counts.empty = uploads.length - counts.profiles;
    return counts;
  }
}

function appendDecoded(
  { series }: SeriesUpload,
  decoded: DecodedProfile | undefined,
  append: (profile: IncomingProfile) => void,
): void {
  if (decoded === undefined) return;
  decoded.symbols.carry(decoded.profile);
  append({ ...decoded.profile, ...series });
}

type IngestCounters = ReturnType<typeof createCounters>;

function createCounters(metrics: Metrics) {
  return {
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
