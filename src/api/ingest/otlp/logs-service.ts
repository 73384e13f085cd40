// OpenTelemetry's LogsService, to which Parca Agents can send their own logs. The logs are dropped;
// an error would make each agent log a line for each batch.
import type { Logger } from '../../../base/logger.ts';
import type { Metrics } from '../../../base/metrics.ts';
import { readFields } from '../../transport/call/message.ts';
import type { Method } from '../../transport/call/method.ts';

/** Parts that the service reports to. */
export interface LogsHost {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The service's method. */
export function logsMethods({ logger, metrics }: LogsHost): Method[] {
  const dropped = metrics.counter(
    'parca_otlp_log_bytes_dropped_total',
    'Bytes of logs that agents have sent, which this server does not keep.',
  );
  let isTold = false;
  return [
    {
      path: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
      kind: 'unary',
      dropsRequest: true,
      async handle(request, { peer }) {
        readFields('ExportLogsServiceRequest', request, () => undefined);
        dropped.add(request.length);
        if (!isTold) {
          isTold = true;
          logger.info('an agent sends its own logs, which are not kept', { peer });
        }
        // An empty message means that everything was accepted.
        return new Uint8Array(0);
      },
    },
  ];
}
