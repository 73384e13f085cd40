// TelemetryService: agents that ended by a panic report it. Each is counted; some are logged.
import { parca } from '../../../proto/gen/telemetry.js';
import type { Clock } from '../../base/clock.ts';
import { panicsLoggedMax, panicTextLengthMax } from '../limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import { decodeRequest } from '../transport/call/message.ts';
import type { Method } from '../transport/call/method.ts';

const { ReportPanicRequest } = parca.telemetry.v1alpha1;
const path = '/parca.telemetry.v1alpha1.TelemetryService/ReportPanic';
const hourMillis = 3_600_000;
/** Largest number of facts of one panic in the log, and of characters of each fact. */
const factsMax = 20;
const factLengthMax = 200;

/** Parts that the service reports to. */
export interface PanicHost {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The service's method. */
export function telemetryMethods({ clock, logger, metrics }: PanicHost): Method[] {
  const panics = metrics.counter(
    'parca_agent_panics_total',
    'Panics that agents have reported, also those that are not logged.',
  );
  let hourStart = clock.monotonicMillis();
  let loggedCount = 0;
  const handle = async (request: Uint8Array, { peer }: { readonly peer: string }) => {
    const { stderr, metadata } = decodeRequest(ReportPanicRequest, request);
    panics.add();
    const now = clock.monotonicMillis();
    if (now - hourStart >= hourMillis) {
      hourStart = now;
      loggedCount = 0;
    }
    loggedCount += 1;
    if (loggedCount <= panicsLoggedMax) {
      const facts = Object.entries(metadata).slice(0, factsMax);
      logger.error('an agent has reported a panic', {
        peer,
        stderr: stderr.slice(-panicTextLengthMax),
        facts: facts.map(([name, value]) => `${name}=${value}`.slice(0, factLengthMax)).join(' '),
      });
    }
    return new Uint8Array(0);
  };
  return [{ path, kind: 'unary', handle }];
}
