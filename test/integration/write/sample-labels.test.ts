// Tests that sample labels can be searched, listed and grouped by exactly as they were sent, with
// their units.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ProtobufWriter } from '../../../src/formats/protobuf-writer.ts';
import { startFilledServer } from '../../support/filled-server.ts';
import { runParcatool } from '../../support/parcatool.ts';

const strings = new Map<string, number>([['', 0]]);

function intern(text: string): number {
  const known = strings.get(text) ?? strings.size;
  strings.set(text, known);
  return known;
}

/** A label: a string, or a number with a unit. */
type SentLabel = readonly [name: string, value: string | bigint, unit?: string];

/** Encodes a profile with a sample of ten milliseconds for each set of labels. */
function encodeProfile(sets: readonly (readonly SentLabel[])[]): Uint8Array<ArrayBuffer> {
  const message = new ProtobufWriter();
  const inside = (field: number, write: () => void): void => {
    const start = message.begin(field);
    write();
    message.end(start);
  };
  const typed = (field: number): void =>
    inside(field, () => {
      message.uint(1, intern('cpu'));
      message.uint(2, intern('nanoseconds'));
    });
  typed(1);
  for (const labels of sets) {
    inside(2, () => {
      message.uint(1, 1);
      message.uint(2, 10_000_000);
      for (const [name, value, unit = ''] of labels) {
        inside(3, () => {
          message.uint(1, intern(name));
          if (typeof value === 'string') message.uint(2, intern(value));
          else message.int64(3, value);
          message.uint(4, intern(unit));
        });
      }
    });
  }
  inside(4, () => {
    message.uint(1, 1);
    inside(4, () => message.uint(1, 1));
  });
  inside(5, () => {
    message.uint(1, 1);
    message.uint(2, intern('main'));
  });
  typed(11);
  message.int64(9, BigInt(Date.now() - 60_000) * 1_000_000n);
  message.int64(10, 1_000_000_000n);
  message.uint(12, 10_000_000);
  for (const text of strings.keys()) message.bytesField(6, Buffer.from(text));
  return Uint8Array.from(message.finish());
}

const server = await startFilledServer([], async () => undefined);
after(() => server.stop());

const sent: readonly (readonly SentLabel[])[] = [
  [
    ['process-description', 'a'],
    ['process.description', 'b'],
    ['process_description', 'c'],
  ],
  [['http.route', '/cart']],
  [['Weird Name', 'w']],
  [['lat', 1n, 'millisecond']],
  [['lat', 1n, 'second']],
  [['lat', -1n, 'bytes']],
  [['lat', 1n]],
];

async function tool(...args: string[]): Promise<string> {
  const { out, err } = await runParcatool(...args, `--server=${server.address}`);
  assert.equal(err, '');
  return out;
}

test('each name is found as it was sent, and numbers keep their unit', async () => {
  const pushed = await fetch(`http://${server.address}/api/v1/push?job=labels`, {
    method: 'POST',
    body: encodeProfile(sent),
  });
  assert.equal(pushed.status, 200, await pushed.text());
  const names = (await tool('labels', '--match={job="labels"}')).trim().split('\n');
  assert.deepEqual(names, [
    'Weird Name',
    'http.route',
    'job',
    'lat',
    'process-description',
    'process.description',
    'process_description',
  ]);
  const cpu = 'process_cpu:cpu';
  for (const matcher of [
    '"process-description"="a"',
    '"process.description"="b"',
    'process_description="c"',
    '"http.route"="/cart"',
    '"Weird Name"=~"w+"',
    'lat="1 millisecond"',
    'lat="1 second"',
    'lat="-1 bytes"',
  ]) {
    const answer = JSON.parse(await tool('top', `${cpu}{job="labels", ${matcher}}`, '-o=json'));
    assert.equal(answer.total, '10000000', matcher);
  }
  const values = await tool('labels', 'lat');
  assert.deepEqual(values.trim().split('\n'), ['-1 bytes', '1 millisecond', '1 second']);
});

/** Queries a graph over time, and returns the values of a label of its lines. */
async function linesBy(name: string): Promise<string[]> {
  const parameters = new URLSearchParams({
    query: `process_cpu:cpu{job="labels"} | by (${JSON.stringify(name)})`,
    start: new Date(Date.now() - 600_000).toISOString(),
    end: new Date().toISOString(),
    step: '600s',
  });
  const answer = await fetch(`http://${server.address}/api/profiles/query_range?${parameters}`);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  const { series } = JSON.parse(text);
  return series
    .flatMap(({ labelset }: { labelset: { labels: { value: string }[] } }) =>
      labelset.labels.map(({ value }) => value),
    )
    .sort();
}

test('each unit is a group of its own, and so is each name', async () => {
  assert.deepEqual(await linesBy('lat'), ['-1 bytes', '1', '1 millisecond', '1 second']);
  assert.deepEqual(await linesBy('process.description'), ['b']);
  assert.deepEqual(await linesBy('process-description'), ['a']);
  assert.deepEqual(await linesBy('Weird Name'), ['w']);
});
