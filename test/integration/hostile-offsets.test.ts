// Tests binary APIs of the server with wrong numbers, lengths, indices and offsets: each request
// gets a clear error or the part that can be read. The server's memory, CPU time and profiles stay
// within limits.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import type { Client, ServiceError } from '@grpc/grpc-js';
import { parca as profiles } from '../../proto/gen/profilestore.js';
import { parca as queries } from '../../proto/gen/query.js';
import {
  otlpRequest,
  encodeStack,
  pushRequest,
  type ProcessStack,
} from '../../native/symbolizer/testing/doors.ts';
import { isFull } from '../../src/base/testing/rounds.ts';
import { encodeRecord } from '../../src/formats/parca-arrow/encode-record.ts';
import { PprofWriter } from '../../src/formats/pprof/writer.ts';
import { makeElf, makeNote, makeSymbols } from '../../src/symbolize/testing/make-elf.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import {
  type HostileBody,
  wrongDigits,
  wrongFrames,
  wrongJson,
  wrongProtobufs,
  wrongWords,
} from '../support/hostile/hostile-offsets.ts';
import { splitFile } from '../support/hostile/split-elf.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

/** Average CPU milliseconds that the server may take for one body; small bodies take one. */
const averageMillisMax = 40;
/** Maximum number of bodies sent to each API; full tests send all. */
const bodiesMax = 80;
/** Bytes by which the server's memory may grow in total, including what it stores. */
const grownBytesMax = 250 * 1024 ** 2;
/** gRPC codes for invalid requests and for requests that cannot be answered; 0 is an answer. */
const goodCodes: ReadonlySet<number> = new Set([0, 3, 5, 6, 8, 9, 11, 12]);

const stack: ProcessStack = {
  file: '/app/server',
  buildId: 'abcdef0123456789',
  range: { start: 0x1000n, limit: 0x9000n, offset: 0n },
  addresses: [0x1010n, 0x2020n],
  timeNanos: BigInt(Date.now()) * 1_000_000n,
};

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
let client: Client;
before(async () => {
  scratch = await scratchDirectory();
  server = await startServer({ storagePath: join(scratch.path, 'data') });
  client = connect(server.address);
});
after(async () => {
  client?.close();
  await server?.stop();
  await scratch?.remove();
});

