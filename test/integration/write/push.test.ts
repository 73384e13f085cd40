// Tests pushes in every foreign format and protocol to a real server, and the answers to queries
// for the pushed profiles.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Client } from '@grpc/grpc-js';
import { PprofWriter } from '../../../src/formats/pprof/writer.ts';
import { encodeRecord } from '../../../src/formats/parca-arrow/encode-record.ts';
import {
  encodeLocations,
  encodeSamples,
} from '../../../src/formats/parca-arrow/testing/version-1.ts';
import { labelsMessage } from '../../../src/formats/jfr/testing/labels-message.ts';
import { smallRecording } from '../../../src/formats/jfr/testing/small-recording.ts';
import { ProtobufWriter } from '../../../src/formats/protobuf-writer.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../../support/server.ts';
import { makeElf, makeNote, makeSymbols } from '../../../src/symbolize/testing/make-elf.ts';
import { writeArrow, writeInTwoSteps } from '../../support/arrow-client.ts';
import { shouldUpload, uploadDebuginfo } from '../../support/debuginfo-client.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';

const from = 1_790_000_000;
const cpu = { type: 'cpu', unit: 'nanoseconds' };
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

let server: TestServer;
/** A server that forwards writes to the other server. */
let forwarder: TestServer;
/** The server that receives the pushes. */
let entrance: TestServer;
let folder: ScratchDirectory;
before(async () => {
  folder = await scratchDirectory();
  server = await startServer({ storagePath: join(folder.path, 'data') });
  forwarder = await startServer({
    storagePath: join(folder.path, 'forwarder'),
    flags: ['--mode=forwarder', `--store-address=${server.address}`, '--insecure'],
  });
  entrance = server;
});
after(async () => {
  await forwarder.stop();
  await server.stop();
  await folder.remove();
});

