// ScrapeService: the states of all targets.
import protobuf from 'protobufjs/minimal.js';
import { parca } from '../../../proto/gen/scrape.js';
import type { LabelSet } from '../../model/labels.ts';
import type { ScrapeStatus, TargetHealth, TargetStatus } from '../../scrape/interface.ts';
import type { Clock } from '../../base/clock.ts';
import type { Steps } from '../../base/pacer.ts';
import { TargetTurns } from '../transport/call/target-turns.ts';
import { decodeRequest, toDuration, toTimestamp } from '../transport/call/message.ts';
import type { Method } from '../transport/call/method.ts';

const { Target, Targets, TargetsRequest } = parca.scrape.v1alpha1;
const { State } = TargetsRequest;

const healthNumber: Readonly<Record<TargetHealth, parca.scrape.v1alpha1.Target.Health>> = {
  unknown: Target.Health.HEALTH_UNKNOWN_UNSPECIFIED,
  good: Target.Health.HEALTH_GOOD,
  bad: Target.Health.HEALTH_BAD,
};

/** Number of targets that are encoded in one step. */
const targetsPerPart = 50;

/** Returns the method; `clock` measures slices of time. */
export function scrapeMethods(scrape: ScrapeStatus, clock: Clock): Method[] {
  const turns = new TargetTurns(clock, 'list targets');
  return [
    {
      path: '/parca.scrape.v1alpha1.ScrapeService/Targets',
      kind: 'unary',
      handle: (bytes, context) => turns.run(context, () => targets(scrape, bytes)),
    },
  ];
}

function* targets(scrape: ScrapeStatus, bytes: Uint8Array): Steps<Uint8Array> {
  const { state } = decodeRequest(TargetsRequest, bytes);
  const byJob = new Map<string, Uint8Array[]>();
  const lists = [
    ...(state === State.STATE_DROPPED ? [] : [scrape.activeTargets()]),
    ...(state === State.STATE_ACTIVE ? [] : [scrape.droppedTargets()]),
  ];
  for (const list of lists) {
    let part: parca.scrape.v1alpha1.Target.$Properties[] = [];
    let job = '';
    const endPart = (): void => {
      if (part.length === 0) return;
      const group = byJob.get(job) ?? [];
      byJob.set(job, group);
      group.push(Targets.encode({ targets: part }).finish());
      part = [];
    };
    for (const status of list) {
      if (status.job !== job || part.length === targetsPerPart) endPart();
      ({ job } = status);
      part.push(wireTarget(status));
      yield;
    }
    endPart();
  }
  // In protobuf, concatenated messages of one type are one message with the fields of all of them.
  const entries: Uint8Array[] = [];
  for (const [job, parts] of byJob) {
    const name = Buffer.from(job);
    const head = new protobuf.Writer().uint32(0x0a).bytes(name).finish();
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const valueHead = new protobuf.Writer().uint32(0x12).uint32(length).finish();
    const entryLength = head.length + valueHead.length + length;
    const entryHead = new protobuf.Writer().uint32(0x0a).uint32(entryLength).finish();
    entries.push(entryHead, head, valueHead, ...parts);
    yield;
  }
  return Buffer.concat(entries);
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

/**
 * Returns the error with the time for which it has lasted, because Parca's message has no field for
 * this time.
 */
function errorText({ lastError, errorCount, firstErrorNanos }: TargetStatus): string {
  if (errorCount < 2) return lastError;
  const since = new Date(Number(firstErrorNanos / 1_000_000n)).toISOString();
  return `${lastError} (${errorCount} times since ${since})`;
}

function wireLabels(labels: LabelSet): { labels: { name: string; value: string }[] } {
  return { labels: labels.map(({ name, value }) => ({ name, value })) };
}
