// Scrapes one target again and again: waits, fetches, writes, and remembers the result.
import type { Clock } from '../base/clock.ts';
import { errorMessage } from '../base/errors.ts';
import { inputLimits } from '../base/input-limits.ts';
import { scrapeIndexBytesMax } from './limits.ts';
import type { Logger } from '../base/logger.ts';
import type { MetricLabels } from '../base/metrics.ts';
import { duringWork } from '../base/work.ts';
import type { HttpClient } from '../http-client/http-client.ts';
import type { Ingester, ProfileUpload } from '../ingest/interface.ts';
import { profileNameLabel } from '../model/labels.ts';
import type { BodyLease, BodyMemory } from './body-memory.ts';
import type { FailureLog } from './failure-log.ts';
import type { FailureQueue } from './failure-queue.ts';
import { fetchIndex, fetchProfile } from './fetch.ts';
import type { IndexPage } from './index-page.ts';
import type { TargetHealth, TargetStatus } from './interface.ts';
import type { ScrapeMetrics } from './metrics.ts';
import { RecentScrapes } from './recent-scrapes.ts';
import { resultProfile, resultProfileName } from './result-profile.ts';
import { ScrapeError, type ScrapeFailure } from './scrape-error.ts';
import { firstDelayMillis, nextStartMillis, skippedTicks, type Schedule } from './schedule.ts';
import type { ScrapeShard } from './shard.ts';
import type { Target } from './target.ts';
import type { Entry, Timetable } from './timetable.ts';

/** Dependencies of every loop. */
export interface ScrapeContext {
  readonly clock: Clock;
  /** Schedule of all loops. */
  readonly timetable: Timetable;
  readonly ingester: Pick<Ingester, 'write'>;
  /** True if the result of each scrape is stored as a profile, too. */
  readonly storesResults: boolean;
  /** Undefined when this server scrapes all targets. */
  readonly shard?: ScrapeShard | undefined;
  /** Results of failed scrapes; shared by all loops. */
  readonly failures: FailureQueue;
  /** Log of failed scrapes; shared by all loops. */
  readonly failureLog: FailureLog;
  /** Counter of the memory that bodies use; shared by all loops. */
  readonly bodies: BodyMemory;
  readonly metrics: ScrapeMetrics;
  readonly logger: Logger;
}

/** A running loop. */
export interface ScrapeLoop {
  readonly target: Target;
  status(): TargetStatus;
  /**
   * Returns true if the index page of the address does not list this profile. The profile is not
   * scraped in this case.
   */
  isAbsent(): boolean;
  /** Aborts the fetch and waits for the write; idempotent. */
  stop(): Promise<void>;
}

/** Delay after which a scrape counts as late. */
const lateMillis = 500;

interface Scraped {
  readonly bytes: Uint8Array | undefined;
  readonly error: unknown;
  /**
   * True if the index page does not list the profile. The profile was not requested in this case.
   */
  readonly isAbsent: boolean;
  readonly startNanos: bigint;
  readonly startMillis: number;
  readonly endMillis: number;
  /** Memory reserved for the body. */
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

/**
 * Loop that scrapes one target. There may be 100,000 loops, so a loop that waits has no promises,
 * timers or signals.
 */
class Loop implements ScrapeLoop, Entry {
  readonly target: Target;
  readonly #index: IndexPage | undefined;
  readonly #client: HttpClient;
  readonly #context: ScrapeContext;
  readonly #schedule: Schedule;
  /** Monotonic time of the next scrape. */
  dueMillis: number;
  place = -1;
  #isStopped = false;
  /** Ends the running fetch. */
  #fetching: AbortController | undefined;
  /** The running scrape, without its write; undefined while the loop waits for the next scrape. */
  #round: Promise<void> | undefined;
  /**
   * The running write. A profile is written while the next profile is fetched, so that there are no
   * gaps between the time spans of profiles.
   */
  #writing: Promise<void> | undefined;
  #lastStart: number | undefined;
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
  #recent: RecentScrapes | undefined;

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
    this.#schedule = toSchedule(target, context.clock);
    this.dueMillis = this.#schedule.firstMillis;
    context.timetable.add(this);
  }

  status(): TargetStatus {
    const { job, discoveredLabels, labels, profileName, url } = this.target;
    const { intervalMillis, deadlineMillis } = this.target;
    return {
      job,
      discoveredLabels,
      labels,
      profileName,
      url,
      intervalMillis,
      deadlineMillis,
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
      recentScrapes: () => this.#recent?.list() ?? [],
    };
  }

