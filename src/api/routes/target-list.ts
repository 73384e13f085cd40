// The target list of Prometheus' API with additional facts, as JSON that is written in steps.
import { formatDuration } from '../../base/text/duration.ts';
import { type Label, type LabelSet, labelsToObject } from '../../model/labels.ts';
import type { TextSteps } from '../transport/call/answer-stream.ts';
import type { ScrapeStatus, TargetHealth, TargetStatus } from '../../scrape/interface.ts';
import { formatGoTime } from '../transport/json/time.ts';
import { readChoice, readCount, readParameters } from '../transport/http/parameters.ts';

const limitMax = 1_000_000;

const healthWords: Readonly<Record<TargetHealth, HealthWord>> = {
  unknown: 'unknown',
  good: 'up',
  bad: 'down',
};

type HealthWord = 'unknown' | 'up' | 'down';

/** Number of targets of a pool, by health. Only `matching` depends on the other parameters. */
interface PoolCounts {
  readonly scrapePool: string;
  up: number;
  down: number;
  unknown: number;
  dropped: number;
  /** Number of targets that match the parameters; at most `limit` of them are listed. */
  matching: number;
}

/**
 * Writes the answer as JSON, in steps. The first step throws an AppError 'invalid-argument' for an
 * invalid parameter.
 */
export function* listTargets(scrape: ScrapeStatus, url: string): TextSteps {
  const given = readParameters(url, ['state', 'scrapePool', 'health', 'search', 'limit']);
  const state = readChoice(given, 'state', ['any', 'active', 'dropped']);
  const health = readChoice(given, 'health', ['any', 'up', 'down', 'unknown']);
  const limit = readCount(given, 'limit', 0, limitMax) || Infinity;
  const search = (given.get('search') ?? '').toLowerCase();
  const pool = given.get('scrapePool') ?? '';
  const counts = new Map<string, PoolCounts>();
  const poolCounts = (scrapePool: string): PoolCounts => {
    const known = counts.get(scrapePool);
    if (known !== undefined) return known;
    const none = { scrapePool, up: 0, down: 0, unknown: 0, dropped: 0, matching: 0 };
    counts.set(scrapePool, none);
    return none;
  };
  const isListed = (target: TargetStatus, kind: 'active' | 'dropped'): boolean => {
    const isActive = kind === 'active';
    if (pool !== '' && target.job !== pool) return false;
    const of = poolCounts(target.job);
    of[isActive ? healthWords[target.health] : 'dropped'] += 1;
    if (state !== 'any' && state !== kind) return false;
    if (isActive && health !== 'any' && health !== healthWords[target.health]) return false;
    if (!hasText(target, isActive ? target.labels : target.discoveredLabels, search)) return false;
    of.matching += 1;
    return of.matching <= limit;
  };
  yield '{"status":"success","data":{"activeTargets":[';
  yield* writeTargets(scrape.activeTargets(), (target) => {
    return isListed(target, 'active') ? activeToJson(target) : undefined;
  });
  yield '],"droppedTargets":[';
  yield* writeTargets(scrape.droppedTargets(), (target) => {
    return isListed(target, 'dropped') ? droppedToJson(target) : undefined;
  });
  const pools = [...counts.values()];
  const droppedCounts = pools.map(({ scrapePool, dropped }) => [scrapePool, dropped]);
  yield `],"droppedTargetCounts":${JSON.stringify(Object.fromEntries(droppedCounts))},`;
  yield `"pools":${JSON.stringify(pools)}}}`;
}

/**
 * Writes the JSON of each target, separated by commas. A target for which `toJson` returns
 * undefined is left out.
 */
function* writeTargets(
  targets: Iterable<TargetStatus>,
  toJson: (target: TargetStatus) => object | undefined,
): TextSteps {
  let separator = '';
  for (const target of targets) {
    const json = toJson(target);
    if (json === undefined) {
      yield '';
      continue;
    }
    yield separator + JSON.stringify(json);
    separator = ',';
  }
}

function hasText(target: TargetStatus, labels: LabelSet, search: string): boolean {
  if (search === '') return true;
  const texts = [target.job, target.url, target.lastError, ...labels.map(labelText)];
  return texts.some((text) => text.toLowerCase().includes(search));
}

function labelText({ name, value }: Label): string {
  return `${name}=${value}`;
}

function activeToJson(target: TargetStatus): object {
  const { job, url, lastError, health, intervalMillis, deadlineMillis } = target;
  return {
    scrapePool: job,
    scrapeUrl: url,
    lastError,
    health: healthWords[health],
    profile: target.profileName,
    labels: labelsToObject(target.labels),
    discoveredLabels: labelsToObject(target.discoveredLabels),
    scrapeInterval: formatDuration(intervalMillis),
    scrapeTimeout: formatDuration(deadlineMillis),
    lastScrape: timeText(target.lastScrapeNanos),
    lastScrapeDuration: Number(target.lastScrapeDurationNanos) / 1e9,
    lastScrapeBytes: target.lastBodyBytes,
    healthSince: timeText(target.healthSinceNanos),
    scrapes: target.scrapeCount,
    failures: target.failureCount,
    errorCount: target.errorCount,
    firstError: timeText(target.firstErrorNanos),
    recentScrapes: target.recentScrapes().map(({ startMillis, durationMillis, isGood }) => ({
      start: new Date(startMillis).toISOString(),
      seconds: durationMillis / 1000,
      isGood,
    })),
  };
}

function droppedToJson({ job, discoveredLabels, lastError }: TargetStatus): object {
  return { scrapePool: job, discoveredLabels: labelsToObject(discoveredLabels), reason: lastError };
}

function timeText(nanos: bigint): string {
  return formatGoTime(Number(nanos / 1_000_000n));
}
