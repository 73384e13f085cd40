// The HTTP paths that tell which queries are under way, and end them.
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';
import type { QueryControl, RunningQuery } from '../query/interface.ts';
import { errorAnswer } from './json-gateway.ts';

/** `queries` throws 'unavailable' while the server starts. */
export function addQueriesRoutes(app: FastifyInstance, queries: () => QueryControl): void {
  app.get('/api/v1/queries', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ queries: queries().list().map(toJson) }),
  );
  app.delete('/api/v1/queries/:id', async (request, reply) => {
    const { id } = request.params as { readonly id: string };
    if (queries().cancel(id)) return reply.code(204).send();
    const unknown = new AppError(
      'not-found',
      `cannot cancel query ${JSON.stringify(id)}: none is under way`,
    );
    const { status, body } = errorAnswer(unknown);
    return reply.code(status).type('application/json').send(body);
  });
}

function toJson(query: RunningQuery): object {
  const { id, kind, text, isWaiting, startedMillis, ageMillis, memoryBytes } = query;
  return {
    ...{ id, kind, query: text, state: isWaiting ? 'waiting' : 'running' },
    started: new Date(startedMillis).toISOString(),
    seconds: ageMillis / 1000,
    rows: { done: query.rowsDone, selected: query.rowsSelected },
    memoryBytes,
  };
}