/** Sends a body, and returns the status and the body of the answer. */
async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer> | FormData,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> {
  const answer = await fetch(`${entrance.url}${path}`, { method: 'POST', body, headers });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

async function accepted(...push: Parameters<typeof post>): Promise<string> {
  const { status, text } = await post(...push);
  assert.equal(status, 200, text);
  return text;
}

/** Returns the stacks of a query as collapsed text, in order. */
async function stacks(query: string): Promise<string[]> {
  const range = { start: String(from - 60), end: String(from + 3_600) };
  const parameters = new URLSearchParams({ query, ...range, format: 'collapsed' });
  const answer = await fetch(`${server.url}/api/v1/export?${parameters}`);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text.trim().split('\n').sort();
}

function encodeStack(
  stack: readonly string[],
  { value = 7n, types = [cpu], durationNanos = 10_000_000_000n, time = from } = {},
): Uint8Array<ArrayBuffer> {
  const writer = new PprofWriter();
  const locations = stack.map((name) => writer.frame({ name, file: 'main.go', line: 3 }));
  writer.sample(
    locations,
    types.map((_, i) => value + BigInt(i)),
  );
  const timeNanos = BigInt(time) * 1_000_000_000n;
  const header = { sampleTypes: types, periodType: types[0], period: 1n, timeNanos, durationNanos };
  return Uint8Array.from(writer.finish(header));
}

const times = `from=${from}&until=${from + 10}`;

test('a file of any known format is pushed with its labels in the URL', async () => {
  const answer = await accepted(`/api/v1/push?job=file`, encodeStack(['work', 'main']));
  assert.deepEqual(JSON.parse(answer), {
    format: 'pprof',
    profiles: [
      { name: 'process_cpu', time: new Date(from * 1_000).toISOString().replace('.000', '') },
    ],
  });
  assert.deepEqual(await stacks(`${cpuType}{job="file"}`), ['main;work 7']);

  const zipped = gzipSync(encodeStack(['zipped', 'main']));
  await accepted('/api/v1/push?job=gzip', Uint8Array.from(zipped));
  assert.deepEqual(await stacks(`${cpuType}{job="gzip"}`), ['main;zipped 7']);
  const zstd = Uint8Array.from(zstdCompressSync(encodeStack(['zstd', 'main'])));
  await accepted('/api/v1/push?job=zstd', zstd);
  await accepted('/api/v1/push?job=encoded', zstd, { 'content-encoding': 'zstd' });
  assert.deepEqual(await stacks(`${cpuType}{job=~"zstd|encoded"}`), ['main;zstd 14']);

  const folded = 'main;read file;vfs_read_[k] 3\nmain;work 5\n';
  await accepted(`/api/v1/push?job=folded&rate=100&${times}`, folded);
  assert.deepEqual(await stacks(`${cpuType}{job="folded"}`), [
    'main;read file;vfs_read 30000000',
    'main;work 50000000',
  ]);
  await accepted(`/api/v1/push?job=bytes&type=alloc_space:bytes&${times}`, 'main;make 4096\n');
  assert.deepEqual(await stacks('alloc_space:alloc_space:bytes:::delta{job="bytes"}'), [
    'main;make 4096',
  ]);

  const perf = [
    '            node 4242/4243 [001]  100.500000:   10101010 cpu-clock:pppH: ',
    '\t    7f0000001000 inner+0x10 (/usr/bin/node)',
    '\t    7f0000002000 outer+0x1f (/usr/bin/node)',
    '',
    'sh 7 [000]  101.500000:   10101010 cpu-clock:pppH: ',
    '\tffffffff81000000 do_syscall_64+0x1 ([kernel.kallsyms])',
    '',
  ].join('\n');
  await accepted(`/api/v1/push?job=perf&from=${from}`, perf);
  assert.deepEqual(await stacks(`${cpuType}{job="perf"}`), [
    'do_syscall_64 10101010',
    'outer;inner 10101010',
  ]);
  assert.deepEqual(await stacks(`${cpuType}{job="perf", comm="node"}`), ['outer;inner 10101010']);

  const speedscope = {
    shared: { frames: [{ name: 'main' }, { name: 'leaf', file: 'a.js', line: 9 }] },
    profiles: [
      {
        type: 'evented',
        name: 'thread',
        unit: 'milliseconds',
        startValue: 0,
        endValue: 10,
        events: [
          { type: 'O', frame: 0, at: 0 },
          { type: 'O', frame: 1, at: 2.5 },
          { type: 'C', frame: 1, at: 6 },
          { type: 'C', frame: 0, at: 10 },
        ],
      },
    ],
  };
  await accepted(`/api/v1/push?job=speedscope&from=${from}`, JSON.stringify(speedscope));
  assert.deepEqual(
    await stacks('process_cpu:cpu:nanoseconds:::delta{job="speedscope", profile_name="thread"}'),
    ['main 6500000', 'main;leaf 3500000'],
  );

  const call = (functionName: string) => ({
    callFrame: { functionName, url: 'a.js', lineNumber: 2 },
  });
  const v8 = {
    nodes: [
      { id: 1, ...call('(root)'), children: [2, 3] },
      { id: 2, ...call('run'), children: [4] },
      { id: 3, ...call('(idle)') },
      { id: 4, ...call('') },
    ],
    startTime: 0,
    endTime: 100,
    samples: [2, 4, 3, 2],
    timeDeltas: [0, 10, 20, 30],
  };
  await accepted(`/api/v1/push?job=v8&from=${from}`, JSON.stringify(v8));
  assert.deepEqual(await stacks(`${cpuType}{job="v8"}`), ['run 10000', 'run;(anonymous) 20000']);
});

test('a file that cannot be read is refused with the place of the mistake', async () => {
  const refused = async (path: string, body: string | Uint8Array<ArrayBuffer>, why: RegExp) => {
    const { status, text } = await post(path, body);
    assert.match(text, why);
    const isDeep = /--profile-max-stack-depth/.test(text);
    assert.equal(status, isDeep ? 429 : 400, text);
  };
  await refused('/api/v1/push?job=a', '', /it is empty/);
  await refused('/api/v1/push?job=a', 'hello', /text of an unknown kind/);
  await refused('/api/v1/push?job=a', '{"a":1}', /JSON of an unknown kind/);
  await refused('/api/v1/push?job=a', 'a;b 3\nc;d\n', /line 2 does not end with .* at byte 6/);
  await refused(
    '/api/v1/push?job=a',
    Uint8Array.from([0x46, 0x4c, 0x52, 0]),
    /cannot read JFR: chunk 1 ends within its header at byte 0/,
  );
  await refused('/api/v1/push?job=a', Uint8Array.of(1, 2, 3), /failed to parse profile/);
  await refused('/api/v1/push?bad-name=a', 'a;b 3', /invalid label name: bad-name/);
  await refused('/api/v1/push?job=a&rate=-1', 'a;b 3', /rate: must be a number of samples/);
  await refused('/api/v1/push?job=a&until=5', 'a;b 3', /until: needs an earlier from/);
  const node = { id: 1, callFrame: { functionName: 'a' }, children: [1] };
  const loop = { nodes: [node], samples: [1], timeDeltas: [0] };
  await refused('/api/v1/push?job=a', JSON.stringify(loop), /nodes has a stack of more than/);
});

test("Pyroscope's /ingest takes text with a name and labels", async () => {
  const query = `name=shop.cpu{region=eu}&${times}&sampleRate=50`;
  const { status, text } = await post(`/ingest?${query}`, 'main;work 2\n');
  assert.equal(status, 200, text);
  assert.equal(text, '');
  assert.deepEqual(await stacks(`${cpuType}{service_name="shop", region="eu"}`), [
    'main;work 40000000',
  ]);
  // An unknown suffix is part of the application's name.
  await accepted(`/pyroscope/ingest?name=my.app&format=lines&${times}`, 'a;b\na;b\n');
  assert.deepEqual(await stacks(`${cpuType}{service_name="my.app"}`), ['a;b 20000000']);
  const tree = Uint8Array.of(0, 0, 1, 1, 97, 0, 2, 1, 98, 2, 0, 1, 99, 1, 0);
  await accepted(`/ingest?name=tree.app&format=tree&${times}`, tree);
  assert.deepEqual(await stacks(`${cpuType}{service_name="tree.app"}`), [
    'a;b 20000000',
    'a;c 10000000',
  ]);
  // Pyroscope treats every other format name as folded stacks.
  for (const format of ['groups', 'folded', 'raw']) {
    await accepted(`/ingest?name=${format}.app&format=${format}&${times}`, 'a;b c 3\n');
    const found = await stacks(`${cpuType}{service_name="${format}.app"}`);
    assert.deepEqual(found, ['a;b c 30000000'], format);
  }
  const nanos = `from=${from}000000000&until=${from + 5}000000000`;
  await accepted(`/ingest?name=my.alloc_space&${nanos}`, 'a 512\n');
  assert.deepEqual(await stacks('memory:alloc_space:bytes:::delta{service_name="my"}'), ['a 512']);
  const { status: bad, text: why } = await post('/ingest?name=x{a', 'a 1');
  assert.equal(bad, 400);
  assert.match(why, /has no closing brace/);
  assert.equal((await post('/ingest?name=x&format=jfr', 'FLR')).status, 400);
});

test("recordings of Java's flight recorder: as a file, and as pyroscope-java sends them", async () => {
  const recording = Uint8Array.from(smallRecording());
  const stack = 'com.acme.Foo.main;com.acme.Foo.bar';
  const answer = await accepted('/api/v1/push?job=java', Uint8Array.from(gzipSync(recording)));
  assert.match(answer, /"format":"jfr"/);
  assert.match(answer, /{"name":"wall","time":"2026-09-21T14:13:20Z"}/);
  // The recording says that async-profiler took a sample every 10 ms.
  assert.deepEqual(await stacks(`${cpuType}{job="java", jfr_event="wall"}`), [`${stack} 30000000`]);
  assert.deepEqual(await stacks('memory:live:count:objects:count{job="java"}'), [`${stack} 1`]);
  const query = `name=java.shop{region=eu}&format=jfr&sampleRate=50&${times}`;
  await accepted(`/ingest?${query}`, recording);
  const ofShop = `${cpuType}{service_name="java.shop", region="eu", jfr_event="wall"}`;
  assert.deepEqual(await stacks(ofShop), [`${stack} 60000000`]);
  // Both ways of pushing a recording keep the times of its samples.
  for (const [asked, total] of [
    [`${cpuType}{job="java", jfr_event="wall"}`, '30000000'],
    [ofShop, '60000000'],
  ]) {
    const range = { start: '2026-09-21T14:13:20Z', end: '2026-09-21T14:13:21Z' };
    const response = await fetch(
      `${server.url}/api/v1/heatmap?${new URLSearchParams({ query: asked, ...range })}`,
    );
    const { untimed, lines } = (await response.json()) as {
      untimed: string;
      lines: { total: string }[];
    };
    assert.deepEqual([untimed, lines.map((line) => line.total)], ['0', [total]]);
  }
  const form = new FormData();
  form.append('jfr', new Blob([Uint8Array.from(gzipSync(recording))]), 'jfr');
  const names = { 1: 'endpoint', 2: '/cart', 20: 'GET /cart' };
  const labels = labelsMessage({ 5: [[1, 2]] }, names);
  form.append('labels', new Blob([Uint8Array.from(gzipSync(labels))]), 'labels');
  await accepted(`/ingest?name=java.form&format=jfr&sampleRate=50&${times}`, form);
  const ofForm = (labelled: string): Promise<string[]> =>
    stacks(`${cpuType}{service_name="java.form", jfr_event="wall", ${labelled}}`);
  assert.deepEqual(await ofForm('endpoint="/cart"'), [`${stack} 20000000`]);
  assert.deepEqual(await ofForm('span_name="GET /cart"'), [`${stack} 20000000`]);
  assert.deepEqual(await ofForm('thread_name="main"'), [`${stack} 60000000`]);
  // A program that did nothing sends a recording, too.
  const empty = Uint8Array.from(smallRecording({ events: [] }));
  await accepted(`/ingest?name=java.idle&format=jfr&${times}`, empty);
  const { status, text } = await post('/api/v1/push?job=java', empty);
  assert.equal(status, 400);
  assert.match(text, /cannot read JFR: it has no samples of a profile/);
  const open = Buffer.concat([recording, smallRecording({ isUnfinished: true })]);
  const note = `chunk 2 is not finished at byte ${recording.length} and was left out`;
  assert.ok((await accepted('/api/v1/push?job=open', Uint8Array.from(open))).includes(note));
  const noted = await accepted(`/ingest?name=java.open&format=jfr`, Uint8Array.from(open));
  assert.ok(noted.includes(note), noted);
});

test('changes and states of one pushed heap profile are kept apart', async () => {
  const types = ['alloc_space', 'inuse_space'].map((type) => ({ type, unit: 'bytes' }));
  const form = new FormData();
  const heap = encodeStack(['make', 'main'], { types, durationNanos: 0n, value: 100n });
  form.append('profile', new Blob([heap]), 'profile.pprof');
  const config = {
    alloc_space: { units: 'bytes', cumulative: false },
    inuse_space: { units: 'bytes', aggregation: 'average', cumulative: false },
  };
  form.append('sample_type_config', new Blob([JSON.stringify(config)]), 'config.json');
  await accepted(`/ingest?name=heap.app&spyName=gospy&${times}`, form);
  const answer = async (type: string) => stacks(`memory:${type}{service_name="heap.app"}`);
  assert.deepEqual(await answer('alloc_space:bytes:alloc_space:bytes:delta'), ['main;make 100']);
  assert.deepEqual(await answer('inuse_space:bytes:alloc_space:bytes'), ['main;make 101']);
});

test('counters of a profile with an earlier one are stored as what was added', async () => {
  const types = ['alloc_space', 'inuse_space'].map((type) => ({ type, unit: 'bytes' }));
  const heap = (value: number) =>
    new Blob([encodeStack(['make', 'main'], { types, durationNanos: 0n, value: BigInt(value) })]);
  const cumulative = JSON.stringify({
    alloc_space: { units: 'bytes', cumulative: true },
    inuse_space: { units: 'bytes', aggregation: 'average' },
  });
  for (const [app, config] of [
    ['old.app', cumulative],
    ['older.app', undefined],
  ] as const) {
    const form = new FormData();
    form.append('profile', heap(130), 'profile.pprof');
    form.append('prev_profile', heap(100), 'profile.pprof');
    if (config !== undefined) form.append('sample_type_config', new Blob([config]), 'config.json');
    await accepted(`/ingest?name=${app}&spyName=gospy&${times}`, form);
    const answer = async (type: string) => stacks(`memory:${type}{service_name="${app}"}`);
    assert.deepEqual(await answer('alloc_space:bytes:alloc_space:bytes:delta'), ['main;make 30']);
    assert.deepEqual(await answer('inuse_space:bytes:alloc_space:bytes'), ['main;make 131']);
  }
});

/** Encodes a PushRequest with one profile. */
function pushRequest(labels: Record<string, string>, profile: Uint8Array): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter();
  const series = writer.begin(1);
  for (const [name, value] of Object.entries(labels)) {
    const label = writer.begin(1);
    writer.bytesField(1, Buffer.from(name));
    writer.bytesField(2, Buffer.from(value));
    writer.end(label);
  }
  const sample = writer.begin(2);
  writer.bytesField(1, profile);
  writer.end(sample);
  writer.end(series);
  return Uint8Array.from(writer.finish());
}

