// Counts calls to another server, with the metric names that gRPC clients usually have.
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Server } from '../base/node/grpc-client.ts';

/** Names of gRPC status codes by number, as Go's libraries write them. Source: grpc-go's codes. */
const codeNames = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
];
/** Bounds of the buckets in seconds: the defaults of Prometheus' clients, and 30 s for uploads. */
const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const labelNames = ['grpc_type', 'grpc_service', 'grpc_method'];

/**
 * Listener that is called when a call has ended, with its method, its status, and the bytes of its
 * requests.
 */
export type OnCall = (method: string, code: string, requestBytes: number) => void;

/** Returns a server whose calls are counted. `onCall` is called after each call. */
export function countCalls(
  server: Server,
  metrics: Metrics,
  clock: Pick<Clock, 'monotonicMillis'>,
  onCall: OnCall = () => undefined,
): Server {
  const started = metrics.counter('grpc_client_started_total', 'Calls started.', labelNames);
  const handled = metrics.counter('grpc_client_handled_total', 'Calls ended, by code.', [
    ...labelNames,
    'grpc_code',
  ]);
  const seconds = metrics.histogram(
    'grpc_client_handling_seconds',
    'Duration of calls.',
    secondsBuckets,
    labelNames,
  );
  /** Counts the start of a call; the returned function counts its end. */
  const begin = (type: string, method: string): ((bytes: number, error?: unknown) => void) => {
    const [, service = '', name = ''] = method.split('/');
    const labels = { grpc_type: type, grpc_service: service, grpc_method: name };
    const startMillis = clock.monotonicMillis();
    started.add(1, labels);
    return (bytes, error) => {
      const code = error === undefined ? codeNames[0] : statusName(error);
      handled.add(1, { ...labels, grpc_code: code });
      seconds.observe((clock.monotonicMillis() - startMillis) / 1_000, labels);
      onCall(method, code, bytes);
    };
  };
  return {
    async call(method, request, millisMax, signal) {
      const end = begin('unary', method);
      try {
        const answer = await server.call(method, request, millisMax, signal);
        end(request.length);
        return answer;
      } catch (error) {
        end(request.length, error);
        throw error;
      }
    },
    async sendStream(method, messages, millisMax, signal) {
      const end = begin('client_stream', method);
      const counted = new CountedMessages(messages);
      try {
        const answer = await server.sendStream(method, counted, millisMax, signal);
        end(counted.bytes);
        return answer;
      } catch (error) {
        end(counted.bytes, error);
        throw error;
      }
    },
    async *stream(method, messages, millisMax, signal) {
      const end = begin('bidi_stream', method);
      const counted = new CountedMessages(messages);
      try {
        yield* server.stream(method, counted, millisMax, signal);
        end(counted.bytes);
      } catch (error) {
        end(counted.bytes, error);
        throw error;
      }
    },
    close: () => server.close(),
  };
}

/** Messages of a stream. Their bytes are counted as they pass through. */
class CountedMessages implements AsyncIterable<Uint8Array> {
  bytes = 0;
  readonly #messages: AsyncIterable<Uint8Array>;

  constructor(messages: AsyncIterable<Uint8Array>) {
    this.#messages = messages;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const message of this.#messages) {
      this.bytes += message.length;
      yield message;
    }
  }
}

/** Returns the name of the status with which a call ended. */
function statusName(error: unknown): string {
  const cause: unknown = error instanceof AppError ? error.cause : error;
  const isService = cause instanceof Error && 'code' in cause && typeof cause.code === 'number';
  return (isService ? codeNames[Number(cause.code)] : undefined) ?? 'Unknown';
}
