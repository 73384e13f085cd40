// HTTP paths of a debuginfod server: /buildid/ID/debuginfo, executable, source/PATH, section/NAME.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, abortReason } from '../../base/errors.ts';
import { busyRetryMillis } from '../../base/limits.ts';
import { debuginfodDownloadsMax, debuginfodDownloadsOfCallerMax } from '../limits.ts';
import type { DebuginfodFiles, ServedBytes } from '../../debuginfo/interface.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { serveCall } from '../transport/http/serve-call.ts';

/** Form of build ids that are looked up: GNU build ids in hexadecimal. */
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
  ['debuginfo', (files, id, _, signal) => files.openDebuginfo(id, signal)],
  ['executable', (files, id, _, signal) => files.openExecutable(id, signal)],
  ['section/*', (files, id, name, signal) => files.openSection(id, name, signal)],
  // Compilers write absolute names, which begin with the slash before this part of the path.
  ['source/*', (files, id, path, signal) => files.readSource(id, `/${path}`, signal)],
];

/** Adds the paths. `files` throws AppError 'unavailable' while the server starts. */
export function addDebuginfodRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  files: () => DebuginfodFiles,
): void {
  const method = { path: '/parca.http.v1.Debuginfod/Open', endsWithCaller: true };
  const downloads = new Downloads();
  for (const [path, open] of paths) {
    app.get<{ Params: Parameters }>(`/buildid/:id/${path}`, (request, reply) => {
      const { id, '*': rest = '' } = request.params;
      return serveCall(
        transport,
        method,
        request,
        reply,
        async ({ caller, signal }) => {
          if (!buildIds.test(id)) {
            const why = 'its build id must have 8 to 128 hexadecimal digits';
            throw new AppError('invalid-argument', `cannot find a file: ${why}`);
          }
          const end = downloads.begin(caller);
          const served = await open(files(), id, rest, signal).catch((error: unknown) => {
            end();
            throw error;
          });
          if (served === undefined) {
            end();
            const why = `nobody has uploaded it for ${id}`;
            throw new AppError('not-found', `cannot find a file: ${why}`);
          }
          const close = closeOnce(served, end);
          if (!signal.aborted) return { ...served, close };
          await close();
          throw abortReason(signal);
        },
        (served) => send(request, reply, served),
        (_reply, error) => {
          // The error is sent as plain text, because clients of debuginfod may show it.
          throw error;
        },
      );
    });
  }
}

/** Counts running downloads, by caller. */
class Downloads {
  readonly #byCaller = new Map<string, number>();
  #count = 0;

  /** Begins a download; the returned function ends it. Errors: AppError 'resource-exhausted'. */
  begin(caller: string): () => void {
    const own = this.#byCaller.get(caller) ?? 0;
    if (this.#count >= debuginfodDownloadsMax) throw tooMany(this.#count, 'others');
    if (own >= debuginfodDownloadsOfCallerMax) throw tooMany(own, 'files of this caller');
    this.#byCaller.set(caller, own + 1);
    this.#count += 1;
    return () => {
      const left = (this.#byCaller.get(caller) ?? 1) - 1;
      if (left > 0) this.#byCaller.set(caller, left);
      else this.#byCaller.delete(caller);
      this.#count -= 1;
    };
  }
}

function tooMany(count: number, what: string): AppError {
  const message = `cannot send a file: ${count} ${what} are being sent`;
  return new AppError('resource-exhausted', message, { retryAfterMillis: busyRetryMillis });
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

/** Sends a file, or the requested range. */
function send(request: FastifyRequest, reply: FastifyReply, served: ServedBytes): FastifyReply {
  const { bytes, name } = served;
  const range = parseRange(request.headers.range, bytes);
  reply.headers({
    'content-type': 'application/octet-stream',
    'accept-ranges': 'bytes',
    'x-debuginfod-size': String(bytes),
    // Source names may have characters that headers cannot contain.
    'x-debuginfod-file': name.replace(/[^\x20-\x7e]/g, '?'),
  });
  if (range === 'unsatisfiable') {
    void served.close();
    return reply.code(416).header('content-range', `bytes */${bytes}`).send();
  }
  const { start, end } = range ?? { start: 0, end: bytes };
  reply.header('content-length', String(end - start));
  if (range !== undefined) {
    reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${bytes}`);
  }
  if (request.method === 'HEAD') {
    void served.close();
    // Without a body, Fastify would set a content length of 0.
    return reply.send(Readable.from([]));
  }
  const stream = Readable.from(served.read(start, end), { objectMode: false });
  // This is also called when the caller disconnects.
  stream.once('close', () => void served.close());
  return reply.send(stream);
}

/**
 * Returns the range in a header; undefined = the complete file, which is also sent if the header is
 * not a single range of bytes.
 */
function parseRange(
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
