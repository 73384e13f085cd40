// Opens the web config file: TLS and logins of the server.
import { resolve } from 'node:path';
import { isLoopback } from '../../src/api/auth/hosts.ts';
import type { Api } from '../../src/api/interface.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Files } from '../../src/base/files.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Metrics } from '../../src/base/metrics.ts';
import { askThread } from '../../src/base/threads/ask-thread.ts';
import { loadWebConfig } from '../../src/config/web/load-web.ts';
import { WebConfigWatch } from '../../src/config/web/web-config-watch.ts';
import {
  asksForCredentials,
  openWebConfig,
  verifiesClients,
  type WebConfig,
} from '../../src/config/web/web-config.ts';

const passwordScript = new URL('./workers/password-worker.ts', import.meta.url);

/**
 * Compares a password with a bcrypt hash. It does so in a thread, because this takes a tenth of a
 * second.
 */
export function checkPassword(password: string, hash: string): Promise<boolean> {
  const thread = {
    script: passwordScript,
    name: 'password',
    task: 'check password',
    whyCancelled: '',
  };
  return askThread<boolean>(thread, { password, hash }, new AbortController().signal);
}

/** Clock, disk and log. */
interface Machine {
  readonly clock: Clock;
  readonly files: Files;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Loads the file at `path`; "" = no login. Errors: as in loadWebConfig. */
export async function readWebConfig(path: string, files: Files): Promise<WebConfig> {
  return path === '' ? openWebConfig : loadWebConfig(resolve(path), files);
}

/**
 * Applies later changes of the file to `api`, and logs a warning if everyone on the network can
 * connect. Returns undefined if there is no file.
 */
export function watchWebConfig(
  machine: Machine,
  path: string,
  api: Api,
  first: WebConfig,
): WebConfigWatch | undefined {
  const { clock, files, logger, metrics } = machine;
  if (!asksForCredentials(first) && !verifiesClients(first) && !isLoopback(api.host)) {
    const why = 'anybody who reaches this port may read and write profiles';
    logger.warn(`${why}: see docs/security.md`, { address: `${api.host}:${api.port}` });
  }
  if (path === '') return undefined;
  return new WebConfigWatch({
    load: () => loadWebConfig(resolve(path), files),
    apply: (config) => api.applyWebConfig(config),
    first,
    clock,
    logger,
    metrics,
  });
}
