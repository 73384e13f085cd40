// Clock, files and environment variables that logins use.
import type { Clock } from '../../base/clock.ts';
import type { Files } from '../../base/files.ts';

export interface LoginContext {
  readonly clock: Clock;
  readonly files: Pick<Files, 'read'>;
  /** Environment variables of the process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}
