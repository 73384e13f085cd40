// `parcatool config targets`: runs discovery and relabeling without a server.
import { Resolver } from 'node:dns/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, errorMessage } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { md5 } from '../../src/base/node/md5.ts';
import { runCommand } from '../../src/base/node/run-command.ts';
import type { DiscoveryConfig, ScrapeConfig } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load/load.ts';
import type { DiscoveryContext, TargetGroup } from '../../src/discovery/interface.ts';
import { createDiscoverer, discoveryKinds } from '../../src/discovery/registry.ts';
import { formatLabels, type LabelSet, labelsToObject } from '../../src/model/labels.ts';
import { createRelabeling } from '../../src/model/relabel.ts';
import { makeTargets, type TargetOutcome } from '../../src/scrape/target.ts';
import { printable } from '../../src/base/printable.ts';
import type { FailedOutput } from './shared/command.ts';
import type { Options } from './shared/options.ts';

/** A target, or a source without targets. */
interface FoundTarget {
  readonly job: string;
  /** Scraped URL; "" if there is none. */
  readonly url: string;
  /** Reason why the target is not scraped; "" if it would be scraped. */
  readonly why: string;
  readonly labels: LabelSet;
  readonly discoveredLabels: LabelSet;
}

/** Returns the targets of a config file by job. Fails if a source does not respond. */
export async function showTargets(
  [file]: readonly string[],
  { job, format, variables, client: { timeoutMillis } }: Options,
): Promise<FailedOutput> {
  const { scrapeConfigs } = await loadConfig(
    resolve(file),
    createFiles(),
    discoveryKinds,
    variables,
  );
  const jobs = selectJobs(scrapeConfigs, job, file);
  const failures: FoundTarget[] = [];
  const found = await Promise.all(jobs.map((one) => findTargets(one, timeoutMillis, failures)));
  const targets = found.flat();
  const isFailed = failures.length > 0;
  if (format === 'json') return { text: toJson([...targets, ...failures]), isFailed };
  const lines = failures.map((failure) => `${printable(`job ${failure.job}: ${failure.why}`)}\n`);
  return { text: toText(jobs, targets) + lines.join(''), isFailed };
}

/**
 * Returns the job with a name, or all jobs in a file.
 *
 * Errors: AppError 'not-found' if there is none.
 */
export function selectJobs(
  configs: readonly ScrapeConfig[],
  job: string,
  file: string,
): readonly ScrapeConfig[] {
  const jobs = configs.filter(({ jobName }) => job === '' || jobName === job);
  if (jobs.length > 0) return jobs;
  const names = configs.map(({ jobName }) => jobName).join(', ');
  throw new AppError('not-found', printable(`${file} has no job ${job}, it has ${names}`));
}

async function findTargets(
  config: ScrapeConfig,
  waitMillis: number,
  failures: FoundTarget[],
): Promise<FoundTarget[]> {
  const { jobName } = config;
  const groups = await Promise.all(
    config.discovery.map(async (one) => {
      const warnings: string[] = [];
      const first = await firstGroups(one, waitMillis, warnings);
      if (first !== undefined) return first;
      const why = warnings.at(-1) ?? `no answer within ${waitMillis / 1_000} s`;
      failures.push({
        job: jobName,
        url: '',
        why: `${one.kind} discovery failed: ${why}`,
        labels: [],
        discoveredLabels: [],
      });
      return [];
    }),
  );
  const relabel = createRelabeling(config.relabelRules, md5);
  return makeTargets(config, groups.flat(), relabel).map((outcome) => describe(jobName, outcome));
}

/** Returns the first groups from discovery; undefined after a timeout. */
async function firstGroups(
  config: DiscoveryConfig,
  waitMillis: number,
  warnings: string[],
): Promise<readonly TargetGroup[] | undefined> {
  const ending = new AbortController();
  const { signal } = ending;
  const context = discoveryContext(warnings);
  let groups: readonly TargetGroup[] | undefined;
  const run = createDiscoverer(config, context).run(signal, (update) => {
    groups = [...(groups ?? []), ...update];
    ending.abort();
  });
  await Promise.race([run, delay(waitMillis, undefined, { signal }).catch(() => undefined)]);
  ending.abort();
  await run.catch((error: unknown) => void warnings.push(errorMessage(error)));
  return groups;
}

function discoveryContext(warnings: string[]): DiscoveryContext {
  const logger: Logger = {
    with: () => logger,
    debug: () => undefined,
    info: () => undefined,
    warn: (message, fields) => void warnings.push(String(fields?.['error'] ?? message)),
    error: (message, fields) => void warnings.push(String(fields?.['error'] ?? message)),
  };
  return {
    clock: createClock(),
    files: createFiles(),
    logger,
    metrics: noMetrics,
    createResolver: () => new Resolver(),
    runCommand,
    // Folders are not watched, because only the first result is needed.
    watchFolder: () => undefined,
    userAgent: 'parcatool',
    environment: process.env,
  };
}

function describe(job: string, outcome: TargetOutcome): FoundTarget {
  if (outcome.kind === 'target') {
    const { url, labels, discoveredLabels } = outcome.target;
    return { job, url, why: '', labels, discoveredLabels };
  }
  const { discoveredLabels } = outcome;
  if (outcome.kind === 'dropped') {
    return { job, url: '', why: outcome.why, labels: [], discoveredLabels };
  }
  const { url, labels, why } = outcome;
  return { job, url, why, labels, discoveredLabels };
}

function toJson(targets: readonly FoundTarget[]): string {
  const plain = targets.map(({ job, url, why, labels, discoveredLabels }) => ({
    job,
    url,
    why,
    labels: labelsToObject(labels),
    discoveredLabels: labelsToObject(discoveredLabels),
  }));
  return `${JSON.stringify(plain, undefined, 2)}\n`;
}

/**
 * Lists the targets of each job. Then lists the targets that are not scraped, with the labels that
 * are the reason for this.
 */
function toText(jobs: readonly ScrapeConfig[], targets: readonly FoundTarget[]): string {
  const lines = jobs.flatMap(({ jobName }) => {
    const own = targets.filter(({ job }) => job === jobName);
    const [good, bad] = [own.filter(({ why }) => why === ''), own.filter(({ why }) => why !== '')];
    return [
      `job ${jobName}: ${good.length} to scrape, ${bad.length} not`,
      ...good.map(({ url, labels }) => `  ${url} ${formatLabels(labels)}`),
      ...bad.map(({ why, discoveredLabels }) => `  ${why}: ${formatLabels(discoveredLabels)}`),
    ];
  });
  return lines.map((line) => `${printable(line)}\n`).join('');
}
