// Tests native gRPC on the real port with a grpc-js client, and with raw HTTP/2 for requests that
// this client would not send.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Client, type ServiceError, credentials, Client as GrpcClient } from '@grpc/grpc-js';
import { AppError } from '../../src/base/errors.ts';
import { healthWatchesOfCallerMax } from '../../src/api/limits.ts';
import { messageBytesMax } from '../../src/base/limits.ts';
import type { ProfileUpload } from '../../src/ingest/interface.ts';
import { grpc } from '../../proto/gen/health.js';
import { parca } from '../../proto/gen/query.js';
import { emptyServices, type TestApi, startApi } from '../support/api.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';

const writeService = 'parca.profilestore.v1alpha1.ProfileStoreService';
const query = '/parca.query.v1alpha1.QueryService';
const nothing = new Uint8Array(0);
const pass = (bytes: Buffer): Buffer => bytes;

let uploads: { labels: unknown; length: number; first: number }[] = [];
let failure: AppError | undefined;
let sawAbort: Promise<string>;
let tellAbort: (reason: string) => void = () => undefined;
let tellStarted: () => void = () => undefined;
let server: TestApi;
let client: Client;

before(async () => {
  server = await startApi({
    services: {
      ingester: {
        async write(batch: readonly ProfileUpload[]) {
          if (failure) throw failure;
          for (const { labels, profile } of batch) {
            uploads.push({ labels, length: profile.length, first: profile[0] });
          }
        },
        writeRecord: async () => undefined,
      },
      engine: {
        ...emptyServices.engine,
        profileTypes: async () => [
          {
            name: 'process_cpu',
            sample: { type: 'cpu', unit: 'nanoseconds' },
            period: { type: 'cpu', unit: 'nanoseconds' },
            delta: true,
          },
        ],
        labelNames: async () => ['job'],
        labelValues: async () => {
          throw new AppError('not-found', 'nothing é "quoted" 100%\n');
        },
        hasProfileData: async () => true,
        queryRange: (_question, { signal }) =>
          new Promise((_, reject) => {
            tellStarted();
            signal.addEventListener('abort', () => {
              tellAbort(String(signal.reason));
              reject(signal.reason);
            });
          }),
        report: async () => {
          throw new TypeError('a bug');
        },
      },
    },
  });
  client = connect(server.address);
});

after(async () => {
  client.close();
  await server.close();
});

async function readRefusal(call: Promise<unknown>): Promise<{ code: number; details: string }> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'details' in error) {
      return { code: Number(error.code), details: String(error.details) };
    }
    throw error;
  }
  return { code: 0, details: '' };
}

test('a unary call is answered', async () => {
  const bytes = await unary(client, `${query}/ProfileTypes`, nothing);
  const { types } = parca.query.v1alpha1.ProfileTypesResponse.decode(bytes);
  assert.equal(types.length, 1);
  assert.equal(types[0].name, 'process_cpu');
  assert.equal(types[0].delta, true);
});

test('WriteRaw hands labels and the bytes of the profile to the ingester', async () => {
  uploads = [];
  const profile = new Uint8Array(3_000_000).fill(7);
  await unary(client, writeRawPath, writeRawRequest({ __name__: 'x', job: 'a' }, profile));
  assert.deepEqual(uploads, [
    {
      labels: [
        { name: '__name__', value: 'x' },
        { name: 'job', value: 'a' },
      ],
      length: 3_000_000,
      first: 7,
    },
  ]);
});

test('many concurrent uploads on one connection', async () => {
  uploads = [];
  const request = writeRawRequest({ __name__: 'x' }, new Uint8Array(1_000_000).fill(1));
  await Promise.all(Array.from({ length: 40 }, () => unary(client, writeRawPath, request)));
  assert.equal(uploads.length, 40);
});

test('gzip messages are undone, and bombs stop at the limit', async () => {
  const gzipClient = new GrpcClient(server.address, credentials.createInsecure(), {
    'grpc.default_compression_algorithm': 2,
    'grpc.max_send_message_length': -1,
  });
  uploads = [];
  const request = writeRawRequest({ __name__: 'x' }, new Uint8Array(100_000).fill(9));
  await unary(gzipClient, writeRawPath, request);
  assert.equal(uploads[0].length, 100_000);
  gzipClient.close();
  const bomb = gzipSync(Buffer.alloc(messageBytesMax + 1));
  const answer = await rawCall(writeRawPath, frame(bomb, 1), { 'grpc-encoding': 'gzip' });
  assert.equal(answer['grpc-status'], '8');
});