test('PusherService takes recordings of Java next to pprof, with the names of their events', async () => {
  const path = '/push.v1.PusherService/Push';
  const body = pushRequest({ __name__: 'any', service_name: 'java' }, smallRecording());
  await accepted(path, body, { 'content-type': 'application/proto' });
  const wall = 'wall:wall:nanoseconds:wall:nanoseconds:delta{service_name="java"}';
  assert.ok((await stacks(wall)).length > 0);
  const cut = smallRecording().subarray(0, 100);
  const refused = await post(path, pushRequest({ service_name: 'java' }, cut), {
    'content-type': 'application/proto',
  });
  assert.equal(refused.status, 400, refused.text);
  assert.match(refused.text, /cannot read JFR/);
});

test('PusherService takes pprof by Connect, in protobuf and in JSON', async () => {
  const path = '/push.v1.PusherService/Push';
  const labels = { __name__: 'process_cpu', service_name: 'sdk', 'host.name': 'a', __note__: 'b' };
  const body = pushRequest(labels, encodeStack(['push', 'main']));
  const headers = { 'content-type': 'application/proto' };
  const zipped = Uint8Array.from(gzipSync(body));
  const first = await post(path, zipped, { ...headers, 'content-encoding': 'gzip' });
  assert.equal(first.status, 200, first.text);
  assert.equal(first.headers.get('content-type'), 'application/proto');
  // Sends the same again, like a client that has lost the answer.
  await accepted(path, body, headers);
  assert.deepEqual(await stacks(`${cpuType}{service_name="sdk", host_name="a"}`), ['main;push 7']);

  const json = {
    series: [
      {
        labels: [
          { name: '__name__', value: 'godeltaprof_memory' },
          { name: 'service_name', value: 'json' },
        ],
        samples: [
          {
            rawProfile: Buffer.from(
              encodeStack(['make'], {
                types: [{ type: 'alloc_objects', unit: 'count' }],
                durationNanos: 0n,
              }),
            ).toString('base64'),
          },
        ],
      },
    ],
  };
  const asJson = { 'content-type': 'application/json' };
  assert.equal(await accepted(path, JSON.stringify(json), asJson), '{}');
  assert.deepEqual(
    await stacks('memory:alloc_objects:count:alloc_objects:count:delta{service_name="json"}'),
    ['make 7'],
  );
  const { status, text } = await post(path, '{"series":7}', asJson);
  assert.equal(status, 400);
  assert.equal(JSON.parse(text).code, 'invalid_argument');
  const query = '/parca.query.v1alpha1.QueryService/ProfileTypes';
  assert.match(await accepted(query, '{}', asJson), /process_cpu/);
  assert.equal((await post('/no.such.Service/Call', '{}', asJson)).status, 404);
});

