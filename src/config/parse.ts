// Parses parca.yaml to a Config, or reports all that is wrong with it.
import { LineCounter, parseDocument } from 'yaml';
import { AppError } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import type { Config, ScrapeConfig } from './config.ts';
import { parseDebuginfodServer } from './debuginfod-server.ts';
import { objectStorage } from './object-storage-schema.ts';
import { Place, type ConfigProblem, type ConfigSource } from './place.ts';
import { invalid, list, nonEmptyText, optional, record, refine } from './read.ts';
import { scrapeConfig } from './scrape-schema.ts';

/** A config file with problems; the message has a line for each: `file:line:column: path: what`. */
export class ConfigError extends AppError {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super('invalid-argument', problems.map(formatProblem).join('\n'));
    this.problems = problems;
  }
}

function formatProblem({ file, line, column, path, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`;
}

const root = record({
  object_storage: optional(objectStorage, undefined),
  debuginfod_upstream_servers: optional(
    list(refine(nonEmptyText, parseDebuginfodServer)),
    undefined,
  ),
  scrape_configs: optional(list(scrapeConfig), [] as readonly ScrapeConfig[]),
});

/**
 * Parses a config file. `file` is its name for messages; file names inside are relative to it.
 *
 * Errors: ConfigError with everything that is wrong, as far as the text tells.
 */
export function parseConfig(text: string, file: string): Config {
  const { config, source } = read(text, file);
  return goodConfig(config, source);
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
  const { config, source } = read(text, file);
  for (const check of source.later) await check(files);
  return goodConfig(config, source);
}

function goodConfig(config: Config | undefined, source: ConfigSource): Config {
  if (config === undefined || source.problems.length > 0) throw new ConfigError(inOrder(source));
  return config;
}

/** Mistakes in the YAML after which the rest still says what was meant. */
const harmlessMistakes = new Set(['DUPLICATE_KEY']);

function read(
  text: string,
  file: string,
): { readonly config: Config | undefined; readonly source: ConfigSource } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const source: ConfigSource = { file, document, lines, problems: [], later: [] };
  const place = new Place(source, '', document.contents, 0);
  for (const { code, message, pos } of document.errors) {
    place.report(code === 'MULTIPLE_DOCS' ? 'expected a single YAML document' : message, pos[0]);
  }
  if (document.errors.some(({ code }) => !harmlessMistakes.has(code))) {
    return { config: undefined, source };
  }
  if (place.isEmpty()) {
    const nothing = { objectStorage: undefined, debuginfodServers: undefined, scrapeConfigs: [] };
    return { config: { file, ...nothing }, source };
  }
  const keys = root(place);
  refuseDuplicateJobs(place);
  if (keys === invalid) return { config: undefined, source };
  const config = {
    ...{ file, objectStorage: keys.object_storage },
    debuginfodServers: keys.debuginfod_upstream_servers,
    scrapeConfigs: keys.scrape_configs,
  };
  return { config, source };
}

/** Sorts by place, each problem once: targets of aliases and merges are read at each use. */
function inOrder({ problems }: ConfigSource): ConfigProblem[] {
  const unique = new Map(problems.map((problem) => [formatProblem(problem), problem]));
  return [...unique.values()].sort((a, b) => a.line - b.line || a.column - b.column);
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
