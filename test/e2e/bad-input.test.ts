// Tests bad input against the real server: each input gets a clear typed error and is counted, and
// nothing is lost.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import { type Client, status } from '@grpc/grpc-js';
import protobuf from 'protobufjs/minimal.js';
import { isFull } from '../../src/base/testing/rounds.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import { sumBy } from '../support/json-api.ts';
import { cpuProfile, encodeProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const labels = { __name__: 'process_cpu', job: 'good' };
const timeNanos = BigInt(Date.UTC(2026, 1, 1)) * 1_000_000n;
const good = cpuProfile({
  timeNanos,
  samples: [
    ['main;serve;decode', 3n],
    ['main;serve', 1n],
  ],
});
const range = { from: new Date(Date.UTC(2026, 0, 31)), to: new Date(Date.UTC(2026, 1, 2)) };

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
let client: Client;

before(async () => {
  scratch = await scratchDirectory();
  server = await startServer({
    storagePath: join(scratch.path, 'data'),
    // Heads are cut every few thousand requests, so that the memory of heads is released again.
    flags: ['--storage-active-memory=8MiB'],
  });
  client = connect(server.address);
  await unary(client, writeRawPath, writeRawRequest(labels, gzippedPprof(good)));
});

after(async () => {
  client.close();
  await server.stop();
  await scratch.remove();
});

/** Encodes a field of the Profile message: a tag, and a varint or nested bytes. */
function field(number: number, content: number | Uint8Array): Uint8Array {
  const writer = new protobuf.Writer();
  if (typeof content === 'number')
    return writer
      .uint32(number << 3)
      .int64(content)
      .finish();
  return writer
    .uint32((number << 3) | 2)
    .bytes(content)
    .finish();
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

const plain = encodeProfile(good);
const sampleAt = (location: number): Uint8Array =>
  field(2, concat(field(1, location), field(2, 1), field(2, 1)));
const maxInt64 = concat(
  Uint8Array.of(0x10),
  Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
);

const badProfiles: readonly (readonly [string, Uint8Array, number, RegExp])[] = [
  ['empty', new Uint8Array(0), status.INVALID_ARGUMENT, /profile/],
  ['gzip of nothing', gzipSync(Buffer.alloc(0)), status.INVALID_ARGUMENT, /profile/],
  ['HTML', Buffer.from('<!doctype html><p>hello</p>'), status.INVALID_ARGUMENT, /parse profile/],
  ['truncated pprof', plain.subarray(0, plain.length - 7), status.INVALID_ARGUMENT, /profile/],
  [
    'truncated gzip',
    gzipSync(plain).subarray(0, 60),
    status.INVALID_ARGUMENT,
    /failed to parse profile/,
  ],
  [
    'gzip bomb',
    gzipSync(Buffer.alloc(600 * 1024 * 1024)),
    status.RESOURCE_EXHAUSTED,
    /limit|larger|more than/,
  ],
  [
    'location one past the end',
    concat(plain, sampleAt(4)),
    status.INVALID_ARGUMENT,
    /location number 0 \(4\) is out of range/,
  ],
  ['negative location', concat(plain, sampleAt(-1)), status.INVALID_ARGUMENT, /out of range/],
  [
    'string index one past the end',
    concat(plain, field(5, concat(field(1, 4), field(2, 10_000)))),
    status.INVALID_ARGUMENT,
    /invalid name index/,
  ],
  [
    'negative string index',
    concat(plain, field(5, concat(field(1, 4), field(2, -1)))),
    status.INVALID_ARGUMENT,
    /invalid name index/,
  ],
  [
    'values that pass int64 together',
    concat(
      plain,
      field(2, concat(field(1, 1), maxInt64, field(2, 1))),
      field(2, concat(field(1, 2), maxInt64, field(2, 1))),
    ),
    status.INVALID_ARGUMENT,
    /the sum of sample type 0 is 18446744073709551618, the limit is/,
  ],
  [
    'too few values',
    concat(plain, field(2, concat(field(1, 1), field(2, 1)))),
    status.INVALID_ARGUMENT,
    /mismatch: sample has 1 values vs\. 2 types/,
  ],
];

for (const [what, profile, code, message] of badProfiles) {
  test(`bad profile: ${what}`, async () => {
    const request = writeRawRequest({ ...labels, job: 'bad' }, profile);
    await assert.rejects(unary(client, writeRawPath, request), (error: Error) => {
      assert.equal((error as { code?: number }).code, code, error.message);
      assert.match(error.message, message);
      return true;
    });
  });
}

const badLabels: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
  ['no name', { job: 'bad' }, /missing __name__ label/],
  ['a bad label name', { ...labels, '1x': 'y' }, /invalid label name: 1x/],
];

for (const [what, bad, message] of badLabels) {
  test(`bad labels: ${what}`, async () => {
    await assert.rejects(unary(client, writeRawPath, writeRawRequest(bad, plain)), message);
  });
}

test('bad labels: twice the same name', async () => {
  const one = writeRawRequest({ ...labels, job: 'bad' }, plain);
  const label = concat(field(1, Buffer.from('job')), field(2, Buffer.from('again')));
  // The series message starts after the tag and two bytes of length; it begins with its label set.
  const series = protobuf.Reader.create(one);
  series.uint32();
  const body = series.bytes();
  const set = protobuf.Reader.create(body);
  set.uint32();
  const twice = concat(set.bytes(), field(1, label));
  const rest = body.subarray(set.pos);
  const request = field(2, concat(field(1, twice), rest));
  await assert.rejects(unary(client, writeRawPath, request), /duplicate label name: job/);
});

test('a request that is no protobuf at all', async () => {
  const garbage = Buffer.from('this is not a WriteRawRequest');
  await assert.rejects(unary(client, writeRawPath, garbage), (error: Error) => {
    assert.equal((error as { code?: number }).code, status.INVALID_ARGUMENT, error.message);
    return true;
  });
});

test('what was acknowledged is still there, once, and nothing of the bad', async () => {
  const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{}';
  const sums = await sumBy(server.url, { query, ...range, by: 'job' });
  assert.deepEqual([...sums.keys()], ['good']);
  assert.equal(sums.get('good')?.value, 40_000_000n);
});

test('rejections are counted in /metrics', async () => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('parca_ingest_rejected_total'));
  const count = lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  assert.ok(count >= badProfiles.length, `only ${count} rejections in\n${lines.join('\n')}`);
});

if (isFull) {
  const options = { timeout: 480_000 };
  test('20,000 requests of good and bad input leave memory flat', options, floodWithRequests);
}

async function floodWithRequests(): Promise<void> {
  const requests = Array.from({ length: 40 }, (_, i) =>
    writeRawRequest(
      { ...labels, job: `repeat-${i % 20}` },
      i % 2 === 0 ? gzippedPprof(good) : (badProfiles[i % 5]?.[1] ?? plain),
    ),
  );
  const send = async (count: number): Promise<void> => {
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let i = next++; i < count; i = next++) {
        await unary(client, writeRawPath, requests[i % requests.length] ?? plain).catch(
          () => undefined,
        );
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  };
  // For more than 50,000 requests, the heap and compiled code grow in steps of up to 25 MB. With a
  // leak, memory would grow in every round.
  await send(26_000);
  const grown: number[] = [];
  while (grown.length < 4) {
    const before = await residentBytes(server.pid);
    await send(20_000);
    grown.push((await residentBytes(server.pid)) / before - 1);
    if ((grown.at(-1) ?? Infinity) < 0.1) return;
  }
  assert.fail(`RSS grew in every round of 20,000 requests, by ${grown.join(', ')}`);
}

async function residentBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1]) * 1024;
}
