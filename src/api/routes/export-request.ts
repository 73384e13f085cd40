// Parameters of an export: the selection and the format.
import type { TimeRange } from '../../storage/interface.ts';
import {
  readChoice,
  readParameters,
  readQueryText,
  readRange,
} from '../transport/http/parameters.ts';

/** Values of `format`; `pgo` has its own path. */
export const exportFormats = ['pprof', 'collapsed', 'speedscope', 'firefox'] as const;

export type ExportFormat = (typeof exportFormats)[number] | 'pgo';

export interface ExportRequest {
  readonly query: string;
  readonly range: TimeRange;
  readonly format: ExportFormat;
}

/**
 * Parses the parameters of `url`; the default is the last hour as pprof. `format` is set by the
 * path; if undefined, by the parameter `format`.
 *
 * Errors: AppError 'invalid-argument' for unknown or repeated names, and for wrong values.
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
