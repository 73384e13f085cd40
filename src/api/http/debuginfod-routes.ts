// HTTP paths of a debuginfod server: /buildid/ID/debuginfo, executable, source/PATH, section/NAME.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { debuginfodDownloadsMax } from '../../base/limits.ts';
import type { DebuginfodFiles, ServedBytes } from '../../debuginfo/interface.ts';

/** Build ids that are looked up: in hex, as those of GNU. */
const buildIds = /^[0-9a-f]{8,128}$/;

interface Parameters {
  readonly id: string;
  /** Path of a source, or name of a section. */
  readonly '*'?: string;
}

type Open = (
  files: DebuginfodFiles,
  id: string,
  rest: string,
  signal: AbortSignal,
) => Promise<ServedBytes | undefined>;

const paths: readonly (readonly [path: string, open: Open])[] = [
  ['debuginfo', (files, id) => files.openDebuginfo(id)],
  ['executable', (files, id) => files.openExecutable(id)],
  ['section/*', (files, id, name) => files.openSection(id, name)],
  // Compilers write absolute names, whose first slash is the one before.
  ['source/*', (files, id, path, signal) => files.readSource(id, `/${path}`, signal)],
];

/** Adds the paths. `files` throws AppError 'unavailable' while the server starts. */
export function addDebuginfodRoutes(app: FastifyInstance, files: () => DebuginfodFiles): void {
  let downloads = 0;
  for (const [path, open] of paths) {
    app.get<{ Params: Parameters }>(`/buildid/:id/${path}`, async (request, reply) => {
      const { id, '*': rest = '' } = request.params;
      if (!buildIds.test(id)) {
        const why = 'its build id must have 8 to 128 hexadecimal digits';
        throw new AppError('invalid-argument', `cannot find a file: ${why}`);
      }
      if (downloads >= debuginfodDownloadsMax) {
        const why = `${debuginfodDownloadsMax} others are being sent`;
        throw new AppError('resource-exhausted', `cannot send a file: ${why}`);
      }
      downloads += 1;
      let served: ServedBytes | undefined;
      try {
        const gone = new AbortController();
        reply.raw.once('close', () => gone.abort());
        served = await open(files(), id, rest, gone.signal);
      } finally {
        if (served === undefined) downloads -= 1;
      }
      if (served === undefined) {
        throw new AppError('not-found', `cannot find a file: nobody has uploaded it for ${id}`);
      }
      return send(request, reply, { ...served, close: closeOnce(served, () => (downloads -= 1)) });
    });
  }
}

function closeOnce({ close }: ServedBytes, onClosed: () => void): () => Promise<void> {
  let isClosed = false;
  return async () => {
    if (isClosed) return;
    isClosed = true;
    onClosed();
    await close();
  };
}

/** Sends a file, or the range of it that was asked for. */
async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  served: ServedBytes,
): Promise<FastifyReply> {
  const { bytes, name } = served;
  const range = rangeOf(request.headers.range, bytes);
  reply.headers({
    'content-type': 'application/octet-stream',
    'accept-ranges': 'bytes',
    'x-debuginfod-size': String(bytes),
    // Names of sources may have signs that headers lack.
    'x-debuginfod-file': name.replace(/[^\x20-\x7e]/g, '?'),
  });
  if (range === 'unsatisfiable') {
    await served.close();
    return reply.code(416).header('content-range', `bytes */${bytes}`).send();
  }
  const { start, end } = range ?? { start: 0, end: bytes };
  reply.header('content-length', String(end - start));
  if (range !== undefined) {
    reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${bytes}`);
  }
  if (request.method === 'HEAD') {
    await served.close();
    // Without a body, the framework would say that there are 0 bytes.
    return reply.send(Readable.from([]));
  }
  const stream = Readable.from(served.read(start, end), { objectMode: false });
  // Also when the caller goes away.
  stream.once('close', () => void served.close());
  return reply.send(stream);
}

/**
 * Returns the range of a header; undefined for the whole file, and for headers that are not one
 * range of bytes.
 */
function rangeOf(
  header: string | undefined,
  bytes: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const count = Math.min(Number(last), bytes);
    return count === 0 ? 'unsatisfiable' : { start: bytes - count, end: bytes };
  }
  const start = Number(first);
  const end = last === '' ? bytes : Math.min(Number(last) + 1, bytes);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= bytes ? 'unsatisfiable' : { start, end };
}
