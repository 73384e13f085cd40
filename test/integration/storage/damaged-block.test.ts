// Tests what the answers, the log and /metrics of a real server say about a block that cannot be
// opened.
import assert from 'node:assert/strict';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Long from 'long';
import { parca } from '../../../proto/gen/query.js';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { parseMetrics } from '../../support/metrics-text.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';

const messages = parca.query.v1alpha1;
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
/** The id of the block that is damaged. */
let damaged: string;

before(async () => {
  scratch = await scratchDirectory();
  const storagePath = join(scratch.path, 'data');
  server = await startServer({ storagePath });
  await push('lost', Date.now() - 60_000);
  // Stopping writes the stored profiles to a block.
  await server.stop();
  const [name] = await readdir(join(storagePath, 'blocks'));
  damaged = name.replace('.block', '');
  const path = join(storagePath, 'blocks', name);
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(8, 0xff), 0, 8, (await stat(path)).size - 8);
  await file.close();
  server = await startServer({ storagePath });
  await push('kept', Date.now() - 60_000);
});

after(async () => {
  await server.stop();
  await scratch.remove();
});

async function push(job: string, millis: number, times = 1): Promise<void> {
  const client = connect(server.address);
  const samples = [['main;work', 5n]] as const;
  const timeNanos = BigInt(millis) * 1_000_000n;
  const request = writeRawRequest(
    { __name__: 'process_cpu', job },
    gzippedPprof(cpuProfile({ timeNanos, samples })),
  );
  for (let i = 0; i < times; i += 1) await unary(client, writeRawPath, request);
  client.close();
}

async function ask(path: string, parameters: Readonly<Record<string, string>>) {
  const response = await fetch(`${server.url}/api${path}?${new URLSearchParams(parameters)}`);
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function metric(name: string): Promise<number | undefined> {
  const samples = parseMetrics(await (await fetch(`${server.url}/metrics`)).text());
  return samples.find((sample) => sample.name === name)?.value;
}

const isOfBlock = (warning: string): boolean =>
  warning.startsWith(`cannot read block ${damaged}: `);

test('answers that may lack its profiles say so', async () => {
  const [start, end] = [-600_000, 600_000].map((millis) =>
    new Date(Date.now() + millis).toISOString(),
  );
  const graph = await ask('/profiles/query_range', { query: cpuType, start, end, step: '1s' });
  assert.equal(graph.body.series.length, 1);
  assert.deepEqual(graph.body.warnings.map(isOfBlock), [true]);
  const functions = await ask('/v1/functions', { query: cpuType, start, end, step: '20m' });
  assert.equal(functions.body.total, '50000000');
  assert.deepEqual(functions.body.warnings.map(isOfBlock), [true]);
  const labels = await ask('/v1/labels', { query: cpuType, start, end });
  assert.deepEqual(labels.body.warnings.map(isOfBlock), [true]);
  const at = (seconds: number) => ({
    seconds: Long.fromNumber(Math.floor(Date.now() / 1_000) + seconds),
  });
  const request = messages.QueryRequest.encode({
    mode: messages.QueryRequest.Mode.MODE_MERGE,
    merge: { query: cpuType, start: at(-600), end: at(600) },
    reportType: messages.QueryRequest.ReportType.REPORT_TYPE_TOP,
  });
  const client = connect(server.address);
  const path = '/parca.query.v1alpha1.QueryService/Query';
  const answer = messages.QueryResponse.decode(await unary(client, path, request.finish()));
  client.close();
  assert.equal(Number(answer.total), 50_000_000);
  assert.deepEqual(answer.warnings.map(isOfBlock), [true]);
  // An answer reports the damage even if it has no data.
  for (const [of, code, parameters] of [
    ['/profiles/query_range', 500, { step: '1s' }],
    ['/v1/export', 404, {}],
  ] as const) {
    const query = `${cpuType}{job="lost"}`;
    const { status, body } = await ask(of, { query, start, end, ...parameters });
    assert.equal(status, code, body.message);
    assert.match(body.message, new RegExp(`cannot read block ${damaged}: `));
  }
});

test('answers about later times are whole', async () => {
  const [start, end] = [1, 600_000].map((millis) => new Date(Date.now() + millis).toISOString());
  const { body } = await ask('/v1/functions', { query: cpuType, start, end, step: '20m' });
  assert.deepEqual(body.warnings, []);
});

test('the log and /metrics tell the operator', async () => {
  assert.match(server.log(), new RegExp(`level=error .*left out a damaged block.*${damaged}`));
  assert.equal(await metric('parca_storage_damaged_blocks_total'), 1);
  assert.equal(await metric('parca_storage_lost_parts'), 1);
});

test('profiles that are sent again are not counted as stored again', async () => {
  const profiles = await metric('parca_ingest_profiles_total');
  const rows = await metric('parca_ingest_rows_total');
  assert.deepEqual([profiles, rows], [1, 1]);
  await push('again', 1_767_268_800_000, 3);
  assert.equal(await metric('parca_ingest_profiles_total'), 2);
  assert.equal(await metric('parca_ingest_rows_total'), 2);
  assert.equal(await metric('parca_storage_duplicate_profiles_total'), 2);
});
