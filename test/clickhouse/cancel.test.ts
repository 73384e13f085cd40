// Tests that each query to the server is one statement in ClickHouse: its progress is shown, and it
// ends when the client leaves. Only Debian's server is tested, because chdb runs one statement at a
// time.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import Long from 'long';
import { parca } from '../../proto/gen/query.js';
import { ByteReader } from '../../src/base/bytes.ts';
import type { ClickHouseServers } from '../../src/storage/clickhouse/server.ts';
import { serversAt, startClickHouse, type TestClickHouse } from '../support/clickhouse.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

let clickHouse: TestClickHouse;
let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
let servers: ClickHouseServers;

const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="slow"}';
const start = Math.floor(Date.now() / 60_000) * 60_000 - 120_000;
const end = start + 60_000;

before(async () => {
  clickHouse = await startClickHouse(
    '<max_block_size>1</max_block_size><log_queries>1</log_queries>',
    '<query_log><database>system</database><table>query_log</table>' +
      '<flush_interval_milliseconds>100</flush_interval_milliseconds></query_log>',
  );
  scratch = await scratchDirectory();
  const flags = ['--storage-backend=clickhouse', `--clickhouse-address=${clickHouse.url}`];
  server = await startServer({ storagePath: join(scratch.path, 'data'), flags });
  const profile = cpuProfile({
    timeNanos: BigInt(start) * 1_000_000n,
    durationNanos: 1_000_000n,
    samples: [['leaf;main', 1n]],
  });
  const client = connect(server.address);
  const labels = { __name__: 'process_cpu', job: 'slow' };
  await unary(client, writeRawPath, writeRawRequest(labels, gzippedPprof(profile)));
  client.close();
  servers = serversAt([clickHouse.url], 'parca');
  // ClickHouse takes minutes to read the stacks of a thousand copies in blocks of one row.
  const same = 'duration, period, content, totals, counts, stacks, labels, data';
  await servers.run(
    'INSERT INTO profiles SELECT service, name, hour, stream, ' +
      `time + arrayJoin(range(1000)) * 1000000, ${same} FROM profiles`,
  );
  await servers.run('RENAME TABLE profiles TO fast_profiles');
  await servers.run(
    'CREATE VIEW profiles AS SELECT service, name, hour, stream, time, duration, period, ' +
      'content, totals, counts, if(sleepEachRow(0.25) = 0, stacks, stacks) AS stacks, labels, ' +
      'data FROM fast_profiles',
  );
});

after(async () => {
  await servers.close();
  await server.stop();
  await clickHouse.remove();
  await scratch.remove();
});

/** Returns the codes of the exceptions with which ClickHouse ended merges. */
async function endsOfMerges(): Promise<string[]> {
  const rows = await servers.ask(
    "SELECT extract(exception, 'Code: ([0-9]+)') FROM system.query_log " +
      "WHERE query LIKE '%AS worth FROM%' AND exception != '' AND query NOT LIKE '%query_log%'",
  );
  const reader = new ByteReader(rows);
  const codes: string[] = [];
  while (reader.at < reader.end) codes.push(reader.text());
  return codes;
}

/** Returns the number of rows that the running query has read; undefined if no query is running. */
async function rowsDone(): Promise<number | undefined> {
  const response = await fetch(`${server.url}/api/v1/queries`);
  const { queries } = (await response.json()) as { queries: { rows: { done: number } }[] };
  return queries[0]?.rows.done;
}

let killed = 0;

/**
 * Sends a request, waits until the server reports progress, disconnects, and waits until ClickHouse
 * stops.
 */
async function goAway(ask: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const controller = new AbortController();
  const asked = ask(controller.signal).then(
    () => assert.fail('it has an answer'),
    (error: unknown) => error,
  );
  while (!((await rowsDone()) ?? 0)) await setTimeout(20);
  controller.abort();
  await asked;
  while ((await rowsDone()) !== undefined) await setTimeout(20);
  killed += 1;
  for (;;) {
    const ends = await endsOfMerges();
    if (ends.length < killed) {
      await setTimeout(50);
      continue;
    }
    // The code is QUERY_WAS_CANCELLED. A merge that continued would end with a timeout.
    assert.deepEqual(
      ends,
      Array.from({ length: killed }, () => '394'),
    );
    break;
  }
}

const message = {
  mode: parca.query.v1alpha1.QueryRequest.Mode.MODE_MERGE,
  merge: {
    query,
    start: { seconds: Long.fromNumber(start / 1000) },
    end: { seconds: Long.fromNumber(end / 1000) },
  },
  reportType: parca.query.v1alpha1.QueryRequest.ReportType.REPORT_TYPE_PPROF,
};

test('a question over HTTP that its caller leaves', async () => {
  const times = `start=${new Date(start).toISOString()}&end=${new Date(end).toISOString()}`;
  const url = `${server.url}/api/v1/export?query=${encodeURIComponent(query)}&${times}`;
  await goAway((signal) => fetch(url, { signal }));
});

test('a question over gRPC that its caller cancels', async () => {
  const client = connect(server.address);
  const path = '/parca.query.v1alpha1.QueryService/Query';
  const request = Buffer.from(parca.query.v1alpha1.QueryRequest.encode(message).finish());
  const pass = (bytes: Buffer): Buffer => bytes;
  await goAway((signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const call = client.makeUnaryRequest(path, pass, pass, request, (error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
    signal.addEventListener('abort', () => call.cancel());
    return promise;
  });
  client.close();
});

test('a question that is cancelled by its number, as on the page', async () => {
  const client = connect(server.address);
  const request = parca.query.v1alpha1.QueryRequest.encode(message).finish();
  await goAway((signal) => {
    signal.addEventListener('abort', () => void cancelFirst());
    return unary(client, '/parca.query.v1alpha1.QueryService/Query', request, 120_000);
  });
  client.close();
});

async function cancelFirst(): Promise<void> {
  const response = await fetch(`${server.url}/api/v1/queries`);
  const { queries } = (await response.json()) as { queries: { id: string }[] };
  await fetch(`${server.url}/api/v1/queries/${queries[0].id}`, { method: 'DELETE' });
}

test('a search for series that its caller leaves ends in ClickHouse, too', async () => {
  await servers.run('RENAME TABLE streams TO fast_streams');
  await servers.run(
    'CREATE VIEW streams AS SELECT *, sleepEachRow(1) AS slept FROM fast_streams ' +
      'ARRAY JOIN range(1000) AS copy WHERE slept = 0',
  );
  const isRunning = async (): Promise<boolean> => {
    const rows = await servers.ask(
      "SELECT query_id FROM system.processes WHERE query LIKE '%FROM streams%' " +
        "AND query NOT LIKE '%system.processes%'",
    );
    return rows.length > 0;
  };
  const paths = ['series?match={job=~".*"}', 'labels', 'labels/job/values', 'types'];
  for (const path of paths) {
    const gone = new AbortController();
    const asked = fetch(`${server.url}/api/profiles/${path}`, { signal: gone.signal }).then(
      () => assert.fail(`${path} has an answer`),
      () => undefined,
    );
    while (!(await isRunning())) await setTimeout(20);
    gone.abort();
    await asked;
    const started = performance.now();
    while (await isRunning()) await setTimeout(20);
    // A complete answer would take sixteen minutes.
    assert.ok(performance.now() - started < 30_000, path);
  }
});
