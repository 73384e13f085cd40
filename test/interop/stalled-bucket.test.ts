// Tests that a query ends when its caller leaves, even while the bucket does not respond: its
// connection to the bucket closes, and no failure of the bucket is counted.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { frameMessage } from '../../src/api/transport/grpc/message-frames.ts';
import { loadSchema } from '../../src/api/transport/json/load-schema.ts';
import { jsonToMessage } from '../../src/api/transport/json/to-message.ts';
import { azure, gcs, s3 } from '../support/bucket-vendors.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** A proxy in front of a bucket that can hold back all answers. */
interface Door {
  readonly endpoint: string;
  /** Holds back answers; resolves with the next connection that reads a part of an object. */
  stall(): Promise<Socket>;
  open(): void;
}

/** Matches requests of each vendor's client that read a part of an object. */
const readsRange = /\r\n(x-ms-)?range: bytes=/i;

async function startDoor(t: TestContext, target: string): Promise<Door> {
  const [host, port] = target.split(':');
  const pairs = new Map<Socket, Socket>();
  let isStalled = false;
  let asked = Promise.withResolvers<Socket>();
  const server = createServer((from) => {
    const to = connectTcp(Number(port), host);
    pairs.set(from, to);
    from.on('data', (chunk) => {
      to.write(chunk);
      if (isStalled && readsRange.test(chunk.toString('latin1'))) asked.resolve(from);
    });
    to.on('data', (chunk) => void from.write(chunk));
    if (isStalled) to.pause();
    for (const socket of [from, to]) {
      socket.on('error', () => undefined);
      socket.once('close', () => {
        from.destroy();
        to.destroy();
        pairs.delete(from);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const from of pairs.keys()) from.destroy();
    server.close();
  });
  const setStalled = (value: boolean): void => {
    isStalled = value;
    for (const to of pairs.values()) {
      if (value) to.pause();
      else to.resume();
    }
  };
  return {
    endpoint: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stall: () => {
      asked = Promise.withResolvers();
      setStalled(true);
      return asked.promise;
    },
    open: () => setStalled(false),
  };
}

const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="a"}';

/** Stores profiles whose names compress poorly, so that their block spans more than one page. */
async function fill(server: TestServer): Promise<void> {
  const client = connect(server.address);
  for (let i = 0; i < 20; i += 1) {
    const timeNanos = BigInt(Date.now() - 10 * 3_600_000 + i * 360_000) * 1_000_000n;
    const samples = Array.from({ length: 2_000 }, (_, k) => {
      const hash = createHash('sha1').update(`${i} ${k}`).digest('hex');
      return [`main;f${hash}`, 5n] as const;
    });
    const profile = gzippedPprof(cpuProfile({ timeNanos, samples }));
    await unary(
      client,
      writeRawPath,
      writeRawRequest({ __name__: 'process_cpu', job: 'a' }, profile),
    );
  }
  client.close();
}

/** Returns the lines of a metric. */
async function readMetric(server: TestServer, name: string): Promise<string> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .join('\n');
}

/** Sends a query over HTTP/1.1; returns a function that disconnects. */
async function askHttp(server: TestServer): Promise<() => Promise<unknown>> {
  const what = new URLSearchParams({ query, start: 'now-1d', end: 'now', format: 'collapsed' });
  const asked = get(`${server.url}/api/v1/export?${what}`, { agent: false });
  asked.on('error', () => undefined);
  const [socket] = (await once(asked, 'socket')) as [Socket];
  return async () => {
    asked.destroy();
    if (!socket.closed) await once(socket, 'close');
  };
}

/** Sends a query over gRPC; returns a function that cancels the call. */
async function askGrpc(server: TestServer): Promise<() => Promise<unknown>> {
  const path = '/parca.query.v1alpha1.QueryService/Query';
  const [start, end] = [new Date(Date.now() - 86_400_000), new Date()].map((at) =>
    at.toISOString(),
  );
  const json = {
    mode: 'MODE_MERGE',
    merge: { query, start, end },
    reportType: 'REPORT_TYPE_TOP',
  };
  const schema = await loadSchema();
  const session = connectHttp2(server.url);
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  stream.on('error', () => undefined);
  stream.end(frameMessage(jsonToMessage(schema, schema.method(path).request, json)));
  return async () => {
    stream.close(8);
    if (!stream.closed) await once(stream, 'close');
    session.close();
  };
}

for (const vendor of [s3(), gcs, azure]) {
  test(`${vendor.type}: a question ends with its caller while the bucket does not answer`, async (t) => {
    const bucket = await vendor.start();
    t.after(() => bucket.remove());
    const scratch = await scratchDirectory();
    t.after(() => scratch.remove());
    const door = await startDoor(t, bucket.endpoint);
    const bucketConfig = JSON.stringify(vendor.config(door.endpoint));
    const start = async (name: string): Promise<TestServer> => {
      const server = await startServer({
        storagePath: join(scratch.path, name),
        config: `object_storage: {bucket: {type: ${vendor.type}, prefix: p, config: ${bucketConfig}}}\n`,
        variables: vendor.variables(door.endpoint),
      });
      t.after(() => server.stop());
      return server;
    };
    const first = await start('first');
    await fill(first);
    await first.stop();
    // Stopping has cut the head; the next start ships its blocks.
    const again = await start('first');
    await until(() => /msg=shipped/.test(again.log()));
    await again.stop();
    for (const [name, ask] of Object.entries({ askHttp, askGrpc })) {
      // Each server has an empty disk, so that no block is in a cache.
      const server = await start(name);
      await until(async () =>
        / [1-9]/.test(await readMetric(server, 'parca_storage_object_blocks')),
      );
      const stalled = door.stall();
      const hangUp = await ask(server);
      const bucketSocket = await stalled;
      assert.equal(bucketSocket.closed, false, name);
      const hungUpMillis = performance.now();
      await hangUp();
      await until(async () =>
        /cancelled.* 1$/m.test(await readMetric(server, 'parca_query_failures_total')),
      );
      // Google's client has no way to end a request before its response; it gives up after 60 s.
      if (vendor !== gcs && !bucketSocket.closed) await once(bucketSocket, 'close');
      const millis = Math.round(performance.now() - hungUpMillis);
      t.diagnostic(`${name}: the query ended ${millis} ms after the caller hung up`);
      door.open();
      // If a read ended at its deadline, and not when its caller left, it would count as a failure.
      const failures = await readMetric(server, 'parca_storage_object_read_failures_total');
      assert.doesNotMatch(failures, / [1-9]/, name);
      await server.stop();
    }
  });
}
