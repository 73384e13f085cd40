// HTTP paths about targets: Prometheus' list of them with more facts, and a test of relabeling.
import type { FastifyInstance } from 'fastify';
import { formatDuration } from '../../base/text/duration.ts';
import { AppError } from '../../base/errors.ts';
import { relabelTestBytesMax } from '../../base/limits.ts';
import { isLabelName, type Label, type LabelSet } from '../../model/labels.ts';
import type {
  RelabelSteps,
  RelabelTest,
  ScrapeStatus,
  TargetHealth,
  TargetStatus,
} from '../../scrape/interface.ts';
import type { TransportContext } from '../call/call.ts';
import { readChoice, readCount, readParameters } from './parameters.ts';
import { serveCall, withBody } from './serve-call.ts';

const limitMax = 1_000_000;

const healthWords: Readonly<Record<TargetHealth, HealthWord>> = {
  unknown: 'unknown',
  good: 'up',
  bad: 'down',
};

type HealthWord = 'unknown' | 'up' | 'down';

/** Adds the paths. `scrape` throws AppError 'unavailable' while the server starts. */
export function addTargetRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  scrape: () => ScrapeStatus,
): void {
  app.get('/api/v1/targets', (request, reply) =>
    serveCall(
      transport,
      { path: '/parca.http.v1.Targets/List', endsWithCaller: true },
      request,
      reply,
      async () => listTargets(scrape(), request.url),
      (data) => reply.header('cache-control', 'no-store').send({ status: 'success', data }),
    ),
  );
  app.post('/api/v1/targets/relabel_steps', (request, reply) =>
    serveCall(
      transport,
      { path: '/parca.http.v1.Targets/RelabelSteps', endsWithCaller: true },
      request,
      reply,
      () =>
        withBody(transport, request, async (body) => {
          return stepsToJson(scrape().testRelabeling(readTest(body)));
        }),
      (data) => reply.header('cache-control', 'no-store').send({ status: 'success', data }),
    ),
  );
}

/** Number of targets of a pool by health, whatever the other parameters are. */
interface PoolCounts {
  readonly scrapePool: string;
  up: number;
  down: number;
  unknown: number;
  dropped: number;
  /** Number of targets that the parameters select, of which `limit` are listed. */
  matching: number;
}

function listTargets(scrape: ScrapeStatus, url: string): object {
  const given = readParameters(url, ['state', 'scrapePool', 'health', 'search', 'limit']);
  const state = readChoice(given, 'state', ['any', 'active', 'dropped']);
  const health = readChoice(given, 'health', ['any', 'up', 'down', 'unknown']);
  const limit = readCount(given, 'limit', 0, limitMax) || Infinity;
  const search = (given.get('search') ?? '').toLowerCase();
  const pool = given.get('scrapePool') ?? '';
  const counts = new Map<string, PoolCounts>();
  const countsOf = (scrapePool: string): PoolCounts => {
    const known = counts.get(scrapePool);
    if (known !== undefined) return known;
    const none = { scrapePool, up: 0, down: 0, unknown: 0, dropped: 0, matching: 0 };
    counts.set(scrapePool, none);
    return none;
  };
  const select = (
    targets: readonly TargetStatus[],
    kind: 'active' | 'dropped',
    fits: (target: TargetStatus) => boolean,
  ): TargetStatus[] =>
    targets.filter((target) => {
      if (pool !== '' && target.job !== pool) return false;
      const of = countsOf(target.job);
      of[kind === 'dropped' ? 'dropped' : healthWords[target.health]] += 1;
      if (state !== 'any' && state !== kind) return false;
      if (!fits(target)) return false;
      of.matching += 1;
      return of.matching <= limit;
    });
  const hasText = (target: TargetStatus, labels: LabelSet): boolean =>
    search === '' ||
    [target.job, target.url, target.lastError, ...labels.map(labelText)].some((text) =>
      text.toLowerCase().includes(search),
    );
  const active = select(scrape.activeTargets(), 'active', (target) => {
    const isOfHealth = health === 'any' || health === healthWords[target.health];
    return isOfHealth && hasText(target, target.labels);
  });
  const dropped = select(scrape.droppedTargets(), 'dropped', (target) =>
    hasText(target, target.discoveredLabels),
  );
  const pools = [...counts.values()];
  return {
    activeTargets: active.map(activeToJson),
    droppedTargets: dropped.map(droppedToJson),
    droppedTargetCounts: Object.fromEntries(
      pools.map(({ scrapePool, dropped: count }) => [scrapePool, count]),
    ),
    pools,
  };
}

