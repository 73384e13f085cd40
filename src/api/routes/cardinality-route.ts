// HTTP path of the counts of active series: by label name, by label value and by caller.
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { CardinalityStatus } from '../../ingest/interface.ts';
import { cardinalityKeptTimes } from '../limits.ts';
import { sendError } from '../transport/http/serve-call.ts';

/**
 * Adds the path. `status` throws 'unavailable' while the server starts. Counting is slow, so an
 * answer is reused for a multiple of the time that counting took.
 */
export function addCardinalityRoute(
  app: FastifyInstance,
  clock: Pick<Clock, 'monotonicMillis'>,
  status: () => CardinalityStatus,
): void {
  let kept: CardinalityStatus | undefined;
  let endMillis = 0;
  const recent = (): CardinalityStatus => {
    const now = clock.monotonicMillis();
    if (kept !== undefined && now < endMillis) return kept;
    kept = status();
    const end = clock.monotonicMillis();
    endMillis = end + cardinalityKeptTimes * (end - now);
    return kept;
  };
  app.get('/api/v1/status/cardinality', async (_request, reply) => {
    try {
      return await reply.header('cache-control', 'no-store').send(recent());
    } catch (error) {
      return sendError(reply, error);
    }
  });
}

/** Refuses to count series: throws AppError 'unimplemented'. */
export function noCardinality(): never {
  throw new AppError('unimplemented', 'cannot count series: no profiles are written here');
}
