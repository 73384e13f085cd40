// The scraping of one target: wait, fetch, write, remember the outcome, and again.
import { sleep, type Clock } from '../base/clock.ts';
import { errorMessage } from '../base/errors.ts';
import { inputLimits } from '../base/input-limits.ts';
import { scrapeIndexBytesMax } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { MetricLabels } from '../base/metrics.ts';
import { md5 } from '../base/node/md5.ts';
import type { HttpClient } from '../config/http-client.ts';
import type { Ingester, ProfileUpload } from '../ingest/interface.ts';
import { profileNameLabel } from '../model/labels.ts';
import { fetchIndex, fetchProfile, ScrapeError, type ScrapeFailure } from './fetch.ts';
import type { IndexPage } from './index-page.ts';
import type { TargetHealth, TargetStatus } from './interface.ts';
import type { ScrapeMetrics } from './metrics.ts';
import { firstDelayMillis, nextStartMillis, skippedTicks, type Schedule } from './schedule.ts';
import type { Target } from './target.ts';

/** Dependencies of every loop. */
export interface ScrapeContext {
  readonly clock: Clock;
  readonly ingester: Pick<Ingester, 'write'>;
  readonly metrics: ScrapeMetrics;
  readonly logger: Logger;
}

/** A running loop. */
export interface ScrapeLoop {
  readonly target: Target;
  status(): TargetStatus;
  /** Whether the address says that it does not have this profile; then it is not scraped. */
  isAbsent(): boolean;
  /** Ends a fetch, waits for a write; idempotent. */
  stop(): Promise<void>;
}

/** A scrape that starts later than this after its time is late. */
const lateMillis = 500;

/** One sleep; longer waits take several, which also bridges what timers cannot express. */
const sleepMillisMax = 3_600_000;

interface Scraped {
  readonly bytes: Uint8Array | undefined;
  readonly error: unknown;
  /** The address does not have the profile, and was not asked for it. */
  readonly isAbsent: boolean;
  readonly startNanos: bigint;
  readonly startMillis: number;
}

/** Starts to scrape a target. */
export function startScrapeLoop(
  target: Target,
  index: IndexPage | undefined,
  client: HttpClient,
  context: ScrapeContext,
): ScrapeLoop {
  return new Loop(target, index, client, context);
}

class Loop implements ScrapeLoop {
  readonly target: Target;
  readonly #index: IndexPage | undefined;
  readonly #client: HttpClient;
  readonly #context: ScrapeContext;
  readonly #job: MetricLabels;
  readonly #controller = new AbortController();
  readonly #finished: Promise<void>;
  #isAbsent = false;
  #health: TargetHealth = 'unknown';
  #lastError = '';
  #errorCount = 0;
  #firstErrorNanos = 0n;
  #lastScrapeNanos = 0n;
  #lastScrapeDurationNanos = 0n;

  constructor(
    target: Target,
    index: IndexPage | undefined,
    client: HttpClient,
    context: ScrapeContext,
  ) {
    this.target = target;
    this.#index = index;
    this.#client = client;
    this.#context = context;
    this.#job = { scrape_job: target.job };
    this.#finished = this.#run();
  }

  status(): TargetStatus {
    const { job, discoveredLabels, labels, url } = this.target;
    return {
      job,
      discoveredLabels,
      labels,
      url,
      health: this.#health,
      lastError: this.#lastError,
      errorCount: this.#errorCount,
      firstErrorNanos: this.#firstErrorNanos,
      lastScrapeNanos: this.#lastScrapeNanos,
      lastScrapeDurationNanos: this.#lastScrapeDurationNanos,
    };
  }

  isAbsent(): boolean {
    return this.#isAbsent;
  }

  stop(): Promise<void> {
    this.#controller.abort();
    return this.#finished;
  }

