// Tests that work ends with its caller: each API starts work that never ends by itself, the caller
// disconnects or its deadline passes, and the work's signal is aborted within a tenth of a second.
// Then a real server unpacks an archive.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { frameMessage } from '../../src/api/transport/grpc/message-frames.ts';
import { loadSchema } from '../../src/api/transport/json/load-schema.ts';
import { jsonToMessage } from '../../src/api/transport/json/to-message.ts';
import { type CurrentCaller, currentCaller, noCaller } from '../../src/base/current-caller.ts';
import { emptyServices, startApi, type TestApi } from '../support/api.ts';
import { scratchDirectory, startServer } from '../support/server.ts';

/**
 * Longest time in milliseconds from the end of the connection to the end of the work. It is
 * measured in CPU time and timer ticks of this process, which is also the server: neither advances
 * while the machine makes the process wait.
 */
const endMillisMax = 100;
const tickMillis = 5;
/**
 * Deadline of callers, and time within which a method may still return its own error, in
 * milliseconds.
 */
const deadlineMillis = 60;
const ownErrorMillis = 100;

/**
 * Starts a measurement; returns a function that returns the milliseconds for which the process has
 * worked or waited since.
 */
function startMeasure(): () => number {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), tickMillis);
  const before = process.cpuUsage();
  return () => {
    clearInterval(timer);
    const { user, system } = process.cpuUsage(before);
    return Math.max(ticks * tickMillis, (user + system) / 1_000);
  };
}

/** Resolves to the signal of the work when the work starts. */
let begun = Promise.withResolvers<AbortSignal>();

/** Caller of the work that was started last. */
let workedFor: CurrentCaller = noCaller;

