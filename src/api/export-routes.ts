// The HTTP paths of exports: a file, or an error as JSON.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Call } from './call.ts';
import type { ExportFile } from './export.ts';
import { readExportRequest } from './export-request.ts';
import type { ExportFormat, ExportRequest } from './export-request.ts';
import { errorAnswer } from './json-gateway.ts';
import type { TransportContext } from './transport.ts';

/** Answers an export request; rejects with 'unavailable' while the server starts. */
export type Exporter = (request: ExportRequest, signal: AbortSignal) => Promise<ExportFile>;

/** Paths below the prefix, their formats where not a parameter, and their names in counters. */
const routes: readonly {
  readonly path: string;
  readonly format?: ExportFormat;
  readonly method: string;
}[] = [
  { path: '/api/v1/export', method: '/parca.http.v1.Export/Export' },
  { path: '/api/v1/pgo', format: 'pgo', method: '/parca.http.v1.Export/Pgo' },
];

export function addExportRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  exporter: Exporter,
): void {
  for (const { path, format, method } of routes) {
    app.get(path, async (request, reply) => {
      const { runner, callMillisMax } = transport;
      const peer = request.raw.socket.remoteAddress ?? '';
      const call = new Call(runner, { path: method, kind: 'unary' }, peer, callMillisMax);
      const onClose = (): void => call.cancel();
      reply.raw.once('close', onClose);
      try {
        const asked = readExportRequest(request.url, runner.clock.nowMillis(), format);
        const file = await call.bounded(exporter(asked, call.context.signal));
        call.end();
        return sendFile(reply, file);
      } catch (error) {
        call.end(error);
        const { status, body } = errorAnswer(error);
        return reply.code(status).type('application/json').send(body);
      } finally {
        reply.raw.off('close', onClose);
      }
    });
  }
}

/** Of what could not be read, so many sentences are said; headers are no place for more. */
const warningsMax = 8;

function sendFile(reply: FastifyReply, file: ExportFile): FastifyReply {
  if (file.warnings.length > 0) void reply.header('parca-warnings', warningsText(file.warnings));
  return reply
    .type(file.contentType)
    .header('content-disposition', `attachment; filename="${file.fileName}"`)
    .header('cache-control', 'no-store')
    .send(file.bytes);
}

/** JSON in ASCII, which is all that a header may hold. */
function warningsText(warnings: readonly string[]): string {
  return JSON.stringify(warnings.slice(0, warningsMax)).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
