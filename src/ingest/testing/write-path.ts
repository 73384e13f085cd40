// A write path for tests, over a store that keeps appended profiles.
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../base/errors.ts';
import { createFakeClock } from '../../base/fake/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { type Metrics, noMetrics } from '../../base/metrics.ts';
import { seededRandom } from '../../base/random.ts';
import { Dictionary } from '../../model/dictionary.ts';
import type { LabelSet } from '../../model/labels.ts';
import type { Appender, IncomingProfile } from '../../storage/interface.ts';
import { createSplitDecoder } from '../decode-here.ts';
import { DecodePool } from '../decode-pool.ts';
import type { Decoder } from '../decoder.ts';
import { startDecoderInPlace } from '../fake/decoder-in-place.ts';
import { createIngester } from '../ingester.ts';
import type { Ingester } from '../interface.ts';

/** An in-memory store that copies committed profiles. Its commits fail if a test wants them to. */
export class TestStorage {
  /** Dictionary of the head. When it is replaced, a new head has begun. */
  dictionary = new Dictionary([11, 12, 13]);
  readonly profiles: IncomingProfile[] = [];
  commits = 0;
  failure: AppError | undefined;
  /** True if the head is cut while the next commit waits. */
  cutsNext = false;
  /** True if each commit waits for a turn, and fills its head, so that another head begins. */
  cutsAfterEach = false;
  /** Maximum number of batches that had profiles at the same time and were not committed. */
  openBatchesMax = 0;
  #openBatches = 0;

  appender(): Appender {
    const batch: IncomingProfile[] = [];
    return {
      dictionary: this.dictionary,
      append: (profile) => {
        if (batch.length === 0) this.#openBatches += 1;
        this.openBatchesMax = Math.max(this.openBatchesMax, this.#openBatches);
        batch.push(copyRows(profile));
      },
      commit: async () => {
        if (this.cutsAfterEach) await setImmediate();
        this.#openBatches -= 1;
        if (this.failure !== undefined) throw this.failure;
        if (this.cutsNext) {
          this.cutsNext = false;
          this.dictionary = new Dictionary([11, 12, 13]);
          throw new AppError('aborted', 'the head was cut');
        }
        this.commits += 1;
        this.profiles.push(...batch);
        if (this.cutsAfterEach) this.dictionary = new Dictionary([11, 12, 13]);
      },
    };
  }
}

function copyRows(profile: IncomingProfile): IncomingProfile {
  const { rowCount } = profile;
  return {
    ...profile,
    stacks: profile.stacks.slice(0, rowCount),
    values: profile.values.map((column) => column.slice(0, rowCount)),
    sampleLabels: profile.sampleLabels?.slice(0, rowCount),
  };
}

/** Metrics that keep the counters, by name and label values. */
class TestMetrics implements Metrics {
  readonly counts = new Map<string, number>();

  counter(name: string) {
    return {
      add: (by = 1, labels: Readonly<Record<string, string>> = {}): void => {
        const key = [name, ...Object.values(labels)].join(' ');
        this.counts.set(key, (this.counts.get(key) ?? 0) + by);
      },
    };
  }

  gauge() {
    return { set: () => undefined };
  }

  observedGauge(): void {}

  histogram() {
    return { observe: () => undefined };
  }
}

/** A store, its metrics, and an ingester that writes to the store. */
export interface Setup {
  readonly storage: TestStorage;
  readonly metrics: TestMetrics;
  readonly ingester: Ingester;
}

/** Time of the tests' clock, in Unix milliseconds. */
export const nowMillis = 1_800_000_000_000;

/** Makes a write path. */
export type SetUp = (externalLabels?: LabelSet) => Setup;

/**
 * Makes a write path with an empty store. With 0 workers, the calling thread decodes all uploads.
 */
export function setUpWith(workers: number, externalLabels: LabelSet = []): Setup {
  const storage = new TestStorage();
  const metrics = new TestMetrics();
  const pool =
    workers === 0
      ? undefined
      : new DecodePool({
          size: workers,
          clock: createFakeClock(nowMillis),
          random: seededRandom(9),
          logger: silentLogger,
          metrics,
          startDecoder: startDecoderInPlace,
        });
  return { storage, metrics, ingester: createTestIngester(storage, metrics, pool, externalLabels) };
}

/** Makes a write path for a store that other ingesters may use, too. */
export function createTestIngester(
  storage: TestStorage,
  metrics: TestMetrics,
  decoder: Decoder | undefined,
  externalLabels: LabelSet = [],
): Ingester {
  return createIngester({
    storage,
    metrics,
    clock: createFakeClock(nowMillis),
    logger: silentLogger,
    externalLabels,
    decoder,
  });
}

/**
 * Makes a write path that passes large writes to a worker, and a function that returns their
 * number.
 */
export function setUpSplit(externalLabels: LabelSet = []) {
  const { storage, metrics } = setUpWith(0);
  const clock = createFakeClock(nowMillis);
  const machine = { clock, random: seededRandom(3), logger: silentLogger, metrics: noMetrics };
  const pool = new DecodePool({ ...machine, size: 1, startDecoder: startDecoderInPlace });
  let moved = 0;
  const counted: Decoder = {
    decode: (uploads, findTarget) => {
      moved += 1;
      return pool.decode(uploads, findTarget);
    },
    close: () => pool.close(),
  };
  const decoder = createSplitDecoder(counted, clock);
  const ingester = createTestIngester(storage, metrics, decoder, externalLabels);
  return { storage, ingester, decoder, moved: () => moved };
}
