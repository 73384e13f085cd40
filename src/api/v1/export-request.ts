// The parameters of an export: what to select, and the format.
import type { TimeRange } from '../../storage/interface.ts';
import { readChoice, readParameters, readQueryText, readRange } from './parameters.ts';

/** What `format` may be; `pgo` has a path of its own. */
export const exportFormats = ['pprof', 'collapsed', 'speedscope', 'firefox'] as const;

export type ExportFormat = (typeof exportFormats)[number] | 'pgo';

export interface ExportRequest {
  readonly query: string;
  readonly range: TimeRange;
  readonly format: ExportFormat;
}

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
  const query = readQueryText(given);
  const range = readRange(given, nowMillis);
  return { query, range, format: format ?? readChoice(given, 'format', exportFormats) };
}
