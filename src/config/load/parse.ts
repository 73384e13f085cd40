// Parses parca.yaml into a Config, and reports all mistakes in it.
import { AppError } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { createLabelSet } from '../../model/labels.ts';
import { type Config, noAlerting, type RuleDefaults, type ScrapeConfig } from '../config.ts';
import { parseDebuginfodServer } from '../debuginfod-server.ts';
import { ConfigDocument, ConfigError, formatProblem, readConfigText } from '../schema/document.ts';
import type { Environment } from '../expand-environment.ts';
import { filePattern, matchingFiles } from '../schema/file-pattern.ts';
import { alerting } from '../schema/alerting-schema.ts';
import { findings, findingsDefault } from '../schema/findings-schema.ts';
import { remoteWrites } from '../schema/remote-write-schema.ts';
import { sourceLinks } from '../schema/source-links-schema.ts';
import type { DiscoverySchema } from '../schema/discovery-schema.ts';
import { objectStorage } from '../schema/object-storage-schema.ts';
import type { ConfigProblem, Place } from '../schema/place.ts';
import {
  type Field,
  list,
  nonEmptyText,
  optional,
  type Reader,
  record,
  refine,
  reportTaken,
} from '../schema/read.ts';
import {
  globalDefaults,
  type GlobalKeys,
  scrapeConfig,
  type UnfinishedJob,
} from '../schema/scrape-schema.ts';

/**
 * Parses a complete profile type, or the beginning of one.
 *
 * Errors: AppError 'invalid-argument'.
 */
function parseTypePattern(text: string): string {
  const parts = text.split(':');
  // The type and unit of the period may be empty in a complete type, but not in a beginning.
  const named = parts.length > 4 ? parts.slice(0, 3) : parts;
  if (parts.length <= 6 && named.every((part) => part !== '')) return text;
  const wanted = 'a name, a name and a sample type (process_cpu:wall), a whole type, or "*"';
  throw new AppError('invalid-argument', `cannot use ${JSON.stringify(text)}: expected ${wanted}`);
}

/** The content of one file, without the jobs of other files. */
interface Content extends Omit<Config, 'file' | 'shown' | 'warnings'> {
  readonly globals: Partial<GlobalKeys>;
}

/** Interval between evaluations of rules, if the config has none; the same as in Prometheus. */
const ruleIntervalMillisDefault = 60_000;
const ruleDefaults: RuleDefaults = {
  intervalMillis: ruleIntervalMillisDefault,
  offsetMillis: 0,
};

const nothing: Content = {
  ruleFiles: [],
  ruleDefaults,
  alerting: noAlerting,
  remoteWrite: [],
  findings: findingsDefault,
  sourceLinks: [],
  objectStorage: undefined,
  debuginfodServers: undefined,
  dropSampleTimes: [],
  globals: {},
  externalLabels: [],
  scrapeConfigFiles: [],
  scrapeConfigs: [],
  namesJobs: false,
};

const noGlobals: Partial<GlobalKeys> = {};
function jobs(kinds: readonly DiscoverySchema[]): Field<readonly UnfinishedJob[]> {
  return optional(list(scrapeConfig(kinds)), []);
}

