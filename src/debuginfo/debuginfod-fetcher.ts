// Fetches debug information from other servers, in the background, if it was not uploaded.
import type { Agent } from 'undici';
import type { Clock, Timer } from '../base/clock.ts';
import { Flights } from '../base/flights.ts';
import { AppError, errorCode, errorMessage } from '../base/errors.ts';
import {
  debuginfodAskMillisMax,
  debuginfodAsksMax,
  debuginfodFetchesMax,
  debuginfodMissMillis,
  debuginfodOutageMillis,
  debuginfodOutageMillisMax,
  debuginfodWaitingMax,
} from './limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { undici } from '../http-client/undici.ts';
import type { FileFetcher } from '../symbolize/interface.ts';
import { DebuginfodSources } from './debuginfod-sources.ts';
import { buildIdPattern, requestDebuginfo } from './debuginfod-client.ts';
import type { DebuginfoStore } from './debuginfo-store.ts';
import type { FileServer } from './interface.ts';

export interface DebuginfodOptions {
  readonly userAgent: string;
  readonly store: Pick<DebuginfoStore, 'addFetched' | 'find'>;
  /** Servers that are tried before the debuginfod servers; none by default. */
  readonly others?: readonly FileServer[];
  /** Longest time in milliseconds for one file from one server. */
  readonly millisMax: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called when no server had the file of a build id, and again when that result expires. */
  readonly onMiss: (buildId: string) => void;
}

/** Answer of one server; `reason` tells why it sent no file, and is "" if it sent one. */
interface ServerAnswer {
  readonly result: 'found' | 'missing' | 'late' | 'failed';
  readonly reason: string;
}

/** A server that failed. */
interface Outage {
  readonly lengthMillis: number;
  readonly untilMillis: number;
}

/** A build id whose file no server could send. */
interface Miss {
  readonly reason: string;
  readonly untilMillis: number;
}

/** A search for a file. */
interface Search {
  readonly work: Promise<void>;
  readonly released: AbortController;
}

/**
 * Fetches files from servers that are tried one by one. After a miss, a build id is not searched
 * for until the miss expires.
 */
export class DebuginfodFetcher implements FileFetcher {
  readonly #options: DebuginfodOptions;
  readonly #results: ReturnType<Metrics['counter']>;
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Search>();
  readonly #misses = new Map<string, Miss>();
  /** Build ids whose file is on a server but has not been fetched yet. */
  readonly #known = new Set<string>();
  readonly #asking = new Flights<string, boolean>();
  /** Servers that failed recently, with the time until which they are skipped. */
  readonly #outages = new Map<string, Outage>();
  /**
   * Servers that were too slow, with the monotonic time until which agents do not wait for them.
   */
  readonly #slow = new Map<string, number>();
  readonly #stopping = new AbortController();
  /** Reader of source files of the same servers. */
  readonly sources: DebuginfodSources;
  #agent: Agent | undefined;
  /** Addresses of the debuginfod servers in use. */
  #addresses: readonly string[] = [];
  /** All servers, in the order in which they are tried. */
  #servers: readonly FileServer[];
  #timer: Timer | undefined;

  constructor(options: DebuginfodOptions) {
    this.#options = options;
    this.#servers = options.others ?? [];
    const { userAgent, clock } = options;
    const [dispatcher, servers] = [() => this.#dispatcher(), () => this.#addresses];
    this.sources = new DebuginfodSources({ dispatcher, userAgent, clock, servers });
    this.#results = options.metrics.counter(
      'parca_debuginfod_requests_total',
      'Requests to debuginfod servers, by result.',
      ['result'],
    );
  }

