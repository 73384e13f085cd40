// Computes targets from discovered labels: defaults, relabeling, addresses and URLs.
import { AppError } from '../base/errors.ts';
import { finishAtOnce, type Steps } from '../base/pacer.ts';
import { hexMd5 } from '../base/node/md5.ts';
import type { ScrapeConfig, ScrapedProfile, ScrapeLimits } from '../config/config.ts';
import { addressMistake, withPort } from '../config/target-address.ts';
import type { TargetGroup } from '../discovery/interface.ts';
import {
  createLabelSet,
  labelSetKey,
  profileNameLabel,
  type Label,
  type LabelSet,
} from '../model/labels.ts';
import type { ValueType } from '../model/profile-type.ts';
import type { LabelMap, Relabeling } from '../model/relabel.ts';

/** Maximum number of characters of a label name that are shown in an error. */
const shownCharactersMax = 40;

/** One profile to scrape at one address. */
export interface Target {
  readonly job: string;
  /** Labels before relabeling. */
  readonly discoveredLabels: LabelSet;
  /** Labels of the series, without the profile's name and without internal labels. */
  readonly labels: LabelSet;
  readonly profileName: string;
  readonly url: string;
  readonly keepSampleTypes: readonly ValueType[];
  readonly intervalMillis: number;
  /** Longest duration of a scrape, from connecting to the last byte. */
  readonly deadlineMillis: number;
  /** See Schedule. */
  readonly backToBackMillis: number | undefined;
  readonly honorTimestamps: boolean;
  readonly areFileAddresses: boolean;
  readonly limits: ScrapeLimits;
  /**
   * URL of the page that lists the profiles of the address. The target is scraped only if the page
   * lists its profile. "" = no page is checked.
   */
  readonly indexUrl: string;
  /** Hexadecimal hash, which is the same for targets that are scraped in the same way. */
  readonly key: string;
}

/** Result of relabeling discovered labels. */
export type TargetOutcome =
  | { readonly kind: 'target'; readonly target: Target }
  | DroppedTarget
  | RefusedTarget;

/** A target that relabeling drops. */
export interface DroppedTarget {
  readonly kind: 'dropped';
  readonly discoveredLabels: LabelSet;
  /** Reason why the target is dropped, which names the rule. */
  readonly why: string;
}

/** A target that cannot be scraped. */
export interface RefusedTarget {
  readonly kind: 'mistake';
  readonly discoveredLabels: LabelSet;
  /** Public labels after relabeling. */
  readonly labels: LabelSet;
  /** The URL as written in the config. */
  readonly url: string;
  /**
   * Message of the error. The error itself is not kept, because thousands of stack traces would
   * take too much memory.
   */
  readonly why: string;
}

/** Returns all targets of a job: each enabled profile of each address, in order of discovery. */
export function makeTargets(
  config: ScrapeConfig,
  groups: readonly TargetGroup[],
  relabel: Relabeling,
): TargetOutcome[] {
  return finishAtOnce(targetSteps(config, groups, relabel));
}

/** Like `makeTargets`, but with a step for each address. */
export function* targetSteps(
  config: ScrapeConfig,
  groups: readonly TargetGroup[],
  relabel: Relabeling,
): Steps<TargetOutcome[]> {
  const shared = new SharedLabels();
  const outcomes: TargetOutcome[] = [];
  for (const group of groups) {
    for (const target of group.targets) {
      for (const profile of config.profiles) {
        const found = [...group.labels, ...target];
        const labels = new Map(found.map(({ name, value }) => [name, value]));
        outcomes.push(createTarget(config, profile, labels, relabel, shared));
      }
      yield;
    }
  }
  return outcomes;
}

/**
 * Shares label objects between targets. This saves memory, because most labels of 100,000 targets
 * are equal.
 */
class SharedLabels {
  readonly #byName = new Map<string, Map<string, Label>>();

  /** Returns the shared label with this name and value. */
  get(name: string, value: string): Label {
    let byValue = this.#byName.get(name);
    if (byValue === undefined) this.#byName.set(name, (byValue = new Map()));
    let label = byValue.get(value);
    if (label === undefined) byValue.set(value, (label = { name, value }));
    return label;
  }
}