/** Returns the server's CPU time in milliseconds, and its peak memory in bytes. */
function usage(): { readonly cpuMillis: number; readonly peakBytes: number } {
  const stat = readFileSync(`/proc/${server.pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`/proc/${server.pid}/status`, 'latin1');
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(status) ?? [];
  // The kernel counts in ticks of 10 ms.
  return {
    cpuMillis: 10 * (Number(fields[11]) + Number(fields[12])),
    peakBytes: 1024 * Number(peak),
  };
}

/** Sends a body; resolves with an HTTP status or a gRPC code, and a message. */
type Send = (bytes: Uint8Array) => Promise<string>;

function byHttp(path: string, headers: Readonly<Record<string, string>> = {}): Send {
  return async (bytes) => {
    const body = Uint8Array.from(bytes);
    const response = await fetch(server.url + path, { method: 'POST', body, headers });
    const words = await response.text();
    const isGood = response.status < 500 || response.status === 501;
    assert.ok(isGood, `${response.status} ${words}`);
    const code = Number(response.headers.get('grpc-status') ?? 0);
    assert.ok(goodCodes.has(code), `code ${code}: ${response.headers.get('grpc-message')}`);
    if (response.status >= 400) assert.ok(words.length > 10, 'an error without words');
    return `${response.status} ${code}`;
  };
}

function byGrpc(path: string): Send {
  return async (bytes) => {
    try {
      await unary(client, path, bytes);
      return 'code 0';
    } catch (error) {
      const { code, details } = error as ServiceError;
      assert.ok(goodCodes.has(code), `code ${code}: ${details}`);
      assert.ok(details.length > 5, `code ${code} without words: ${details}`);
      return `code ${code}`;
    }
  };
}

function pprof(): Uint8Array {
  const writer = new PprofWriter();
  const mapping = writer.mapping({
    file: '/a',
    buildId: 'ab',
    start: 16n,
    limit: 999n,
    offset: 1n,
  });
  const frames = [1, 2].map((line) =>
    writer.location(mapping, BigInt(line), [[writer.function('f', 'g', 'h.c', 3), line, 4]]),
  );
  writer.sample(
    frames,
    [5n],
    [
      ['thread', 'a'],
      ['bytes', 7n],
    ],
  );
  const sampleTypes = [{ type: 'samples', unit: 'count' }];
  const { timeNanos } = stack;
  return writer.finish({ sampleTypes, periodType: sampleTypes[0], period: 2n, timeNanos });
}

function arrowRecord(compression: 'none' | 'dictionary'): Uint8Array {
  const frame = (name: string) => ({
    mappingFile: '/bin/app',
    buildId: 'ab',
    address: 7n,
    lines: [{ systemName: name, fileName: 'a.c', startLine: 1, line: 2, column: 0 }],
  });
  const count = compression === 'none' ? 1 : 6;
  const samples = Array.from({ length: count }, (_, i) => ({
    labels: [{ name: 'comm', value: `c${i % 2}` }],
    frames: [frame(`f${i % 3}`), frame('main')],
    value: 1n,
  }));
  const type = { type: 'samples', unit: 'count' };
  const rest = { name: 'parca_agent', period: 5n, durationNanos: 1_000n };
  const one = { ...rest, sampleType: type, periodType: type, timeNanos: stack.timeNanos, samples };
  return encodeRecord([one], undefined);
}

function writeArrow(bytes: Uint8Array): Uint8Array {
  return profiles.profilestore.v1alpha1.WriteArrowRequest.encode({ ipcBuffer: bytes }).finish();
}

const firefox = JSON.stringify({
  meta: { startTime: 1e12, interval: 1, sampleUnits: { threadCPUDelta: 'ns' } },
  libs: [{ path: '/a', codeId: 'AB', start: 4096, end: 8192, offset: 0 }],
  threads: [
    {
      name: 't',
      samples: {
        schema: { stack: 0, time: 1, threadCPUDelta: 2 },
        data: [
          [0, 1, 5],
          [1, 2, 7],
        ],
      },
      stackTable: {
        schema: { prefix: 0, frame: 1 },
        data: [
          [null, 0],
          [0, 1],
        ],
      },
      frameTable: { schema: { location: 0, line: 1 }, data: [[0], [1, 3]] },
      stringTable: ['0x1234', 'f (a.js:1:2)'],
    },
  ],
  processes: [],
});

const speedscope = JSON.stringify({
  shared: { frames: [{ name: 'a' }, { name: 'b', file: 'f', line: 2 }] },
  profiles: [
    {
      type: 'evented',
      name: 't',
      unit: 'seconds',
      startValue: 0,
      endValue: 2,
      events: [
        { type: 'O', frame: 0, at: 0 },
        { type: 'C', frame: 0, at: 2 },
      ],
    },
    { type: 'sampled', unit: 'bytes', samples: [[0, 1], [1]], weights: [3, 4] },
  ],
});
const v8 = JSON.stringify({
  nodes: [
    { id: 1, callFrame: { functionName: '(root)' }, children: [2] },
    { id: 2, callFrame: { functionName: 'f', url: 'u', lineNumber: 3, columnNumber: 1 } },
  ],
  startTime: 1,
  endTime: 9,
  samples: [2, 1, 2],
  timeDeltas: [1, 2, 3],
});
const perf =
  'node 42/43 [001] 100.500000: 10101010 cpu-clock:pppH: \n' +
  '\t 7f0000001000 inner+0x10 (/usr/bin/node)\n\t 7f0000002000 outer (inlined)\n\n';
const heap =
  'heap profile: 18: 18432 [ 20: 20480] @ heap_v2/524288\n' +
  ' 18: 18432 [ 20: 20480] @ 0x1010 0x1020\n' +
  'MAPPED_LIBRARIES:\n00001000-00002000 r-xp 00000000 08:01 12  /bin/app\n';

const buildId = '0102030405060708';
function elf(): Uint8Array {
  const text = new TextEncoder().encode('text of a section '.repeat(20));
  const header = new Uint8Array(24);
  new DataView(header.buffer).setUint32(0, 1, true);
  new DataView(header.buffer).setBigUint64(8, BigInt(text.length), true);
  return makeElf([
    {
      name: '.note.gnu.build-id',
      type: 7,
      content: makeNote('GNU', 3, Buffer.from(buildId, 'hex')),
    },
    ...makeSymbols('.symtab', 3, [{ name: 'main', address: 4096, size: 16 }]),
    {
      name: '.debug_abbrev',
      type: 1,
      flags: 0x800,
      content: Buffer.concat([header, deflateSync(text)]),
    },
    { name: '.gnu_debugaltlink', type: 1, content: Buffer.from('common\0abcdefgh') },
  ]);
}

function queryRequest(): Uint8Array {
  const time = { seconds: 1_790_000_000, nanos: 5 };
  const query = 'process_cpu:samples:count:cpu:nanoseconds:delta{}';
  return queries.query.v1alpha1.QueryRequest.encode({
    mode: 2,
    merge: { query, start: time, end: { seconds: 1_790_000_100, nanos: 0 } },
    reportType: 5,
    nodeTrimThreshold: 0.5,
    groupBy: { fields: ['function_name'] },
    filter: [{ stackFilter: { functionNameStackFilter: { functionToFilter: 'f' } } }],
    topLimit: { count: 7 },
    zoomPath: ['a', 'b'],
  } as object).finish();
}

const queryPath = '/parca.query.v1alpha1.QueryService/Query';
const arrowPath = '/parca.profilestore.v1alpha1.ProfileStoreService/WriteArrow';
const otlpPath = '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export';
const web = { 'content-type': 'application/grpc-web+proto' };
const proto = { 'content-type': 'application/proto' };

const doors: readonly {
  readonly name: string;
  readonly bodies: () => readonly HostileBody[];
  readonly send: () => Send;
}[] = [
  {
    name: 'pprof by HTTP',
    bodies: () => wrongProtobufs(pprof()),
    send: () => byHttp('/api/v1/push?job=a'),
  },
  {
    name: 'pprof by WriteRaw',
    bodies: () => wrongProtobufs(writeRawRequest({ __name__: 'raw', job: 'a' }, pprof())),
    send: () => byGrpc(writeRawPath),
  },
  {
    name: 'OTLP by HTTP',
    bodies: () => wrongProtobufs(otlpRequest('a', stack)),
    send: () => byHttp('/v1development/profiles', { 'content-type': 'application/x-protobuf' }),
  },
  {
    name: 'OTLP by gRPC',
    bodies: () => wrongProtobufs(otlpRequest('a', stack)),
    send: () => byGrpc(otlpPath),
  },
  {
    name: 'Arrow: words of the stream',
    bodies: () =>
      wrongWords(arrowRecord('none'), 4).map(({ name, bytes }) => ({
        name,
        bytes: writeArrow(bytes),
      })),
    send: () => byGrpc(arrowPath),
  },
  {
    name: 'Arrow: offsets and indexes of the data',
    bodies: () => {
      const record = arrowRecord('dictionary');
      const from = Math.floor(record.length / 16) * 8;
      return wrongWords(record, 8, from).map(({ name, bytes }) => ({
        name,
        bytes: writeArrow(bytes),
      }));
    },
    send: () => byGrpc(arrowPath),
  },
  {
    name: 'Connect',
    bodies: () => wrongProtobufs(pushRequest('a', encodeStack(stack))),
    send: () => byHttp('/push.v1.PusherService/Push', proto),
  },
  {
    name: 'questions by gRPC',
    bodies: () => wrongProtobufs(queryRequest()),
    send: () => byGrpc(queryPath),
  },
  {
    name: 'frames of gRPC-Web',
    bodies: () => wrongFrames(queryRequest()),
    send: () => byHttp(queryPath, web),
  },
  {
    name: 'debug information',
    bodies: () => [...wrongWords(elf(), 8), ...wrongWords(splitFile(), 8)],
    send: () => byHttp(`/api/v1/debuginfo?type=debuginfo&build_id=${buildId}`),
  },
  { name: 'Firefox', bodies: () => wrongJson(firefox), send: () => byHttp('/api/v1/push?job=a') },
  {
    name: 'speedscope and V8',
    bodies: () => [...wrongJson(speedscope), ...wrongJson(v8)],
    send: () => byHttp('/api/v1/push?job=a'),
  },
  {
    name: 'perf script, collapsed stacks and gperftools',
    bodies: () => [perf, 'main;read file 3\na;b 5\n', heap].flatMap(wrongDigits),
    send: () => byHttp('/api/v1/push?job=a'),
  },
];

async function pushAndAsk(): Promise<void> {
  await unary(client, writeRawPath, writeRawRequest({ __name__: 'good', job: 'g' }, pprof()));
  const parameters = new URLSearchParams({
    query: 'good:samples:count:samples:count{job="g"}',
    start: String(Date.now() / 1_000 - 600),
    end: String(Date.now() / 1_000 + 600),
    format: 'collapsed',
  });
  const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
  assert.deepEqual([response.status, await response.text()], [200, 'f;f 5\n']);
}

test('a good profile is stored and read before', pushAndAsk);

for (const { name, bodies, send } of doors) {
  test(name, async (t) => {
    const made = bodies();
    const step = isFull ? 1 : Math.max(1, Math.floor(made.length / bodiesMax));
    const all = made.filter((_, i) => i % step === 0);
    assert.ok(all.length >= 60, `${all.length} bodies`);
    const verdicts = new Map<string, number>();
    const failures: string[] = [];
    const first = usage();
    for (const { name: what, bytes } of all) {
      let verdict: string;
      try {
        verdict = await send()(bytes);
      } catch (error) {
        const hex = Buffer.from(bytes).toString('base64');
        failures.push(`${what}: ${String(error)}\n${hex.slice(0, 2_000)}`);
        continue;
      }
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    }
    const last = usage();
    assert.deepEqual(failures, []);
    const millis = (last.cpuMillis - first.cpuMillis) / all.length;
    const grown = last.peakBytes - first.peakBytes;
    t.diagnostic(`${all.length} bodies, ${JSON.stringify([...verdicts])}`);
    t.diagnostic(`${millis.toFixed(2)} ms of CPU each, ${Math.round(grown / 1024 ** 2)} MiB more`);
    assert.ok(millis < averageMillisMax, `${millis} ms of CPU for each`);
    assert.ok(grown < grownBytesMax, `${grown} bytes more`);
  });
}

test('a good profile is stored and read after', pushAndAsk);
