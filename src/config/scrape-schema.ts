// The schema of one entry of `scrape_configs`.
import type { RelabelRule } from '../model/relabel.ts';
import type { ScrapeConfig } from './config.ts';
import { discoveryFields, discoveryNotSupported, discoveryOf } from './discovery-schema.ts';
import { checkHttpClient, httpFields, httpNotSupported, readHttpClient } from './http-schema.ts';
import {
  boolean,
  duration,
  list,
  mapOf,
  nonEmptyText,
  oneOf,
  optional,
  record,
  refine,
  required,
  positiveDuration,
  text,
  type Reader,
} from './read.ts';
import type { Place } from './place.ts';
import { profilesByDefault, profiling } from './profiling-schema.ts';
import { relabelRule } from './relabel-schema.ts';
import { addressMistake } from './target-address.ts';

const intervalMillisDefault = 10_000;
/** Without scrape_timeout a scrape may take this much longer than the interval, as in Parca. */
const timeoutMarginMillis = 3_000;

const jobKeys = record(
  {
    job_name: required(nonEmptyText),
    scrape_interval: optional(positiveDuration, intervalMillisDefault),
    scrape_timeout: optional(duration, 0),
    scheme: optional(oneOf(['http', 'https']), 'http'),
    params: optional(mapOf(list(text)), new Map<string, readonly string[]>()),
    normalized_addresses: optional(boolean, false),
    profiling_config: optional(profiling, profilesByDefault),
    relabel_configs: optional(list(relabelRule), []),
    ...discoveryFields,
    ...httpFields,
  },
  [...discoveryNotSupported, ...httpNotSupported],
  ({ relabel_configs: rules }, place) => {
    checkHttpClient(place);
    if (rules !== undefined && !mayChangeTargets(rules)) checkTargets(place);
  },
);

/** Whether what is no address may become one, or be dropped. */
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
      // That it is empty or no text is said already.
      if (address === undefined || address === '') continue;
      const mistake = addressMistake(address);
      if (mistake !== undefined) target.report(mistake);
    }
  }
}

/** `scrape_configs[]`. */
export const scrapeConfig: Reader<ScrapeConfig> = refine(jobKeys, (job) => {
  return {
    jobName: job.job_name,
    intervalMillis: job.scrape_interval,
    timeoutMillis: job.scrape_timeout || job.scrape_interval + timeoutMarginMillis,
    scheme: job.scheme,
    params: job.params,
    profiles: job.profiling_config,
    relabelRules: job.relabel_configs,
    discovery: discoveryOf(job),
    http: readHttpClient(job),
  };
});
