// ScrapeService: the state of every target.
import { parca } from '../../proto/gen/scrape.js';
import type { LabelSet } from '../model/labels.ts';
import type { ScrapeStatus, TargetHealth, TargetStatus } from '../scrape/interface.ts';
import { decodeRequest, toDuration, toTimestamp } from './call/message.ts';
import type { Method } from './call/method.ts';

const { Target, TargetsRequest, TargetsResponse } = parca.scrape.v1alpha1;
const { State } = TargetsRequest;

const healthNumber: Readonly<Record<TargetHealth, parca.scrape.v1alpha1.Target.Health>> = {
  unknown: Target.Health.HEALTH_UNKNOWN_UNSPECIFIED,
  good: Target.Health.HEALTH_GOOD,
  bad: Target.Health.HEALTH_BAD,
};

export function scrapeMethods(scrape: ScrapeStatus): Method[] {
  return [
    {
      path: '/parca.scrape.v1alpha1.ScrapeService/Targets',
      kind: 'unary',
      handle: async (bytes) => targets(scrape, bytes),
    },
  ];
}

function targets(scrape: ScrapeStatus, bytes: Uint8Array): Uint8Array {
  const { state } = decodeRequest(TargetsRequest, bytes);
  const byJob = new Map<string, { targets: parca.scrape.v1alpha1.Target.$Properties[] }>();
  const add = (statuses: readonly TargetStatus[]): void => {
    for (const status of statuses) {
      const group = byJob.get(status.job) ?? { targets: [] };
      byJob.set(status.job, group);
      group.targets.push(wireTarget(status));
    }
  };
  if (state !== State.STATE_DROPPED) add(scrape.activeTargets());
  if (state !== State.STATE_ACTIVE) add(scrape.droppedTargets());
  return TargetsResponse.encode({ targets: Object.fromEntries(byJob) }).finish();
}

function wireTarget(status: TargetStatus): parca.scrape.v1alpha1.Target.$Properties {
  const isScraped = status.lastScrapeNanos !== 0n;
  return {
    discoveredLabels: wireLabels(status.discoveredLabels),
    labels: wireLabels(status.labels),
    lastError: errorText(status),
    ...(isScraped && {
      lastScrape: toTimestamp(status.lastScrapeNanos),
      lastScrapeDuration: toDuration(status.lastScrapeDurationNanos),
    }),
    url: status.url,
    health: healthNumber[status.health],
  };
}

/** The error, and how long it has been the same: Parca's message has no fields for that. */
function errorText({ lastError, errorCount, firstErrorNanos }: TargetStatus): string {
  if (errorCount < 2) return lastError;
  const since = new Date(Number(firstErrorNanos / 1_000_000n)).toISOString();
  return `${lastError} (${errorCount} times since ${since})`;
}

function wireLabels(labels: LabelSet): { labels: { name: string; value: string }[] } {
  return { labels: labels.map(({ name, value }) => ({ name, value })) };
}