test('a message over the limit is refused by its prefix, before it is sent', async () => {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(messageBytesMax + 1, 1);
  const answer = await rawCall(writeRawPath, prefix, {}, { isOpen: true });
  assert.equal(answer['grpc-status'], '8');
  assert.match(String(answer['grpc-message']), /larger than max \(67108865 vs\. 67108864\)/);
});

test('errors carry code and text', async () => {
  failure = new AppError('invalid-argument', 'bad profile');
  assert.deepEqual(await readRefusal(unary(client, writeRawPath, writeRawRequest({}, nothing))), {
    code: 3,
    details: 'bad profile',
  });
  failure = new AppError('resource-exhausted', 'disk full');
  assert.equal(
    (await readRefusal(unary(client, writeRawPath, writeRawRequest({}, nothing)))).code,
    8,
  );
  failure = undefined;
  const values = parca.query.v1alpha1.ValuesRequest.encode({ labelName: 'job' }).finish();
  assert.deepEqual(await readRefusal(unary(client, `${query}/Values`, values)), {
    code: 5,
    details: 'nothing é "quoted" 100%\n',
  });
});

test('what is no message, no method, no gRPC', async () => {
  const broken = await readRefusal(unary(client, writeRawPath, Buffer.from([0x12, 0xff])));
  assert.equal(broken.code, 3);
  assert.match(broken.details, /cannot decode WriteRawRequest/);
  const unknown = await readRefusal(unary(client, '/a.B/C', nothing));
  assert.deepEqual(unknown, { code: 12, details: 'unknown method /a.B/C' });
  const empty = await rawCall(writeRawPath, Buffer.alloc(0));
  assert.equal(empty['grpc-status'], '3');
  const two = await rawCall(writeRawPath, Buffer.concat([frame(nothing), frame(nothing)]));
  assert.equal(two['grpc-status'], '3');
  const strange = await rawCall(writeRawPath, frame(nothing), { 'grpc-timeout': 'soon' });
  assert.equal(strange['grpc-status'], '3');
  const snappy = await rawCall(writeRawPath, frame(nothing, 1), { 'grpc-encoding': 'snappy' });
  assert.equal(snappy['grpc-status'], '12');
});

test('a method is found behind any prefix of the path', async () => {
  const answer = await rawCall(`/some/prefix${query}/HasProfileData`, frame(nothing));
  assert.equal(answer['grpc-status'], '0');
});

const rangeRequest = parca.query.v1alpha1.QueryRangeRequest.encode({
  query: 'x',
  start: { nanos: 1 },
  end: { nanos: 2 },
  step: { nanos: 1 },
}).finish();

test('the deadline of the caller ends the call and aborts the work', async () => {
  sawAbort = new Promise((resolve) => {
    tellAbort = resolve;
  });
  const path = `${query}/QueryRange`;
  const answer = await rawCall(path, frame(rangeRequest), { 'grpc-timeout': '50m' });
  assert.equal(answer['grpc-status'], '4');
  assert.match(await sawAbort, /deadline exceeded/);
});

test('a caller that goes away aborts the work', async () => {
  sawAbort = new Promise((resolve) => {
    tellAbort = resolve;
  });
  const hasStarted = new Promise<void>((resolve) => {
    tellStarted = resolve;
  });
  const call = client.makeUnaryRequest(
    `${query}/QueryRange`,
    pass,
    pass,
    Buffer.from(rangeRequest),
    (_error: ServiceError | null) => undefined,
  );
  await hasStarted;
  call.cancel();
  assert.match(await sawAbort, /cancelled/);
});

test('health is serving; unknown services are not found', async () => {
  const check = '/grpc.health.v1.Health/Check';
  assert.deepEqual([...(await unary(client, check, nothing))], [8, 1]);
  const named = grpc.health.v1.HealthCheckRequest.encode({ service: 'a.B' }).finish();
  assert.equal((await readRefusal(unary(client, check, named))).code, 5);
});

