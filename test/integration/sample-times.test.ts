// Tests times of samples from an OTLP push to the heatmap, the timeline and the flame graph of a
// moment, on a server that cuts its head and restarts.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Long from 'long';
import { Profile } from 'pprof-format';
import { querier } from '../../proto/gen/pyroscope.js';
import { type ByteSpan, eachField, readSpan } from '../../src/formats/wire-fields.ts';
import { WireReader } from '../../src/formats/wire-reader.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  samplePeriod as period,
  type TimedEvent,
  timedRequest,
} from '../support/profiles/timed-otlp.ts';
import { scratchDirectory, startServer } from '../support/server.ts';

const start = 1_790_000_040_000;
const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{service_name="timed"}';

/** Thread 1 works all the time; thread 2 has a burst from 5 to 7 s. */
const events: TimedEvent[] = [
  ...Array.from({ length: 300 }, (_, i): TimedEvent => ({
    at: i * 100,
    stack: 'steady',
    thread: '1',
  })),
  ...Array.from({ length: 200 }, (_, i): TimedEvent => ({
    at: 5_000 + i * 10,
    stack: 'burst',
    thread: '2',
  })),
];

const scratch = await scratchDirectory();
const options = { storagePath: join(scratch.path, 'data') };
let server = await startServer(options);
after(async () => {
  await server.stop();
  await scratch.remove();
});

before(async () => {
  for (const from of [0, 10_000, 20_000]) await push(events, from);
});

async function push(some: readonly TimedEvent[], from: number): Promise<void> {
  const response = await fetch(`${server.url}/v1development/profiles`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-protobuf' },
    body: new Uint8Array(timedRequest(some, start, from)),
  });
  assert.equal(response.status, 200, await response.text());
}

interface Heatmap {
  readonly unit: string;
  readonly start: string;
  readonly stepMillis: number;
  readonly columnMillis: number;
  readonly untimed: string;
  readonly lines: readonly {
    readonly labels: Readonly<Record<string, string>>;
    readonly total: string;
    readonly buckets: readonly number[];
    readonly values: readonly string[];
  }[];
}

const formatTime = (at: number): string => new Date(start + at).toISOString();

async function heatmap(parameters: Readonly<Record<string, string>>): Promise<Heatmap> {
  const asked = new URLSearchParams({ query, start: formatTime(0), end: formatTime(29_999) });
  for (const [name, value] of Object.entries(parameters)) asked.set(name, value);
  const response = await fetch(`${server.url}/api/v1/heatmap?${asked}`);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Heatmap;
}

/** Returns the folded stacks of the samples between two times, one per line. */
async function foldedBetween(from: number, to: number): Promise<string[]> {
  const seconds = (at: number): string => ((start + at) / 1_000).toFixed(3);
  const text = `${query} | samples @ ${seconds(from)} to ${seconds(to)}`;
  const asked = new URLSearchParams({ query: text, start: formatTime(0), end: formatTime(30_000) });
  const response = await fetch(`${server.url}/api/v1/export?${asked}&format=collapsed`);
  const body = await response.text();
  assert.equal(response.status, 200, body);
  return body.trim().split('\n').filter(Boolean).sort();
}

function foldEvents(from: number, to: number): string[] {
  const own = events.filter(({ at }) => at >= from && at <= to);
  const counts = Map.groupBy(own, ({ stack }) => stack);
  return Array.from(counts, ([stack, all]) => `${stack} ${all.length * period}`).sort();
}

async function checkAnswers(): Promise<void> {
  const whole = await heatmap({});
  assert.deepEqual(
    [whole.unit, whole.stepMillis, whole.columnMillis, whole.untimed],
    ['nanoseconds', 20, 1_000, '0'],
  );
  const cells = new Map<number, number>();
  for (const { at } of events) {
    cells.set(Math.floor(at / 20), (cells.get(Math.floor(at / 20)) ?? 0) + period);
  }
  const [line] = whole.lines;
  assert.equal(whole.lines.length, 1);
  const got = line.buckets.map((bucket, i) => [bucket, Number(line.values[i])] as const);
  assert.deepEqual(new Map(got), new Map([...cells].sort(([a], [b]) => a - b)));
  // One line for each thread.
  const threads = await heatmap({ by: 'thread_id', step: '1s' });
  assert.deepEqual(
    threads.lines.map(({ labels, buckets }) => [labels['thread_id'], buckets.length]),
    [
      ['1', 30],
      ['2', 2],
    ],
  );
  for (const [from, to] of [
    [0, 4_999],
    [5_005, 5_995],
    [6_990, 20_000],
    [9_900, 10_100],
    [0, 30_000],
  ] as const) {
    assert.deepEqual(await foldedBetween(from, to), foldEvents(from, to), `${from} to ${to}`);
  }
}

test('heatmap, threads and stacks of a moment are those of the samples that were sent', async () => {
  await checkAnswers();
});

test('they are the same from blocks, after a start', async () => {
  await server.stop();
  server = await startServer(options);
  await checkAnswers();
});

