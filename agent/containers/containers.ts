// Containers of this host, as reported by container runtimes.
import { existsSync } from 'node:fs';
import { type Clock, sleep } from '../../src/base/clock.ts';
import { AppError, networkMessage } from '../../src/base/errors.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import type { Logger } from '../../src/base/logger.ts';
import {
  containerRetryMillis,
  containersMax,
  runtimeMillisMax,
  runtimeRetryMillisMax,
} from '../limits.ts';
import type { ContainerSource, Pairs } from './found-container.ts';

/** Time to collect changes before the containers are listed again, in milliseconds. */
const gatherMillis = 100;

export interface ContainersOptions {
  readonly sources: readonly ContainerSource[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A container runtime and its last response. */
interface Runtime {
  readonly source: ContainerSource;
  /** Known containers. They are kept after they have ended, because samples may arrive later. */
  readonly known: LeastRecent<Pairs>;
  /** Earliest time of the next query about an unknown container. */
  nextMillis: number;
  /** Reason of the last failure; "" after a success. */
  problem: string;
  /** True if the runtime does not implement this API, such as containerd without CRI. */
  isForeign: boolean;
}

/** Labels of containers, which are kept up to date until `stop`. */
export class Containers {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #runtimes: readonly Runtime[];
  readonly #stopping = new AbortController();
  /** Earliest times of the next query about containers that no runtime knew. */
  readonly #unknown = new LeastRecent<number>(containersMax, () => 1);
  #running: readonly Promise<void>[] = [];

  constructor({ sources, clock, logger }: ContainersOptions) {
    this.#clock = clock;
    this.#logger = logger;
    this.#runtimes = sources.map((source) => ({
      source,
      known: new LeastRecent(containersMax, () => 1),
      nextMillis: -Infinity,
      problem: '',
      isForeign: false,
    }));
  }

  /** Starts to watch the runtimes. */
  start(): void {
    this.#running = this.#runtimes.map((runtime) => this.#watch(runtime));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
    for (const { source } of this.#runtimes) source.close();
  }

  /**
   * Returns the labels of a container by its id or its path in containerd; undefined if it is
   * unknown.
   */
  find(name: string): Pairs | undefined {
    const found = this.#runtimes.flatMap(({ known }) => known.get(name) ?? []);
    return found.length < 2 ? found[0] : new Map(found.flatMap((labels) => [...labels]));
  }

  /**
   * Queries the runtimes if any of these containers is unknown, so that its first profile has
   * labels. Takes at most `runtimeMillisMax`. Each failure is logged once.
   */
  async load(ids: readonly string[]): Promise<void> {
    const now = this.#clock.monotonicMillis();
    const unknown = ids.filter(
      (id) => this.find(id) === undefined && (this.#unknown.get(id) ?? -Infinity) <= now,
    );
    if (unknown.length === 0) return;
    for (const id of unknown) this.#unknown.put(id, now + containerRetryMillis);
    const due = this.#runtimes.filter(
      ({ source, nextMillis, isForeign }) =>
        !isForeign && now >= nextMillis && existsSync(source.socket),
    );
    await Promise.all(
      due.map(async (runtime) => {
        const isFine = await this.#attempt(runtime, () => this.#list(runtime));
        runtime.nextMillis = isFine ? -Infinity : now + containerRetryMillis;
      }),
    );
  }

  async #list(runtime: Runtime): Promise<void> {
    const { signal } = this.#stopping;
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(runtimeMillisMax)]);
    const found = await runtime.source.list(deadline);
    for (const [name, labels] of found) runtime.known.put(name, labels);
  }

  /** Watches a runtime whenever its socket exists, until `stop`. */
  async #watch(runtime: Runtime): Promise<void> {
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted && !runtime.isForeign) {
      if (existsSync(runtime.source.socket)) {
        const isFine = await this.#attempt(runtime, () => this.#follow(runtime));
        failures = isFine ? 0 : failures + 1;
      }
      const millis = Math.min(runtimeRetryMillisMax, 1_000 * 2 ** failures);
      await sleep(this.#clock, failures === 0 ? runtimeRetryMillisMax : millis, signal).catch(
        () => undefined,
      );
    }
  }

  /**
   * Lists the containers, and lists them again after each change if the runtime reports changes.
   */
  async #follow(runtime: Runtime): Promise<void> {
    const { source } = runtime;
    if (source.watch === undefined) return this.#list(runtime);
    const ending = new AbortController();
    const ended = AbortSignal.any([this.#stopping.signal, ending.signal]);
    let isWaiting = false;
    const failed = Promise.withResolvers<never>();
    const onChange = (): void => {
      if (isWaiting) return;
      isWaiting = true;
      this.#clock.setTimer(gatherMillis, () => {
        isWaiting = false;
        if (!ended.aborted) this.#list(runtime).catch(failed.reject);
      });
    };
    try {
      await Promise.race([source.watch(ended, onChange), failed.promise]);
    } finally {
      ending.abort();
    }
  }

  /** Returns true if `act` succeeds; logs a failure if its reason is new. */
  async #attempt(runtime: Runtime, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      runtime.problem = '';
      return true;
    } catch (error) {
      if (this.#stopping.signal.aborted) return true;
      runtime.isForeign = error instanceof AppError && error.code === 'unimplemented';
      if (runtime.isForeign) return true;
      const reason = networkMessage(error);
      if (reason !== runtime.problem) {
        this.#logger.warn('cannot ask a runtime for its containers', {
          socket: runtime.source.socket,
          error: reason,
        });
      }
      runtime.problem = reason;
      return false;
    }
  }
}
