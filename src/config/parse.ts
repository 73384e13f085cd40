// Parses parca.yaml to a Config, or reports all that is wrong with it.
import type { Files } from '../base/files.ts';
import type { Config } from './config.ts';
import { parseDebuginfodServer } from './debuginfod-server.ts';
import { ConfigDocument } from './document.ts';
import { objectStorage } from './object-storage-schema.ts';
import type { Place } from './place.ts';
import { list, nonEmptyText, optional, type Reader, record, refine } from './read.ts';
import { globalDefaults, scrapeConfig } from './scrape-schema.ts';

type Content = Omit<Config, 'file'>;

const nothing: Content = {
  ...{ objectStorage: undefined, debuginfodServers: undefined, scrapeConfigs: [] },
};

const root: Reader<Content> = refine(
  record(
    {
      object_storage: optional(objectStorage, undefined),
      debuginfod_upstream_servers: optional(
        list(refine(nonEmptyText, parseDebuginfodServer)),
        undefined,
      ),
      global: optional(globalDefaults, {}),
      scrape_configs: optional(list(scrapeConfig), []),
    },
    [],
    (_given, place) => refuseDuplicateJobs(place),
  ),
  (keys) => ({
    objectStorage: keys.object_storage,
    debuginfodServers: keys.debuginfod_upstream_servers,
    scrapeConfigs: keys.scrape_configs.map((finish) => finish(keys.global)),
  }),
);

/**
 * Parses a config file. `file` is its name for messages; file names inside are relative to it.
 *
 * Errors: ConfigError with everything that is wrong, as far as the text tells.
 */
export function parseConfig(text: string, file: string): Config {
  return { file, ...new ConfigDocument(text, file, root, nothing).content() };
}

/**
 * The same, and looks at the files that the config names.
 *
 * Errors: ConfigError with everything that is wrong.
 */
export async function checkConfig(
  text: string,
  file: string,
  files: Pick<Files, 'read'>,
): Promise<Config> {
  const document = new ConfigDocument(text, file, root, nothing);
  await document.checkFiles(files);
  return { file, ...document.content() };
}

function refuseDuplicateJobs(place: Place): void {
  const seen = new Set<string>();
  for (const job of place.find('scrape_configs')?.items() ?? []) {
    const jobName = job.find('job_name')?.scalar()?.text;
    if (jobName === undefined) continue;
    if (seen.has(jobName)) {
      job.report(`duplicate job_name found in scrape configs: ${jobName}`);
    }
    seen.add(jobName);
  }
}
