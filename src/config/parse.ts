// Text of parca.yaml to Config, or all that is wrong with it.
import { LineCounter, parseDocument } from 'yaml';
import { AppError } from '../base/errors.ts';
import type { Config, ScrapeConfig } from './config.ts';
import { objectStorage } from './object-storage-schema.ts';
import { Place } from './place.ts';
import type { ConfigProblem, ConfigSource } from './place.ts';
import { invalid, list, optional, record } from './read.ts';
import { scrapeConfig } from './scrape-schema.ts';

/** Problems shown of one file; the first ones explain the others. */
const shownProblemsMax = 20;

/** A config file with problems; the message has a line for each: `file:line:column: path: what`. */
export class ConfigError extends AppError {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.slice(0, shownProblemsMax).map(formatProblem);
    const hidden = problems.length - lines.length;
    if (hidden > 0) lines.push(`and ${hidden} more`);
    super('invalid-argument', lines.join('\n'));
    this.problems = problems;
  }
}

function formatProblem({ file, line, column, path, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`;
}

const root = record({
  object_storage: optional(objectStorage, undefined),
  scrape_configs: optional(list(scrapeConfig), [] as readonly ScrapeConfig[]),
});

/**
 * Parses a config file. `file` is its name for messages; file names inside are relative to it.
 *
 * Errors: ConfigError with everything that is wrong.
 */
export function parseConfig(text: string, file: string): Config {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const source: ConfigSource = { file, document, lines, problems: [] };
  const place = new Place(source, '', document.contents, 0);
  for (const { code, message, pos } of document.errors) {
    place.report(code === 'MULTIPLE_DOCS' ? 'expected a single YAML document' : message, pos[0]);
  }
  if (source.problems.length > 0) throw new ConfigError(source.problems);
  const keys = place.isEmpty() ? { object_storage: undefined, scrape_configs: [] } : root(place);
  if (keys !== invalid) refuseDuplicateJobs(place, keys.scrape_configs);
  if (keys === invalid || source.problems.length > 0) throw new ConfigError(inOrder(source));
  return { file, objectStorage: keys.object_storage, scrapeConfigs: keys.scrape_configs };
}

/** By place, each once: what aliases and merges stand for is read wherever they are. */
function inOrder({ problems }: ConfigSource): ConfigProblem[] {
  const unique = new Map(problems.map((problem) => [formatProblem(problem), problem]));
  return [...unique.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

function refuseDuplicateJobs(place: Place, jobs: readonly ScrapeConfig[]): void {
  const jobPlaces =
    place
      .entries()
      ?.find(({ key }) => key === 'scrape_configs')
      ?.place.items() ?? [];
  const seen = new Set<string>();
  jobs.forEach(({ jobName }, i) => {
    const message = `duplicate job_name found in scrape configs: ${jobName}`;
    if (seen.has(jobName)) jobPlaces[i]?.report(message);
    seen.add(jobName);
  });
}
