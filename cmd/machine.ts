// Real clock, disk, randomness, log and metrics of a program.
import { watchClock } from '../src/base/clock-watch.ts';
import { createLogger, type Logger, type LogLevel } from '../src/base/logger.ts';
import { createClock } from '../src/base/node/clock.ts';
import { createFiles } from '../src/base/node/files.ts';
import { createRandom } from '../src/base/node/random.ts';
import { createMetricsRegistry, type MetricsRegistry } from '../src/telemetry/metrics.ts';
import type { BuildInfo } from './build-info.ts';

export interface Machine {
  readonly clock: ReturnType<typeof createClock>;
  readonly files: ReturnType<typeof createFiles>;
  readonly random: ReturnType<typeof createRandom>;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Log flags, and the first lines of the log. */
interface LogFlags {
  readonly logLevel: LogLevel;
  readonly logFormat: 'logfmt' | 'json';
  /** Log lines about the command line. */
  readonly notices?: readonly string[];
}

/** Creates the clock, disk, randomness, log and metrics; the log goes to stderr. */
export function createMachine(
  { logLevel, logFormat, notices = [] }: LogFlags,
  build: BuildInfo,
): Machine {
  const clock = createClock();
  const logger = createLogger({
    level: logLevel,
    format: logFormat,
    nowMillis: () => clock.nowMillis(),
    write: (line) => process.stderr.write(`${line}\n`),
  });
  for (const notice of notices) logger.info(notice);
  // The timer ends with the process, and does not keep it alive.
  watchClock(clock, logger);
  return {
    clock,
    logger,
    files: createFiles(),
    random: createRandom(),
    metrics: createMetricsRegistry(build),
  };
}
