// Starts and stops the loops for the targets of one job when its config or the result of discovery
// changes.
import { isDeepStrictEqual } from 'node:util';
import { md5 } from '../base/node/md5.ts';
import { finishPausing, Pacer, type Steps } from '../base/pacer.ts';
import type { ScrapeConfig } from '../config/config.ts';
import type { HttpClient } from '../http-client/http-client.ts';
import type { TargetGroup } from '../discovery/interface.ts';
import type { LabelSet } from '../model/labels.ts';
import { createRelabeling, type Relabeling } from '../model/relabel.ts';
import { IndexPage } from './index-page.ts';
import type { TargetStatus } from './interface.ts';
import { startScrapeLoop, type ScrapeContext, type ScrapeLoop } from './loop.ts';
import { isOfShard, type ScrapeShard } from './shard.ts';
import {
  type DroppedTarget,
  targetSteps,
  type RefusedTarget,
  type Target,
  type TargetOutcome,
} from './target.ts';

function otherShard({ discoveredLabels }: Target, { index, count }: ScrapeShard): DroppedTarget {
  const why = `another server scrapes it: --scrape-shard is ${index + 1}/${count}`;
  return { kind: 'dropped', discoveredLabels, why };
}

const neverScraped = {
  lastScrapeNanos: 0n,
  lastScrapeDurationNanos: 0n,
  lastBodyBytes: 0,
  recentScrapes: () => [],
  errorCount: 0,
  firstErrorNanos: 0n,
  healthSinceNanos: 0n,
  scrapeCount: 0,
  failureCount: 0,
  profileName: '',
  deadlineMillis: 0,
} as const;

/** Maximum number of mistakes that are logged for one group of targets. */
const loggedMistakesMax = 20;

/** The loops of one job. */
export class ScrapePool {
  #config: ScrapeConfig;
  #client: HttpClient;
  #relabel: Relabeling;
  readonly #context: ScrapeContext;
  #groups: readonly TargetGroup[] = [];
  /**
   * Targets of each group under the current config. Discovery creates a new object only for a
   * changed group, so the targets of unchanged groups are not computed again.
   */
  #outcomes = new WeakMap<TargetGroup, readonly TargetOutcome[]>();
  /** Loops by Target.key, in order of discovery. */
  #loops = new Map<string, ScrapeLoop>();
  /** Index pages by Target.indexUrl. */
  #indexes = new Map<string, IndexPage>();
  #dropped: readonly DroppedTarget[] = [];
  #refused: readonly RefusedTarget[] = [];
  #isStopped = false;
  /**
   * Number of config changes. A config change aborts a running synchronization, but a change of
   * groups waits for its end.
   */
  #version = 0;
  /** True if config or groups have changed since the last synchronization began. */
  #isChanged = false;
  #syncing: Promise<void> | undefined;
  /** Loops and clients that are stopping. */
  readonly #ending = new Set<Promise<void>>();

  constructor(config: ScrapeConfig, client: HttpClient, context: ScrapeContext) {
    this.#config = config;
    this.#client = client;
    this.#relabel = createRelabeling(config.relabelRules, md5);
    this.#context = context;
  }

