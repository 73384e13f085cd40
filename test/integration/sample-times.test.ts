// Times of samples, from an OTLP push to heatmap, timeline and flame graph of a moment, in a server
// that cuts its head and starts again.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ProtobufWriter } from '../../src/formats/protobuf-writer.ts';
import { scratchDirectory, startServer } from '../support/server.ts';

const start = 1_790_000_040_000;
const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{service_name="timed"}';
const period = 10_000_000;

/** A sample of the program, in milliseconds after the start. */
interface Event {
  readonly at: number;
  readonly stack: 'steady' | 'burst';
  readonly thread: '1' | '2';
}

/** Thread 1 works all the time; thread 2 has a burst from 5 to 7 s. */
const events: Event[] = [
  ...Array.from({ length: 300 }, (_, i): Event => ({ at: i * 100, stack: 'steady', thread: '1' })),
  ...Array.from({ length: 200 }, (_, i): Event => ({
    at: 5_000 + i * 10,
    stack: 'burst',
    thread: '2',
  })),
];

/** Returns an OTLP request with a profile of 10 s. */
function requestOf(from: number): Uint8Array {
  const writer = new ProtobufWriter();
  const nested = (field: number, write: () => void): void => {
    const at = writer.begin(field);
    write();
    writer.end(at);
  };
  const string = (field: number, value: string): void =>
    writer.bytesField(field, Buffer.from(value));
  const fixed = (field: number, values: readonly bigint[]): void =>
    writer.bytesField(field, new Uint8Array(BigUint64Array.from(values).buffer));
  const nanos = (at: number): bigint => BigInt(start + at) * 1_000_000n;
  const own = events.filter(({ at }) => at >= from && at < from + 10_000);
  nested(1, () => {
    nested(1, () =>
      nested(1, () => {
        string(1, 'service.name');
        nested(2, () => string(1, 'timed'));
      }),
    );
    nested(2, () =>
      nested(2, () => {
        nested(1, () => {
          writer.uint(1, 1);
          writer.uint(2, 2);
        });
        for (const [row, samples] of Map.groupBy(own, ({ stack }) =>
          stack === 'steady' ? 1 : 2,
        )) {
          nested(2, () => {
            writer.uint(1, row);
            nested(2, () => writer.varint(row));
            fixed(
              5,
              samples.map(({ at }) => nanos(at)),
            );
          });
        }
        writer.varint((3 << 3) | 1);
        writer.raw(new Uint8Array(BigUint64Array.of(nanos(from)).buffer));
        writer.int64(4, 10_000_000_000n);
        nested(5, () => {
          writer.uint(1, 3);
          writer.uint(2, 4);
        });
        writer.int64(6, BigInt(period));
      }),
    );
  });
  nested(2, () => {
    for (const name of [0, 5, 6]) nested(3, () => (name > 0 ? writer.uint(1, name) : undefined));
    for (const row of [0, 1, 2]) {
      nested(2, () => (row > 0 ? nested(3, () => writer.uint(1, row)) : undefined));
    }
    const strings = ['', 'samples', 'count', 'cpu', 'nanoseconds', 'steady', 'burst', 'thread.id'];
    for (const text of strings) string(5, text);
    for (const value of ['', '1', '2']) {
      nested(6, () => {
        if (value === '') return;
        writer.uint(1, 7);
        nested(2, () => string(1, value));
      });
    }
    for (const row of [0, 1, 2]) {
      nested(7, () => (row > 0 ? nested(1, () => writer.varint(row)) : undefined));
    }
  });
  return writer.finish().slice();
}

const scratch = await scratchDirectory();
const options = { storagePath: join(scratch.path, 'data') };
let server = await startServer(options);
after(async () => {
  await server.stop();
  await scratch.remove();
});

before(async () => {
  for (const from of [0, 10_000, 20_000]) {
    const response = await fetch(`${server.url}/v1development/profiles`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: new Uint8Array(requestOf(from)),
    });
    assert.equal(response.status, 200, await response.text());
  }
});

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

const timeOf = (at: number): string => new Date(start + at).toISOString();

async function heatmap(parameters: Readonly<Record<string, string>>): Promise<Heatmap> {
  const asked = new URLSearchParams({ query, start: timeOf(0), end: timeOf(29_999) });
  for (const [name, value] of Object.entries(parameters)) asked.set(name, value);
  const response = await fetch(`${server.url}/api/v1/heatmap?${asked}`);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Heatmap;
}

/** Returns the lines of folded stacks of the samples between two times. */
async function foldedBetween(from: number, to: number): Promise<string[]> {
  const seconds = (at: number): string => ((start + at) / 1_000).toFixed(3);
  const text = `${query} | samples @ ${seconds(from)} to ${seconds(to)}`;
  const asked = new URLSearchParams({ query: text, start: timeOf(0), end: timeOf(30_000) });
  const response = await fetch(`${server.url}/api/v1/export?${asked}&format=collapsed`);
  const body = await response.text();
  assert.equal(response.status, 200, body);
  return body.trim().split('\n').filter(Boolean).sort();
}

function foldedOf(from: number, to: number): string[] {
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
    assert.deepEqual(await foldedBetween(from, to), foldedOf(from, to), `${from} to ${to}`);
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

test('what has no meaning is refused with a reason', async () => {
  const refused = async (path: string, want: RegExp): Promise<void> => {
    const response = await fetch(`${server.url}${path}`);
    assert.equal(response.status, 400);
    assert.match(await response.text(), want);
  };
  const asked = (text: string): string =>
    new URLSearchParams({ query: text, start: timeOf(0), end: timeOf(30_000) }).toString();
  await refused(`/api/v1/heatmap?${asked(`diff(${query}, ${query})`)}`, /diff/);
  const both = `${query.replace(':delta', '')} | increase | samples @ 1 to 2`;
  await refused(`/api/v1/export?${asked(both)}&format=collapsed`, /have no increase/);
});
