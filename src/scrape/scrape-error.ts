// The error of a failed scrape, and its reason.
import { AppError, type AppErrorOptions, type ErrorCode } from '../base/errors.ts';

/** Reason of a failed scrape; the value of the label `reason` of parca_scrape_failures_total. */
export type ScrapeFailure =
  | 'credentials'
  | 'connect'
  | 'deadline'
  | 'redirect'
  | 'status'
  | 'html'
  | 'too-large'
  | 'empty'
  | 'encoding'
  | 'memory'
  | 'write';

const codes: Readonly<Record<ScrapeFailure, ErrorCode>> = {
  credentials: 'failed-precondition',
  connect: 'unavailable',
  deadline: 'deadline-exceeded',
  redirect: 'failed-precondition',
  status: 'failed-precondition',
  html: 'invalid-argument',
  'too-large': 'resource-exhausted',
  empty: 'invalid-argument',
  encoding: 'invalid-argument',
  memory: 'resource-exhausted',
  write: 'internal',
};

/** A failed scrape. */
export class ScrapeError extends AppError {
  override readonly name = 'ScrapeError';
  readonly reason: ScrapeFailure;

  constructor(reason: ScrapeFailure, why: string, options?: AppErrorOptions) {
    super(codes[reason], `cannot scrape target: ${why}`, options);
    this.reason = reason;
  }
}
