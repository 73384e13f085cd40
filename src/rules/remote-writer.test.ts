// Tests of remote write to a server that refuses messages, is busy, or is unavailable: no value is
// lost within a day, and none arrives twice.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import protobuf from 'protobufjs/minimal.js';
import { createFakeClock } from '../base/fake/clock.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { silentLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import { parseConfig } from '../config/load/parse.ts';
import { discoveryKinds } from '../discovery/registry.ts';
import { createLabelSet } from '../model/labels.ts';
import { createQueryEngine } from '../query/engine/engine.ts';
import { createMemoryStore } from '../storage/tools/memory-store.ts';
import { recordSamples } from './recorder.ts';
import { readSentState, RemoteWriters } from './remote-writer.ts';
import { parseRuleFile } from './rule-file.ts';

const minute = 60_000;
const startMillis = 1_700_000_000_000;

const [group] = parseRuleFile(
  'groups: [{name: g, rules: [{record: "job:cores", expr: "cores(cpu [5m])"}]}]',
  'rules.yml',
  { intervalMillis: minute, offsetMillis: 0 },
);
const [rule] = group.rules;
assert.ok(rule.kind === 'record');

/** Returns the values that arrived, each as `{job="a"} 1@60`, with the seconds after the start. */
function readSamples(body: Uint8Array): string[] {
  // Snappy's literals, each after its tag and a length of two bytes.
  const reader = protobuf.Reader.create(body);
  reader.uint32();
  const parts: Uint8Array[] = [];
  for (let at = reader.pos; at < body.length;) {
    const length = body[at + 1] + body[at + 2] * 256 + 1;
    parts.push(body.subarray(at + 3, at + 3 + length));
    at += 3 + length;
  }
  const found: string[] = [];
  const message = protobuf.Reader.create(Buffer.concat(parts));
  while (message.pos < message.len) {
    message.uint32();
    const series = protobuf.Reader.create(message.bytes());
    const labels: string[] = [];
    while (series.pos < series.len) {
      const field = series.uint32() >> 3;
      const part = protobuf.Reader.create(series.bytes());
      part.uint32();
      if (field === 1) {
        const name = part.string();
        part.uint32();
        labels.push(`${name}="${part.string()}"`);
        continue;
      }
      const value = part.double();
      part.uint32();
      const seconds = (Number(part.int64()) - startMillis) / 1_000;
      found.push(`{${labels.join(', ')}} ${value}@${seconds}`);
    }
  }
  return found;
}

/** Resolves when a condition is true; the timeout of the test ends the wait. */
async function untilTrue(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => void setImmediate(resolve));
}

