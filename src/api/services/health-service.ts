// grpc.health.v1: a server is serving from the time when all stored profiles are loaded until it
// stops.
import { grpc } from '../../../proto/gen/health.js';
import { type Clock, sleep } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { healthWatchesMax, healthWatchesOfCallerMax, healthWatchMillis } from '../limits.ts';
import { decodeRequest } from '../transport/call/message.ts';
import type { CallContext, Method } from '../transport/call/method.ts';
import type { Readiness } from './readiness.ts';

const { HealthCheckRequest, HealthCheckResponse } = grpc.health.v1;
const { ServingStatus } = HealthCheckResponse;

/**
 * Service whose health states whether writes work. The health of all other services, and of the
 * whole server (""), states whether reads work.
 */
const writeService = 'parca.profilestore.v1alpha1.ProfileStoreService';

/**
 * Returns the service's methods, which know the names in `services` and "". An aborted `isStopping`
 * ends all watches.
 */
export function healthMethods(
  readiness: Readiness,
  clock: Clock,
  services: ReadonlySet<string>,
  isStopping: () => boolean,
): Method[] {
  const readStatus = (service: string): grpc.health.v1.HealthCheckResponse.ServingStatus => {
    if (service !== '' && !services.has(service)) return ServingStatus.SERVICE_UNKNOWN;
    const whyNot = readiness.whyNot(service === writeService ? 'write' : 'read');
    return whyNot === undefined ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  };
  const check = async (bytes: Uint8Array): Promise<Uint8Array> => {
    const status = readStatus(decodeRequest(HealthCheckRequest, bytes).service);
    if (status === ServingStatus.SERVICE_UNKNOWN) {
      throw new AppError('not-found', 'unknown service');
    }
    return HealthCheckResponse.encode({ status }).finish();
  };
  /** Number of watches by caller. */
  const watches = new Map<string, number>();
  let watchCount = 0;
  const begin = (caller: string): void => {
    const own = watches.get(caller) ?? 0;
    if (watchCount >= healthWatchesMax || own >= healthWatchesOfCallerMax) {
      const why =
        own >= healthWatchesOfCallerMax
          ? `its caller has ${own} watches, the limit is ${healthWatchesOfCallerMax}`
          : `there are ${watchCount} watches, the limit is ${healthWatchesMax}`;
      throw new AppError('resource-exhausted', `cannot watch health: ${why}`);
    }
    watches.set(caller, own + 1);
    watchCount += 1;
  };
  const end = (caller: string): void => {
    const left = (watches.get(caller) ?? 1) - 1;
    if (left > 0) watches.set(caller, left);
    else watches.delete(caller);
    watchCount -= 1;
  };
  async function* watch(
    requests: AsyncIterable<Uint8Array>,
    context: CallContext,
  ): AsyncGenerator<Uint8Array> {
    begin(context.caller);
    try {
      yield* report(requests, context);
    } finally {
      end(context.caller);
    }
  }
  /**
   * Sends the current status, and then each new status, until the caller or the server ends the
   * call.
   */
  async function* report(
    requests: AsyncIterable<Uint8Array>,
    { signal }: CallContext,
  ): AsyncGenerator<Uint8Array> {
    for await (const bytes of requests) {
      const { service } = decodeRequest(HealthCheckRequest, bytes);
      let sent: number | undefined;
      while (!signal.aborted) {
        const status = readStatus(service);
        if (status !== sent) yield HealthCheckResponse.encode({ status }).finish();
        sent = status;
        if (isStopping()) throw new AppError('unavailable', 'the server is stopping');
        await Promise.race([readiness.changed(), sleep(clock, healthWatchMillis, signal)]);
      }
    }
  }
  return [
    { path: '/grpc.health.v1.Health/Check', kind: 'unary', handle: check },
    { path: '/grpc.health.v1.Health/Watch', kind: 'stream', keepsRequests: false, handle: watch },
  ];
}
