// Finds the versions of the selected programs: the label with the version, and the time of each
// deploy.
import { serviceLabels, versionLabels } from '../../../src/model/service-labels.ts';
import { compareValues, editSide, withOffset } from '../language/comparison.ts';
import { addMatcher } from '../language/matchers.ts';
import type { Api, Span } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import type { MetricsSeries } from '../rpc/messages.gen.ts';
import { toNanos } from '../rpc/timestamp.ts';
import { chooseStep } from '../url/time-range.ts';

/** Number of times at which versions are checked. */
const points = 60;

/** Versions in a range. */
export interface Versions {
  readonly label: string;
  /**
   * Versions, oldest first; `since` is the time of the first profile, in milliseconds since the
   * epoch.
   */
  readonly list: readonly VersionTime[];
  /** Versions that replaced another version of the same service, oldest first. */
  readonly deploys: readonly Deploy[];
}

export interface VersionsQuestion {
  /** Query without a comparison. */
  readonly query: string;
  readonly profileType: string;
  readonly span: Span;
}

/** Returns the precision of a version's start in milliseconds. */
function versionStep(span: Span): number {
  return chooseStep(span, points);
}

/** Finds the versions in a range; undefined if there is only one. */
export async function findVersions(
  api: Api,
  { query, profileType, span }: VersionsQuestion,
  asking: Asking,
): Promise<Versions | undefined> {
  const names = await api.labelNames(profileType, asking.signal);
  const services = serviceLabels.filter((name) => names.includes(name));
  const stepMillis = versionStep(span);
  for (const label of versionLabels.filter((name) => names.includes(name))) {
    const sumBy = [label, ...services];
    const { series } = await api.queryRange({ query, span, stepMillis, sumBy }, asking);
    const starts = readStarts(series, label);
    const list = firstOfEach(starts);
    if (list.length < 2) continue;
    const deploys = deploysOfServices(starts, stepMillis);
    const exact = await Promise.all(
      deploys.map((deploy) => withExactTime(api, { query, label, deploy, stepMillis }, asking)),
    );
    return { label, list, deploys: exact.filter(({ since }) => since > span.from) };
  }
  return undefined;
}

/** First profile of a version of a service. */
interface VersionStart extends VersionTime {
  readonly service: string;
}

interface VersionTime {
  readonly value: string;
  readonly since: number;
}

function readStarts(series: readonly MetricsSeries[], label: string): VersionStart[] {
  return series
    .flatMap(({ labelset, samples: [first] }) => {
      const labels = new Map((labelset?.labels ?? []).map(({ name, value }) => [name, value]));
      const value = labels.get(label) ?? '';
      if (value === '' || first === undefined) return [];
      return [
        {
          service: serviceOfLabels(labels),
          value,
          since: Number(toNanos(first.timestamp) / 1_000_000n),
        },
      ];
    })
    .sort((a, b) => a.since - b.since || (a.value < b.value ? -1 : 1));
}

/** Returns a key for the service: the first label that names a service, and its value. */
function serviceOfLabels(labels: ReadonlyMap<string, string>): string {
  const label = serviceLabels.find((name) => (labels.get(name) ?? '') !== '') ?? serviceLabels[0];
  return serviceKey({ label, name: labels.get(label) ?? '' });
}

/** Returns a key for a service. */
export function serviceKey(service: { readonly label: string; readonly name: string }): string {
  return `${service.label}\0${service.name}`;
}

/** Number of times at which the versions of services are checked: every 5 minutes of a day. */
const servicePoints = 288;

/** Returns the last deploy in `span` for each service, by its key. */
export async function findServiceDeploys(
  api: Api,
  { query, profileType, span }: VersionsQuestion,
  asking: Asking,
): Promise<ReadonlyMap<string, LastDeploy>> {
  const names = await api.labelNames(profileType, asking.signal);
  const label = versionLabels.find((name) => names.includes(name));
  if (label === undefined) return new Map();
  const stepMillis = chooseStep(span, servicePoints);
  const sumBy = [label, ...serviceLabels.filter((name) => names.includes(name))];
  const { series } = await api.queryRange({ query, span, stepMillis, sumBy }, asking);
  const found = new Map<string, LastDeploy>();
  for (const [service, list] of Map.groupBy(readStarts(series, label), (one) => one.service)) {
    const last = listDeploys({ list }, stepMillis).at(-1);
    if (last !== undefined) found.set(service, { ...last, label });
  }
  return found;
}

/** Returns the start of each version, oldest first. */
function firstOfEach(starts: readonly VersionStart[]): VersionTime[] {
  const since = new Map<string, number>();
  for (const one of starts) if (!since.has(one.value)) since.set(one.value, one.since);
  return [...since].map(([value, time]) => ({ value, since: time }));
}

