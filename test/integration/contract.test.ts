// Every method of every service, called once well and once badly over each protocol by clients of
// others: grpc-js, protobuf-ts, and fetch for Connect and JSON. Messages are made by protobufjs
// from the .proto files, so that nothing of the server's own mapping is taken for granted.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Client, ServiceError } from '@grpc/grpc-js';
import { GrpcWebFetchTransport } from '@protobuf-ts/grpcweb-transport';
import { MessageType } from '@protobuf-ts/runtime';
import { RpcError, ServiceType } from '@protobuf-ts/runtime-rpc';
import protobuf from 'protobufjs';
import { services } from '../../proto/gen/descriptors.ts';
import { beginUpload, sendUpload } from '../support/debuginfo-client.ts';
import { connect } from '../support/grpc-client.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { binary, contractRows, type Message, type Row, statuses } from './contract-rows.ts';

const protoFolder = new URL('../../proto/', import.meta.url).pathname;
const root = new protobuf.Root();
root.resolvePath = (_origin, target) =>
  target.startsWith('/') ? target : join(protoFolder, target);
root.loadSync(
  readdirSync(protoFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.proto'))
    .sort(),
);
root.resolveAll();

let folder: ScratchDirectory;
let server: TestServer;
let client: Client;
before(async () => {
  folder = await scratchDirectory();
  server = await startServer({
    storagePath: join(folder.path, 'data'),
    flags: ['--share-url=http://shared.test'],
  });
  client = connect(server.address);
});
after(async () => {
  client.close();
  await server.stop();
  await folder.remove();
});

/** An answer as JSON without defaults, or the refusal: number or name of its status, and message. */
type Outcome = { readonly answer: string } | { readonly code: unknown; readonly message: string };

interface Called {
  readonly path: string;
  readonly row: Row;
  readonly request: Message;
  readonly more: readonly Message[];
}

const pass = (bytes: Buffer): Buffer => bytes;

function typesOf(path: string): {
  readonly request: protobuf.Type;
  readonly answer: protobuf.Type;
} {
  const [, service, name] = path.split('/');
  const [request, answer] = services[service][name];
  return { request: root.lookupType(request), answer: root.lookupType(answer) };
}

function encode(path: string, message: Message): Uint8Array<ArrayBuffer> {
  if (message instanceof Uint8Array) return Uint8Array.from(message);
  const { request } = typesOf(path);
  return Uint8Array.from(request.encode(request.fromObject(message)).finish());
}

function decode(path: string, bytes: Uint8Array): Outcome {
  const { answer } = typesOf(path);
  const options = { longs: String, enums: String, bytes: String };
  return { answer: JSON.stringify(answer.toObject(answer.decode(bytes), options)) };
}

/** A stream is over after its first answer; a unary call is a stream of one message. */
function byGrpc({ path, request, more }: Called): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const call = client.makeBidiStreamRequest(path, pass, pass, { deadline: Date.now() + 20_000 });
    let first: Outcome | undefined;
    const isWatch = path.endsWith('/Watch');
    const isUpload = path.endsWith('/Upload');
    call.on('data', (bytes: Buffer) => {
      first = decode(path, bytes);
      if (isWatch) call.cancel();
      if (isUpload) return;
      for (const message of more) call.write(Buffer.from(encode(path, message)));
      call.end();
    });
    call.on('error', (error: ServiceError) => {
      if (isWatch && first !== undefined) resolve(first);
      else resolve({ code: error.code, message: error.details });
    });
    call.on('end', () => {
      if (first === undefined) reject(new Error(`${path} has no answer`));
      else resolve(first);
    });
    call.write(Buffer.from(encode(path, request)));
    // An upload is answered at its end, Write in the middle.
    if (isUpload) {
      for (const message of more) call.write(Buffer.from(encode(path, message)));
      call.end();
    } else if (more.length === 0 && !isWatch) call.end();
  });
}

interface Raw {
  bytes: Uint8Array;
}

/** A message of protobuf-ts that is its own encoding. */
class RawType extends MessageType<Raw> {
  constructor() {
    super('raw', []);
  }
  override toBinary = (message: Raw): Uint8Array => message.bytes;
  override fromBinary(bytes: Uint8Array): Raw {
    return { bytes };
  }
}

async function byGrpcWeb({ path, request }: Called): Promise<Outcome> {
  const [, service, name] = path.split('/');
  const raw = new RawType();
  const { methods } = new ServiceType(service, [{ name, I: raw, O: raw, options: {} }]);
  const transport = new GrpcWebFetchTransport({ baseUrl: `${server.url}/api`, format: 'binary' });
  try {
    const bytes = encode(path, request);
    const { response } = await transport.unary(methods[0], { bytes }, transport.mergeOptions({}));
    return decode(path, response.bytes);
  } catch (error) {
    assert.ok(error instanceof RpcError, String(error));
    return { code: error.code, message: decodeURIComponent(error.message) };
  }
}