/** Creates a store with a sender, and a server whose answers are set in advance. */
async function createWorld(t: TestContext, keys = '') {
  const clock = createFakeClock(startMillis);
  const storage = createMemoryStore(seededRandom(1));
  const engine = createQueryEngine({ querier: storage.querier, metrics: noMetrics, clock });
  const files = new MemoryFiles(seededRandom(2));
  await files.makeDirectory('/data');
  const taken: string[] = [];
  const failures: string[] = [];
  let requests = 0;
  let answer: (count: number) => readonly [status: number, retryAfter?: string] = () => [204];
  const server = createServer((request: IncomingMessage, response) => {
    void buffer(request).then((body) => {
      requests += 1;
      const [status, retryAfter] = answer(requests);
      if (status === 204) taken.push(...readSamples(body));
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      response.statusCode = status;
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const text = `remote_write: [{url: "http://127.0.0.1:${port}/write", remote_timeout: 1h${keys}}]`;
  const { remoteWrite } = parseConfig(`${text}\nscrape_configs: []`, 'parca.yaml', discoveryKinds);
  let doneMillis = startMillis;
  const log = (message: string): void => void failures.push(message);
  const unused = (): never => assert.fail('it is not needed');
  const options = {
    clock,
    files,
    engine,
    folder: '/data/rules',
    recorded: () => [{ name: 'job:cores', doneMillis }],
    watchFolder: unused,
    createResolver: unused,
    runCommand: unused,
    logger: { ...silentLogger, warn: log, error: log },
    metrics: noMetrics,
    userAgent: 'test/1',
    environment: {},
  };
  const start = async (): Promise<RemoteWriters> => {
    const writers = new RemoteWriters(options, await readSentState(options));
    await writers.apply(remoteWrite, createLabelSet([{ name: 'cluster', value: 'c' }]));
    return writers;
  };
  let writers = await start();
  t.after(() => writers.stop());
  return {
    clock,
    taken,
    failures,
    requests: () => requests,
    answer: (next: typeof answer) => void (answer = next),
    /** Stores values of jobs now, and notifies the sender. */
    async record(values: Readonly<Record<string, number>>) {
      const samples = Object.entries(values).map(([job, value]) => ({
        labels: createLabelSet([{ name: 'job', value: job }]),
        value,
      }));
      const timeNanos = BigInt(clock.nowMillis()) * 1_000_000n;
      assert.ok(rule.kind === 'record');
      await recordSamples(samples, { group, rule }, timeNanos, { storage, clock });
      doneMillis = clock.nowMillis();
      writers.wake();
    },
    async restart() {
      await writers.stop();
      writers = await start();
    },
  };
}

const one = (value: number, seconds: number): string =>
  `{__name__="job:cores", cluster="c", job="a"} ${value}@${seconds}`;

test('a busy server is asked again when it says', async (t) => {
  const { clock, taken, failures, requests, answer, record } = await createWorld(t);
  answer((count) => (count === 1 ? [429, '120'] : [204]));
  await record({ a: 1 });
  await untilTrue(() => failures.length === 1);
  await clock.advance(119_999);
  assert.deepEqual([requests(), taken], [1, []]);
  await clock.advance(1);
  await untilTrue(() => taken.length === 1);
  assert.deepEqual(taken, [one(1, 0)]);
});

test('what a server misses comes when it is back, for a day, and once', async (t) => {
  const { clock, taken, failures, answer, record, restart } = await createWorld(t);
  answer(() => [503]);
  await record({ a: 0 });
  await untilTrue(() => failures.length > 0);
  // One value every five minutes, for 30 hours.
  const count = 360;
  for (let i = 1; i <= count; i += 1) {
    clock.setWallMillis(startMillis + i * 5 * minute);
    await record({ a: i });
  }
  // The remote server accepts some messages. Then this server restarts.
  const before = failures.length;
  let left = 20;
  answer(() => ((left -= 1) >= 0 ? [204] : [500]));
  await clock.advance(5 * minute);
  await untilTrue(() => failures.length > before && taken.length > 0 && left < 0);
  await restart();
  await untilTrue(() => left < -1);
  answer(() => [204]);
  await clock.advance(5 * minute);
  const at = (i: number): string => one(i, i * 300);
  await untilTrue(() => taken.includes(at(count)));
  // The successful attempt was some minutes after the last value. The first accepted value is one
  // day older than this attempt.
  const first = Number(/ (\d+)@/.exec(taken[0])?.[1]);
  assert.ok(first >= 72 && first <= 74, taken[0]);
  const want = Array.from({ length: count - first + 1 }, (_, i) => at(first + i));
  assert.deepEqual(taken, want);
});

test('messages of a range that were taken are not sent again', async (t) => {
  const { clock, taken, failures, requests, answer, record } = await createWorld(t);
  answer((count) => (count === 2 ? [500] : [204]));
  const jobs = Array.from({ length: 4_100 }, (_, i) => [`j${i}`, i] as const);
  await record(Object.fromEntries(jobs));
  await untilTrue(() => failures.length === 1);
  assert.equal(taken.length, 2_000);
  await clock.advance(minute);
  await untilTrue(() => taken.length >= 4_100);
  assert.equal(requests(), 4);
  assert.equal(new Set(taken).size, 4_100);
});

test('a refused message is dropped, and the next one is sent', async (t) => {
  const { clock, taken, failures, answer, record } = await createWorld(t);
  answer((count) => (count === 1 ? [400] : [204]));
  await record({ a: 1 });
  await untilTrue(() => failures.length === 1);
  await clock.advance(minute);
  await record({ a: 2 });
  await untilTrue(() => taken.length === 1);
  assert.deepEqual([taken, failures], [[one(2, 60)], ['remote storage refuses numbers']]);
});

test('write_relabel_configs choose series and change their labels', async (t) => {
  const rules = [
    '{source_labels: [job], regex: "a|b", action: keep}',
    '{source_labels: [cluster, job], separator: "/", target_label: place}',
    '{regex: "cluster|job", action: labeldrop}',
  ];
  const { taken, record } = await createWorld(t, `, write_relabel_configs: [${rules.join(', ')}]`);
  await record({ a: 1, b: 2, c: 3 });
  await untilTrue(() => taken.length === 2);
  assert.deepEqual(taken.toSorted(), [
    '{__name__="job:cores", place="c/a"} 1@0',
    '{__name__="job:cores", place="c/b"} 2@0',
  ]);
});