const otlpPath = '/v1development/profiles';

/** Makes a request in OTLP's JSON: two samples of a Go service, one with a link. */
function otlpJson(service: string): object {
  const text = (stringValue: string) => ({ stringValue });
  return {
    resourceProfiles: [
      {
        resource: {
          attributes: [
            { key: 'service.name', value: text(service) },
            { key: 'process.pid', value: { intValue: '77' } },
          ],
        },
        scopeProfiles: [
          {
            scope: { name: 'test.scope' },
            profiles: [
              {
                sampleType: { typeStrindex: 1, unitStrindex: 2 },
                periodType: { typeStrindex: 3, unitStrindex: 4 },
                period: '50000000',
                timeUnixNano: `${from}000000000`,
                durationNano: '5000000000',
                samples: [
                  { stackIndex: 1, values: ['3'], attributeIndices: [1], linkIndex: 1 },
                  { stackIndex: 2, timestampsUnixNano: [`${from}000000001`, `${from}000000002`] },
                ],
              },
            ],
          },
        ],
      },
    ],
    dictionary: {
      stringTable: ['', 'samples', 'count', 'cpu', 'nanoseconds', 'main', 'work', 'thread.name'],
      functionTable: [{}, { nameStrindex: 5 }, { systemNameStrindex: 6 }],
      locationTable: [
        {},
        { lines: [{ functionIndex: 1, line: '3' }] },
        { lines: [{ functionIndex: 2 }] },
      ],
      stackTable: [{}, { locationIndices: [2, 1] }, { locationIndices: [1] }],
      attributeTable: [{}, { keyStrindex: 7, value: text('worker') }],
      linkTable: [{}, { traceId: '0102', spanId: '0a0b' }],
      mappingTable: [{}],
    },
  };
}

