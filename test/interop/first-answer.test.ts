// Tests that foreign clients, which send only Parca's own fields, get the names of real programs in
// the first answer after a push and after a restart. grpc-js uses gRPC; protobuf-ts, which Parca's
// page uses, uses gRPC-Web.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { GrpcWebFetchTransport } from '@protobuf-ts/grpcweb-transport';
import { MessageType } from '@protobuf-ts/runtime';
import { ServiceType } from '@protobuf-ts/runtime-rpc';
import { parca } from '../../proto/gen/query.js';
import { toTimestamp } from '../../src/api/transport/call/message.ts';
import { queryParameters, pushUnnamed } from '../support/profiles/unnamed-profiles.ts';
import { uploadDebuginfo } from '../support/debuginfo-client.ts';
import { connect, unary } from '../support/grpc-client.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const { QueryRequest, QueryResponse } = parca.query.v1alpha1;
const service = 'parca.query.v1alpha1.QueryService';
const scratch = await scratchDirectory();
after(() => scratch.remove());
const inFolder = (name: string): string => join(scratch.path, name);

const source = `
struct Worker { __attribute__((noinline)) long spin(long n); };
long Worker::spin(long n) { volatile long sum = n; while (n-- > 0) sum += n; return sum; }
extern "C" __attribute__((noinline)) long work(long n) { Worker w; return w.spin(n) + 1; }
int main(int argc, char **) { return (int)work(argc); }
`;

/** A real program, and the addresses of a stack in it, innermost first. */
interface Program {
  readonly path: string;
  readonly buildId: string;
  readonly addresses: readonly number[];
}

function compile(name: string, buildId: string): Program {
  writeFileSync(inFolder('work.cpp'), source);
  const path = inFolder(name);
  const flags = ['-g', '-O1', `-Wl,--build-id=0x${buildId}`];
  execFileSync('g++', [...flags, '-o', path, inFolder('work.cpp')]);
  const symbols = execFileSync('nm', [path], { encoding: 'utf8' });
  const addresses = ['_ZN6Worker4spinEl', 'work', 'main'].map((symbol) => {
    const line = new RegExp(`^([0-9a-f]+) [Tt] ${symbol}$`, 'm').exec(symbols);
    return parseInt(line?.[1] ?? '', 16) + 1;
  });
  return { path, buildId, addresses };
}

function encodeQuestion(job: string): Uint8Array {
  const parameters = queryParameters(job);
  const [start, end] = ['start', 'end'].map((name) => {
    return toTimestamp(BigInt(Date.parse(parameters.get(name) ?? '')) * 1_000_000n);
  });
  return QueryRequest.encode({
    mode: QueryRequest.Mode.MODE_MERGE,
    merge: { query: parameters.get('query') ?? '', start, end },
    reportType: QueryRequest.ReportType.REPORT_TYPE_TOP,
  }).finish();
}

/** Returns the names in an answer, which must be complete. */
function readNames(answer: Uint8Array): string[] {
  const { top, warnings } = QueryResponse.decode(answer);
  assert.deepEqual(warnings ?? [], []);
  return (top?.list ?? []).map(({ meta }) => meta?.function?.name ?? 'no name').sort();
}

async function askByGrpc({ address }: TestServer, job: string): Promise<string[]> {
  const client = connect(address);
  try {
    return readNames(await unary(client, `/${service}/Query`, encodeQuestion(job)));
  } finally {
    client.close();
  }
}

interface Raw {
  readonly bytes: Uint8Array;
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

async function askByGrpcWeb({ url }: TestServer, job: string): Promise<string[]> {
  const raw = new RawType();
  const methods = [{ name: 'Query', I: raw, O: raw, options: {} }];
  const [method] = new ServiceType(service, methods).methods;
  const transport = new GrpcWebFetchTransport({ baseUrl: `${url}/api`, format: 'binary' });
  const asked = { bytes: encodeQuestion(job) };
  const { response } = await transport.unary(method, asked, transport.mergeOptions({}));
  return readNames(response.bytes);
}

test('the first answer has the names of a real program, also after a restart', async () => {
  const programs = ['for-grpc', 'for-grpc-web'].map((name, i) => {
    return compile(name, `${i + 5}a`.repeat(20));
  });
  const options = {
    storagePath: inFolder('data'),
    // A busy machine may take longer than the default of 2 seconds.
    flags: ['--symbolizer-wait=60s'],
  };
  const server = await startServer(options);
  after(() => server.kill());
  const client = connect(server.address);
  for (const [i, { path, buildId, addresses }] of programs.entries()) {
    await pushUnnamed(client, `job${i}`, { path, buildId, addresses });
    await uploadDebuginfo(client, { buildId, hash: path }, readFileSync(path));
  }
  client.close();
  const want = ['Worker::spin', 'main', 'work'];
  assert.deepEqual(await askByGrpc(server, 'job0'), want);
  assert.deepEqual(await askByGrpcWeb(server, 'job1'), want);
  await server.stop();
  const again = await startServer(options);
  after(() => again.stop());
  assert.deepEqual(await askByGrpcWeb(again, 'job0'), want);
  assert.deepEqual(await askByGrpc(again, 'job1'), want);
});