function labelText({ name, value }: Label): string {
  return `${name}=${value}`;
}

function activeToJson(target: TargetStatus): object {
  const { job, url, lastError, health, intervalMillis, deadlineMillis } = target;
  return {
    ...{ scrapePool: job, scrapeUrl: url, lastError, health: healthWords[health] },
    profile: target.profileName,
    labels: objectOf(target.labels),
    discoveredLabels: objectOf(target.discoveredLabels),
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
      ...{ start: new Date(startMillis).toISOString(), seconds: durationMillis / 1000 },
      isGood,
    })),
  };
}

function droppedToJson({ job, discoveredLabels, lastError }: TargetStatus): object {
  return { scrapePool: job, discoveredLabels: objectOf(discoveredLabels), reason: lastError };
}

function objectOf(labels: LabelSet): Readonly<Record<string, string>> {
  return Object.fromEntries(labels.map(({ name, value }) => [name, value]));
}

/** Returns the time as text. Never is Go's zero time, as in Prometheus. */
function timeText(nanos: bigint): string {
  return nanos === 0n ? '0001-01-01T00:00:00Z' : new Date(Number(nanos / 1_000_000n)).toISOString();
}

/** Reads a test of relabeling. Errors: AppError 'invalid-argument', 'resource-exhausted'. */
function readTest(body: Uint8Array): RelabelTest {
  if (body.length > relabelTestBytesMax) {
    const why = `it has ${body.length} bytes, the limit is ${relabelTestBytesMax}`;
    throw new AppError('resource-exhausted', `cannot test relabeling: ${why}`);
  }
  const given = parseJson(body);
  const textOf = (name: string): string | undefined => {
    const value: unknown = given[name];
    if (value === undefined || typeof value === 'string') return value;
    throw invalid(`${name} must be a text`);
  };
  const { labels = {} } = given;
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) {
    throw invalid('labels must be an object of texts');
  }
  return {
    job: textOf('scrapePool') ?? '',
    rules: textOf('relabelConfigs'),
    labels: Object.entries(labels).map(([name, value]: [string, unknown]) => {
      if (!isLabelName(name)) throw invalid(`${JSON.stringify(name)} is not a label name`);
      if (typeof value !== 'string') throw invalid(`label ${name} must be a text`);
      return { name, value };
    }),
  };
}

function parseJson(body: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch (error) {
    throw invalid('the body is not JSON', error);
  }
  if (typeof value !== 'object' || value === null) throw invalid('the body is not an object');
  return { ...value };
}

function invalid(why: string, cause?: unknown): AppError {
  return new AppError('invalid-argument', `cannot test relabeling: ${why}`, { cause });
}

function stepsToJson(answer: RelabelSteps): object {
  const { job, rulesText, discoveredLabels, steps, target, mistake } = answer;
  return {
    ...{ scrapePool: job, relabelConfigs: rulesText },
    discoveredLabels: objectOf(discoveredLabels),
    steps: steps.map(({ rule, labels, isDropped }) => ({
      rule: ruleToJson(rule),
      output: objectOf(labels),
      keep: !isDropped,
    })),
    labels: target && objectOf(target.labels),
    scrapeUrl: target?.url,
    mistake: mistake === '' ? undefined : mistake,
  };
}

function ruleToJson(rule: RelabelSteps['steps'][number]['rule']): object {
  const { action, sourceLabels, separator, regex, modulus, targetLabel, replacement } = rule;
  return {
    ...{ action, source_labels: sourceLabels, separator, regex },
    ...{ modulus: Number(modulus), target_label: targetLabel, replacement },
  };
}