  /**
   * Applies a new config of the job, with a client for it. Loops of unchanged targets continue.
   * They keep their old client if the new client would behave in the same way.
   */
  reconfigure(config: ScrapeConfig, client: HttpClient): void {
    if (
      client.fingerprint === this.#client.fingerprint &&
      isDeepStrictEqual(config, this.#config)
    ) {
      this.#end(client.close());
      return;
    }
    this.#config = config;
    this.#version += 1;
    this.#outcomes = new WeakMap();
    this.#relabel = createRelabeling(config.relabelRules, md5);
    if (client.fingerprint === this.#client.fingerprint) this.#end(client.close());
    else {
      const old = this.#client;
      const stopped = Promise.all([...this.#loops.values()].map((loop) => loop.stop()));
      this.#end(stopped.then(() => old.close()));
      this.#loops = new Map();
      this.#client = client;
    }
    this.sync(this.#groups);
  }

  /** Current config. */
  get config(): ScrapeConfig {
    return this.#config;
  }

  /** Number of targets that are scraped. */
  get loopCount(): number {
    return this.#loops.size;
  }

  /**
   * Starts and stops loops so that they match `groups`, which are all current groups from
   * discovery. Does so immediately, or in slices if there are many targets.
   */
  sync(groups: readonly TargetGroup[]): void {
    if (this.#isStopped) return;
    this.#groups = groups;
    this.#isChanged = true;
    this.#syncing ??= this.#syncAll().finally(() => {
      this.#syncing = undefined;
      if (this.#isChanged) this.sync(this.#groups);
    });
  }

  /** Resolves when the loops match the groups from discovery. */
  async settled(): Promise<void> {
    while (this.#syncing !== undefined) await this.#syncing;
  }

  async #syncAll(): Promise<void> {
    const pacer = new Pacer(this.#context.clock);
    while (this.#isChanged && !this.#isStopped) {
      this.#isChanged = false;
      await finishPausing(this.#syncSteps(this.#version), pacer);
    }
  }

  /** Returns true if the config has changed since `version`, or the pool is stopped. */
  #isOver(version: number): boolean {
    return this.#isStopped || version !== this.#version;
  }

  *#syncSteps(version: number): Steps<void> {
    const { clock, metrics } = this.#context;
    const job = { scrape_job: this.#config.jobName };
    const start = clock.monotonicMillis();
    const wanted = yield* this.#wantedTargets(version);
    if (wanted === undefined) return;
    const before = this.#loops.size;
    if (wanted.size === 0 && before > 0) {
      const { logger } = this.#context;
      logger.warn('a job has lost all of its targets', { job: job.scrape_job, targets: before });
    }
    // At each pause, `#loops` contains all running loops.
    const current = this.#loops;
    for (const [key, loop] of current) {
      if (wanted.has(key)) continue;
      current.delete(key);
      this.#end(loop.stop());
      yield;
      if (this.#isOver(version)) return;
    }
    const loops = new Map<string, ScrapeLoop>();
    const indexes = new Map<string, IndexPage>();
    for (const [key, target] of wanted) {
      const index = this.#findIndexPage(target, indexes);
      let loop = current.get(key);
      if (loop === undefined) {
        loop = startScrapeLoop(target, index, this.#client, this.#context);
        current.set(key, loop);
      }
      loops.set(key, loop);
      yield;
      if (this.#isOver(version)) return;
    }
    this.#loops = loops;
    this.#indexes = indexes;
    metrics.targets.set(loops.size, job);
    metrics.syncs.add(1, job);
    metrics.syncSeconds.observe((clock.monotonicMillis() - start) / 1000, job);
  }

  /** Returns the targets that are scraped, then the targets that cannot be scraped. */
  *active(): Generator<TargetStatus> {
    for (const loop of this.#loops.values()) if (!loop.isAbsent()) yield loop.status();
    for (const { discoveredLabels, labels, url, why } of this.#refused) {
      yield {
        job: this.#config.jobName,
        discoveredLabels,
        labels,
        url,
        health: 'bad',
        lastError: why,
        ...neverScraped,
        intervalMillis: this.#config.intervalMillis,
      };
    }
  }

  /** Returns the targets that relabeling drops or whose index page does not list the profile. */
  *dropped(): Generator<TargetStatus> {
    for (const { discoveredLabels, why } of this.#dropped) {
      yield this.#unscraped(discoveredLabels, why);
    }
    for (const loop of this.#loops.values()) {
      const { discoveredLabels, indexUrl } = loop.target;
      if (loop.isAbsent()) yield this.#unscraped(discoveredLabels, `not listed by ${indexUrl}`);
    }
  }

  #unscraped(discoveredLabels: LabelSet, lastError: string): TargetStatus {
    const { jobName: job, intervalMillis } = this.#config;
    const nothing = { labels: [], url: '', health: 'unknown', ...neverScraped } as const;
    return { job, discoveredLabels, lastError, intervalMillis, ...nothing };
  }

  /** Stops all loops, waits for their writes, and closes connections; idempotent. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#syncing;
    const loops = [...this.#loops.values()];
    this.#loops = new Map();
    this.#context.metrics.targets.set(0, { scrape_job: this.#config.jobName });
    await Promise.all(loops.map((loop) => loop.stop()));
    await Promise.all(this.#ending);
    await this.#client.close();
  }

  /**
   * Returns the wanted targets by key, in steps. The result is undefined if the config changes in
   * the meantime, or the pool is stopped.
   */
  *#wantedTargets(version: number): Steps<Map<string, Target> | undefined> {
    const { logger, shard } = this.#context;
    const wanted = new Map<string, Target>();
    const dropped: DroppedTarget[] = [];
    const refused: RefusedTarget[] = [];
    for (const group of this.#groups) {
      const outcomes = yield* this.#relabelGroup(group, version);
      if (outcomes === undefined) return undefined;
      for (const outcome of outcomes) {
        if (outcome.kind === 'target') {
          const { target } = outcome;
          const isElsewhere =
            shard !== undefined && this.#config.isShared && !isOfShard(target, shard);
          if (isElsewhere) dropped.push(otherShard(target, shard));
          else wanted.set(target.key, target);
        } else if (outcome.kind === 'dropped') dropped.push(outcome);
        else refused.push(outcome);
        yield;
        if (this.#isOver(version)) return undefined;
      }
    }
    const { targets: targetsMax, droppedTargets } = this.#config.limits;
    this.#dropped = droppedTargets === 0 ? dropped : dropped.slice(0, droppedTargets);
    if (targetsMax > 0 && wanted.size > targetsMax) {
      const count = `the job has ${wanted.size} targets, target_limit is ${targetsMax}`;
      const why = `cannot scrape target: ${count}`;
      for (const { discoveredLabels, labels, url } of wanted.values()) {
        refused.push({ kind: 'mistake', discoveredLabels, labels, url, why });
      }
      logger.warn('cannot scrape job', { job: this.#config.jobName, error: count });
      wanted.clear();
    }
    this.#refused = refused;
    return wanted;
  }

  *#relabelGroup(group: TargetGroup, version: number): Steps<readonly TargetOutcome[] | undefined> {
    const known = this.#outcomes.get(group);
    if (known !== undefined) return known;
    const steps = targetSteps(this.#config, [group], this.#relabel);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      yield;
      if (this.#isOver(version)) return undefined;
    }
    const outcomes = step.value;
    this.#outcomes.set(group, outcomes);
    this.#warnOfMistakes(outcomes);
    return outcomes;
  }

  /** Counts unusable targets and logs the first few. */
  #warnOfMistakes(outcomes: readonly TargetOutcome[]): void {
    const { logger, metrics } = this.#context;
    const job = this.#config.jobName;
    let count = 0;
    for (const outcome of outcomes) {
      if (outcome.kind !== 'mistake') continue;
      count += 1;
      if (count <= loggedMistakesMax) logger.warn('cannot use target', { job, error: outcome.why });
    }
    if (count === 0) return;
    metrics.mistakes.add(count, { scrape_job: job });
    if (count <= loggedMistakesMax) return;
    const more = count - loggedMistakesMax;
    logger.warn('cannot use targets', { job, more: String(more), shownBy: '/api/v1/targets' });
  }

  /** Returns the index page of a target, and adds it to `indexes`. */
  #findIndexPage({ indexUrl }: Target, indexes: Map<string, IndexPage>): IndexPage | undefined {
    if (indexUrl === '') return undefined;
    const index = indexes.get(indexUrl) ?? this.#indexes.get(indexUrl) ?? new IndexPage(indexUrl);
    indexes.set(indexUrl, index);
    return index;
  }

  #end(ending: Promise<void>): void {
    const tracked = ending.finally(() => this.#ending.delete(tracked));
    this.#ending.add(tracked);
  }
}