/**
 * Returns the deploys of all services, one per version. The first version of a service is not a
 * deploy.
 */
function deploysOfServices(starts: readonly VersionStart[], stepMillis: number): Deploy[] {
  const deploys = new Map<string, Deploy>();
  for (const list of Map.groupBy(starts, ({ service }) => service).values()) {
    for (const deploy of listDeploys({ list }, stepMillis)) {
      const known = deploys.get(deploy.value);
      if (known === undefined || known.since > deploy.since) deploys.set(deploy.value, deploy);
    }
  }
  return [...deploys.values()].sort((a, b) => a.since - b.since).slice(-deploysMax);
}

/** Number of steps in each search that narrows down the time of a deploy. */
const finerSteps = 120;
/** Precision of the time of a deploy in milliseconds. */
const exactMillis = 1_000;

interface DeployQuestion {
  readonly query: string;
  readonly label: string;
  readonly deploy: Deploy;
  readonly stepMillis: number;
}

/** Finds the second of a deploy whose time is known to within `stepMillis`. */
async function withExactTime(
  api: Api,
  { query, label, deploy, stepMillis }: DeployQuestion,
  asking: Asking,
): Promise<Deploy> {
  let [since, known] = [deploy.since, stepMillis];
  const ofVersion = addMatcher(query, label, '=', deploy.value);
  while (known > exactMillis) {
    const span = { from: since - known, to: since + known };
    const finer = Math.max(exactMillis, Math.ceil((2 * known) / finerSteps / 1_000) * 1_000);
    const question = { query: ofVersion, span, stepMillis: finer, sumBy: [] };
    const { series } = await api.queryRange(question, asking);
    const times = series.flatMap(({ samples: [first] }) =>
      first === undefined ? [] : [Number(toNanos(first.timestamp) / 1_000_000n)],
    );
    if (times.length === 0) break;
    [since, known] = [Math.min(...times), finer];
  }
  return { ...deploy, since };
}

/** Returns the versions of the last deploy, or else the last two versions. */
export function lastTwo({ list, deploys }: Versions): readonly [before: string, now: string] {
  const last = deploys.at(-1);
  if (last !== undefined) return [last.before, last.value];
  const [before, now] = list.slice(-2);
  return [before.value, now.value];
}

/**
 * Periods before the end of a range, in milliseconds, that are searched in turn if the range has no
 * deploy.
 */
const lookBackMillis = [86_400_000, 30 * 86_400_000];

/** The last deploy, and the label with its version. */
export interface LastDeploy extends Deploy {
  readonly label: string;
}

/** Finds the last deploy before the end of a range; it may be before the start of the range. */
export async function findLastDeploy(
  api: Api,
  question: VersionsQuestion,
  asking: Asking,
): Promise<LastDeploy | undefined> {
  const { from, to } = question.span;
  for (const millis of [to - from, ...lookBackMillis.filter((one) => one > to - from)]) {
    const span = { from: to - millis, to };
    const found = await findVersions(api, { ...question, span }, asking);
    const last = found?.deploys.at(-1);
    if (found !== undefined && last !== undefined) return { ...last, label: found.label };
  }
  return undefined;
}

/**
 * Compares a version with the previous version. If the range starts after the deploy, compares it
 * with an equally long time right before the deploy.
 */
export function compareDeploy(query: string, deploy: LastDeploy, span: Span): string {
  const { label, before, value, since } = deploy;
  const compared = compareValues(query, label, before, value);
  if (since > span.from) return compared;
  const offset = Math.floor((span.to - since) / 1_000) * 1_000 + 1_000;
  return editSide(compared, 'before', (text) => withOffset(text, offset));
}

/** A version that was deployed within a range, and the previous version. */
export interface Deploy {
  readonly value: string;
  readonly before: string;
  readonly since: number;
}

/** Maximum number of marked deploys; if there are more, only the last are marked. */
const deploysMax = 12;

/**
 * Returns the versions that were deployed after the first step; versions in the first step already
 * existed.
 */
export function listDeploys({ list }: Pick<Versions, 'list'>, stepMillis: number): Deploy[] {
  const [first] = list;
  return list
    .map(({ value, since }, i) => ({ value, before: list[i - 1]?.value ?? '', since }))
    .filter(({ since }) => since > first.since + stepMillis)
    .slice(-deploysMax);
}

/**
 * Maximum number of characters of a version that are shown; the end is kept, because versions
 * differ there.
 */
const shownMax = 16;

export function shortVersion(value: string): string {
  return value.length <= shownMax ? value : `\u2026${value.slice(1 - shownMax)}`;
}
