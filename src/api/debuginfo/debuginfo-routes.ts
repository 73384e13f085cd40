// HTTP path for people who upload debug information, sources and source maps.
import { addAbortSignal } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { httpUploadBytes, streamWindowBytes } from '../limits.ts';
import type { DebuginfoType, DebuginfoUploads } from '../../debuginfo/interface.ts';
import type { TransportContext } from '../transport/call/call.ts';
import type { CallContext } from '../transport/call/method.ts';
import { findConnection } from '../transport/call/request-memory.ts';
import { readParameters } from '../transport/http/parameters.ts';
import { serveCall } from '../transport/http/serve-call.ts';

const types: readonly DebuginfoType[] = ['debuginfo', 'executable', 'sources', 'source-map'];

/** A file that is about to be uploaded. */
interface FileOffer {
  readonly buildId: string;
  readonly type: DebuginfoType;
  readonly size: number;
}

/** Adds the path. `uploads` throws AppError 'unavailable' while the server starts. */
export function addDebuginfoRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  uploads: () => DebuginfoUploads,
): void {
  const method = { path: '/parca.http.v1.Debuginfo/Upload', endsWithCaller: true };
  app.post('/api/v1/debuginfo', (request, reply) =>
    serveCall(
      transport,
      method,
      request,
      reply,
      async ({ signal, caller }) => {
        // The lease limits the bytes that a caller may send before they are written to the disk.
        const lease = transport.memory.lease(findConnection(request.raw), caller);
        reply.raw.once('close', () => lease.release());
        lease.take(request.raw.httpVersionMajor === 1 ? httpUploadBytes : streamWindowBytes);
        // The rest of an unread body must not be parsed as the next request.
        reply.header('connection', 'close');
        const offer = readOffer(request);
        // The hash is unique, so that a refusal is not remembered for the next file.
        const hash = `http ${transport.runner.clock.monotonicMillis()}`;
        const chunks = addAbortSignal(signal, request.raw);
        await upload(uploads(), { ...offer, hash }, chunks, { signal, caller });
        reply.removeHeader('connection');
        return { build_id: offer.buildId, type: offer.type, bytes: offer.size };
      },
      (answer) => reply.send(answer),
    ),
  );
}

/**
 * Uploads a file. It replaces a stored file that is equally good, because a person who uploads a
 * file wants to replace the old one.
 */
async function upload(
  uploads: DebuginfoUploads,
  { buildId, type, size, hash }: FileOffer & { readonly hash: string },
  chunks: AsyncIterable<Uint8Array>,
  { signal, caller }: Pick<CallContext, 'signal' | 'caller'>,
): Promise<void> {
  const offer = { buildId, type, hash, force: true, buildIdType: 'unknown' } as const;
  const ticket = { buildId, type, uploadId: await uploads.begin(offer, size, signal) };
  await uploads.receive(ticket, chunks, signal, caller);
  await uploads.finish(ticket, signal);
}

/**
 * Reads the offer from the URL and the headers. Errors: AppError 'invalid-argument' that names the
 * parameter.
 */
function readOffer({ url, headers }: FastifyRequest): FileOffer {
  const given = readParameters(url, ['build_id', 'type']);
  const type = types.find((one) => one === (given.get('type') ?? 'debuginfo'));
  if (type === undefined) throw invalid(`type: must be one of ${types.join(', ')}`);
  const size = Number(headers['content-length']);
  if (!(size > 0)) throw invalid('the header content-length must have the size of the file');
  return { buildId: given.get('build_id') ?? '', type, size };
}

function invalid(why: string): AppError {
  return new AppError('invalid-argument', `cannot take upload: ${why}`);
}
