// Reloads the config: a new config is applied completely or not at all.
import type { Clock } from '../base/clock.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Config, ShownFile } from './config.ts';

/**
 * Function that applies a config to a component. If the component cannot use it, the promise
 * rejects and the component keeps the previous config.
 */
export type ApplyConfig = (config: Config) => Promise<void>;

/** Loads the config and applies it to every component. */
export interface Reloader {
  /**
   * Loads and applies the config. Calls that are made during a reload share the next reload. If a
   * component refuses the config, the components that already use it get the last good config
   * again.
   *
   * Errors: AppErrors of loading and applying; the last good config stays in use.
   */
  reload(): Promise<void>;
}

/**
 * Creates a reloader. The start of the program is the first to call `reload`; later, the caller
 * does so on a signal or an HTTP request.
 */
export function createReloader(options: {
  readonly load: () => Promise<Config>;
  readonly apply: readonly ApplyConfig[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}): Reloader {
  const { load, apply, clock, logger, metrics } = options;
  const successful = metrics.gauge(
    'parca_config_last_reload_successful',
    'Whether the last configuration reload attempt was successful.',
  );
  const successTime = metrics.gauge(
    'parca_config_last_reload_success_timestamp_seconds',
    'Timestamp of the last successful configuration reload.',
  );
  let lastGood: Config | undefined;
  let queue: Promise<void> = Promise.resolve();

  const once = async (): Promise<void> => {
    try {
      const config = await load();
      if (lastGood !== undefined) refuseCutOff(config, lastGood);
      else if (config.shown.some(isEmpty)) {
        logger.warn('the config file is empty: nothing is scraped', { file: config.file });
      }
      for (const warning of config.warnings) logger.warn('config', { at: warning });
      await applyAll(apply, config, lastGood, logger);
      lastGood = config;
      successful.set(1);
      successTime.set(clock.nowMillis() / 1000);
      logger.info('config loaded', { file: config.file, jobs: config.scrapeConfigs.length });
    } catch (error) {
      successful.set(0);
      logger.error('cannot load config, the last one stays', { error: errorMessage(error) });
      throw error;
    }
  };
  return {
    reload(): Promise<void> {
      const run = queue.then(once);
      queue = run.catch(() => undefined);
      return run;
    },
  };
}

/**
 * Refuses files that are empty or end before the list of jobs. An editor may be writing them: a
 * file that is written in place is truncated for a moment. Errors: AppError 'failed-precondition'.
 */
function refuseCutOff(config: Config, lastGood: Config): void {
  const before = new Set(lastGood.shown.filter((one) => !isEmpty(one)).map(({ file }) => file));
  const empty = config.shown.find((one) => isEmpty(one) && before.has(one.file));
  const isCutOff = lastGood.scrapeConfigs.length > 0 && config.scrapeConfigs.length === 0;
  const file = empty?.file ?? (isCutOff && !config.namesJobs ? config.file : undefined);
  if (file === undefined) return;
  const what = empty === undefined ? 'it has no scrape_configs' : 'it is empty';
  throw new AppError(
    'failed-precondition',
    `cannot use config file ${file}: ${what}; scrape_configs: [] would mean that nothing is scraped`,
  );
}

function isEmpty({ yaml }: ShownFile): boolean {
  return yaml.trim() === '';
}

async function applyAll(
  apply: readonly ApplyConfig[],
  config: Config,
  lastGood: Config | undefined,
  logger: Logger,
): Promise<void> {
  let applied = 0;
  try {
    for (const applyOne of apply) {
      await applyOne(config);
      applied += 1;
    }
  } catch (error) {
    if (lastGood !== undefined) await restore(apply.slice(0, applied), lastGood, logger);
    throw error;
  }
}

async function restore(
  apply: readonly ApplyConfig[],
  config: Config,
  logger: Logger,
): Promise<void> {
  for (const applyOne of apply.toReversed()) {
    try {
      await applyOne(config);
    } catch (error) {
      logger.error('cannot go back to the last config', { error: errorMessage(error) });
    }
  }
}
