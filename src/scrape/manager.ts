// Manages scraping: one pool per job of the config, with targets from discovery.
import { scrapeBodiesBytesMax } from './limits.ts';
import { memoryShare } from '../base/memory-limit.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Config, ScrapeConfig } from '../config/config.ts';
import { createHttpClient, type HttpClient } from '../http-client/http-client.ts';
import { parseConfig } from '../config/load/parse.ts';
import type { DiscoveryContext } from '../discovery/interface.ts';
import { createDiscoveryManager } from '../discovery/manager.ts';
import { createDiscoverer } from '../discovery/registry.ts';
import type { Ingester } from '../ingest/interface.ts';
import { BodyMemory } from './body-memory.ts';
import { FailureLog } from './failure-log.ts';
import { FailureQueue } from './failure-queue.ts';
import type { ScrapeStatus } from './interface.ts';
import type { ScrapeContext } from './loop.ts';
import { createScrapeMetrics } from './metrics.ts';
import { ScrapePool } from './pool.ts';
import { Timetable } from './timetable.ts';
import { checkRuleCount, relabelSteps } from './relabel-steps.ts';

/** Scrapes the targets of the config. */
export interface ScrapeManager extends ScrapeStatus {
  /**
   * Applies a config. Unchanged jobs and targets are not interrupted.
   *
   * Errors: AppError 'failed-precondition' if a TLS file cannot be read. After an error, nothing
   * has changed.
   */
  apply(config: Config): Promise<void>;
  /** Stops all pools and waits for them; idempotent. */
  stop(): Promise<void>;
}

/** A job with the default settings, for testing rules. */
const [usualJob] = parseConfig('scrape_configs: [{job_name: test}]', '', []).scrapeConfigs;

type ManagerOptions = DiscoveryContext &
  Pick<ScrapeContext, 'storesResults' | 'shard'> & {
    readonly ingester: Pick<Ingester, 'write'>;
  };

/** Creates a manager without jobs; `apply` adds jobs. */
export function createScrapeManager(options: ManagerOptions): ScrapeManager {
  const { clock, logger } = options;
  const context = createContext(options);
  const { metrics, failures } = context;
  /** Pools by job, in the order of the config. */
  let pools = new Map<string, ScrapePool>();
  let isStopped = false;
  const discovery = createDiscoveryManager({
    create: (config) => createDiscoverer(config, options),
    onUpdate: (job, groups) => pools.get(job)?.sync(groups),
    logger,
    metrics: options.metrics,
  });

  return {
    async apply({ scrapeConfigs }: Config): Promise<void> {
      const start = clock.monotonicMillis();
      const clients = await createClients(scrapeConfigs, options);
      if (isStopped) {
        await closeAll(clients);
        return;
      }
      const gone = pools;
      pools = new Map();
      scrapeConfigs.forEach((config, i) => {
        const pool = gone.get(config.jobName);
        gone.delete(config.jobName);
        pools.set(config.jobName, pool ?? new ScrapePool(config, clients[i], context));
        pool?.reconfigure(config, clients[i]);
      });
      warnOfGone(gone, [...pools.values()], logger);
      await Promise.all([...gone.values()].map((pool) => pool.stop()));
      await discovery.apply(
        scrapeConfigs.map(({ jobName, discovery: configs }) => ({ name: jobName, configs })),
      );
      await Promise.all([...pools.values()].map((pool) => pool.settled()));
      metrics.reloadSeconds.observe((clock.monotonicMillis() - start) / 1000);
    },
    async stop(): Promise<void> {
      isStopped = true;
      await discovery.stop();
      await Promise.all([...pools.values()].map((pool) => pool.stop()));
      await failures.flush();
    },
    testRelabeling: ({ job, labels, rules }) => {
      const config = job === '' ? usualJob : pools.get(job)?.config;
      if (config === undefined) throw new AppError('not-found', `there is no job ${job}`);
      const relabelRules = rules?.rules ?? config.relabelRules;
      checkRuleCount(relabelRules);
      return relabelSteps({ ...config, relabelRules }, labels, rules?.text);
    },
    activeTargets: function* active() {
      for (const pool of pools.values()) yield* pool.active();
    },
    droppedTargets: function* dropped() {
      for (const pool of pools.values()) yield* pool.dropped();
    },
  };
}

/** Creates the dependencies that all loops share. */
function createContext(options: ManagerOptions): ScrapeContext {
  const { clock, logger, ingester } = options;
  const metrics = createScrapeMetrics(options.metrics);
  const bodies = new BodyMemory(memoryShare('scrapes', scrapeBodiesBytesMax));
  options.metrics.observedGauge(
    'parca_target_scrape_bodies_bytes',
    'Bytes of fetched profiles that are not stored yet.',
    () => bodies.usedBytes,
  );
  const timetable = new Timetable(clock);
  const failures = new FailureQueue({ clock, ingester, logger, skipped: metrics.skippedFailures });
  const failureLog = new FailureLog(clock, logger);
  return { ...options, timetable, metrics, bodies, failures, failureLog };
}

/**
 * Logs the jobs that were removed from the config. Logs a warning if they had most of the targets.
 */
function warnOfGone(
  gone: ReadonlyMap<string, ScrapePool>,
  left: readonly ScrapePool[],
  logger: Logger,
): void {
  const count = (pools: Iterable<ScrapePool>): number =>
    [...pools].reduce((sum, pool) => sum + pool.loopCount, 0);
  const targets = count(gone.values());
  if (targets === 0) return;
  const kept = count(left);
  const fields = { jobs: [...gone.keys()].join(' '), targets, kept };
  const what = `${targets} targets are gone: the config no longer has their jobs`;
  if (targets > kept) logger.warn(what, fields);
  else logger.info(what, fields);
}

/** Creates a client for each job. If one fails, closes the others and throws. */
async function createClients(
  configs: readonly ScrapeConfig[],
  options: Pick<DiscoveryContext, 'files' | 'userAgent' | 'clock'>,
): Promise<HttpClient[]> {
  const clients: HttpClient[] = [];
  try {
    for (const { http, intervalMillis } of configs) {
      const { files, userAgent, clock } = options;
      const client = { config: http, intervalMillis, userAgent, files, clock };
      clients.push(await createHttpClient(client));
    }
  } catch (error) {
    await closeAll(clients);
    throw error;
  }
  return clients;
}

async function closeAll(clients: readonly HttpClient[]): Promise<void> {
  await Promise.all(clients.map((client) => client.close()));
}
