// The formats of the result of a check.
import type { Terminal } from '../../shared/terminal.ts';
import type { CheckResult } from '../check-sides.ts';
import { jsonReport } from './json-report.ts';
import { textReport } from './text-report.ts';

export const reportFormats = ['text', 'json'] as const;

export type ReportFormat = (typeof reportFormats)[number];

/** Way to show a result. */
export interface ReportLook {
  /** Number of comparisons that passed to list at most. */
  readonly keptMax: number;
  readonly terminal: Terminal;
}

const writers: Readonly<Record<ReportFormat, (result: CheckResult, look: ReportLook) => string>> = {
  text: (result, { keptMax, terminal }) => textReport(result, keptMax, terminal),
  json: jsonReport,
};

/** Writes the result in a format. */
export function writeReport(format: ReportFormat, result: CheckResult, look: ReportLook): string {
  return writers[format](result, look);
}
