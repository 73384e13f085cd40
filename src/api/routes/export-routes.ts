// HTTP paths of exports, which answer with a file or with an error as JSON.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { QueryEngine } from '../../query/interface.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { type ExportFormat, readExportRequest } from './export-request.ts';
import { type ExportFile, exportProfile } from './export.ts';
import { serveCall } from '../transport/http/serve-call.ts';

/** Paths below the prefix. Each has a name for counters, and its format if that is fixed. */
const routes: readonly {
  readonly path: string;
  readonly format?: ExportFormat;
  readonly method: string;
}[] = [
  { path: '/api/v1/export', method: '/parca.http.v1.Export/Export' },
  { path: '/api/v1/pgo', format: 'pgo', method: '/parca.http.v1.Export/Pgo' },
];

/** Adds the paths. `engine` throws AppError 'unavailable' while the server starts. */
export function addExportRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  engine: () => QueryEngine,
): void {
  for (const { path, format, method } of routes) {
    app.get(path, (request, reply) =>
      serveCall(
        transport,
        { path: method, endsWithCaller: true },
        request,
        reply,
        async (caller) => {
          const nowMillis = transport.runner.clock.nowMillis();
          return exportProfile(engine(), readExportRequest(request.url, nowMillis, format), caller);
        },
        (file) => sendFile(reply, file),
      ),
    );
  }
}

/** Maximum number of warnings that are sent; the total length of headers is limited. */
const warningsMax = 8;

function sendFile(reply: FastifyReply, file: ExportFile): FastifyReply {
  if (file.warnings.length > 0) void reply.header('parca-warnings', warningsText(file.warnings));
  return reply
    .type(file.contentType)
    .header('content-disposition', `attachment; filename="${file.fileName}"`)
    .header('cache-control', 'no-store')
    .send(file.bytes);
}

/** Encodes warnings as JSON in ASCII, because headers must be ASCII. */
function warningsText(warnings: readonly string[]): string {
  return JSON.stringify(warnings.slice(0, warningsMax)).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