  async #run(): Promise<void> {
    const { clock, metrics } = this.#context;
    const { signal } = this.#controller;
    const schedule = this.#createSchedule();
    let due = schedule.firstMillis;
    let lastStart: number | undefined;
    // A profile is written while the next one is fetched, so that spans follow without a gap.
    let writing = Promise.resolve();
    while (await this.#waitUntil(due)) {
      const scraped = await this.#fetch();
      if (signal.aborted) break;
      const { startMillis, bytes } = scraped;
      if (startMillis - due > lateMillis) metrics.late.add(1, this.#job);
      const next = nextStartMillis(schedule, {
        startMillis,
        endMillis: clock.monotonicMillis(),
        isGood: bytes !== undefined,
      });
      metrics.skipped.add(skippedTicks(schedule, due, next), this.#job);
      due = next;
      this.#isAbsent = scraped.isAbsent;
      if (scraped.isAbsent) continue;
      if (lastStart !== undefined) {
        metrics.intervalSeconds.observe((startMillis - lastStart) / 1000, this.#job);
      }
      lastStart = startMillis;
      await writing;
      writing = this.#finish(scraped);
    }
    await writing;
  }

  #createSchedule(): Schedule {
    const { clock } = this.#context;
    const { intervalMillis, backToBackMillis, key } = this.target;
    const hash = md5(key);
    const offsetShare = new DataView(hash.buffer, hash.byteOffset).getUint32(0) / 0x1_0000_0000;
    const delay = firstDelayMillis(clock.nowMillis(), intervalMillis, offsetShare);
    return { firstMillis: clock.monotonicMillis() + delay, intervalMillis, backToBackMillis };
  }

  /** Resolves to false when the loop is to end. */
  async #waitUntil(due: number): Promise<boolean> {
    const { clock } = this.#context;
    const { signal } = this.#controller;
    while (!signal.aborted) {
      const rest = due - clock.monotonicMillis();
      if (rest <= 0) return true;
      try {
        await sleep(clock, Math.min(Math.ceil(rest), sleepMillisMax), signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
    return false;
  }

  /** Fetches within the deadline; never rejects. */
  async #fetch(): Promise<Scraped> {
    const { clock } = this.#context;
    const { url, deadlineMillis, limits } = this.target;
    const start = { startNanos: clock.nowNanos(), startMillis: clock.monotonicMillis() };
    const deadline = new AbortController();
    const timer = clock.setTimer(deadlineMillis, () => {
      const why = `no complete answer within ${deadlineMillis / 1000}s`;
      deadline.abort(new ScrapeError('deadline', why));
    });
    const signal = AbortSignal.any([this.#controller.signal, deadline.signal]);
    try {
      const headers = await this.#headers();
      const common = { dispatcher: this.#client.dispatcher, headers, signal };
      const isServed = await this.#index?.has(url, start.startMillis, (indexUrl) =>
        fetchIndex({ ...common, url: indexUrl, bodyBytesMax: scrapeIndexBytesMax }),
      );
      if (isServed === false) {
        return { bytes: undefined, error: undefined, isAbsent: true, ...start };
      }
      const { scrapeBodyBytes } = inputLimits;
      const bodyBytesMax = Math.min(scrapeBodyBytes, limits.profileBytes || scrapeBodyBytes);
      const bytes = await fetchProfile({ ...common, url, bodyBytesMax });
      return { bytes, error: undefined, isAbsent: false, ...start };
    } catch (error) {
      return { bytes: undefined, error, isAbsent: false, ...start };
    } finally {
      timer.cancel();
    }
  }

  /** Errors: ScrapeError 'credentials'. */
  async #headers(): Promise<Readonly<Record<string, string>>> {
    try {
      return await this.#client.headers();
    } catch (error) {
      throw new ScrapeError('credentials', errorMessage(error), { cause: error });
    }
  }

  /** Writes what was fetched and remembers how it went; never rejects. */
  async #finish(scraped: Scraped): Promise<void> {
    const { clock, ingester, metrics } = this.#context;
    let { error } = scraped;
    if (scraped.bytes !== undefined) {
      metrics.bodyBytes.add(scraped.bytes.length, this.#job);
      try {
        await ingester.write([this.#upload(scraped.bytes, scraped.startNanos)]);
      } catch (writeError) {
        error = writeError;
      }
    }
    const durationMillis = clock.monotonicMillis() - scraped.startMillis;
    this.#lastScrapeNanos = scraped.startNanos;
    this.#lastScrapeDurationNanos = BigInt(Math.round(durationMillis * 1e6));
    metrics.durationSeconds.observe(durationMillis / 1000, this.#job);
    metrics.scrapes.add(1, this.#job);
    this.#remember(error);
  }

  #remember(error: unknown): void {
    const { metrics, logger } = this.#context;
    if (error === undefined) {
      this.#health = 'good';
      this.#lastError = '';
      this.#errorCount = 0;
      return;
    }
    const reason: ScrapeFailure = error instanceof ScrapeError ? error.reason : 'write';
    metrics.failures.add(1, { ...this.#job, reason });
    metrics.countLimit(error);
    const message = errorMessage(error);
    const fields = { job: this.target.job, url: this.target.url, error: message };
    // A target that stays down says so once, then on the targets page.
    if (message === this.#lastError) logger.debug('scrape failed', fields);
    else logger.warn('scrape failed', fields);
    const isSame = message === this.#lastError;
    this.#errorCount = isSame ? this.#errorCount + 1 : 1;
    if (!isSame) this.#firstErrorNanos = this.#lastScrapeNanos;
    this.#health = 'bad';
    this.#lastError = message;
  }

  #upload(profile: Uint8Array, startNanos: bigint): ProfileUpload {
    const { labels, profileName, keepSampleTypes, honorTimestamps, limits } = this.target;
    return {
      labels: [{ name: profileNameLabel, value: profileName }, ...labels],
      profile,
      ...(keepSampleTypes.length === 0 ? {} : { keepSampleTypes }),
      limits,
      timeNanos: honorTimestamps ? undefined : startNanos,
    };
  }
}