async function byConnect({ path, request }: Called): Promise<Outcome> {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/proto', 'connect-protocol-version': '1' },
    body: encode(path, request),
  });
  if (answer.ok) return decode(path, new Uint8Array(await answer.arrayBuffer()));
  const { code, message } = Object(await answer.json());
  return { code: `${answer.status} ${code}`, message };
}

async function byJson({ path, row, request }: Called): Promise<Outcome> {
  const { verb, path: url } = row.http ?? { verb: 'POST', path };
  const isBroken = request instanceof Uint8Array;
  const fields: unknown = isBroken ? undefined : jsonOf(request);
  const answer =
    verb === 'GET'
      ? await fetch(`${server.url}${url}?${isBroken ? 'timeout=0' : parameters(fields)}`)
      : await fetch(server.url + url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: isBroken ? '{"' : JSON.stringify(fields),
        });
  const json: unknown = await answer.json();
  if (answer.ok) return { answer: JSON.stringify(json) };
  const { code, message } = Object(json);
  return { code: `${answer.status} ${code}`, message };
}

/** The JSON form of a message: bytes in base64, times by RFC 3339. */
function jsonOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== 'object' || value === null) return value;
  if ('seconds' in value) return timeOf(Number(value.seconds));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, jsonOf(one)]));
}

function timeOf(seconds: number): string {
  return seconds < 1e6 ? `${seconds}s` : new Date(seconds * 1_000).toISOString();
}

/** Nested fields as grpc-gateway wants them in a URL. */
function parameters(fields: unknown): URLSearchParams {
  const query = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) add(name, one);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value))
        add(name === '' ? key : `${name}.${key}`, one);
    } else query.append(name, String(value));
  };
  add('', fields);
  query.delete('labelName');
  return query;
}

interface Transport {
  readonly name: string;
  readonly hasStreams: boolean;
  call(called: Called): Promise<Outcome>;
  /** The status of a refusal as the client sees it. */
  code(status: (typeof statuses)[keyof typeof statuses], row: Row): unknown;
}

const transports: readonly Transport[] = [
  { name: 'gRPC', hasStreams: true, call: byGrpc, code: ({ grpc }) => grpc },
  { name: 'gRPC-Web', hasStreams: false, call: byGrpcWeb, code: ({ text }) => text },
  {
    ...{ name: 'Connect', hasStreams: false, call: byConnect },
    code: ({ http, connect: name }) => `${http} ${name}`,
  },
  {
    ...{ name: 'JSON', hasStreams: false, call: byJson },
    code: ({ http, connect: name, grpc }, row) => `${http} ${row.http ? grpc : name}`,
  },
];

const rows = contractRows(async (i, isSent) => {
  const { buildId, content } = binary(i);
  const uploadId = await beginUpload(client, { buildId, hash: 'h' }, content.length);
  const ticket = { buildId, uploadId };
  if (isSent) await sendUpload(client, ticket, content);
  return ticket;
});
const streams = /\/(Watch|ServerReflectionInfo|Upload|Write)$/;
/** Writes come first: the questions are about what they store. */
const order = Object.entries(rows).sort(
  ([a], [b]) => Number(b.includes('profilestore')) - Number(a.includes('profilestore')),
);

test('every method of the .proto files has a row, and the server has every service', async () => {
  const declared = Object.entries(services).flatMap(([service, methods]) =>
    Object.keys(methods).map((name) => `/${service}/${name}`),
  );
  assert.deepEqual(Object.keys(rows).sort(), declared.sort());
  const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
  const listed = await byGrpc({ path, row: rows[path], request: { listServices: '' }, more: [] });
  assert.ok('answer' in listed);
  const found = Array.from(listed.answer.matchAll(/"name":"([^"]+)"/g), ([, name]) => name);
  assert.deepEqual(found, Object.keys(services).sort());
});

for (const [i, { name, hasStreams, call, code }] of transports.entries()) {
  test(`${name}: each method answers, and refuses with its status and a reason`, async () => {
    for (const [path, row] of order) {
      const good = { path, row, request: await row.good(i), more: row.more?.(i) ?? [] };
      if (streams.test(path) && !hasStreams) {
        const refused = await call(good);
        assert.ok('code' in refused, `${path}: ${JSON.stringify(refused)}`);
        assert.match(String(refused.code), /^UNIMPLEMENTED$|^404 |^501 /, path);
        continue;
      }
      const outcome = await call(good);
      assert.ok('answer' in outcome, `${path}: ${JSON.stringify(outcome)}`);
      assert.match(outcome.answer, row.answer, path);
      const refused = await call({ path, row, request: row.bad.request, more: [] });
      assert.ok('code' in refused, `${path}: ${JSON.stringify(refused)}`);
      assert.match(refused.message, row.bad.message, path);
      assert.equal(refused.code, code(statuses[row.bad.code], row), path);
    }
  });
}
