// Searches for changes of services in the background: queries one window after another, and stores
// what it finds.
import { sleep, type Clock } from '../base/clock.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import type { KeptJson } from '../base/kept-json.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { finishPausing, Pacer } from '../base/pacer.ts';
import { type Random, randomHex } from '../base/random.ts';
import type { FindingsConfig } from '../config/config.ts';
import type { QueryCaller } from '../query/interface.ts';
import type { StoredMark } from '../shares/interface.ts';
import {
  askVersions,
  askWindow,
  type FindingsEngine,
  listHours,
  listServices,
  listTypes,
  serviceKey,
  type ServiceUse,
} from './ask-services.ts';
import { type Finding, type Findings, isRegression } from './interface.ts';
import {
  memoryServicesMax,
  pausesPerQuestion,
  pollMillis,
  questionBytesMax,
  questionMillisMax,
  servicesMax,
  settleMillis,
  windowsMax,
} from './limits.ts';
import { windowMillis } from './statistics/limits.ts';
import { createFindingMetrics, type FindingMetrics } from './metrics.ts';
import { openSavedFindings, type SavedFindings } from './saved-findings.ts';
import { findChanges } from './statistics/find-changes.ts';
import { updateFindings } from './update-findings.ts';
import { listEvents, WatchedService } from './watched-service.ts';
import { watchedKey, type WatchedType, watchedTypes } from './watched-types.ts';

/** Dependencies and folder of the search. */
export interface FindingsOptions {
  readonly clock: Clock;
  readonly files: Files;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly random: Random;
  readonly engine: FindingsEngine;
  readonly listMarks: () => readonly StoredMark[];
  /** Folder of the stored findings; its parent must exist. */
  readonly folder: string;
  /** Called after findings have changed. */
  readonly onChange: () => void;
}

/** Opens the stored findings; the search starts when a config is applied. */
export async function openFindings(options: FindingsOptions): Promise<FindingsManager> {
  const { folder, files, logger } = options;
  return new FindingsManager(options, await openSavedFindings(folder, files, logger));
}

/** Runs the search until it is stopped. */
export class FindingsManager implements Findings {
  readonly #options: FindingsOptions;
  readonly #saved: KeptJson<SavedFindings>;
  readonly #metrics: FindingMetrics;
  readonly #stopping = new AbortController();
  readonly #services = new Map<string, WatchedService>();
  #config: FindingsConfig | undefined;
  /** Start of the newest window for which the services have been listed. */
  #listedMillis = 0;
  #finished: Promise<void> = Promise.resolve();
  #lastError = '';

