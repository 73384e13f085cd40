// Replays the calls of Polar Signals' VS Code extension in its open mode and in its order, from a
// preset to the lines of a file. It calls with protobuf-ts over gRPC-Web below /api, and reads
// records with flechette.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { GrpcWebFetchTransport } from '@protobuf-ts/grpcweb-transport';
import { MessageType } from '@protobuf-ts/runtime';
import { ServiceType } from '@protobuf-ts/runtime-rpc';
import { parca } from '../../proto/gen/query.js';
import { readRecord } from '../../src/formats/testing/read-record.ts';
import { toTimestamp } from '../../src/api/transport/call/message.ts';
import { encodeLineProfile } from '../support/profiles/line-profile.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const { QueryRequest, QueryResponse } = parca.query.v1alpha1;
const { ProfileTypesRequest, ProfileTypesResponse } = parca.query.v1alpha1;
const { LabelsRequest, LabelsResponse, ValuesRequest, ValuesResponse } = parca.query.v1alpha1;
const scratch = await scratchDirectory();
let server: TestServer;

/** The open mode's preset "Process CPU Samples (15min)". */
const preset = 'process_cpu:samples:count:cpu:nanoseconds:delta';
const frame = (name: string, file: string, line: number) => ({ name, file, line });
const spin = frame('main.spin', '/home/ci/shop/cmd/api/main.go', 12);
const serve = frame('main.serve', '/home/ci/shop/cmd/api/main.go', 30);
const other = frame('db.Query', '/home/ci/shop/internal/db/main.go', 7);

before(async () => {
  server = await startServer({ storagePath: join(scratch.path, 'data') });
  const body = encodeLineProfile({
    timeNanos: BigInt(Date.now() - 60_000) * 1_000_000n,
    buildId: 'a1'.repeat(20),
    samples: [
      [10, spin, serve],
      [5, other, serve],
    ],
  });
  const labels = 'job=shop&namespace=prod';
  const url = `${server.url}/api/v1/push?${labels}`;
  const answer = await fetch(url, { method: 'POST', body: new Uint8Array(body) });
  assert.equal(answer.status, 200, await answer.text());
});

after(async () => {
  await server.stop();
  await scratch.remove();
});

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

/** Calls a method as the extension does, without additional headers. */
async function call(name: string, bytes: Uint8Array): Promise<Uint8Array> {
  const raw = new RawType();
  const methods = [{ name, I: raw, O: raw, options: {} }];
  const [method] = new ServiceType('parca.query.v1alpha1.QueryService', methods).methods;
  const transport = new GrpcWebFetchTransport({ baseUrl: `${server.url}/api`, format: 'binary' });
  const { response } = await transport.unary(method, { bytes }, transport.mergeOptions({}));
  return response.bytes;
}

/** Returns the preset's range: the last quarter of an hour. */
function lastMinutes() {
  const end = BigInt(Date.now()) * 1_000_000n;
  return { start: toTimestamp(end - 900_000_000_000n), end: toTimestamp(end) };
}

test('the set-up lists profile types, names of labels and their values', async () => {
  const asked = ProfileTypesRequest.encode(lastMinutes()).finish();
  const { types } = ProfileTypesResponse.decode(await call('ProfileTypes', asked));
  const names = types.map((type) => {
    const { name, sampleType, sampleUnit, periodType, periodUnit, delta } = type;
    const parts = [name, sampleType, sampleUnit, periodType, periodUnit].join(':');
    return delta ? `${parts}:delta` : parts;
  });
  assert.deepEqual(names, [preset]);
  const range = { ...lastMinutes(), match: [], profileType: preset };
  const labels = LabelsResponse.decode(await call('Labels', LabelsRequest.encode(range).finish()));
  assert.deepEqual(labels.labelNames, ['job', 'namespace']);
  const values = ValuesRequest.encode({ ...range, labelName: 'job' }).finish();
  assert.deepEqual(ValuesResponse.decode(await call('Values', values)).labelValues, ['shop']);
});

interface Line {
  readonly filename: string;
  readonly line: number;
  readonly cumulative: number;
  readonly flat: number;
}

/** Requests the lines of a file; `filter` is one of the extension's filters of frames or stacks. */
async function askForLines(
  filename: string,
  filter: parca.query.v1alpha1.Filter.$Properties[] = [],
  query = `${preset}{job="shop"}`,
): Promise<{ lines: Line[]; total: number }> {
  const request = QueryRequest.encode({
    mode: QueryRequest.Mode.MODE_MERGE,
    reportType: QueryRequest.ReportType.REPORT_TYPE_SOURCE,
    merge: { query, ...lastMinutes() },
    sourceReference: { buildId: '', filename, sourceOnly: false },
    filter,
  }).finish();
  const { source, total } = QueryResponse.decode(await call('Query', request));
  assert.ok(source, 'the report must be one of source');
  const table = readRecord(Uint8Array.from(source.record ?? []));
  const column = (name: string): number[] =>
    Array.from(table.getChild(name) ?? [], (value) => Number(value));
  const [numbers, cumulative, flat] = ['line_number', 'cumulative', 'flat'].map(column);
  const files = Array.from(table.getChild('filename') ?? [], String);
  const lines = files.map((name, row) => ({
    filename: name,
    line: numbers[row],
    cumulative: cumulative[row],
    flat: flat[row],
  }));
  return { lines: lines.sort((a, b) => a.line - b.line), total: Number(total) };
}

const mainLines: readonly Line[] = [
  { filename: spin.file, line: 12, cumulative: 10, flat: 10 },
  { filename: spin.file, line: 30, cumulative: 15, flat: 0 },
];

test('a file of the workspace gets its lines, by the end of its path', async () => {
  // The extension first tries the path below the workspace folder, and then longer and longer ends
  // of the full path.
  assert.deepEqual(await askForLines('cmd/api/main.go'), { lines: mainLines, total: 15 });
  const byName = await askForLines('main.go');
  assert.deepEqual(
    [...new Set(byName.lines.map(({ filename }) => filename))].sort(),
    [spin.file, other.file].sort(),
  );
  assert.deepEqual(await askForLines('shop/none.go'), { lines: [], total: 15 });
});

test('its filters by function and its labels narrow the lines', async () => {
  const criteria = { functionName: { equal: 'main.spin' } };
  const filter = [{ stackFilter: { criteria } }];
  const filtered = await askForLines('cmd/api/main.go', filter);
  assert.deepEqual(
    filtered.lines.map(({ line, cumulative }) => [line, cumulative]),
    [
      [12, 10],
      [30, 10],
    ],
  );
  const elsewhere = await askForLines('cmd/api/main.go', [], `${preset}{job="none"}`);
  assert.deepEqual(elsewhere, { lines: [], total: 0 });
  const everything = await askForLines('cmd/api/main.go', [], `${preset}{}`);
  assert.deepEqual(everything.lines, mainLines);
});