function createTarget(
  config: ScrapeConfig,
  profile: ScrapedProfile,
  labels: LabelMap,
  relabel: Relabeling,
  shared: SharedLabels,
): TargetOutcome {
  setDefaults(labels, config, profile);
  const discoveredLabels = toLabelSet(labels, () => true, shared);
  try {
    const rule = relabel(labels);
    if (rule !== undefined) {
      return { kind: 'dropped', discoveredLabels, why: droppedBy(config, rule) };
    }
    const target = finishTarget(config, profile, labels, discoveredLabels, shared);
    return { kind: 'target', target };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      kind: 'mistake',
      discoveredLabels,
      why: error.message,
      labels: toLabelSet(labels, isPublic, shared),
      url: writtenUrl(labels),
    };
  }
}

function droppedBy({ relabelRules }: ScrapeConfig, rule: number): string {
  return `dropped by relabel_configs[${rule}] (${relabelRules[rule].action})`;
}

/** Sets the default labels, which relabeling can read and change. */
function setDefaults(labels: LabelMap, config: ScrapeConfig, profile: ScrapedProfile): void {
  const setIfAbsent = (name: string, value: string): void => {
    if ((labels.get(name) ?? '') === '' && value !== '') labels.set(name, value);
  };
  setIfAbsent('job', config.jobName);
  setIfAbsent('__scheme__', config.scheme);
  setIfAbsent('__profile_path__', profile.path);
  setIfAbsent(profileNameLabel, profile.name);
  const seconds = profile.seconds ?? wholeSeconds(config.intervalMillis);
  if (profile.delta) setIfAbsent('__param_seconds', String(seconds));
  for (const [name, [value]] of config.params) setIfAbsent(`__param_${name}`, value ?? '');
}

function finishTarget(
  config: ScrapeConfig,
  profile: ScrapedProfile,
  labels: LabelMap,
  discoveredLabels: LabelSet,
  shared: SharedLabels,
): Target {
  const address = requireAddress(labels);
  if ((labels.get('instance') ?? '') === '') labels.set('instance', address);
  const profileName = labels.get(profileNameLabel) ?? '';
  if (profileName === '') {
    throw new AppError('invalid-argument', 'target has no profile name (__name__) left');
  }
  const url = scrapeUrl(config, labels, address);
  const publicLabels = toLabelSet(labels, isPublic, shared);
  const { limits, honorTimestamps, areFileAddresses } = config;
  checkLabels(publicLabels, limits);
  const { keepSampleTypes } = profile;
  const timing = readTiming(config, profile, labels);
  const indexUrl = findIndexUrl(profile, labels, url);
  const settings = JSON.stringify([
    profileName,
    url,
    keepSampleTypes,
    timing,
    honorTimestamps,
    indexUrl,
    limits.samples,
    limits.profileBytes,
    areFileAddresses,
  ]);
  return {
    job: config.jobName,
    discoveredLabels,
    labels: publicLabels,
    profileName,
    url,
    keepSampleTypes,
    ...timing,
    honorTimestamps,
    areFileAddresses,
    limits,
    indexUrl,
    key: hexMd5(labelSetKey(publicLabels) + settings),
  };
}

/**
 * Checks the limits for labels. Errors: AppError 'resource-exhausted' with the key of the limit.
 */
function checkLabels(labels: LabelSet, limits: ScrapeLimits): void {
  const check = (what: string, count: number, max: number, key: string): void => {
    if (max === 0 || count <= max) return;
    throw new AppError('resource-exhausted', `target has ${what}: ${count}, ${key} is ${max}`);
  };
  // As in Prometheus, the profile's name counts as a label.
  check('too many labels', labels.length + 1, limits.labels, 'label_limit');
  for (const { name, value } of labels) {
    const [nameBytes, valueBytes] = [Buffer.byteLength(name), Buffer.byteLength(value)];
    const { labelNameBytes, labelValueBytes } = limits;
    const shown = name.slice(0, shownCharactersMax);
    check(`a long label name ${shown}`, nameBytes, labelNameBytes, 'label_name_length_limit');
    check(`a long value of ${shown}`, valueBytes, labelValueBytes, 'label_value_length_limit');
  }
}