test("Pyroscope's heatmap has the times of samples where its steps are shorter than profiles", async () => {
  const slots = async (step: number): Promise<Map<string, (readonly [number, number])[]>> => {
    const response = await fetch(`${server.url}/querier.v1.QuerierService/SelectHeatmap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        profileTypeID: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds',
        labelSelector: '{service_name="timed"}',
        start: String(start - 1),
        end: String(start + 29_999),
        step,
        groupBy: ['thread_id'],
        queryType: 'HEATMAP_QUERY_TYPE_INDIVIDUAL',
      }),
    });
    assert.equal(response.status, 200, await response.clone().text());
    const { series } = (await response.json()) as {
      readonly series: readonly {
        readonly labels: readonly { readonly value: string }[];
        readonly slots: readonly { readonly timestamp: string; readonly counts: number[] }[];
      }[];
    };
    return new Map(
      series.map(({ labels, slots: own }) => [
        labels[0].value,
        own.map(({ timestamp, counts }) => {
          return [Number(timestamp) - start, counts.reduce((a, b) => a + b, 0)] as const;
        }),
      ]),
    );
  };
  const seconds = await slots(1);
  assert.deepEqual(
    seconds.get('1'),
    Array.from({ length: 30 }, (_, i) => [(i + 1) * 1_000 - 1, 1]),
  );
  assert.deepEqual(seconds.get('2'), [
    [5_999, 1],
    [6_999, 1],
  ]);
  // With steps as long as the profiles, each step has one profile.
  assert.deepEqual((await slots(10)).get('1'), [
    [9_999, 1],
    [19_999, 1],
    [29_999, 1],
  ]);
});

test('a reload of the config ends times of a type, and the metric counts them', async () => {
  const path = join(scratch.path, `parca-${process.pid}.yaml`);
  const loads = (): number => server.log().split('config loaded').length;
  const before = loads();
  await writeFile(path, 'drop_sample_times: [process_cpu]\nscrape_configs: []\n');
  process.kill(server.pid, 'SIGHUP');
  for (let i = 0; loads() === before && i < 500; i += 1) await sleep(20);
  const later = Array.from({ length: 10 }, (_, i): TimedEvent => {
    return { at: 30_000 + i * 100, stack: 'steady', thread: '1' };
  });
  await push(later, 30_000);
  const { lines, untimed } = await heatmap({ start: formatTime(30_000), end: formatTime(31_000) });
  assert.deepEqual([lines.length, Number(untimed)], [0, 10 * period]);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  assert.match(metrics, /^parca_ingest_sample_times_dropped_total\{reason="config"\} 1$/m);
});

test('exports of pprof have no fields of ours, and others read them', async () => {
  const asked = new URLSearchParams({ query, start: formatTime(0), end: formatTime(29_999) });
  const exported = await fetch(`${server.url}/api/v1/export?${asked}&format=pprof`);
  const request = querier.v1.SelectMergeProfileRequest.encode({
    profileTypeID: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds',
    labelSelector: '{service_name="timed"}',
    start: Long.fromNumber(start),
    end: Long.fromNumber(start + 29_999),
  });
  const merged = await fetch(`${server.url}/querier.v1.QuerierService/SelectMergeProfile`, {
    method: 'POST',
    headers: { 'content-type': 'application/proto' },
    body: new Uint8Array(request.finish()),
  });
  for (const response of [exported, merged]) {
    const body = new Uint8Array(await response.arrayBuffer());
    assert.equal(response.status, 200, Buffer.from(body).toString());
    const profile = body[0] === 0x1f ? gunzipSync(body) : body;
    assert.equal(Profile.decode(profile).sample.length, 2);
    assert.ok(fieldNumbers(profile).every((number) => number < 20));
  }
});

/** Returns the numbers of the fields of an encoded profile and of its samples. */
function fieldNumbers(profile: Uint8Array): number[] {
  const reader = new WireReader();
  reader.open(profile);
  const [numbers, samples]: [number[], ByteSpan[]] = [[], []];
  const whole = { start: 0, end: profile.length };
  eachField(reader, whole, (field) => {
    numbers.push(field);
    if (field === 2) samples.push(readSpan(reader, whole.end));
  });
  for (const sample of samples) eachField(reader, sample, (field) => numbers.push(field));
  return numbers;
}

test('what has no meaning is refused with a reason', async () => {
  const refused = async (path: string, want: RegExp): Promise<void> => {
    const response = await fetch(`${server.url}${path}`);
    assert.equal(response.status, 400);
    assert.match(await response.text(), want);
  };
  const asked = (text: string): string =>
    new URLSearchParams({ query: text, start: formatTime(0), end: formatTime(30_000) }).toString();
  await refused(`/api/v1/heatmap?${asked(`diff(${query}, ${query})`)}`, /diff/);
  const both = `${query.replace(':delta', '')} | increase | samples @ 1 to 2`;
  await refused(`/api/v1/export?${asked(both)}&format=collapsed`, /have no increase/);
});
