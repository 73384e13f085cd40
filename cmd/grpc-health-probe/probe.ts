// Checks the health of a server over gRPC, with the exit codes of `grpc_health_probe`.
//
// The probe imports only Node modules, so that it finishes within the second that Kubernetes
// allows.
import { readFileSync } from 'node:fs';
import {
  type ClientHttp2Session,
  connect,
  type IncomingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2';
import { isIP } from 'node:net';
import { gzipSync } from 'node:zlib';
import { errorMessage } from '../../src/base/errors.ts';
import { splitAddress } from '../../src/base/node/speaks-tls.ts';
import { hostPort } from '../../src/base/text/host-port.ts';
import type { ProbeFlags, ProbeTls } from './probe-flags.ts';

/** Exit codes of `grpc_health_probe`. */
export const exitCodes = {
  healthy: 0,
  badArguments: 1,
  notConnected: 2,
  callFailed: 3,
  unhealthy: 4,
} as const;

/** Names of the statuses in grpc.health.v1, by number. */
const statuses = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] as const;

/** Exit code, and a line of text for the user. */
export interface Verdict {
  readonly code: number;
  readonly line: string;
}

/** Checks the server. Rejects only for certificate files that cannot be read. */
export async function probe(flags: ProbeFlags): Promise<Verdict> {
  const { host, port } = splitAddress(flags.address);
  const where = hostPort(host === '' ? 'localhost' : host, port);
  const scheme = flags.tls === undefined ? 'http' : 'https';
  const session = connect(`${scheme}://${where}`, flags.tls && tlsOptions(flags.tls, host));
  try {
    const why = await connected(session, flags.connectMillisMax);
    if (why !== undefined) {
      const line = `error: failed to connect service at ${JSON.stringify(flags.address)}: ${why}`;
      return { code: exitCodes.notConnected, line };
    }
    return await call(session, flags);
  } finally {
    session.destroy();
  }
}

function tlsOptions(tls: ProbeTls, host: string): SecureClientSessionOptions {
  const read = (path: string): Buffer | undefined => (path === '' ? undefined : readFileSync(path));
  const name = tls.serverName === '' ? host : tls.serverName;
  return {
    rejectUnauthorized: tls.verifies,
    ca: read(tls.caFile),
    cert: read(tls.certificateFile),
    key: read(tls.keyFile),
    // An IP address must not be sent as the server name.
    ...(isIP(name) === 0 && name !== '' ? { servername: name } : {}),
  };
}

/** Resolves to the reason why the connection failed; undefined if it succeeded. */
function connected(session: ClientHttp2Session, millisMax: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(`no answer within ${millisMax} ms`), millisMax);
    const end = (why: string | undefined): void => {
      clearTimeout(timer);
      resolve(why);
    };
    // An HTTP/2 server sends its settings first.
    session.once('remoteSettings', () => end(undefined));
    session.on('error', (error) => end(errorMessage(error)));
    session.once('close', () => end('the connection was closed'));
  });
}

function call(session: ClientHttp2Session, flags: ProbeFlags): Promise<Verdict> {
  return new Promise((resolve) => {
    const failed = (why: string): void =>
      resolve({ code: exitCodes.callFailed, line: `error: health rpc failed: ${why}` });
    const stream = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
      'user-agent': flags.userAgent,
      'grpc-timeout': `${Math.ceil(flags.callMillisMax)}m`,
      ...(flags.isGzip ? { 'grpc-encoding': 'gzip' } : {}),
      ...Object.fromEntries(flags.headers),
    });
    const timer = setTimeout(
      () => failed(`no answer within ${flags.callMillisMax} ms`),
      flags.callMillisMax,
    );
    let status: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.once('response', (headers) => void (status = headers));
    stream.once('trailers', (headers) => void (status = { ...status, ...headers }));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', (error) => failed(errorMessage(error)));
    stream.once('close', () => {
      clearTimeout(timer);
      const code = status['grpc-status'];
      if (code === '0') resolve(readVerdict(Buffer.concat(chunks)));
      else if (code === undefined) failed(`the answer is no gRPC, HTTP ${status[':status'] ?? ''}`);
      else failed(`status ${String(code)}: ${decodeURIComponent(String(status['grpc-message']))}`);
    });
    stream.end(frame(request(flags.service), flags.isGzip));
  });
}

/** Encodes a HealthCheckRequest, whose field 1 is the service. */
function request(service: string): Buffer {
  const name = Buffer.from(service);
  if (name.length === 0) return name;
  // A length below 128 takes one byte. Longer service names are cut off.
  return Buffer.concat([Buffer.from([0x0a, Math.min(name.length, 127)]), name.subarray(0, 127)]);
}

/** Wraps a message in a gRPC frame. */
function frame(message: Buffer, isGzip: boolean): Buffer {
  const body = isGzip ? gzipSync(message) : message;
  const head = Buffer.alloc(5);
  head.writeUInt8(isGzip ? 1 : 0);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

/** Decodes a HealthCheckResponse, whose field 1 is the status. */
function readVerdict(bytes: Buffer): Verdict {
  const status = bytes.length > 6 && bytes[5] === 0x08 ? bytes[6] : 0;
  const name = statuses[status] ?? String(status);
  if (name === 'SERVING') return { code: exitCodes.healthy, line: 'status: SERVING' };
  return { code: exitCodes.unhealthy, line: `service unhealthy (responded with "${name}")` };
}
