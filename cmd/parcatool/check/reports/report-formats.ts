// Formats for the result of a check.
import type { Terminal } from '../../shared/terminal.ts';
import type { CheckResult } from '../check-sides.ts';
import { githubReport } from './github-report.ts';
import { jsonReport } from './json-report.ts';
import { junitReport } from './junit-report.ts';
import { markdownReport } from './markdown-report.ts';
import { sarifReport } from './sarif-report.ts';
import { textReport } from './text-report.ts';

/** Options for showing a result. */
export interface ReportLook {
  /** Maximum number of listed comparisons that passed. */
  readonly keptMax: number;
  readonly terminal: Terminal;
  readonly nowMillis: number;
  /** Version of this program. */
  readonly version: string;
}

type Writer = (result: CheckResult, look: ReportLook) => string;

const writers: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['text', (result, { keptMax, terminal }) => textReport(result, keptMax, terminal)],
  ['json', jsonReport],
  ['markdown', (result, { keptMax }) => markdownReport(result, keptMax)],
  ['junit', (result, { nowMillis }) => junitReport(result, nowMillis)],
  ['sarif', (result, { version }) => sarifReport(result, version)],
  ['github', githubReport],
]);

/** Returns the writer for a format; undefined if there is none. */
export function reportWriter(format: string): Writer | undefined {
  return writers.get(format);
}
