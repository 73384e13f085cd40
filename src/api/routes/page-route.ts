// HTTP path of facts for the page about this server and the page's reader.
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../auth/gate.ts';

/** Adds the path. `isSharing`: true if profiles can be shared now. */
export function addPageRoute(app: FastifyInstance, gate: Gate, isSharing: () => boolean): void {
  app.get('/api/v1/page', (request, reply) => {
    const isLoggedIn = gate.hasSession(request.headers.cookie);
    return reply.header('cache-control', 'no-store').send({ isSharing: isSharing(), isLoggedIn });
  });
}
