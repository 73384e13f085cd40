// HTTP paths of the answers that Parca's API does not have; all answers are JSON.
import type { FastifyInstance } from 'fastify';
import type { QueryEngine } from '../../query/interface.ts';
import type { TransportContext } from '../transport/call/call.ts';
import type { InsightPath } from './insight-calls.ts';
import { pathFields, serveCall } from '../transport/http/serve-call.ts';

/** Adds the paths. `engine` throws AppError 'unavailable' while the server starts. */
export function addInsightRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  engine: () => QueryEngine,
  paths: readonly InsightPath[],
): void {
  for (const { path, name, type = 'application/json; charset=utf-8', answer } of paths) {
    const method = { path: `/parca.http.v1.Insight/${name}`, endsWithCaller: true };
    app.get(path, (request, reply) =>
      serveCall(
        transport,
        method,
        request,
        reply,
        async (caller) => {
          const { url, params } = request;
          const nowMillis = transport.runner.clock.nowMillis();
          return answer({ url, path: pathFields(params), nowMillis, engine: engine(), caller });
        },
        (answer) => reply.header('cache-control', 'no-store').type(type).send(answer),
      ),
    );
  }
}