  /**
   * Sets the debuginfod servers; see `parseDebuginfodServer`. Files that no earlier server had are
   * searched for again.
   */
  setServers(addresses: readonly string[]): void {
    if (addresses.join(' ') === this.#addresses.join(' ')) return;
    this.#addresses = addresses;
    const ofDebuginfod = addresses.map((address) => this.#serverAt(address));
    this.#servers = [...(this.#options.others ?? []), ...ofDebuginfod];
    this.#known.clear();
    const missed = [...this.#misses.keys()];
    this.#misses.clear();
    for (const buildId of missed) this.#options.onMiss(buildId);
  }

  /**
   * Returns true if a server has a file of a build id. Returns false if no server confirms this
   * within a few seconds. The search is aborted when its last caller leaves.
   *
   * Errors: the reason of `signal`.
   */
  async has(buildId: string, signal?: AbortSignal): Promise<boolean> {
    if (this.#servers.length === 0 || !buildIdPattern.test(buildId)) return false;
    if (this.#known.has(buildId)) return true;
    if (!this.#asking.has(buildId)) {
      if (this.#misses.has(buildId) || this.#asking.size >= debuginfodAsksMax) return false;
      if (this.#stopping.signal.aborted) return false;
    }
    return this.#asking.join(buildId, signal, (wanted) => this.#ask(buildId, wanted));
  }

  async #ask(buildId: string, wanted: AbortSignal): Promise<boolean> {
    const reasons: string[] = [];
    let areSure = true;
    for (const server of this.#servers) {
      if ((this.#slow.get(server.name) ?? 0) > this.#options.clock.monotonicMillis()) {
        areSure = false;
        continue;
      }
      // Only the headers of the answer are read, because most files are never needed.
      const answer = await this.#requestAt(
        server,
        buildId,
        debuginfodAskMillisMax,
        async () => undefined,
        wanted,
      );
      if (wanted.aborted) return false;
      if (answer.result === 'found') {
        if (this.#known.size < debuginfodWaitingMax) this.#known.add(buildId);
        return true;
      }
      areSure &&= answer.result === 'missing';
      if (answer.result === 'late') this.#noteSlow(server.name);
      reasons.push(answer.reason);
    }
    if (areSure && !this.#running.has(buildId)) this.#addMiss(buildId, reasons);
    return false;
  }

  fetch(buildId: string): boolean {
    if (this.#servers.length === 0 || !buildIdPattern.test(buildId)) return false;
    // A file that has been fetched already is requested again only if it has no line numbers.
    if (this.#options.store.find(buildId, 'debuginfod') !== undefined) return false;
    // Misses are checked first: a caller that learns of a miss calls again immediately, while the
    // search is still in the map.
    if (this.#misses.has(buildId)) return false;
    if (this.#waiting.has(buildId) || this.#isRunning(buildId)) return true;
    if (this.#waiting.size >= debuginfodWaitingMax) return false;
    if (this.#stopping.signal.aborted) return false;
    this.#waiting.add(buildId);
    this.#startMore();
    return true;
  }

  /** Returns true if a search for the file is running and has not been released. */
  #isRunning(buildId: string): boolean {
    return this.#running.get(buildId)?.released.signal.aborted === false;
  }

  release(buildId: string): void {
    this.#waiting.delete(buildId);
    const why = 'no question waits for it';
    this.#running.get(buildId)?.released.abort(new AppError('cancelled', why));
  }

  /** Returns the reason why no server has sent the file; "" if no server has been tried. */
  missReason(buildId: string): string {
    return this.#misses.get(buildId)?.reason ?? '';
  }

  /** Ends all requests. */
  async stop(): Promise<void> {
    this.#waiting.clear();
    this.#timer?.cancel();
    this.#stopping.abort(new AppError('cancelled', 'the server stops'));
    const searches = Array.from(this.#running.values(), ({ work }) => work);
    await Promise.all([...searches, ...this.#asking.all()]);
    await this.#agent?.destroy();
  }

  #startMore(): void {
    for (const buildId of this.#waiting) {
      if (this.#running.size >= debuginfodFetchesMax) return;
      // A released search that is requested again begins when its current run has ended.
      if (this.#running.has(buildId)) continue;
      this.#waiting.delete(buildId);
      const released = new AbortController();
      const work = this.#find(buildId, released.signal).finally(() => {
        this.#running.delete(buildId);
        this.#startMore();
      });
      this.#running.set(buildId, { work, released });
    }
  }

  /** Tries the servers in order until one sends a good file. */
  async #find(buildId: string, released: AbortSignal): Promise<void> {
    const { store, millisMax, logger } = this.#options;
    const reasons: string[] = [];
    for (const server of this.#servers) {
      const keep = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
        await store.addFetched(buildId, body);
        logger.info('debug information is fetched', { server: server.name, buildId });
      };
      const asked = this.#requestAt(server, buildId, millisMax, keep, released);
      const { result, reason } = await asked;
      if (result === 'late') this.#startOutage(server.name);
      const isOver = this.#stopping.signal.aborted || released.aborted;
      if (result === 'found' || isOver) return;
      reasons.push(reason);
    }
    this.#known.delete(buildId);
    this.#addMiss(buildId, reasons);
    this.#options.onMiss(buildId);
  }

  #addMiss(buildId: string, reasons: readonly string[]): void {
    const nowMillis = this.#options.clock.monotonicMillis();
    const ends = this.#servers.map(({ name }) => this.#outages.get(name)?.untilMillis ?? 0);
    const outMillis = Math.min(...ends.filter((millis) => millis > nowMillis));
    const untilMillis = Number.isFinite(outMillis) ? outMillis : nowMillis + debuginfodMissMillis;
    const [oldest] = this.#misses.keys();
    if (this.#misses.size >= debuginfodWaitingMax) this.#misses.delete(oldest);
    this.#misses.set(buildId, { reason: reasons.join('; '), untilMillis });
    this.#watchMisses();
  }

  #dispatcher(): Agent {
    this.#agent ??= new (undici().Agent)();
    return this.#agent;
  }

  #serverAt(address: string): FileServer {
    const { userAgent } = this.#options;
    return {
      name: address,
      request: (buildId, signal) =>
        requestDebuginfo({
          server: address,
          buildId,
          userAgent,
          signal,
          dispatcher: this.#dispatcher(),
        }),
    };
  }

  /** Requests the file from one server, and passes the body to `use`. Failures are logged. */
  async #requestAt(
    from: FileServer,
    buildId: string,
    millisMax: number,
    use: (body: AsyncIterable<Uint8Array>) => Promise<void>,
    wanted: AbortSignal,
  ): Promise<ServerAnswer> {
    const { clock, logger } = this.#options;
    const server = from.name;
    if ((this.#outages.get(server)?.untilMillis ?? 0) > clock.monotonicMillis()) {
      return { result: 'failed', reason: `${server} did not answer a moment ago` };
    }
    const deadline = new AbortController();
    const timer = clock.setTimer(millisMax, () => {
      const why = `${server} has taken more than ${millisMax} ms`;
      deadline.abort(new AppError('deadline-exceeded', why));
    });
    const signal = AbortSignal.any([this.#stopping.signal, deadline.signal, wanted]);
    try {
      const body = await from.request(buildId, signal);
      this.#results.add(1, { result: body === undefined ? 'missing' : 'found' });
      this.#outages.delete(server);
      if (body === undefined) {
        return { result: 'missing', reason: `${server} does not have it` };
      }
      await use(body);
      return { result: 'found', reason: '' };
    } catch (error) {
      const code = errorCode(error);
      this.#results.add(1, { result: code });
      if (code === 'unavailable') this.#startOutage(server);
      if (!this.#stopping.signal.aborted && !wanted.aborted) {
        logger.warn('cannot fetch debug information', {
          server,
          buildId,
          error: errorMessage(error),
        });
      }
      const result = code === 'deadline-exceeded' ? 'late' : 'failed';
      return { result, reason: errorMessage(error) };
    } finally {
      timer.cancel();
      // If the body is not needed, this stops the transfer.
      deadline.abort();
    }
  }

  /** Skips a server for some time, which doubles with each further failure. */
  #startOutage(server: string): void {
    const nowMillis = this.#options.clock.monotonicMillis();
    const last = this.#outages.get(server);
    // Requests that fail at the same time count as one failure.
    if (last !== undefined && last.untilMillis > nowMillis) return;
    const doubled = last === undefined ? debuginfodOutageMillis : last.lengthMillis * 2;
    const lengthMillis = Math.min(doubled, debuginfodOutageMillisMax);
    this.#outages.set(server, { lengthMillis, untilMillis: nowMillis + lengthMillis });
  }

  /** Records that a server is slow, so that agents do not wait for it for some time. */
  #noteSlow(server: string): void {
    this.#slow.set(server, this.#options.clock.monotonicMillis() + debuginfodOutageMillis);
  }

  /** Forgets misses when they expire, so that their files are searched for again. */
  #watchMisses(): void {
    const { clock, onMiss } = this.#options;
    this.#timer?.cancel();
    if (this.#misses.size === 0) return;
    const nextMillis = Math.min(...[...this.#misses.values()].map((miss) => miss.untilMillis));
    const delayMillis = Math.max(0, nextMillis - clock.monotonicMillis());
    this.#timer = clock.setTimer(delayMillis, () => {
      const nowMillis = clock.monotonicMillis();
      for (const [buildId, { untilMillis }] of this.#misses) {
        if (untilMillis > nowMillis) continue;
        this.#misses.delete(buildId);
        onMiss(buildId);
      }
      this.#watchMisses();
    });
  }
}
