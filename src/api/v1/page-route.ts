// HTTP path of what the page has to know of this server and of who reads it.
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../auth/gate.ts';

/** Adds the path. `isSharing` says whether profiles can be shared now. */
export function addPageRoute(app: FastifyInstance, gate: Gate, isSharing: () => boolean): void {
  app.get('/api/v1/page', (request, reply) => {
    const isLoggedIn = gate.hasSession(request.headers.cookie);
    return reply.header('cache-control', 'no-store').send({ isSharing: isSharing(), isLoggedIn });
  });
}
