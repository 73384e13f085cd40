// The schema of one entry of `scrape_configs`.
import type { RelabelRule } from '../../model/relabel.ts';
import type { ScrapeConfig } from '../config.ts';
import {
  discoveryFields,
  discoveryNotSupported,
  readDiscovery,
  type DiscoverySchema,
} from './discovery-schema.ts';
import { checkHttpClient, httpFields, alwaysOff, readHttpClient } from './http-schema.ts';
import {
  boolean,
  byteSize,
  duration,
  integer,
  labelNameMistake,
  list,
  readMap,
  nonEmptyText,
  readWord,
  optional,
  record,
  refine,
  required,
  positiveDuration,
  text,
  type Reader,
  type RecordOf,
} from './read.ts';
import type { Place } from './place.ts';
import { profilesByDefault, profiling } from './profiling-schema.ts';
import { relabelRule } from './relabel-schema.ts';
import { addressMistake } from '../target-address.ts';

const intervalMillisDefault = 10_000;

const countMax = 1_000_000_000;
const limit = optional(integer(0, countMax), undefined);

/** Keys that a job inherits from `global` if they are missing in the job. */
const inheritedFields = {
  scrape_interval: optional(positiveDuration, undefined),
  scrape_timeout: optional(duration, undefined),
  sample_limit: limit,
  body_size_limit: optional(byteSize, undefined),
  target_limit: limit,
  keep_dropped_targets: limit,
  label_limit: limit,
  label_name_length_limit: limit,
  label_value_length_limit: limit,
};

/**
 * Time by which a scrape may take longer than its interval if there is no scrape_timeout, as in
 * Parca.
 */
const timeoutMarginMillis = 3_000;

const jobFields = {
  job_name: required(nonEmptyText),
  ...inheritedFields,
  honor_timestamps: optional(boolean, true),
  honor_labels: optional(
    alwaysOff('labels of samples never replace those of the series, they get exported_ in front'),
    false,
  ),
  scheme: optional(readWord(['http', 'https']), 'http'),
  params: optional(readMap(list(text)), new Map<string, readonly string[]>()),
  normalized_addresses: optional(boolean, false),
  profiling_config: optional(profiling, profilesByDefault),
  relabel_configs: optional(list(relabelRule), []),
};

function readJobKeys(kinds: readonly DiscoverySchema[]): Reader<JobKeys> {
  return record(
    { ...jobFields, ...discoveryFields(kinds), ...httpFields },
    discoveryNotSupported,
    checkJob,
  );
}
type JobKeys = RecordOf<typeof jobFields & typeof httpFields>;

function checkJob({ relabel_configs: rules }: Partial<JobKeys>, place: Place): void {
  checkHttpClient(place);
  if (rules !== undefined && !mayChangeTargets(rules)) checkTargets(place);
  if (!hasTargets(place)) {
    place
      .at('job_name')
      .warn('the job has no targets: static_configs and *_sd_configs are missing or empty');
  }
}

/** Returns true if a job lists targets, or has a way to find targets. */
function hasTargets(place: Place): boolean {
  const isListed = (groups: Place): boolean =>
    groups.items()?.some((group) => (group.find('targets')?.items() ?? []).length > 0) === true;
  return (place.entries() ?? []).some(({ key, place: at }) =>
    key === 'static_configs'
      ? isListed(at)
      : key.endsWith('_sd_configs') && !at.isEmpty() && at.items()?.length !== 0,
  );
}

/** Returns true if the rules may drop a target with an invalid address, or change the address. */
function mayChangeTargets(rules: readonly RelabelRule[]): boolean {
  return rules.some(({ action, targetLabel }) => {
    const setsLabel = action === 'replace' || action === 'hashmod' || action.endsWith('case');
    return !setsLabel || targetLabel === '__address__' || targetLabel.includes('$');
  });
}

function checkTargets(place: Place): void {
  for (const group of place.find('static_configs')?.items() ?? []) {
    for (const target of group.find('targets')?.items() ?? []) {
      const address = target.isEmpty() ? undefined : target.scalar()?.text;
      // An address that is empty or not a string has already been reported.
      if (address === undefined || address === '') continue;
      const mistake = addressMistake(address);
      if (mistake !== undefined) target.report(mistake);
    }
  }
}

const globalKeys = record(
  {
    ...inheritedFields,
    external_labels: optional(readMap(text, labelNameMistake), undefined),
    evaluation_interval: optional(positiveDuration, undefined),
    rule_query_offset: optional(duration, undefined),
  },
  ['query_log_file', 'scrape_protocols'],
);
export type GlobalKeys = Exclude<ReturnType<typeof globalKeys>, symbol>;
type InheritedKeys = Omit<
  GlobalKeys,
  'external_labels' | 'evaluation_interval' | 'rule_query_offset'
>;

/** Schema of `global`. */
export const globalDefaults: Reader<Partial<GlobalKeys>> = globalKeys;

/** Function that completes a job with the keys of `global`. */
export type UnfinishedJob = (globals: Partial<GlobalKeys>) => ScrapeConfig;

/** Returns the schema of an entry of `scrape_configs`; missing keys are taken from `global`. */
export function scrapeConfig(kinds: readonly DiscoverySchema[]): Reader<UnfinishedJob> {
  return refine(
    readJobKeys(kinds),
    (job) => (globals) => finishJob(job, readDiscovery(job, kinds), globals),
  );
}

function finishJob(
  job: JobKeys,
  discovery: ScrapeConfig['discovery'],
  globals: Partial<GlobalKeys>,
): ScrapeConfig {
  const intervalMillis = job.scrape_interval ?? globals.scrape_interval ?? intervalMillisDefault;
  // As in Prometheus, a default timeout that is longer than the interval is shortened to the
  // interval.
  const globalTimeout = Math.min(globals.scrape_timeout ?? 0, intervalMillis);
  const findLimit = (key: Exclude<keyof InheritedKeys, 'scrape_interval' | 'scrape_timeout'>) =>
    job[key] ?? globals[key] ?? 0;
  return {
    jobName: job.job_name,
    isShared: true,
    intervalMillis,
    timeoutMillis:
      (job.scrape_timeout ?? 0) || globalTimeout || intervalMillis + timeoutMarginMillis,
    scheme: job.scheme,
    params: job.params,
    profiles: job.profiling_config,
    relabelRules: job.relabel_configs,
    discovery,
    http: readHttpClient(job),
    honorTimestamps: job.honor_timestamps,
    areFileAddresses: job.normalized_addresses,
    limits: {
      samples: findLimit('sample_limit'),
      profileBytes: findLimit('body_size_limit'),
      targets: findLimit('target_limit'),
      droppedTargets: findLimit('keep_dropped_targets'),
      labels: findLimit('label_limit'),
      labelNameBytes: findLimit('label_name_length_limit'),
      labelValueBytes: findLimit('label_value_length_limit'),
    },
  };
}