  isAbsent(): boolean {
    return this.#isAbsent;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#context.timetable.remove(this);
    this.#fetching?.abort(new DOMException('the target is no longer scraped', 'AbortError'));
    await this.#round;
    await this.#writing;
  }

  run(): void {
    this.#round = this.#scrape().finally(() => {
      this.#round = undefined;
      if (!this.#isStopped) this.#context.timetable.add(this);
    });
  }

  get #job(): MetricLabels {
    return { scrape_job: this.target.job };
  }

  /** Scrapes once, and sets the time of the next scrape. */
  async #scrape(): Promise<void> {
    const { clock, metrics } = this.#context;
    const schedule = this.#schedule;
    const due = this.dueMillis;
    if (this.#writing !== undefined && schedule.backToBackMillis === undefined) {
      // The store is slower than the scrapes. The next scrape therefore waits for the write;
      // otherwise its body would wait in memory.
      await this.#writing;
      const endMillis = clock.monotonicMillis();
      const next = nextStartMillis(schedule, { startMillis: due, endMillis, isGood: false });
      metrics.skipped.add(1 + skippedTicks(schedule, due, next), this.#job);
      this.dueMillis = next;
      return;
    }
    const scraped = await this.#fetch();
    if (this.#isStopped) {
      scraped.lease.release();
      return;
    }
    const { startMillis, endMillis, bytes } = scraped;
    if (startMillis - due > lateMillis) metrics.late.add(1, this.#job);
    const isGood = bytes !== undefined;
    const next = nextStartMillis(schedule, { startMillis, endMillis, isGood });
    metrics.skipped.add(skippedTicks(schedule, due, next), this.#job);
    this.dueMillis = next;
    this.#isAbsent = scraped.isAbsent;
    if (scraped.isAbsent) return;
    if (this.#lastStart !== undefined) {
      metrics.intervalSeconds.observe((startMillis - this.#lastStart) / 1000, this.#job);
    }
    this.#lastStart = startMillis;
    await this.#writing;
    const name = `scrape of job ${this.target.job}`;
    this.#writing = duringWork(name, () => this.#finish(scraped)).finally(() => {
      this.#writing = undefined;
      scraped.lease.release();
    });
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

  /** Returns the body, or undefined if the index page does not list the profile. */
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

  /** Returns the request headers. Errors: ScrapeError 'credentials'. */
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
    this.#recent ??= new RecentScrapes();
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
    const { failures, storesResults } = this.#context;
    if (storesResults) failures.add(() => this.#result(scraped, toFailure(error)));
  }

  /** Writes a profile and the result of its scrape. Returns the error, if any. */
  async #write(scraped: Scraped): Promise<unknown> {
    const { ingester, storesResults, metrics } = this.#context;
    const { bytes, startNanos } = scraped;
    if (bytes === undefined) return undefined;
    const uploads = [this.#upload(bytes, startNanos)];
    if (storesResults) uploads.push(this.#result(scraped, undefined));
    try {
      await ingester.write(uploads, {
        onStored: (rows) => {
          for (const [name, count] of rows)
            if (name !== resultProfileName) metrics.samples.add(count);
        },
      });
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #result(scraped: Scraped, failure: ScrapeFailure | undefined): ProfileUpload {
    const { startNanos, startMillis, endMillis } = scraped;
    const durationNanos = BigInt(Math.round((endMillis - startMillis) * 1e6));
    return resultProfile(this.target, { startNanos, durationNanos, failure });
  }

  #fail(error: unknown): void {
    const { metrics, logger, failureLog } = this.#context;
    metrics.failures.add(1, { ...this.#job, reason: toFailure(error) });
    metrics.countLimit(error);
    const message = errorMessage(error);
    const { job, url } = this.target;
    const isSame = message === this.#lastError;
    // Only the first of several equal errors is logged as a warning. The targets page shows how
    // often it has occurred.
    if (isSame) logger.debug('scrape failed', { job, url, error: message });
    else failureLog.add(job, { url, error: message });
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

function toSchedule(target: Target, clock: Clock): Schedule {
  const { intervalMillis, backToBackMillis, key } = target;
  const offsetShare = Number.parseInt(key.slice(0, 8), 16) / 0x1_0000_0000;
  const delay = firstDelayMillis(clock.nowMillis(), intervalMillis, offsetShare);
  return { firstMillis: clock.monotonicMillis() + delay, intervalMillis, backToBackMillis };
}

function toFailure(error: unknown): ScrapeFailure {
  return error instanceof ScrapeError ? error.reason : 'write';
}
