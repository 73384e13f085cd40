// The targets of one job: starts and stops their loops as discovery and config change.
import { isDeepStrictEqual } from 'node:util';
import { AppError, errorMessage } from '../base/errors.ts';
import { md5 } from '../base/node/md5.ts';
import type { ScrapeConfig } from '../config/config.ts';
import type { HttpClient } from '../config/http-client.ts';
import type { TargetGroup } from '../discovery/interface.ts';
import type { LabelSet } from '../model/labels.ts';
import { createRelabeling, type Relabeling } from '../model/relabel.ts';
import { IndexPage } from './index-page.ts';
import type { TargetStatus } from './interface.ts';
import { startScrapeLoop, type ScrapeContext, type ScrapeLoop } from './loop.ts';
import { isOfShard, type ScrapeShard } from './shard.ts';
import {
  type DroppedTarget,
  targetsOf,
  type RefusedTarget,
  type Target,
  type TargetOutcome,
} from './target.ts';

function otherShard({ discoveredLabels }: Target, { index, count }: ScrapeShard): DroppedTarget {
  const why = `another server scrapes it: --scrape-shard is ${index + 1}/${count}`;
  return { kind: 'dropped', discoveredLabels, why };
}

const neverScraped = {
  ...{
    lastScrapeNanos: 0n,
    lastScrapeDurationNanos: 0n,
    lastBodyBytes: 0,
    recentScrapes: () => [],
  },
  ...{ errorCount: 0, firstErrorNanos: 0n, healthSinceNanos: 0n, scrapeCount: 0, failureCount: 0 },
  ...{ profileName: '', deadlineMillis: 0 },
} as const;

/** The loops of one job. */
export class ScrapePool {
  #config: ScrapeConfig;
  #client: HttpClient;
  #relabel: Relabeling;
  readonly #context: ScrapeContext;
  #groups: readonly TargetGroup[] = [];
  /**
   * Targets of each group by the current config. Discovery hands over a changed group as another
   * object, so only the changed ones of many thousands are made again.
   */
  #outcomes = new WeakMap<TargetGroup, readonly TargetOutcome[]>();
  /** Loops by Target.key, in order of discovery. */
  #loops = new Map<string, ScrapeLoop>();
  /** Pages by Target.indexUrl. */
  #indexes = new Map<string, IndexPage>();
  #dropped: readonly DroppedTarget[] = [];
  #refused: readonly RefusedTarget[] = [];
  #isStopped = false;
  /** Loops and clients that are ending. */
  readonly #ending = new Set<Promise<void>>();

  constructor(config: ScrapeConfig, client: HttpClient, context: ScrapeContext) {
    this.#config = config;
    this.#client = client;
    this.#relabel = createRelabeling(config.relabelRules, md5);
    this.#context = context;
  }