/** Starts work that ends only when its signal is aborted. */
function hang(signal: AbortSignal): Promise<never> {
  workedFor = currentCaller();
  begun.resolve(signal);
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

interface WithSignal {
  readonly signal: AbortSignal;
}

let api: TestApi;
before(async () => {
  const byCaller = async (...args: readonly unknown[]): Promise<never> =>
    hang((args.at(-1) as WithSignal).signal);
  const bySignal = async (...args: readonly unknown[]): Promise<never> =>
    hang(args.at(-1) as AbortSignal);
  const engine = {
    hasProfileData: emptyServices.engine.hasProfileData,
    missingIn: emptyServices.engine.missingIn,
    profileTypes: byCaller,
    labelNames: byCaller,
    labelValues: byCaller,
    labelSets: byCaller,
    countLabels: byCaller,
    countLabelValues: byCaller,
    queryFunctions: byCaller,
    largestFunctions: byCaller,
    users: byCaller,
    querySamples: byCaller,
    nearestData: byCaller,
    queryRange: byCaller,
    report: byCaller,
    encodedReport: byCaller,
  };
  api = await startApi({
    services: {
      engine,
      pyroscope: engine,
      drawPicture: byCaller,
      debuginfo: {
        decide: async ({ buildId }, signal) => {
          return signal !== undefined && buildId === 'decides'
            ? hang(signal)
            : { isWanted: true, reason: '' };
        },
        begin: async ({ buildId }, _size, signal) => {
          return signal !== undefined && buildId === 'begins' ? hang(signal) : 'id';
        },
        receive: async (_ticket, chunks, signal) => {
          for await (const chunk of chunks) assert.ok(chunk.length > 0);
          return hang(signal);
        },
        finish: async (_ticket, signal) => signal && hang(signal),
      },
      debuginfodFiles: {
        openDebuginfo: bySignal,
        openExecutable: bySignal,
        openSection: bySignal,
        readSource: bySignal,
      },
      parts: { look: bySignal, readBlock: bySignal },
      files: { readPiece: bySignal },
      sources: { readSource: bySignal },
    },
    hooks: {
      cpuProfile: (_seconds, signal) => hang(signal),
      importInThread: (_file, signal) => hang(signal),
    },
  });
});
after(() => api.close());

/** Disconnects a caller. */
type HangUp = () => void;

/** Sends an HTTP/1.1 request over a new connection. */
function sendHttp(
  verb: string,
  path: string,
  type = '',
  body: Uint8Array = Buffer.of(),
  headers: readonly string[] = [],
): HangUp {
  const socket = connectTcp(api.api.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const head = [`${verb} ${path} HTTP/1.1`, 'host: localhost', `content-length: ${body.length}`];
  head.push(...headers);
  if (type !== '') head.push(`content-type: ${type}`);
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(body);
  return () => socket.destroy();
}

/** Sends a request over native gRPC; disconnects by resetting the stream. */
function sendGrpc(
  path: string,
  messages: readonly Uint8Array[],
  more: Readonly<Record<string, string>> = {},
): HangUp {
  const session = connectHttp2(api.url);
  session.on('error', () => undefined);
  const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc' };
  const stream = session.request({ ...headers, ...more, te: 'trailers' });
  stream.on('error', () => undefined);
  for (const message of messages) stream.write(frameMessage(message));
  stream.end();
  return () => {
    stream.close(8);
    setTimeout(() => session.destroy(), 500);
  };
}

/** Checks that work starts, and that it ends soon after its deadline. */
async function checkDeadline(name: string, send: () => HangUp): Promise<void> {
  const sentMillis = performance.now();
  await check(
    `${name} with a deadline`,
    () => {
      const hangUp = send();
      // The caller stays, so only the server ends the call.
      return () => void setTimeout(hangUp, 1_000);
    },
    deadlineMillis + ownErrorMillis,
  );
  const millis = performance.now() - sentMillis;
  assert.ok(millis >= deadlineMillis, `${name}: ended ${millis} ms after it was sent`);
}

/** Checks that work starts, and that it ends soon after its caller disconnects. */
async function check(name: string, send: () => HangUp, moreMillis = 0): Promise<void> {
  begun = Promise.withResolvers();
  const late = setTimeout(() => begun.reject(new Error(`${name}: no work begins`)), 10_000);
  const hangUp = send();
  const signal = await begun.promise;
  clearTimeout(late);
  assert.equal(signal.aborted, false, `${name}: ended before its caller went`);
  assert.equal(workedFor, '127.0.0.1', `${name}: its slices are not those of its caller`);
  const measure = startMeasure();
  hangUp();
  const tooLate = setTimeout(() => assert.fail(`${name}: the work goes on`), 20_000);
  if (!signal.aborted) await once(signal, 'abort');
  clearTimeout(tooLate);
  const millis = measure();
  assert.ok(millis <= endMillisMax + moreMillis, `${name}: ended after ${millis} ms`);
}

const type = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const [start, end] = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z'];
const range = { start, end };
const query = '/parca.query.v1alpha1.QueryService';
/** Query methods: path, request, and path in the gateway. */
const methods: readonly (readonly [path: string, json: object, gateway: string])[] = [
  [`${query}/ProfileTypes`, range, 'types?'],
  [`${query}/Labels`, range, 'labels?'],
  [`${query}/Values`, { ...range, labelName: 'job' }, 'labels/job/values?'],
  [`${query}/Series`, { ...range, match: ['{job="a"}'] }, 'series?match=%7Bjob%3D%22a%22%7D&'],
  [`${query}/QueryRange`, { ...range, query: type }, `query_range?query=${type}&`],
  [
    `${query}/Query`,
    { mode: 'MODE_MERGE', merge: { ...range, query: type }, reportType: 'REPORT_TYPE_TOP' },
    `query?mode=MODE_MERGE&report_type=REPORT_TYPE_TOP&merge.query=${type}&merge.start=${start}&merge.end=${end}&`,
  ],
];

test('queries, over gRPC, gRPC-Web, Connect and JSON', async () => {
  const schema = await loadSchema();
  for (const [path, json, gateway] of methods) {
    const message = jsonToMessage(schema, schema.method(path).request, json);
    await check(`gRPC ${path}`, () => sendGrpc(path, [message]));
    const web = 'application/grpc-web+proto';
    await check(`gRPC-Web ${path}`, () => sendHttp('POST', path, web, frameMessage(message)));
    await check(`Connect ${path}`, () => sendHttp('POST', path, 'application/proto', message));
    const text = Buffer.from(JSON.stringify(json));
    await check(`Connect JSON ${path}`, () => sendHttp('POST', path, 'application/json', text));
    const url = `/api/profiles/${gateway}start=${start}&end=${end}`;
    await check(`JSON ${url}`, () => sendHttp('GET', url));
  }
});

test('our own paths: exports, lists, nearest names, sources, profiles of the server', async () => {
  const selected = `query=${type}&start=${start}&end=${end}`;
  const paths = [
    `/api/v1/export?${selected}&format=collapsed`,
    `/api/v1/export?${selected}&format=pprof`,
    `/api/v1/pgo?${selected}`,
    `/api/v1/changes?${selected}&base_start=2025-01-01T00:00:00Z&base_end=2025-01-01T01:00:00Z`,
    `/api/v1/functions?${selected}`,
    `/api/v1/heatmap?${selected}`,
    `/api/v1/labels?start=${start}&end=${end}`,
    `/api/v1/labels/job/values?start=${start}&end=${end}`,
    `/api/v1/nearest?${selected}`,
    `/api/v1/assembly?${selected}&function=main`,
    `/api/v1/picture?${selected}`,
    `/api/v1/source-links?${selected}&file=main.go`,
    `/api/v1/users?${selected}&pattern=main`,
    '/buildid/0123456789abcdef/source/src/main.c',
    '/buildid/0123456789abcdef/debuginfo',
    '/buildid/0123456789abcdef/executable',
    '/buildid/0123456789abcdef/section/.text',
    '/debug/pprof/profile?seconds=30',
  ];
  for (const path of paths) await check(path, () => sendHttp('GET', path));
});

const inMillis = { start: Date.parse(start), end: Date.parse(end) };
const selected = {
  ...inMillis,
  profileTypeID: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds',
  labelSelector: '{}',
};
/** Methods of Pyroscope's querier, with a request for each method. */
const pyroscope: Readonly<Record<string, object>> = {
  ProfileTypes: inMillis,
  LabelNames: inMillis,
  LabelValues: { ...inMillis, name: 'job' },
  Series: inMillis,
  SelectMergeStacktraces: selected,
  SelectMergeProfile: selected,
  SelectSeries: { ...selected, step: 15 },
  SelectHeatmap: { ...selected, step: 15 },
  Diff: { left: selected, right: selected },
  AnalyzeQuery: { ...inMillis, query: `${selected.profileTypeID}{}` },
};

test("Pyroscope's querier and its pages", async () => {
  for (const [name, json] of Object.entries(pyroscope)) {
    const path = `/querier.v1.QuerierService/${name}`;
    const body = Buffer.from(JSON.stringify(json));
    await check(path, () => sendHttp('POST', path, 'application/json', body));
    const given = [`connect-timeout-ms: ${deadlineMillis}`];
    await checkDeadline(path, () => sendHttp('POST', path, 'application/json', body, given));
  }
  const at = `from=${inMillis.start}&until=${inMillis.end}`;
  const query = encodeURIComponent(`${selected.profileTypeID}{}`);
  const diff = `leftQuery=${query}&rightQuery=${query}`;
  for (const path of [
    `/pyroscope/render?query=${query}&${at}`,
    `/pyroscope/render-diff?${diff}&leftFrom=${inMillis.start}&leftUntil=${inMillis.end}&rightFrom=${inMillis.start}&rightUntil=${inMillis.end}`,
  ]) {
    await check(path, () => sendHttp('GET', path));
  }
});

test('uploads and imports', async () => {
  const body = Buffer.from('x'.repeat(100_000));
  for (const kind of ['debuginfo', 'executable', 'sources', 'source-map']) {
    const path = `/api/v1/debuginfo?build_id=0123456789abcdef&type=${kind}`;
    await check(path, () => sendHttp('POST', path, 'application/octet-stream', body));
  }
  const schema = await loadSchema();
  const path = '/parca.debuginfo.v1alpha1.DebuginfoService/Upload';
  const upload = (json: object): Uint8Array =>
    jsonToMessage(schema, schema.method(path).request, json);
  const info = upload({ info: { buildId: '0123456789abcdef', uploadId: 'id' } });
  const chunk = upload({ chunkData: body.toString('base64') });
  await check(path, () => sendGrpc(path, [info, chunk]));
  // A worker thread imports long files.
  const lines = Buffer.from('main;work 1\n'.repeat(200_000));
  const push = '/api/v1/push?job=a';
  await check(push, () => sendHttp('POST', push, 'text/plain', lines));
  const ingest = '/ingest?name=a&from=1767225600&until=1767225610&format=folded';
  await check(ingest, () => sendHttp('POST', ingest, 'text/plain', lines));
});

/** Calls of agents and query servers: the path and a request. */
const calls: readonly (readonly [path: string, json: object])[] = [
  ['/parca.debuginfo.v1alpha1.DebuginfoService/ShouldInitiateUpload', { buildId: 'decides' }],
  ['/parca.debuginfo.v1alpha1.DebuginfoService/InitiateUpload', { buildId: 'begins' }],
  ['/parca.debuginfo.v1alpha1.DebuginfoService/MarkUploadFinished', { buildId: 'id' }],
  ['/parts.v1.PartsService/Look', {}],
  ['/parts.v1.PartsService/ReadBlock', { id: 'block', length: 5 }],
  ['/parts.v1.PartsService/ReadDebuginfo', { buildId: 'id' }],
];

test('calls of agents and of query servers', async () => {
  const schema = await loadSchema();
  for (const [path, json] of calls) {
    const message = jsonToMessage(schema, schema.method(path).request, json);
    await check(`gRPC ${path}`, () => sendGrpc(path, [message]));
  }
});

test('deadlines, over each protocol and at each kind of door', async () => {
  const schema = await loadSchema();
  const timeout = { 'grpc-timeout': `${deadlineMillis}m` };
  const headers = [`grpc-timeout: ${deadlineMillis}m`];
  for (const [path, json] of [...calls, [methods[4][0], methods[4][1]] as const]) {
    const message = jsonToMessage(schema, schema.method(path).request, json);
    await checkDeadline(`gRPC ${path}`, () => sendGrpc(path, [message], timeout));
    const web = 'application/grpc-web+proto';
    await checkDeadline(`gRPC-Web ${path}`, () =>
      sendHttp('POST', path, web, frameMessage(message), headers),
    );
  }
  const [path, json, gateway] = methods[4];
  const message = jsonToMessage(schema, schema.method(path).request, json);
  const connect = [`connect-timeout-ms: ${deadlineMillis}`];
  await checkDeadline(`Connect ${path}`, () =>
    sendHttp('POST', path, 'application/proto', message, connect),
  );
  const given = `timeout=${deadlineMillis}ms`;
  for (const url of [
    `/api/profiles/${gateway}start=${start}&end=${end}&${given}`,
    `/api/v1/export?query=${type}&start=${start}&end=${end}&format=collapsed&${given}`,
    `/api/v1/labels?start=${start}&end=${end}&${given}`,
    `/buildid/0123456789abcdef/executable?${given}`,
    `/buildid/0123456789abcdef/source/src/main.c?${given}`,
  ]) {
    await checkDeadline(url, () => sendHttp('GET', url));
  }
  const body = Buffer.from('x'.repeat(1_000));
  for (const kind of ['debuginfo', 'sources', 'source-map']) {
    const upload = `/api/v1/debuginfo?build_id=0123456789abcdef&type=${kind}`;
    await checkDeadline(upload, () =>
      sendHttp('POST', upload, 'application/octet-stream', body, headers),
    );
  }
});

/** Returns a tar archive of many empty members, as small as possible. */
function makeArchive(count: number): Buffer {
  const member = Buffer.alloc(1_024);
  const archive = Buffer.alloc(count * 1_024 + 1_024);
  member.write('0000644\0', 100);
  member.write('00000000001\0', 124);
  member.write('00000000000\0', 136);
  member.write('ustar\x0000', 257);
  member.write('0', 156);
  member.write('x', 512);
  for (let i = 0; i < count; i += 1) {
    member.fill(0, 0, 100).write(`s/${i}.c`, 0);
    member.fill(0x20, 148, 156);
    let sum = 0;
    for (let at = 0; at < 512; at += 1) sum += member[at];
    member.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    member.copy(archive, i * 1_024);
  }
  return gzipSync(archive, { level: 1 });
}

/** Returns the CPU milliseconds that a process has used. */
function cpuMillis(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** CPU milliseconds that the server may use until it is idle, once its callers have left. */
const restMillisMax = 500;

const wait = (millis: number): Promise<void> => new Promise((done) => setTimeout(done, millis));

test('a real server stops unpacking an archive, and leaves no file of it', async () => {
  const scratch = await scratchDirectory();
  const storagePath = join(scratch.path, 'data');
  const real = await startServer({ storagePath });
  try {
    const archive = makeArchive(80_000);
    const port = Number(real.address.split(':')[1]);
    const sockets = Array.from({ length: 3 }, (_, i) => {
      const socket = connectTcp(port, '127.0.0.1');
      socket.on('error', () => undefined);
      const path = `/api/v1/debuginfo?build_id=0123456789abcde${i}&type=sources`;
      socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${archive.length}\r\n\r\n`);
      socket.write(archive);
      return socket;
    });
    const before = cpuMillis(real.pid);
    while (cpuMillis(real.pid) - before < 1_000) await wait(50);
    const files = (): Promise<string[]> => readdir(storagePath, { recursive: true });
    assert.ok((await files()).some((name) => name.endsWith('.packed')));
    const atEnd = cpuMillis(real.pid);
    for (const socket of sockets) socket.destroy();
    const left = async (): Promise<string[]> =>
      (await files()).filter((name) => /0123456789abcde|packed/.test(name));
    let used = 0;
    for (let isAtRest = false; !isAtRest;) {
      await wait(500);
      const now = cpuMillis(real.pid) - atEnd;
      assert.ok(now < restMillisMax, `${now} ms of CPU after the callers have gone`);
      isAtRest = now - used < 50 && (await left()).length === 0;
      used = now;
    }
  } finally {
    await real.stop();
    await scratch.remove();
  }
});