function readContent(kinds: readonly DiscoverySchema[]): Reader<Content> {
  return refine(
    record(
      {
        object_storage: optional(objectStorage, undefined),
        debuginfod_upstream_servers: optional(
          list(refine(nonEmptyText, parseDebuginfodServer)),
          undefined,
        ),
        drop_sample_times: optional(list(refine(nonEmptyText, parseTypePattern)), []),
        global: optional(globalDefaults, noGlobals),
        rule_files: optional(list(filePattern(['yml', 'yaml'])), []),
        alerting: optional(alerting(kinds), noAlerting),
        remote_write: remoteWrites,
        findings,
        source_links: sourceLinks,
        scrape_config_files: optional(list(filePattern(['yml', 'yaml'])), []),
        scrape_configs: jobs(kinds),
      },
      [],
      (_given, place) => {
        refuseDuplicateJobs(place, new Set());
        reportTaken(place.find('remote_write'), 'url', new Set(), (url, item) =>
          item.at('url').report(`an entry has this address already: ${url}`),
        );
      },
    ),
    (keys, place) => ({
      objectStorage: keys.object_storage,
      debuginfodServers: keys.debuginfod_upstream_servers,
      dropSampleTimes: keys.drop_sample_times,
      globals: keys.global,
      externalLabels: createLabelSet(
        [...(keys.global.external_labels ?? [])].map(([name, value]) => ({ name, value })),
      ),
      ruleFiles: keys.rule_files,
      ruleDefaults: {
        intervalMillis: keys.global.evaluation_interval ?? ruleDefaults.intervalMillis,
        offsetMillis: keys.global.rule_query_offset ?? ruleDefaults.offsetMillis,
      },
      alerting: keys.alerting,
      remoteWrite: keys.remote_write,
      findings: keys.findings,
      sourceLinks: keys.source_links,
      scrapeConfigFiles: keys.scrape_config_files,
      scrapeConfigs: keys.scrape_configs.map((finish) => finish(keys.global)),
      namesJobs:
        place.find('scrape_configs')?.isEmpty() === false || keys.scrape_config_files.length > 0,
    }),
  );
}

/**
 * Parses one config file, without the files that it names. `file` is its name in messages; names in
 * the file are relative to it. `kinds` are the supported ways to find targets. If `environment` is
 * given, variables are replaced.
 *
 * Errors: ConfigError with all mistakes in the file.
 */
export function parseConfig(
  text: string,
  file: string,
  kinds: readonly DiscoverySchema[],
  environment?: Environment,
): Config {
  const document = newDocument(text, file, kinds, environment);
  const { globals: _, ...content } = document.content();
  const warnings = document.warnings.map(formatProblem);
  return { file, ...content, warnings, shown: [{ file, yaml: document.shown() }] };
}

/**
 * Parses a config file together with the jobs of its `scrape_config_files`, and checks the other
 * files that any of them names.
 *
 * Errors: ConfigError with all mistakes; AppErrors of readConfigText and of listing folders.
 */
export async function checkConfig(
  text: string,
  file: string,
  files: Pick<Files, 'list' | 'read'>,
  kinds: readonly DiscoverySchema[],
  environment?: Environment,
): Promise<Config> {
  const document = newDocument(text, file, kinds, environment);
  await document.checkFiles(files);
  const { globals, ...content } = document.content();
  const names = new Set(content.scrapeConfigs.map(({ jobName }) => jobName));
  const moreJobs = refine(
    record({ scrape_configs: jobs(kinds) }, [], (_given, place) =>
      refuseDuplicateJobs(place, names),
    ),
    ({ scrape_configs: found }) => found.map((finish) => finish(globals)),
  );
  const problems: ConfigProblem[] = [];
  const more: ScrapeConfig[] = [];
  const warnings = [...document.warnings];
  const shown = [{ file, yaml: document.shown() }];
  for (const path of await namedFiles(content.scrapeConfigFiles, files)) {
    const jobText = await readConfigText(path, 'config file', files);
    const other = new ConfigDocument(jobText, path, moreJobs, [], environment);
    await other.checkFiles(files);
    try {
      more.push(...other.content());
      warnings.push(...other.warnings);
      shown.push({ file: path, yaml: other.shown() });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    file,
    ...content,
    shown,
    warnings: warnings.map(formatProblem),
    scrapeConfigs: [...content.scrapeConfigs, ...more],
  };
}

function newDocument(
  text: string,
  file: string,
  kinds: readonly DiscoverySchema[],
  environment: Environment | undefined,
): ConfigDocument<Content> {
  return new ConfigDocument(text, file, readContent(kinds), nothing, environment);
}

/** Returns the files that match any of the patterns, without duplicates. */
export async function namedFiles(
  patterns: readonly string[],
  files: Pick<Files, 'list'>,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const pattern of patterns) paths.push(...(await matchingFiles(pattern, files)));
  return [...new Set(paths)];
}

/** Reports jobs whose names are already in `taken`, and adds the names of all other jobs to it. */
function refuseDuplicateJobs(place: Place, taken: Set<string>): void {
  reportTaken(place.find('scrape_configs'), 'job_name', taken, (jobName, job) =>
    job.report(`duplicate job_name found in scrape configs: ${jobName}`),
  );
}