  constructor(options: FindingsOptions, saved: KeptJson<SavedFindings>) {
    this.#options = options;
    this.#saved = saved;
    this.#metrics = createFindingMetrics(
      options.metrics,
      () => this.list().filter((one) => one.state === 'open' && isRegression(one)).length,
    );
  }

  apply(config: FindingsConfig): void {
    if (this.#config === undefined) this.#finished = this.#run();
    this.#config = config;
    if (!config.enabled) this.#services.clear();
    this.#listedMillis = 0;
  }

  /** Stops the search; idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#finished;
  }

  list(): readonly Finding[] {
    return this.#saved.value.findings;
  }

  whyNotSearched(): string | undefined {
    if (this.#config?.enabled !== false) return undefined;
    return 'the search is off on this server: findings.enabled is false';
  }

  async acknowledge(id: string, isAcknowledged: boolean): Promise<Finding> {
    const stateMillis = this.#options.clock.nowMillis();
    const state = isAcknowledged ? 'acknowledged' : 'open';
    await this.#saved.change((saved) => {
      const found = saved.findings.find((one) => one.id === id);
      const cannot = `cannot change finding ${JSON.stringify(id)}`;
      if (found === undefined) throw new AppError('not-found', `${cannot}: there is none`);
      if (found.state === 'resolved') {
        throw new AppError('failed-precondition', `${cannot}: it is resolved`);
      }
      return {
        ...saved,
        findings: saved.findings.map((one) =>
          one === found ? { ...one, state, stateMillis } : one,
        ),
      };
    });
    this.#options.onChange();
    const changed = this.list().find((one) => one.id === id);
    if (changed === undefined) throw new AppError('not-found', 'cannot change finding: it is gone');
    return changed;
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopping;
    let pause = pollMillis;
    for (;;) {
      try {
        await sleep(clock, Math.min(pause, pollMillis), signal);
      } catch {
        return;
      }
      const started = clock.monotonicMillis();
      pause = pollMillis;
      try {
        if (await this.step()) pause = pausesPerQuestion * (clock.monotonicMillis() - started);
        this.#lastError = '';
      } catch (error) {
        if (signal.aborted) return;
        this.#metrics.failures.add();
        const message = errorMessage(error);
        // Logged only if it differs from the last error, because the next query usually fails in
        // the same way.
        if (message !== this.#lastError) {
          this.#options.logger.warn('cannot search for changes', { error: message });
        }
        this.#lastError = message;
      }
    }
  }

  /**
   * Runs one query. If the service then has all its windows, searches it for changes. Returns false
   * if there was nothing to do. Errors: those of the engine.
   */
  async step(): Promise<boolean> {
    const { clock } = this.#options;
    if (this.#config?.enabled !== true) return false;
    const endMillis = Math.floor((clock.nowMillis() - settleMillis) / windowMillis) * windowMillis;
    const newestMillis = endMillis - windowMillis;
    if (newestMillis !== this.#listedMillis) {
      await this.#listServices(newestMillis, endMillis);
      // If the server has no profiles yet, the services are listed again soon.
      const hasAny = this.#services.size > 0;
      if (hasAny) this.#listedMillis = newestMillis;
      return hasAny;
    }
    // The newest window of every service is queried before any older window.
    const services = [...this.#services.values()];
    const next =
      services.find((service) => service.missing() === newestMillis) ??
      services.find((service) => service.missing() !== undefined);
    const missing = next?.missing();
    if (next === undefined || missing === undefined) return false;
    this.#metrics.questions.add();
    const { engine } = this.#options;
    next.windows.add(
      await this.#ask((caller) => askWindow(engine, next.type, next.name, missing, caller)),
    );
    // A service is searched only when it has all its windows.
    if (next.missing() === undefined) await this.#search(next);
    return true;
  }

  async #listServices(newestMillis: number, endMillis: number): Promise<void> {
    const { engine, listMarks } = this.#options;
    const known = await this.#ask((caller) => listTypes(engine, newestMillis, endMillis, caller));
    const current = new Set<string>();
    for (const type of watchedTypes(known)) {
      const listed = await this.#ask((caller) =>
        listServices(engine, type, newestMillis, endMillis, caller),
      );
      const uses = listed.filter((service) => !current.has(watchedKey(type, service)));
      const most = type.resource === 'cpu' ? servicesMax : memoryServicesMax;
      const largest = uses.toSorted((a, b) => b.amount - a.amount).slice(0, most);
      if (largest.length < uses.length) this.#metrics.dropped.add(uses.length - largest.length);
      for (const service of largest) current.add(watchedKey(type, service));
      if (largest.length > 0) await this.#watch(type, largest, endMillis, listMarks());
    }
    for (const key of this.#services.keys()) if (!current.has(key)) this.#services.delete(key);
  }

  /** Updates the list of services to search, with their amounts, hours and events. */
  async #watch(
    type: WatchedType,
    uses: readonly ServiceUse[],
    endMillis: number,
    marks: readonly StoredMark[],
  ): Promise<void> {
    const { engine } = this.#options;
    const from = endMillis - windowsMax * windowMillis;
    const versions = await this.#ask((caller) =>
      askVersions(engine, type, from, endMillis, windowMillis, caller),
    );
    const hours = await this.#ask((caller) => listHours(engine, type, from, endMillis, caller));
    for (const { label, name, amount } of uses) {
      const key = watchedKey(type, { label, name });
      const service = this.#services.get(key) ?? new WatchedService(type, { label, name });
      this.#services.set(key, service);
      service.amount = amount;
      service.hours = hours.get(serviceKey(service.name)) ?? [];
      const lines = versions?.lines.get(serviceKey(service.name)) ?? [];
      const own = versions === undefined ? undefined : { label: versions.label, lines };
      service.events = listEvents(service.name, own, marks);
    }
  }

  async #search(service: WatchedService): Promise<void> {
    const { clock, random } = this.#options;
    if (this.#config === undefined) return;
    const { falseDiscoveryRate, minCost } = this.#config;
    const started = clock.monotonicMillis();
    const key = watchedKey(service.type, service.name);
    const nowMillis = clock.nowMillis();
    const { type, name, amount, events } = service;
    const steps = findChanges(service.windows.columns(minCost, type.resource === 'memory'), {
      events,
      sinceMillis: this.#saved.value.since[key] ?? 0,
      searchedMillis: service.searchedMillis,
      falseRate: falseDiscoveryRate,
      costMin: minCost,
    });
    const changes = await finishPausing(steps, new Pacer(clock));
    service.searchedMillis = service.hours.at(-1) ?? 0;
    this.#metrics.searches.add();
    this.#metrics.seconds.add((clock.monotonicMillis() - started) / 1000);
    for (const { kind } of changes) this.#metrics.found.add(1, { kind });
    const result = { type, service: name, amount, changes, events, nowMillis };
    const before = this.#saved.value.findings;
    const findings = updateFindings(before, result, () => randomHex(random, 2));
    if (findings === before && changes.length === 0) return;
    const since = Math.max(...changes.map(({ doneMillis }) => doneMillis));
    await this.#saved.change((saved) => ({
      // The findings are read again, because a user may have acknowledged one in the meantime.
      findings: updateFindings(saved.findings, result, () => randomHex(random, 2)),
      since: changes.length === 0 ? saved.since : { ...saved.since, [key]: since },
    }));
    this.#options.onChange();
  }

  /** Runs a query with the limits for background searches. */
  async #ask<T>(ask: (caller: QueryCaller) => Promise<T>): Promise<T> {
    const deadline = new AbortController();
    const timer = this.#options.clock.setTimer(questionMillisMax, () => deadline.abort());
    try {
      return await ask({
        signal: AbortSignal.any([this.#stopping.signal, deadline.signal]),
        caller: 'findings',
        tags: ['findings'],
        limits: { timeMillisMax: questionMillisMax, memoryBytesMax: questionBytesMax },
      });
    } finally {
      timer.cancel();
    }
  }
}
