// The write path of scrapes and pushes. It turns uploads into one batch, which is made durable.
import type { Clock } from '../base/clock.ts';
import { errorCode, errorMessage } from '../base/errors.ts';
import { inputLimits, overInputLimit } from '../base/input-limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { readRecord } from '../formats/parca-arrow/record-reader.ts';
import { Pacer, type Steps } from '../base/pacer.ts';
import { Slots } from '../base/slots.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { Appender, IncomingProfile, Storage } from '../storage/interface.ts';
import type { Cardinality } from './cardinality/cardinality.ts';
import { createLocalDecoder } from './decode-here.ts';
import type { DecodedBatch, Decoder } from './decoder.ts';
import { moveToFileOffsets } from './file-offsets.ts';
import type { Ingester, ProfileUpload, RecordFacts, WriteFacts } from './interface.ts';
import { batchOfRecord, readRecordSeries } from './record-builder.ts';
import { readSmallRecord, uploadOfRecord } from './record-upload.ts';
import type { SampleTimesFilter } from './sample-times-filter.ts';
import { storedAloneBytesMin } from './limits.ts';
import { readSeries, type UploadSeries } from './series.ts';
import { spendOnce, spendShare } from './turn-share.ts';
import type { SeriesUpload } from './upload-reader.ts';

export interface IngesterOptions {
  readonly storage: Pick<Storage, 'appender'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Labels that are added to a series if it does not have them. */
  readonly externalLabels?: LabelSet;
  /** Decodes uploads; by default, on the thread that calls `write`. */
  readonly decoder?: Decoder | undefined;
  /** Decides which sample times are not stored; undefined = all are stored. */
  readonly timesFilter?: Pick<SampleTimesFilter, 'drops'>;
  /** Limits of series and labels; absent = no limits. */
  readonly cardinality?: Pick<Cardinality, 'admit'>;
}

/** Creates the write path over a store. */
export function createIngester(options: IngesterOptions): Ingester {
  return new StorageIngester(options);
}

/** Number of stacks in a head's dictionary when new stacks were last counted. */
const countedStacks = new WeakMap<Dictionary['stacks'], number>();

/** Options for storing one batch. */
interface Storing {
  readonly signal?: WriteFacts['signal'];
  /**
   * Gets the profiles of a batch whose series were not known before, and throws if one is refused.
   */
  readonly check?: (profiles: readonly UploadSeries[]) => Promise<void>;
  /** Gets the number of rows that are stored, by the name of their profile. */
  readonly rows?: Map<string, number> | undefined;
}

class StorageIngester implements Ingester {
  readonly #options: IngesterOptions;
  readonly #decoder: Decoder;
  readonly #counters: IngestCounters;
  /** The slot of batches that are stored one after the other. */
  readonly #alone = new Slots(1);

  constructor(options: IngesterOptions) {
    this.#options = options;
    this.#decoder = options.decoder ?? createLocalDecoder();
    this.#counters = createCounters(options.metrics);
  }

