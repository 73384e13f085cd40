// HTTP paths that list running queries and cancel them.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { QueryControl, RunningQuery } from '../../query/interface.ts';
import { identifySender } from '../auth/caller-id.ts';
import { findConnection } from '../transport/call/request-memory.ts';
import { readParameters, readRepeated } from '../transport/http/parameters.ts';
import { sendError } from '../transport/http/serve-call.ts';

/** Adds the paths. `queries` throws 'unavailable' while the server starts. */
export function addQueriesRoutes(app: FastifyInstance, queries: () => QueryControl): void {
  app.get('/api/v1/queries', async (request, reply) => {
    const { url } = request;
    try {
      const running = ofTags(queries().list(), readTags(url));
      const isOwn = ownedBy(request);
      const list = running.map((query) => toJson(query, isOwn(query)));
      return await reply.header('cache-control', 'no-store').send({ queries: list });
    } catch (error) {
      return sendError(reply, error);
    }
  });
  app.delete('/api/v1/queries/:id', async (request, reply) => {
    const { id } = request.params as { readonly id: string };
    const asked = queries()
      .list()
      .find((query) => query.id === id);
    if (asked !== undefined && !ownedBy(request)(asked)) {
      const why = 'another caller began it, which needs the scope admin';
      return sendError(
        reply,
        new AppError('permission-denied', `cannot cancel query ${id}: ${why}`),
      );
    }
    if (queries().cancel(id)) return reply.code(204).send();
    const unknown = new AppError(
      'not-found',
      `cannot cancel query ${JSON.stringify(id)}: none is under way`,
    );
    return sendError(reply, unknown);
  });
}

/**
 * Returns a test for queries that a caller may cancel: its own queries, or all queries if it has
 * the scope admin.
 */
function ownedBy({ caller, raw }: FastifyRequest): (query: RunningQuery) => boolean {
  if (caller.scopes === 'all' || caller.scopes.has('admin')) return () => true;
  const own = identifySender(caller, findConnection(raw)).caller;
  return (query) => query.caller === own;
}

function readTags(url: string): readonly string[] {
  readParameters(url, [], ['tag']);
  return readRepeated(url, 'tag');
}

/** Returns the queries that have one of the tags; all queries if no tag is given. */
function ofTags(
  queries: readonly RunningQuery[],
  asked: readonly string[],
): readonly RunningQuery[] {
  if (asked.length === 0) return queries;
  return queries.filter(({ tags }) => tags.some((tag) => asked.includes(tag)));
}

function toJson(query: RunningQuery, mayCancel: boolean): object {
  const { id, kind, text, tags, isWaiting, startedMillis, ageMillis, memoryBytes } = query;
  return {
    id,
    kind,
    query: text,
    tags,
    state: isWaiting ? 'waiting' : 'running',
    started: new Date(startedMillis).toISOString(),
    seconds: ageMillis / 1000,
    rows: { done: query.rowsDone, selected: query.rowsSelected },
    memoryBytes,
    mayCancel,
  };
}