test('OTLP in JSON keeps attributes, links, counts and CPU time', async () => {
  const headers = { 'content-type': 'application/json' };
  const answer = await accepted(otlpPath, JSON.stringify(otlpJson('otlp')), headers);
  assert.deepEqual(JSON.parse(answer), { partialSuccess: null });
  const counts = 'process_cpu:samples:count:cpu:nanoseconds:delta';
  const expected = ['main 2', 'main;work 3'];
  assert.deepEqual(await stacks(`${counts}{service_name="otlp"}`), expected);
  assert.deepEqual(await stacks(`${cpuType}{service_name="otlp", "process.pid"="77"}`), [
    'main 100000000',
    'main;work 150000000',
  ]);
  const linked = 'trace_id="0102", span_id="0a0b", thread_name="worker"';
  assert.deepEqual(
    await stacks(`${counts}{service_name="otlp", otel_scope_name="test.scope", ${linked}}`),
    ['main;work 3'],
  );
});

test('OTLP that refers to rows that are not there is rejected by itself, and counted', async () => {
  const request = otlpJson('partly');
  const broken = otlpJson('broken');
  const text = JSON.stringify(broken).replace('"stackIndex":2', '"stackIndex":99');
  const profiles = (json: object): unknown[] =>
    'resourceProfiles' in json && Array.isArray(json.resourceProfiles) ? json.resourceProfiles : [];
  const both = {
    ...request,
    resourceProfiles: [...profiles(request), ...profiles(JSON.parse(text))],
  };
  const headers = { 'content-type': 'application/json' };
  const answer = JSON.parse(await accepted(otlpPath, JSON.stringify(both), headers));
  assert.equal(answer.partialSuccess.rejectedProfiles, '1');
  assert.match(answer.partialSuccess.errorMessage, /the dictionary has no stack 99/);
  const counts = 'process_cpu:samples:count:cpu:nanoseconds:delta';
  assert.deepEqual(await stacks(`${counts}{service_name=~"partly|broken"}`), [
    'main 2',
    'main;work 3',
  ]);
});

