// The parameters of an export: what to select, and the format.
import { AppError } from '../base/errors.ts';
import { parseInstant } from '../base/instant.ts';
import { nearest } from '../base/nearest.ts';
import type { TimeRange } from '../storage/interface.ts';

/** What `format` may be; `pgo` has a path of its own. */
export const exportFormats = ['pprof', 'collapsed', 'speedscope', 'firefox'] as const;

export type ExportFormat = (typeof exportFormats)[number] | 'pgo';

export interface ExportRequest {
  readonly query: string;
  readonly range: TimeRange;
  readonly format: ExportFormat;
}

const defaults: Readonly<Record<string, string>> = {
  start: 'now-1h',
  end: 'now',
  format: 'pprof',
};

/**
 * Reads the parameters of `url`; the last hour as pprof by default. `format` is what the path
 * says, undefined where the parameter of that name does.
 *
 * Errors: AppError 'invalid-argument' for names that are unknown or come twice, and wrong values.
 */
export function readExportRequest(
  url: string,
  nowMillis: number,
  format: ExportFormat | undefined,
): ExportRequest {
  const names = ['query', 'start', 'end', ...(format === undefined ? ['format'] : [])];
  const given = readParameters(url, names);
  const query = given.get('query') ?? '';
  if (query === '') throw invalid('query: cannot be blank.');
  const value = (name: string): string => given.get(name) ?? defaults[name];
  const range = {
    from: readTime('start', value('start'), nowMillis),
    to: readTime('end', value('end'), nowMillis),
  };
  if (range.from > range.to) throw invalid('start timestamp must be before end');
  return { query, range, format: format ?? readFormat(value('format')) };
}

/**
 * The parameters of a URL; each of `names` at most once.
 *
 * Errors: AppError 'invalid-argument'.
 */
export function readParameters(url: string, names: readonly string[]): Map<string, string> {
  const given = new Map<string, string>();
  const mark = url.indexOf('?');
  const parameters = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  for (const [name, value] of parameters) {
    if (!names.includes(name)) {
      const near = nearest(name, names);
      const hint = near === undefined ? `known are ${names.join(', ')}` : `did you mean ${near}?`;
      throw invalid(`unknown parameter ${JSON.stringify(name)}: ${hint}`);
    }
    if (given.has(name)) throw invalid(`too many values for parameter ${name}`);
    given.set(name, value);
  }
  return given;
}

/** A time as people write it. Errors: AppError 'invalid-argument' naming the parameter. */
export function readTime(name: string, text: string, nowMillis: number): bigint {
  try {
    return parseInstant(text, nowMillis);
  } catch (error) {
    if (error instanceof AppError) throw invalid(`${name}: ${error.message}`);
    throw error;
  }
}

function readFormat(text: string): ExportFormat {
  const format = exportFormats.find((one) => one === text);
  if (format !== undefined) return format;
  throw invalid(`format: must be ${exportFormats.join(', ')}, not ${JSON.stringify(text)}`);
}

function invalid(message: string): AppError {
  return new AppError('invalid-argument', message);
}
