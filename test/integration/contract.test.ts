// Tests every method of every service with valid and invalid calls over each protocol. The clients
// are third-party: grpc-js, protobuf-ts, and fetch for Connect and JSON.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Client } from '@grpc/grpc-js';
import { GrpcWebFetchTransport } from '@protobuf-ts/grpcweb-transport';
import { MessageType } from '@protobuf-ts/runtime';
import { RpcError, ServiceType } from '@protobuf-ts/runtime-rpc';
import { services } from '../../proto/gen/descriptors.ts';
import {
  byGrpc,
  type Called,
  checkMethods,
  connectCode,
  decode,
  encode,
  jsonCode,
  makeJsonRequest,
  type Outcome,
  toOutcome,
  fillRows,
  writeContractBlock,
  type Transport,
} from '../support/contract/contract.ts';
import { connect } from '../support/grpc-client.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../support/server.ts';

let folder: ScratchDirectory;
let server: TestServer;
let client: Client;
before(async () => {
  folder = await scratchDirectory();
  await writeContractBlock(join(folder.path, 'data'));
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

interface Raw {
  bytes: Uint8Array;
}

/** A protobuf-ts message type whose messages are encoded bytes. */
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
  return toOutcome(answer.status, await answer.json());
}

async function byJson(called: Called): Promise<Outcome> {
  const { verb, path, body } = makeJsonRequest(called);
  const answer = await fetch(server.url + path, {
    method: verb,
    ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
  });
  return toOutcome(answer.status, await answer.json());
}

const transports: readonly Transport[] = [
  {
    name: 'gRPC',
    hasStreams: true,
    code: ({ grpc }) => grpc,
    call: (called) => byGrpc(client, called),
  },
  { name: 'gRPC-Web', hasStreams: false, call: byGrpcWeb, code: ({ text }) => text },
  { name: 'Connect', hasStreams: false, call: byConnect, code: connectCode },
  { name: 'JSON', hasStreams: false, call: byJson, code: jsonCode },
];

test('every method of the .proto files has a row, and the server has every service', async () => {
  const rows = fillRows(client);
  const declared = Object.entries(services).flatMap(([service, methods]) =>
    Object.keys(methods).map((name) => `/${service}/${name}`),
  );
  assert.deepEqual(Object.keys(rows).sort(), declared.sort());
  const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
  const listed = await byGrpc(client, {
    path,
    row: rows[path],
    request: { listServices: '' },
    more: [],
  });
  assert.ok('answer' in listed);
  const found = Array.from(listed.answer.matchAll(/"name":"([^"]+)"/g), ([, name]) => name);
  assert.deepEqual(found, Object.keys(services).sort());
});

for (const [i, transport] of transports.entries()) {
  test(`${transport.name}: each method answers, and refuses with its status and a reason`, async () => {
    await checkMethods(transport, i, fillRows(client));
  });
}