test('both layouts of OTLP samples are told apart on the wire', async () => {
  for (const layout of ['1.8', '1.10'] as const) {
    const headers = { 'content-type': 'application/x-protobuf' };
    await accepted(otlpPath, otlpMessage(layout, `layout-${layout}`), headers);
    const counts = 'process_cpu:samples:count:cpu:nanoseconds:delta';
    assert.deepEqual(await stacks(`${counts}{service_name="layout-${layout}", thread="t"}`), [
      'leaf 41',
    ]);
  }
});

/** Encodes a protobuf request with one sample of the value 41, field by field. */
function otlpMessage(layout: '1.8' | '1.10', service: string): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter();
  const nested = (field: number, write: () => void): void => {
    const at = writer.begin(field);
    write();
    writer.end(at);
  };
  const text = (field: number, value: string): void => writer.bytesField(field, Buffer.from(value));
  const packed = (field: number, ...values: number[]): void =>
    nested(field, () => values.forEach((value) => writer.varint(value)));
  nested(1, () => {
    nested(1, () =>
      nested(1, () => {
        text(1, 'service.name');
        nested(2, () => text(1, service));
      }),
    );
    nested(2, () =>
      nested(2, () => {
        nested(1, () => {
          writer.uint(1, 1);
          writer.uint(2, 2);
        });
        nested(2, () => {
          writer.uint(1, 1);
          packed(layout === '1.10' ? 4 : 2, 41);
          packed(layout === '1.10' ? 2 : 3, 1);
        });
        writer.varint(3 * 8 + 1);
        const time = writer.pos;
        for (let i = 0; i < 8; i += 1) writer.varint(0);
        new DataView(writer.bytes.buffer).setBigUint64(time, BigInt(from) * 1_000_000_000n, true);
        writer.uint(4, 1_000_000_000);
        nested(5, () => {
          writer.uint(1, 3);
          writer.uint(2, 4);
        });
        writer.uint(6, 1);
      }),
    );
  });
  nested(2, () => {
    for (const value of ['', 'samples', 'count', 'cpu', 'nanoseconds', 'leaf', 'thread', 't']) {
      text(5, value);
    }
    nested(3, () => undefined);
    nested(3, () => writer.uint(1, 5));
    nested(2, () => undefined);
    nested(2, () => nested(3, () => writer.uint(1, 1)));
    nested(7, () => undefined);
    nested(7, () => packed(1, 1));
    nested(6, () => undefined);
    nested(6, () => {
      writer.uint(1, 6);
      nested(2, () => text(1, 't'));
    });
  });
  return Uint8Array.from(writer.finish());
}