  /**
   * Applies another config of the same job, with a client made for it. Loops with unchanged targets
   * go on, with their old client if the new one would do the same.
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

  /** Starts and stops loops to match these groups, which are all current groups of discovery. */
  sync(groups: readonly TargetGroup[]): void {
    if (this.#isStopped) return;
    const { clock, metrics } = this.#context;
    const job = { scrape_job: this.#config.jobName };
    const start = clock.monotonicMillis();
    this.#groups = groups;
    const wanted = this.#wantedTargets();
    const before = this.#loops.size;
    if (wanted.size === 0 && before > 0) {
      const { logger } = this.#context;
      logger.warn('a job has lost all of its targets', { job: job.scrape_job, targets: before });
    }
    for (const [key, loop] of this.#loops) if (!wanted.has(key)) this.#end(loop.stop());
    const loops = new Map<string, ScrapeLoop>();
    const indexes = new Map<string, IndexPage>();
    for (const [key, target] of wanted) {
      const index = this.#indexOf(target, indexes);
      const running = this.#loops.get(key);
      loops.set(key, running ?? startScrapeLoop(target, index, this.#client, this.#context));
    }
    this.#loops = loops;
    this.#indexes = indexes;
    metrics.targets.set(loops.size, job);
    metrics.syncs.add(1, job);
    metrics.syncSeconds.observe((clock.monotonicMillis() - start) / 1000, job);
  }

  /** Returns targets that are scraped, then targets that cannot be, with the reason. */
  active(): TargetStatus[] {
    const refused = this.#refused.map(({ discoveredLabels, labels, url, error }): TargetStatus => ({
      ...{ job: this.#config.jobName, discoveredLabels, labels, url },
      ...{ health: 'bad', lastError: errorMessage(error), ...neverScraped },
      intervalMillis: this.#config.intervalMillis,
    }));
    const loops = [...this.#loops.values()].filter((loop) => !loop.isAbsent());
    return [...loops.map((loop) => loop.status()), ...refused];
  }

  /** Returns targets that relabeling drops, and those whose address lacks the profile. */
  dropped(): TargetStatus[] {
    const absent = [...this.#loops.values()].filter((loop) => loop.isAbsent());
    return [
      ...this.#dropped.map(({ discoveredLabels, why }) => this.#unscraped(discoveredLabels, why)),
      ...absent.map(({ target }) =>
        this.#unscraped(target.discoveredLabels, `not listed by ${target.indexUrl}`),
      ),
    ];
  }

  #unscraped(discoveredLabels: LabelSet, lastError: string): TargetStatus {
    const { jobName: job, intervalMillis } = this.#config;
    const nothing = { labels: [], url: '', health: 'unknown', ...neverScraped } as const;
    return { ...{ job, discoveredLabels, lastError, intervalMillis }, ...nothing };
  }

  /** Ends all loops, waits for their writes, drops the connections; idempotent. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const loops = [...this.#loops.values()];
    this.#loops = new Map();
    this.#context.metrics.targets.set(0, { scrape_job: this.#config.jobName });
    await Promise.all(loops.map((loop) => loop.stop()));
    await Promise.all(this.#ending);
    await this.#client.close();
  }

  #wantedTargets(): Map<string, Target> {
    const { logger } = this.#context;
    const wanted = new Map<string, Target>();
    const dropped: DroppedTarget[] = [];
    const refused: RefusedTarget[] = [];
    const { shard } = this.#context;
    for (const outcome of this.#groups.flatMap((group) => this.#outcomesOf(group))) {
      if (outcome.kind === 'target') {
        const { target } = outcome;
        const isElsewhere =
          shard !== undefined && this.#config.isShared && !isOfShard(target, shard);
        if (isElsewhere) dropped.push(otherShard(target, shard));
        else wanted.set(target.key, target);
      } else if (outcome.kind === 'dropped') dropped.push(outcome);
      else refused.push(outcome);
    }
    const { targets: targetsMax, droppedTargets } = this.#config.limits;
    this.#dropped = droppedTargets === 0 ? dropped : dropped.slice(0, droppedTargets);
    if (targetsMax > 0 && wanted.size > targetsMax) {
      const why = `the job has ${wanted.size} targets, target_limit is ${targetsMax}`;
      const error = new AppError('resource-exhausted', `cannot scrape target: ${why}`);
      for (const target of wanted.values()) refused.push({ kind: 'mistake', ...target, error });
      logger.warn('cannot scrape job', { job: this.#config.jobName, error: why });
      wanted.clear();
    }
    this.#refused = refused;
    return wanted;
  }

  #outcomesOf(group: TargetGroup): readonly TargetOutcome[] {
    const known = this.#outcomes.get(group);
    if (known !== undefined) return known;
    const outcomes = targetsOf(this.#config, [group], this.#relabel);
    this.#outcomes.set(group, outcomes);
    const { logger, metrics } = this.#context;
    const job = this.#config.jobName;
    for (const outcome of outcomes) {
      if (outcome.kind !== 'mistake') continue;
      metrics.mistakes.add(1, { scrape_job: job });
      logger.warn('cannot use target', { job, error: errorMessage(outcome.error) });
    }
    return outcomes;
  }

  /** Returns the page to ask about a target, and keeps it in `indexes`. */
  #indexOf({ indexUrl }: Target, indexes: Map<string, IndexPage>): IndexPage | undefined {
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
