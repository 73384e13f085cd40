// HTTP path of facts for the page about this server and the page's reader.
import type { FastifyInstance } from 'fastify';
import type { TransportContext } from '../transport/call/call.ts';

/** Adds the path. `isSharing`: true if profiles can be shared now. */
export function addPageRoute(
  app: FastifyInstance,
  { gate, runner }: TransportContext,
  isSharing: () => boolean,
): void {
  app.get('/api/v1/page', (request, reply) => {
    const isLoggedIn = gate.hasSession(request.headers.cookie);
    // The clock of the page's computer may be wrong.
    const nowMillis = runner.clock.nowMillis();
    const facts = { isSharing: isSharing(), isLoggedIn, nowMillis };
    return reply.header('cache-control', 'no-store').send(facts);
  });
}