function framed(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Uint8Array.from(Buffer.concat([prefix, message]));
}

/** Returns the number of profiles that the server has stored. */
async function storedCount(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^parca_ingest_profiles_total (\d+)$/m.exec(text)?.[1]);
}

/**
 * Returns a function for each protocol that pushes one profile, with a job or service named `word`.
 */
function makeSenders(
  client: Client,
  word: string,
): Readonly<Record<string, () => Promise<unknown>>> {
  const labels = { __name__: 'process_cpu', job: word };
  const service = { __name__: 'process_cpu', service_name: word };
  const raw = (via: string) => writeRawRequest({ ...labels, via }, encodeStack(['twice', 'main']));
  const pusher = (via: string) => pushRequest({ ...service, via }, encodeStack(['twice', 'main']));
  const proto = { 'content-type': 'application/proto' };
  const json = { 'content-type': 'application/json' };
  const formatJson = (list: object, sample: object): string =>
    JSON.stringify({ series: [{ labels: list, samples: [sample] }] });
  const rawProfile = Buffer.from(encodeStack(['twice', 'main'])).toString('base64');
  const pairs = (values: object) =>
    Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));
  const exported = '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export';
  const pushed = '/push.v1.PusherService/Push';
  const frames = [
    {
      mappingFile: 'a.js',
      buildId: '',
      address: 0n,
      lines: [{ fileName: 'a', startLine: 1, line: 7, column: 0, systemName: 'twice' }],
    },
  ];
  const timeNanos = BigInt(from) * 1_000_000_000n;
  const record = encodeRecord(
    [
      {
        name: 'parca_agent',
        sampleType: { type: 'samples', unit: 'count' },
        period: 1n,
        periodType: cpu,
        durationNanos: 1_000_000_000n,
        timeNanos,
        samples: [{ labels: [{ name: 'job', value: word }], frames, value: 7n }],
      },
    ],
    undefined,
  );
  const samples = encodeSamples(
    [{ id: 'a', labels: { job: word, via: 'write' }, value: 7n }],
    timeNanos,
  );
  const locations = encodeLocations([['a', frames]]);
  const web = { 'content-type': 'application/grpc-web+proto' };
  const otlp = { 'content-type': 'application/x-protobuf' };
  return {
    'WriteRaw by gRPC': () => unary(client, writeRawPath, raw('grpc')),
    'WriteRaw by gRPC-Web': () => accepted(`/api${writeRawPath}`, framed(raw('web')), web),
    'WriteRaw by Connect': () => accepted(writeRawPath, Uint8Array.from(raw('connect')), proto),
    'WriteRaw by JSON': () =>
      accepted(
        '/api/profiles/writeraw',
        formatJson({ labels: pairs({ ...labels, via: 'json' }) }, { rawProfile }),
      ),
    WriteArrow: () => writeArrow(client, record),
    Write: () => writeInTwoSteps(client, samples, () => locations),
    'OTLP by gRPC': () => unary(client, exported, otlpMessage('1.10', `${word}-grpc`)),
    'OTLP by HTTP': () => accepted(otlpPath, otlpMessage('1.10', `${word}-http`), otlp),
    'OTLP by JSON': () => accepted(otlpPath, JSON.stringify(otlpJson(`${word}-json`)), json),
    'a file': () => accepted(`/api/v1/push?job=${word}&via=file`, encodeStack(['twice', 'main'])),
    'a file of text': () =>
      accepted(`/api/v1/push?job=${word}&via=text&${times}&rate=100`, 'main;twice 7\n'),
    '/ingest': () => accepted(`/ingest?name=${word}{via=ingest}&${times}`, 'main;twice 7\n'),
    'Push by gRPC': () => unary(client, pushed, pusher('push')),
    'Push by Connect': () => accepted(pushed, pusher('push-connect'), proto),
    'Push by JSON': () =>
      accepted(pushed, formatJson(pairs({ ...service, via: 'push-json' }), { rawProfile }), json),
  };
}

