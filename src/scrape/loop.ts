// The scraping of one target: wait, fetch, write, remember the result, and again.
import { sleep, type Clock } from '../base/clock.ts';
import { errorMessage } from '../base/errors.ts';
import { inputLimits } from '../base/input-limits.ts';
import { scrapeIndexBytesMax } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { MetricLabels } from '../base/metrics.ts';
import { md5 } from '../base/node/md5.ts';
import { duringWork } from '../base/work.ts';
import type { HttpClient } from '../config/http-client.ts';
import type { Ingester, ProfileUpload } from '../ingest/interface.ts';
import { profileNameLabel } from '../model/labels.ts';
import type { BodyLease, BodyMemory } from './body-memory.ts';
import { fetchIndex, fetchProfile } from './fetch.ts';
import type { IndexPage } from './index-page.ts';
import type { TargetHealth, TargetStatus } from './interface.ts';
import type { ScrapeMetrics } from './metrics.ts';
import { RecentScrapes } from './recent-scrapes.ts';
import { resultProfile } from './result-profile.ts';
import { ScrapeError, type ScrapeFailure } from './scrape-error.ts';
import { firstDelayMillis, nextStartMillis, skippedTicks, type Schedule } from './schedule.ts';
import type { ScrapeShard } from './shard.ts';
import type { Target } from './target.ts';

/** Dependencies of every loop. */
export interface ScrapeContext {
  readonly clock: Clock;
  readonly ingester: Pick<Ingester, 'write'>;
  /** True if the result of each scrape is stored, too. */
  readonly storesResults: boolean;
  /** Undefined when this server scrapes all targets. */
  readonly shard?: ScrapeShard | undefined;
  /** Memory of bodies, shared by all loops. */
  readonly bodies: BodyMemory;
  readonly metrics: ScrapeMetrics;
  readonly logger: Logger;
}

/** A running loop. */
export interface ScrapeLoop {
  readonly target: Target;
  status(): TargetStatus;
  /** Returns true if the address says that it lacks this profile; then it is not scraped. */
  isAbsent(): boolean;
  /** Ends a fetch, waits for a write; idempotent. */
  stop(): Promise<void>;
}

/** A scrape that starts later than this after its time is late. */
const lateMillis = 500;

/** Longest sleep; a longer wait takes several, because timers have a limit. */
const sleepMillisMax = 3_600_000;

