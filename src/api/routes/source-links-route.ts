// GET /api/v1/source-links: links from a file to repositories and editors, as JSON.
import type { FastifyInstance } from 'fastify';
import type { SourceLinkRule } from '../../config/source-links.ts';
import type { QueryEngine } from '../../query/interface.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { serveCall } from '../transport/http/serve-call.ts';
import { answerSourceLinks } from './source-links.ts';

/** Adds the path. Both functions throw AppError 'unavailable' while the server starts. */
export function addSourceLinksRoute(
  app: FastifyInstance,
  transport: TransportContext,
  engine: () => QueryEngine,
  rules: () => readonly SourceLinkRule[],
): void {
  const method = { path: '/parca.http.v1.Insight/SourceLinks', endsWithCaller: true };
  app.get('/api/v1/source-links', (request, reply) =>
    serveCall(
      transport,
      method,
      request,
      reply,
      (caller) => {
        const nowMillis = transport.runner.clock.nowMillis();
        const { url } = request;
        return answerSourceLinks({ url, path: {}, nowMillis, engine: engine(), caller }, rules());
      },
      (answer) => reply.send(answer),
    ),
  );
}