  async write(uploads: readonly ProfileUpload[], facts: WriteFacts = {}): Promise<void> {
    await this.#counted(async () => {
      const { bare = [] } = facts;
      for (const labels of bare) readSeries(labels, this.#options.externalLabels ?? []);
      await this.#writeBatch(uploads, facts);
    });
  }

  async writeRecord(streams: readonly Uint8Array[], facts: RecordFacts = {}): Promise<void> {
    const { caller = '', seriesMax = 0, signal, onLabels = () => undefined } = facts;
    await this.#counted(async () => {
      const { cardinality, clock, externalLabels = [] } = this.#options;
      const receivedNanos = clock.nowNanos();
      const isLocal = this.#decoder.isLocal === true;
      const small = isLocal
        ? readRecord(streams)
        : await this.#inShare(caller, () => readSmallRecord(streams));
      for (const { labels } of small?.heads ?? []) onLabels(labels);
      if (small === undefined) {
        const upload = await uploadOfRecord(streams, externalLabels, caller, receivedNanos);
        await this.#store(
          (findTarget) => this.#decoder.decode([upload], findTarget, { isLarge: true, signal }),
          {
            signal,
            check: async (profiles) => {
              for (const { labels } of profiles) onLabels(labels);
              await cardinality?.admit(profiles, caller, seriesMax);
            },
          },
        );
      } else {
        const series = readRecordSeries(small, externalLabels);
        await cardinality?.admit(series, caller, seriesMax);
        moveToFileOffsets(small.symbols, false);
        const profileCount = await this.#store(async (findTarget) => {
          await this.#decoder.share?.enter(caller);
          const target = findTarget();
          const batch = batchOfRecord(small, series, target, receivedNanos);
          const { share } = this.#decoder;
          return { target, appendTo: (append) => spendShare(share, clock, batch.appendTo(append)) };
        });
        this.#counters.empty.add(small.profileCount - profileCount);
      }
      this.#counters.bytes.add(streams.reduce((sum, { length }) => sum + length, 0));
    });
  }

  /** Runs the work of a small write when its caller may use the current turn of the event loop. */
  async #inShare<T>(caller: string, work: () => T): Promise<T> {
    const { share } = this.#decoder;
    await share?.enter(caller);
    return spendOnce(share, this.#options.clock, work);
  }

  /** Runs a write, and counts it if it is refused. */
  async #counted(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const reason = errorCode(error);
      this.#counters.rejected.add(1, { reason });
      this.#options.logger.debug('upload rejected', { reason, error: errorMessage(error) });
      throw error;
    }
  }

  async #writeBatch(
    uploads: readonly ProfileUpload[],
    { caller = '', seriesMax = 0, signal, onStored }: WriteFacts,
  ): Promise<void> {
    if (uploads.length > inputLimits.seriesPerRequest) {
      throw overInputLimit(
        'seriesPerRequest',
        `cannot store ${uploads.length} profiles in one request: ` +
          `the limit is ${inputLimits.seriesPerRequest}`,
      );
    }
    const pacer = new Pacer(this.#options.clock);
    const placed: SeriesUpload[] = [];
    for (const upload of uploads) {
      placed.push(this.#placed(upload, caller));
      const pausing = pacer.pause();
      if (pausing !== undefined) await pausing;
    }
    await this.#options.cardinality?.admit(
      placed.map(({ series }) => series),
      caller,
      seriesMax,
    );
    const rows = onStored && new Map<string, number>();
    const profileCount = await this.#store(
      (findTarget, isLarge) => this.#decoder.decode(placed, findTarget, { isLarge, signal }),
      { signal, rows },
    );
    if (rows !== undefined) onStored?.(rows);
    this.#counters.bytes.add(uploads.reduce((sum, { profile }) => sum + profile.length, 0));
    this.#counters.empty.add(uploads.length - profileCount);
  }

  #placed(upload: ProfileUpload, caller: string): SeriesUpload {
    const { labels, profile, keepSampleTypes = [], timeNanos, limits } = upload;
    const { areFileAddresses = false } = upload;
    return {
      series: readSeries(labels, this.#options.externalLabels ?? []),
      profile,
      keepSampleTypes,
      timeNanos,
      receivedNanos: this.#options.clock.nowNanos(),
      areFileAddresses,
      caller,
      samplesMax: limits?.samples ?? 0,
      contentBytesMax: limits?.profileBytes ?? 0,
    };
  }

  /**
   * Stores a batch in the current head, or in the next one if the head is cut during the write. A
   * batch that takes much memory waits until the one before it is stored.
   */
  async #store(
    decode: (findTarget: () => Dictionary, isLarge: boolean) => Promise<DecodedBatch>,
    { check, rows, signal }: Storing = {},
  ): Promise<number> {
    const findTarget = (): Dictionary => {
      const { dictionary } = this.#options.storage.appender();
      this.#countStacks(dictionary);
      return dictionary;
    };
    let isLarge = false;
    for (;;) {
      const batch = await decode(findTarget, isLarge);
      const isAlone = (batch.heldBytes ?? 0) >= storedAloneBytesMin;
      try {
        await check?.(batch.profiles ?? []);
        const storing = (): Promise<number | 'cut' | 'large'> =>
          this.#storeIn(batch, isAlone, rows);
        const stored = await (isAlone ? this.#alone.run(storing, signal?.()) : storing());
        if (typeof stored === 'number') return stored;
        isLarge ||= stored === 'large';
      } finally {
        batch.release?.();
      }
    }
  }

  /**
   * Stores a batch in its head, and returns the number of its profiles; 'cut' if the head was cut
   * in the meantime, 'large' if the batch is too large for this thread. A batch that is stored
   * alone is released after its commit, which may cut the head for which the next is decoded.
   */
  async #storeIn(
    batch: DecodedBatch,
    isAlone: boolean,
    rows: Map<string, number> | undefined,
  ): Promise<number | 'cut' | 'large'> {
    const { storage } = this.#options;
    const { target } = batch;
    const isCurrent = (): boolean => storage.appender().dictionary === target;
    if (isAlone && !isCurrent()) return 'cut';
    if (batch.carry !== undefined && !(await batch.carry(isCurrent))) return 'cut';
    const appender = storage.appender();
    if (appender.dictionary !== target) return 'cut';
    const profileCount = await this.#append(batch, appender, isCurrent, rows);
    if (typeof profileCount === 'string') return profileCount;
    // The profiles are encoded by now, so the next write need not wait for the disk.
    if (!isAlone) batch.release?.();
    try {
      if (profileCount > 0) await appender.commit();
      return profileCount;
    } catch (error) {
      if (errorCode(error) !== 'aborted') throw error;
      return 'cut';
    }
  }

  /**
   * Appends all profiles of a batch, and returns their number. Returns 'large' if the batch is too
   * large for this thread, and 'cut' if the head was cut meanwhile. The profiles are not visible
   * before the commit.
   */
  async #append(
    batch: DecodedBatch,
    appender: Appender,
    isCurrent: () => boolean,
    rows: Map<string, number> | undefined,
  ): Promise<number | 'cut' | 'large'> {
    let profileCount = 0;
    // If an earlier attempt failed, its rows were not stored.
    rows?.clear();
    const count = ({ name, rowCount }: IncomingProfile): void => {
      profileCount += 1;
      rows?.set(name, (rows.get(name) ?? 0) + rowCount);
    };
    const append = (profile: IncomingProfile): void => {
      appender.append(this.#withWantedTimes(profile));
      count(profile);
    };
    const steps = (): Steps<boolean> =>
      batch.waiting === undefined
        ? batch.appendTo(append)
        : this.#appendWaiting(batch.waiting, appender, count);
    try {
      const isDone = batch.appendAtOnce?.(append) ?? (await this.#whileCurrent(steps(), isCurrent));
      return isDone === true ? profileCount : isDone === false ? 'large' : 'cut';
    } finally {
      this.#countStacks(appender.dictionary);
    }
  }

  *#appendWaiting(
    profiles: readonly IncomingProfile[],
    appender: Appender,
    count: (profile: IncomingProfile) => void,
  ): Steps<boolean> {
    for (const profile of profiles) {
      const wanted = this.#withWantedTimes(profile);
      if (appender.appendInSteps === undefined) appender.append(wanted);
      else yield* appender.appendInSteps(wanted);
      count(profile);
      yield;
    }
    return true;
  }

  /** Runs steps with pauses; returns undefined once the head no longer accepts writes. */
  async #whileCurrent<T>(steps: Steps<T>, isCurrent: () => boolean): Promise<T | undefined> {
    const pacer = new Pacer(this.#options.clock);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      const pausing = pacer.pause();
      if (pausing === undefined) continue;
      await pausing;
      if (!isCurrent()) return undefined;
    }
  }

  /**
   * Removes sample times that the config excludes from a profile, and counts times that are lost.
   */
  #withWantedTimes(profile: IncomingProfile): IncomingProfile {
    const { sampleTimes, lostTimes } = profile;
    const { timesDropped } = this.#counters;
    if (lostTimes !== undefined) timesDropped.add(1, { reason: lostTimes });
    if (sampleTimes === undefined) return profile;
    if (this.#options.timesFilter?.drops(profile) !== true) return profile;
    timesDropped.add(1, { reason: 'config' });
    return { ...profile, sampleTimes: undefined };
  }

  /**
   * Counts the stacks that were added to a dictionary since the last call. The first call for a
   * dictionary counts none.
   */
  #countStacks({ stacks }: Dictionary): void {
    const { length } = stacks;
    const added = length - (countedStacks.get(stacks) ?? length);
    if (added > 0) this.#counters.newStacks.add(added);
    countedStacks.set(stacks, length);
  }
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
    timesDropped: metrics.counter(
      'parca_ingest_sample_times_dropped_total',
      'Profiles stored without the times of samples that were sent, by reason: limit, far, config.',
      ['reason'],
    ),
    newStacks: metrics.counter('parca_ingest_new_stacks_total', 'Stacks seen for the first time.'),
  };
}
