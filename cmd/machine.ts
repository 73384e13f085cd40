// Creates a program's real clock, disk, randomness, log and metrics.
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

/** Creates the clock, disk, randomness, log and metrics. The log goes to stderr. */
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
  // The watch's timer does not keep the process alive, so it is never stopped.
  watchClock(clock, logger);
  return {
    clock,
    logger,
    files: createFiles(),
    random: createRandom(),
    metrics: createMetricsRegistry(build),
  };
}
