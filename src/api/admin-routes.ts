// The HTTP paths that change what is stored; off unless the operator turns them on.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import type { SeriesDeleter } from '../query/interface.ts';
import type { TimeRange } from '../storage/interface.ts';
import { Call } from './call.ts';
import { readParameters, readTime } from './export-request.ts';
import { errorAnswer } from './json-gateway.ts';
import type { TransportContext } from './transport.ts';

/** What a delete is asked for. */
export interface DeleteRequest {
  readonly query: string;
  readonly range: TimeRange;
}

const allOfTime: TimeRange = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
const method = '/parca.http.v1.Admin/Delete';

/** `deleter` rejects with 'failed-precondition' while the admin API is off. */
export function addAdminRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  deleter: SeriesDeleter,
): void {
  app.post('/api/v1/admin/delete', async (request, reply) => {
    const { runner, callMillisMax } = transport;
    const peer = request.raw.socket.remoteAddress ?? '';
    const call = new Call(runner, { path: method, kind: 'unary' }, peer, callMillisMax);
    try {
      checkOrigin(request);
      const { query, range } = readDeleteRequest(request.url, runner.clock.nowMillis());
      // Not cancelled with its caller: half a delete helps nobody.
      const { seriesCount, blockCount } = await call.bounded(deleter(query, range));
      call.end();
      return reply.send({ series: seriesCount, blocks: blockCount });
    } catch (error) {
      call.end(error);
      const { status, body } = errorAnswer(error);
      return reply.code(status).type('application/json').send(body);
    }
  });
}

/** A page of another site must not delete in its reader's name: browsers say where they are. */
function checkOrigin({ headers }: FastifyRequest): void {
  const { origin, host } = headers;
  if (origin === undefined || URL.parse(origin)?.host === host) return;
  throw new AppError('failed-precondition', `cannot delete on behalf of a page of ${origin}`);
}

/** Errors: AppError 'invalid-argument'. */
export function readDeleteRequest(url: string, nowMillis: number): DeleteRequest {
  const given = readParameters(url, ['query', 'start', 'end']);
  const query = given.get('query') ?? '';
  if (query === '') throw new AppError('invalid-argument', 'query: cannot be blank.');
  const [start, end] = [given.get('start'), given.get('end')];
  return {
    query,
    range: {
      from: start === undefined ? allOfTime.from : readTime('start', start, nowMillis),
      to: end === undefined ? allOfTime.to : readTime('end', end, nowMillis),
    },
  };
}
