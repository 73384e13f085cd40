// grpc.health.v1: serving once everything is read, not serving before and while stopping.
import { grpc } from '../../proto/gen/health.js';
import { AppError } from '../base/errors.ts';
import { decodeRequest } from './call/message.ts';
import type { CallContext, Method } from './call/method.ts';
import type { Readiness } from './http/readiness.ts';

const { HealthCheckRequest, HealthCheckResponse } = grpc.health.v1;
const { ServingStatus } = HealthCheckResponse;

/** What serves writes; every other service, and the server as a whole (""), serves reads. */
const writeService = 'parca.profilestore.v1alpha1.ProfileStoreService';

/** `services` are the names that may be asked about, besides "". */
export function healthMethods(readiness: Readiness, services: ReadonlySet<string>): Method[] {
  const check = (bytes: Uint8Array): Uint8Array => {
    const { service } = decodeRequest(HealthCheckRequest, bytes);
    if (service !== '' && !services.has(service)) {
      throw new AppError('not-found', 'unknown service');
    }
    const whyNot = readiness.whyNot(service === writeService ? 'write' : 'read');
    const status = whyNot === undefined ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    return HealthCheckResponse.encode({ status }).finish();
  };
  return [
    { path: '/grpc.health.v1.Health/Check', kind: 'unary', handle: async (bytes) => check(bytes) },
    {
      path: '/grpc.health.v1.Health/Watch',
      kind: 'stream',
      handle: (requests, context) => watch(check, requests, context),
    },
  ];
}

/** Sends the state once and holds the stream, so that the watcher sees the server go away. */
async function* watch(
  check: (bytes: Uint8Array) => Uint8Array,
  requests: AsyncIterable<Uint8Array>,
  context: CallContext,
): AsyncGenerator<Uint8Array> {
  for await (const request of requests) {
    yield check(request);
    break;
  }
  await new Promise<void>((resolve) => {
    if (context.signal.aborted) resolve();
    context.signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
