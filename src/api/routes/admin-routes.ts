// HTTP paths that change stored data or settings, which are off by default; and a path that counts
// the profiles that a delete would remove.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SeriesDeleter } from '../../query/interface.ts';
import type { Snapshot, TimeRange } from '../../storage/interface.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { formatNanos } from '../transport/json/time.ts';
import {
  readChoice,
  readParameters,
  readQueryText,
  readTime,
} from '../transport/http/parameters.ts';
import { serveCall } from '../transport/http/serve-call.ts';

/** Profiles to delete. */
export interface DeleteRequest {
  readonly query: string;
  readonly range: TimeRange;
  /** True if the profiles are only counted, and not deleted. */
  readonly isDryRun: boolean;
}

const allOfTime: TimeRange = { from: -(2n ** 63n), to: 2n ** 63n - 1n };

/** Actions of the admin API. */
export interface AdminActions {
  readonly deleteSeries: SeriesDeleter;
  makeSnapshot(): Promise<Snapshot>;
  /** Reloads the configuration; rejects with the reason if it cannot be used. */
  reload(): Promise<void>;
}

export function addAdminRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  hooks: { admin(): AdminActions; countDeleted(): SeriesDeleter },
): void {
  /**
   * Adds a path. A call continues after its caller disconnects, because an action must not stop
   * halfway.
   */
  const route = (path: string, name: string, run: (request: FastifyRequest) => Promise<object>) =>
    app.post(path, (request, reply) =>
      serveCall(
        transport,
        { path: `/parca.http.v1.Admin/${name}`, endsWithCaller: false },
        request,
        reply,
        () => run(request),
        (answer) => reply.send(answer),
      ),
    );
  route('/api/v1/admin/delete', 'Delete', async (request) => {
    const asked = readDeleteRequest(request.url, transport.runner.clock.nowMillis());
    const { query, range, isDryRun } = asked;
    const work = isDryRun ? hooks.countDeleted() : hooks.admin().deleteSeries;
    const deleted = await work(query, range);
    const { seriesCount, blockCount, profileCount, times } = deleted;
    return {
      series: seriesCount,
      blocks: blockCount,
      profiles: profileCount,
      first: times === undefined ? null : formatNanos(times.from),
      last: times === undefined ? null : formatNanos(times.to),
    };
  });
  route('/api/v1/admin/snapshot', 'Snapshot', async (request) => {
    readParameters(request.url, []);
    const { path, fileCount, bytes } = await hooks.admin().makeSnapshot();
    return { path, files: fileCount, bytes };
  });
}

/** Parses the parameters of a delete. Errors: AppError 'invalid-argument'. */
export function readDeleteRequest(url: string, nowMillis: number): DeleteRequest {
  const given = readParameters(url, ['query', 'start', 'end', 'dry_run']);
  const [start, end] = [given.get('start'), given.get('end')];
  return {
    query: readQueryText(given),
    isDryRun: readChoice(given, 'dry_run', ['false', 'true']) === 'true',
    range: {
      from: start === undefined ? allOfTime.from : readTime('start', start, nowMillis),
      to: end === undefined ? allOfTime.to : readTime('end', end, nowMillis),
    },
  };
}