test('a push that comes again as it was is stored once, over every protocol', async () => {
  const client = connect(server.address);
  const senders = makeSenders(client, 'again');
  for (const [name, send] of Object.entries(senders)) {
    const before = await storedCount();
    await send();
    const once = await storedCount();
    assert.ok(once > before, name);
    // Sends two at the same time, as after a lost connection, and then one more.
    await Promise.all([send(), send()]);
    await send();
    assert.equal(await storedCount(), once, name);
  }
  client.close();
});

test('a forwarder passes every kind of push on, with the answers of the other server', async () => {
  const client = connect(forwarder.address);
  const direct = connect(server.address);
  entrance = forwarder;
  try {
    for (const [name, push] of Object.entries(makeSenders(client, 'passed'))) {
      const before = await storedCount();
      await push();
      assert.ok((await storedCount()) > before, name);
    }
    const wrong = await post('/api/v1/push?job=x', 'no profile');
    assert.equal(wrong.status, 400, wrong.text);
    await assert.rejects(
      unary(client, writeRawPath, writeRawRequest({ job: 'unnamed' }, encodeStack(['a']))),
      /INVALID_ARGUMENT: cannot call WriteRaw of .*: missing __name__ label/,
    );
    // Debug information is forwarded, too; its bytes are a stream.
    const buildId = Buffer.alloc(20, 7);
    const note = makeNote('GNU', 3, buildId);
    const offer = { buildId: buildId.toString('hex'), hash: 'a' };
    const elf = makeElf([
      { name: '.note.gnu.build-id', type: 7, content: note },
      ...makeSymbols('.symtab', 2, [{ name: 'main', address: 0x1000, size: 0x80 }]),
    ]);
    assert.equal(await shouldUpload(client, offer), true);
    await uploadDebuginfo(client, offer, elf);
    assert.equal(await shouldUpload(direct, offer), false);
    assert.equal(await shouldUpload(client, offer), false);
  } finally {
    entrance = server;
    client.close();
    direct.close();
  }
});

test('logs that an agent sends of itself are taken, counted and dropped', async () => {
  const path = '/opentelemetry.proto.collector.logs.v1.LogsService/Export';
  for (const { address, url } of [server, forwarder]) {
    const client = connect(address);
    const logs = Buffer.from([10, 2, 18, 0]);
    assert.deepEqual(Buffer.from(await unary(client, path, logs)), Buffer.alloc(0));
    client.close();
    const metrics = await (await fetch(`${url}/metrics`)).text();
    assert.match(metrics, /^parca_otlp_log_bytes_dropped_total 4$/m);
  }
});

test('who pushed is listed among the agents', async () => {
  const answer = await fetch(`${server.url}/api/agents`);
  const { agents } = JSON.parse(await answer.text());
  assert.ok(agents.length > 0);
});
