// HTTP path of the facts that the page needs about this server and about its reader.
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
    // The page needs the server's time, because the clock of the reader's computer may be wrong.
    const nowMillis = runner.clock.nowMillis();
    const facts = { isSharing: isSharing(), isLoggedIn, nowMillis };
    return reply.header('cache-control', 'no-store').send(facts);
  });
}
