// HTTP path of the counts of active series, by label name, by label value and by caller.
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { CardinalityStatus } from '../../ingest/interface.ts';
import { sendError } from '../transport/http/serve-call.ts';

/** Adds the path. `status` throws 'unavailable' while the server starts. */
export function addCardinalityRoute(app: FastifyInstance, status: () => CardinalityStatus): void {
  app.get('/api/v1/status/cardinality', async (_request, reply) => {
    try {
      return await reply.header('cache-control', 'no-store').send(status());
    } catch (error) {
      return sendError(reply, error);
    }
  });
}

/** Refuses to count series: throws AppError 'unimplemented'. */
export function noCardinality(): never {
  throw new AppError('unimplemented', 'cannot count series: no profiles are written here');
}
