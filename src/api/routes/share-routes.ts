// HTTP paths of shared profiles: their description, their content and their removal.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sharedFileName, type Shares } from '../../shares/interface.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { pathFields, serveCall } from '../transport/http/serve-call.ts';

const path = '/api/v1/shares/:id';

/** Adds the paths. `shares` throws AppError 'failed-precondition' where sharing is off. */
export function addShareRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  shares: () => Shares,
): void {
  const call = <T>(
    name: string,
    request: FastifyRequest,
    reply: FastifyReply,
    run: (id: string) => Promise<T>,
    send: (answer: T) => FastifyReply,
  ): Promise<FastifyReply> => {
    const method = { path: `/parca.http.v1.Share/${name}`, endsWithCaller: true };
    const { id = '' } = pathFields(request.params);
    // Everybody who knows the address can read the profile, so browsers must not send it to other
    // sites.
    reply.header('referrer-policy', 'no-referrer').header('cache-control', 'private, no-store');
    return serveCall(transport, method, request, reply, () => run(id), send);
  };
  app.get(path, (request, reply) =>
    call(
      'Describe',
      request,
      reply,
      async (id) => {
        const { description, createdMillis, bytes } = shares().find(id);
        const created = new Date(createdMillis).toISOString();
        return { description, created, bytes, profile: `${id}/${sharedFileName}` };
      },
      (answer) => reply.send(answer),
    ),
  );
  app.get(`${path}/${sharedFileName}`, (request, reply) =>
    call(
      'Read',
      request,
      reply,
      async (id) => {
        const { bytes } = shares().find(id);
        reply.header('content-length', bytes);
        // The content is streamed. Readers may be slow, and 64 MiB for each of them would fill the
        // memory of the server.
        return Readable.from(shares().readPieces(id), { objectMode: false });
      },
      (pieces) =>
        reply
          .type('application/octet-stream')
          .header('content-disposition', `attachment; filename="${sharedFileName}"`)
          .send(pieces),
    ),
  );
  app.delete(path, (request, reply) =>
    call(
      'Remove',
      request,
      reply,
      (id) => shares().remove(id),
      () => reply.code(204).send(),
    ),
  );
}