test('Watch sends the state and every change of it, to the last one of a server that stops', async () => {
  let isFull = false;
  const own = await startApi({ isStarting: true });
  const watcher = connect(own.address);
  const watch = (service: string): { readonly states: number[]; next(): Promise<unknown> } => {
    const asked = Buffer.from(grpc.health.v1.HealthCheckRequest.encode({ service }).finish());
    const stream = watcher.makeServerStreamRequest(
      '/grpc.health.v1.Health/Watch',
      pass,
      pass,
      asked,
    );
    const states: number[] = [];
    stream.on('data', (bytes: Buffer) => states.push(bytes[1]));
    stream.on('error', () => undefined);
    return { states, next: () => once(stream, 'data') };
  };
  const [whole, writes, unknown] = ['', writeService, 'a.B'].map(watch);
  await Promise.all([whole.next(), writes.next(), unknown.next()]);
  own.api.serve({
    ...emptyServices,
    whyNoWrites: () => (isFull ? 'its disk is nearly full' : undefined),
  });
  await Promise.all([whole.next(), writes.next()]);
  isFull = true;
  await writes.next();
  isFull = false;
  await writes.next();
  await Promise.all([whole.next(), writes.next(), own.close()]);
  watcher.close();
  assert.deepEqual(whole.states, [2, 1, 2]);
  // Before the start, the service's name is unknown to the health check.
  assert.deepEqual(writes.states, [3, 1, 2, 1, 2]);
  assert.deepEqual(unknown.states, [3]);
});

test('watches of health of a caller have a limit, and those that end count no longer', async () => {
  const own = await startApi();
  const watchers = Array.from({ length: 3 }, () => connect(own.address));
  const open = (i: number) =>
    watchers[i % watchers.length].makeServerStreamRequest(
      '/grpc.health.v1.Health/Watch',
      pass,
      pass,
      Buffer.of(),
    );
  const first = (stream: ReturnType<typeof open>): Promise<number> =>
    new Promise((resolve) => {
      stream
        .on('data', () => resolve(0))
        .on('error', (error) => {
          resolve((error as { code?: number }).code ?? -1);
        });
    });
  const streams = Array.from({ length: healthWatchesOfCallerMax }, (_, i) => open(i));
  assert.deepEqual(new Set(await Promise.all(streams.map(first))), new Set([0]));
  assert.equal(await first(open(0)), 8);
  for (const stream of streams.slice(0, 2)) stream.cancel();
  let code = 8;
  while (code === 8) code = await first(open(1));
  assert.equal(code, 0);
  for (const watcher of watchers) watcher.close();
  await own.close();
});

test('with a full disk health says that the service of writes is not serving', async () => {
  const full = await startApi({ services: { whyNoWrites: () => 'its disk is nearly full' } });
  const own = connect(full.address);
  const status = async (service: string): Promise<number | undefined> => {
    const asked = grpc.health.v1.HealthCheckRequest.encode({ service }).finish();
    return (await unary(own, '/grpc.health.v1.Health/Check', asked)).at(1);
  };
  assert.equal(await status(''), 1);
  assert.equal(await status('parca.query.v1alpha1.QueryService'), 1);
  assert.equal(await status(writeService), 2);
  own.close();
  await full.close();
});

test('calls are counted with method and code', async () => {
  const { text } = await server.metrics.text();
  assert.match(
    text,
    new RegExp(
      'grpc_server_handled_total\\{grpc_type="unary",' +
        'grpc_service="parca.query.v1alpha1.QueryService",' +
        'grpc_method="ProfileTypes",grpc_code="OK"\\} 1',
    ),
  );
  assert.match(text, /grpc_method="QueryRange",grpc_code="DeadlineExceeded"\} 1/);
});

test('before the server is ready calls are UNAVAILABLE and health says NOT_SERVING', async () => {
  const starting = await startApi({ isStarting: true });
  const early = connect(starting.address);
  assert.equal((await readRefusal(unary(early, writeRawPath, nothing))).code, 14);
  assert.deepEqual([...(await unary(early, '/grpc.health.v1.Health/Check', nothing))], [8, 2]);
  early.close();
  await starting.close();
});

test('closing lets a call finish', async () => {
  let release: () => void = () => undefined;
  let started: () => void = () => undefined;
  const isStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const closing = await startApi({
    services: {
      ingester: {
        write: async () => {
          started();
          await held;
        },
        writeRecord: async () => undefined,
      },
    },
  });
  const own = connect(closing.address);
  const call = unary(own, writeRawPath, writeRawRequest({ __name__: 'x' }, nothing));
  await isStarted;
  const closed = closing.close();
  release();
  assert.equal((await call).length, 0);
  own.close();
  await closed;
});

function frame(message: Uint8Array, flags = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flags;
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Makes one call over plain HTTP/2; resolves with the headers and trailers merged. */
function rawCall(
  path: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
  { isOpen = false } = {},
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(server.url);
    session.on('error', reject);
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
    let all: Record<string, unknown> = {};
    stream.on('response', (received) => {
      all = { ...all, ...received };
    });
    stream.on('trailers', (received) => {
      all = { ...all, ...received };
    });
    stream.on('error', reject);
    stream.on('close', () => {
      session.close();
      resolve(all);
    });
    stream.resume();
    if (isOpen) stream.write(body);
    else stream.end(body);
  });
}
