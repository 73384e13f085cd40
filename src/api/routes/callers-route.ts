// HTTP path that lists callers, with their pushes and limits.
import type { FastifyInstance } from 'fastify';
import type { CallerLimits } from '../transport/call/caller-limits.ts';

/** Adds the path. */
export function addCallersRoute(app: FastifyInstance, limits: CallerLimits): void {
  app.get('/api/v1/callers', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ callers: limits.list() }),
  );
}
