// TelemetryService: agents report the panics that ended them. Each report is counted, and the first
// reports of an hour are logged.
import type { Clock } from '../../base/clock.ts';
import { panicsLoggedMax, panicTextLengthMax } from '../limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import { readFields } from '../transport/call/message.ts';
import type { Method } from '../transport/call/method.ts';

const path = '/parca.telemetry.v1alpha1.TelemetryService/ReportPanic';
const hourMillis = 3_600_000;
/** Maximum number of facts about a panic that are logged, and of characters of each fact. */
const factsMax = 20;
const factLengthMax = 200;
/** Largest number of UTF-8 bytes that a UTF-16 unit can take. */
const utf8BytesMax = 3;
const factBytesMax = utf8BytesMax * factLengthMax;
const decoder = new TextDecoder();
const nothing: Uint8Array = new Uint8Array(0);

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
    const { stderr, metadata } = readReport(request);
    panics.add();
    const now = clock.monotonicMillis();
    if (now - hourStart >= hourMillis) {
      hourStart = now;
      loggedCount = 0;
    }
    loggedCount += 1;
    if (loggedCount <= panicsLoggedMax) {
      const facts = metadata.map((entry) => readFact(entry).slice(0, factLengthMax));
      logger.error('an agent has reported a panic', {
        peer,
        stderr: readEnd(stderr),
        facts: facts.join(' '),
      });
    }
    return new Uint8Array(0);
  };
  return [{ path, kind: 'unary', dropsRequest: true, handle }];
}

/**
 * The fields of a report that are read. They are few, because one client may send many large
 * reports.
 */
interface Report {
  readonly stderr: Uint8Array;
  /** The first entries of the field `metadata`; further entries are not read. */
  readonly metadata: readonly Uint8Array[];
}

/** Finds the fields of a report. Errors: as in readFields. */
function readReport(request: Uint8Array): Report {
  let stderr = nothing;
  const metadata: Uint8Array[] = [];
  readFields('ReportPanicRequest', request, (field, content) => {
    if (field === 1) stderr = content;
    if (field === 2 && metadata.length < factsMax) metadata.push(content);
  });
  return { stderr, metadata };
}

function readFact(entry: Uint8Array): string {
  const texts = ['', ''];
  readFields('ReportPanicRequest', entry, (field, content) => {
    if (field <= 2) texts[field - 1] = decoder.decode(content.subarray(0, factBytesMax));
  });
  return texts.join('=');
}

/** Returns the last characters of a string. */
function readEnd(text: Uint8Array): string {
  return decoder
    .decode(text.subarray(-utf8BytesMax * panicTextLengthMax))
    .slice(-panicTextLengthMax);
}