interface Scraped {
  readonly bytes: Uint8Array | undefined;
  readonly error: unknown;
  /** True if the address lacks the profile, which was not requested then. */
  readonly isAbsent: boolean;
  readonly startNanos: bigint;
  readonly startMillis: number;
  readonly endMillis: number;
  /** Room of the body. */
  readonly lease: BodyLease;
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
  /** Ends the running fetch. */
  #fetching: AbortController | undefined;
  readonly #finished: Promise<void>;
  #isAbsent = false;
  #health: TargetHealth = 'unknown';
  #lastError = '';
  #errorCount = 0;
  #firstErrorNanos = 0n;
  #lastScrapeNanos = 0n;
  #lastScrapeDurationNanos = 0n;
  #lastBodyBytes = 0;
  #healthSinceNanos = 0n;
  #scrapeCount = 0;
  #failureCount = 0;
  readonly #recent = new RecentScrapes();

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
    const { job, discoveredLabels, labels, profileName, url } = this.target;
    const { intervalMillis, deadlineMillis } = this.target;
    return {
      ...{ job, discoveredLabels, labels, profileName, url, intervalMillis, deadlineMillis },
      health: this.#health,
      lastError: this.#lastError,
      errorCount: this.#errorCount,
      firstErrorNanos: this.#firstErrorNanos,
      lastScrapeNanos: this.#lastScrapeNanos,
      lastScrapeDurationNanos: this.#lastScrapeDurationNanos,
      lastBodyBytes: this.#lastBodyBytes,
      healthSinceNanos: this.#healthSinceNanos,
      scrapeCount: this.#scrapeCount,
      failureCount: this.#failureCount,
      recentScrapes: () => this.#recent.list(),
    };
  }

  isAbsent(): boolean {
    return this.#isAbsent;
  }

  stop(): Promise<void> {
    this.#controller.abort();
    this.#fetching?.abort(this.#controller.signal.reason);
    return this.#finished;
  }

  async #run(): Promise<void> {
    const { clock, metrics } = this.#context;
    const { signal } = this.#controller;
    const schedule = this.#createSchedule();
    let due = schedule.firstMillis;
    let lastStart: number | undefined;
    // A profile is written while the next one is fetched, so that there is no gap between spans.
    let writing = Promise.resolve();
    let isWriting = false;
    while (await this.#waitUntil(due)) {
      if (isWriting && schedule.backToBackMillis === undefined) {
        // The store is slower than the interval, so another body would only wait in memory.
        await writing;
        const endMillis = clock.monotonicMillis();
        const next = nextStartMillis(schedule, { startMillis: due, endMillis, isGood: false });
        metrics.skipped.add(1 + skippedTicks(schedule, due, next), this.#job);
        due = next;
        continue;
      }
      const scraped = await this.#fetch();
      if (signal.aborted) {
        scraped.lease.release();
        break;
      }
      const { startMillis, endMillis, bytes } = scraped;
      if (startMillis - due > lateMillis) metrics.late.add(1, this.#job);
      const isGood = bytes !== undefined;
      const next = nextStartMillis(schedule, { startMillis, endMillis, isGood });
      metrics.skipped.add(skippedTicks(schedule, due, next), this.#job);
      due = next;
      this.#isAbsent = scraped.isAbsent;
      if (scraped.isAbsent) continue;
      if (lastStart !== undefined) {
        metrics.intervalSeconds.observe((startMillis - lastStart) / 1000, this.#job);
      }
      lastStart = startMillis;
      await writing;
      isWriting = true;
      const name = `scrape of job ${this.target.job}`;
      writing = duringWork(name, () => this.#finish(scraped)).finally(() => {
        isWriting = false;
        scraped.lease.release();
      });
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
    const { clock, bodies } = this.#context;
    const { deadlineMillis } = this.target;
    const start = { startNanos: clock.nowNanos(), startMillis: clock.monotonicMillis() };
    const lease = bodies.lease();
    const fetching = new AbortController();
    this.#fetching = fetching;
    const timer = clock.setTimer(deadlineMillis, () => {
      const why = `no complete answer within ${deadlineMillis / 1000}s`;
      fetching.abort(new ScrapeError('deadline', why));
    });
    let bytes: Uint8Array | undefined;
    let error: unknown;
    try {
      bytes = await this.#fetchBytes(start.startMillis, fetching.signal, lease);
    } catch (reason) {
      error = reason;
    }
    timer.cancel();
    this.#fetching = undefined;
    if (bytes === undefined) lease.release();
    const isAbsent = bytes === undefined && error === undefined;
    return { bytes, error, isAbsent, ...start, endMillis: clock.monotonicMillis(), lease };
  }

  /** Returns the body; undefined when the address lacks the profile. */
  async #fetchBytes(
    startMillis: number,
    signal: AbortSignal,
    { take }: BodyLease,
  ): Promise<Uint8Array | undefined> {
    const { url, limits } = this.target;
    const headers = await this.#headers();
    const common = { dispatcher: this.#client.dispatcher, headers, signal, take };
    const isServed = await this.#index?.has(url, startMillis, (indexUrl) =>
      fetchIndex({ ...common, url: indexUrl, bodyBytesMax: scrapeIndexBytesMax }),
    );
    if (isServed === false) return undefined;
    const { scrapeBodyBytes } = inputLimits;
    const bodyBytesMax = Math.min(scrapeBodyBytes, limits.profileBytes || scrapeBodyBytes);
    return fetchProfile({ ...common, url, bodyBytesMax });
  }

  /** Returns headers. Errors: ScrapeError 'credentials'. */
  async #headers(): Promise<Readonly<Record<string, string>>> {
    try {
      return await this.#client.headers();
    } catch (error) {
      throw new ScrapeError('credentials', errorMessage(error), { cause: error });
    }
  }

  /** Writes the fetched profile and remembers the result; never rejects. */
  async #finish(scraped: Scraped): Promise<void> {
    const { clock, metrics } = this.#context;
    const { startNanos, startMillis, bytes } = scraped;
    const error = scraped.error ?? (await this.#write(scraped));
    if (bytes !== undefined) {
      metrics.bodyBytes.add(bytes.length, this.#job);
      this.#lastBodyBytes = bytes.length;
    }
    const durationMillis = clock.monotonicMillis() - startMillis;
    const isGood = error === undefined;
    this.#lastScrapeNanos = startNanos;
    this.#lastScrapeDurationNanos = BigInt(Math.round(durationMillis * 1e6));
    this.#recent.add({ startMillis: Number(startNanos) / 1e6, durationMillis, isGood });
    this.#scrapeCount += 1;
    metrics.durationSeconds.observe(durationMillis / 1000, this.#job);
    metrics.scrapes.add(1, this.#job);
    if ((this.#health === 'good') !== isGood || this.#health === 'unknown') {
      this.#healthSinceNanos = startNanos;
    }
    this.#health = isGood ? 'good' : 'bad';
    if (isGood) {
      this.#lastError = '';
      this.#errorCount = 0;
      return;
    }
    this.#fail(error);
    await this.#writeFailure(scraped, failureOf(error));
  }

  /** Writes a profile, with the result of its scrape. Returns the error, if there is one. */
  async #write(scraped: Scraped): Promise<unknown> {
    const { ingester, storesResults } = this.#context;
    const { bytes, startNanos } = scraped;
    if (bytes === undefined) return undefined;
    const uploads = [this.#upload(bytes, startNanos)];
    if (storesResults) uploads.push(this.#result(scraped, undefined));
    try {
      await ingester.write(uploads);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Stores the failure of a scrape; logs if it cannot be stored. */
  async #writeFailure(scraped: Scraped, failure: ScrapeFailure): Promise<void> {
    const { ingester, storesResults, logger } = this.#context;
    if (!storesResults) return;
    try {
      await ingester.write([this.#result(scraped, failure)]);
    } catch (error) {
      const { job, url } = this.target;
      logger.debug('cannot store result of scrape', { job, url, error: errorMessage(error) });
    }
  }

  #result(scraped: Scraped, failure: ScrapeFailure | undefined): ProfileUpload {
    const { startNanos, startMillis, endMillis } = scraped;
    const durationNanos = BigInt(Math.round((endMillis - startMillis) * 1e6));
    return resultProfile(this.target, { startNanos, durationNanos, failure });
  }

  #fail(error: unknown): void {
    const { metrics, logger } = this.#context;
    metrics.failures.add(1, { ...this.#job, reason: failureOf(error) });
    metrics.countLimit(error);
    const message = errorMessage(error);
    const fields = { job: this.target.job, url: this.target.url, error: message };
    const isSame = message === this.#lastError;
    // A target that stays down is logged once, and shown on the targets page.
    if (isSame) logger.debug('scrape failed', fields);
    else logger.warn('scrape failed', fields);
    this.#failureCount += 1;
    this.#errorCount = isSame ? this.#errorCount + 1 : 1;
    if (!isSame) this.#firstErrorNanos = this.#lastScrapeNanos;
    this.#lastError = message;
  }

  #upload(profile: Uint8Array, startNanos: bigint): ProfileUpload {
    const { labels, profileName, keepSampleTypes, honorTimestamps, limits } = this.target;
    const { areFileAddresses } = this.target;
    return {
      labels: [{ name: profileNameLabel, value: profileName }, ...labels],
      profile,
      ...(keepSampleTypes.length === 0 ? {} : { keepSampleTypes }),
      ...(areFileAddresses && { areFileAddresses }),
      limits,
      timeNanos: honorTimestamps ? undefined : startNanos,
    };
  }
}

function failureOf(error: unknown): ScrapeFailure {
  return error instanceof ScrapeError ? error.reason : 'write';
}