/** Returns the URL of the index page; "" if there is none, or if a rule has changed the path. */
function findIndexUrl({ indexPath, path }: ScrapedProfile, labels: LabelMap, url: string): string {
  if (indexPath === '' || labels.get('__profile_path__') !== path) return '';
  const index = new URL(url);
  index.pathname = indexPath;
  index.searchParams.delete('seconds');
  return detached(index.href);
}

function isPublic(name: string): boolean {
  return !name.startsWith('__');
}

function writtenUrl(labels: LabelMap): string {
  const part = (name: string): string => labels.get(name) ?? '';
  return `${part('__scheme__')}://${part('__address__')}${part('__profile_path__')}`;
}

function toLabelSet(
  labels: LabelMap,
  belongs: (name: string) => boolean,
  shared: SharedLabels,
): LabelSet {
  const entries = [...labels].filter(([name]) => belongs(name));
  return createLabelSet(entries.map(([name, value]) => shared.get(name, value)));
}

/** Returns `host:port`, with the scheme's default port if there is none. */
function requireAddress(labels: LabelMap): string {
  const given = labels.get('__address__') ?? '';
  if (given === '') throw new AppError('invalid-argument', 'target has no address (__address__)');
  const mistake = addressMistake(given);
  if (mistake !== undefined) throw new AppError('invalid-argument', mistake);
  return withPort(given, labels.get('__scheme__') === 'https' ? 443 : 80);
}

/** Builds the URL. Copies the parameters, so that targets do not share them. */
function scrapeUrl(config: ScrapeConfig, labels: LabelMap, address: string): string {
  const scheme = labels.get('__scheme__') ?? '';
  if (scheme !== 'http' && scheme !== 'https') {
    const quoted = JSON.stringify(scheme);
    throw new AppError('invalid-argument', `unknown scheme ${quoted}, expected http or https`);
  }
  const origin = `${scheme}://${address}`;
  const params = new Map([...config.params].map(([name, values]) => [name, [...values]]));
  for (const [label, value] of labels) {
    if (!label.startsWith('__param_')) continue;
    const name = label.slice('__param_'.length);
    params.set(name, [value, ...(params.get(name)?.slice(1) ?? [])]);
  }
  const url = new URL(origin);
  url.pathname = labels.get('__profile_path__') ?? '/';
  for (const [name, values] of params) {
    for (const value of values) url.searchParams.append(name, value);
  }
  // The URL is joined from its parts, because `URL` removes the scheme's default port, but the
  // address should be shown as configured.
  return detached(`${origin}${url.pathname}${url.search}`);
}

/** Returns an equal string that does not keep a larger string in memory. */
function detached(text: string): string {
  return Buffer.from(text).toString();
}

type Timing = Pick<Target, 'intervalMillis' | 'deadlineMillis' | 'backToBackMillis'>;

/**
 * Computes the times for a target. A delta profile is fetched back to back if its time span is at
 * least as long as the interval. If the timeout is shorter than the time span, it is added to the
 * time span; Parca requires a longer timeout instead.
 */
function readTiming(config: ScrapeConfig, profile: ScrapedProfile, labels: LabelMap): Timing {
  const { intervalMillis, timeoutMillis } = config;
  const spanMillis = Number(labels.get('__param_seconds') ?? 0) * 1000;
  if (!(spanMillis > 0)) {
    return { intervalMillis, deadlineMillis: timeoutMillis, backToBackMillis: undefined };
  }
  const coversSpan = timeoutMillis > spanMillis;
  const deadlineMillis = coversSpan ? timeoutMillis : spanMillis + timeoutMillis;
  const isGapless = profile.delta && spanMillis >= wholeSeconds(intervalMillis) * 1000;
  return { intervalMillis, deadlineMillis, backToBackMillis: isGapless ? spanMillis : undefined };
}

/** Rounds up or down to whole seconds, at least one, as targets require. */
function wholeSeconds(millis: number): number {
  return Math.max(1, Math.floor(millis / 1000));
}
