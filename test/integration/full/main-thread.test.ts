// Tests that no turn of the main thread's event loop is long while large and hostile writes arrive,
// whatever they contain. If a turn is long, `startServer` fails the test.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/minimal.js';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;

before(async () => {
  scratch = await scratchDirectory();
  server = await startServer({
    storagePath: `${scratch.path}/data`,
    flags: ['--ingest-workers=1'],
  });
});

after(async () => {
  await server.stop();
  await scratch.remove();
});

/** Writes profiles at the same time, each of a different series. */
async function write(kind: string, profiles: readonly Uint8Array[]): Promise<void> {
  const client = connect(server.address);
  try {
    await Promise.all(
      profiles.map((profile, i) => {
        const labels = { __name__: 'process_cpu', kind, instance: `host-${i}` };
        return unary(client, writeRawPath, writeRawRequest(labels, profile));
      }),
    );
  } finally {
    client.close();
  }
}

/** Encodes a gzipped profile whose samples have different numeric labels. */
function labelled(count: number): Uint8Array {
  const writer = new protobuf.Writer();
  writer.uint32(0x0a).bytes(Uint8Array.of(0x08, 1, 0x10, 2));
  for (let i = 0; i < count; i += 1) {
    writer.uint32(0x12).fork();
    writer.uint32(0x12).bytes(Uint8Array.of(1));
    writer.uint32(0x1a).fork().uint32(0x08).int32(3).uint32(0x18).int32(i).ldelim();
    writer.ldelim();
  }
  for (const text of ['', 'samples', 'count', 'id']) writer.uint32(0x32).string(text);
  return gzipSync(writer.finish());
}

/** Encodes stacks of functions that no other profile has. */
function stacks(count: number, name: string): Uint8Array {
  const samples = Array.from({ length: count }, (_, i): [string, bigint] => {
    const frames = Array.from({ length: 20 }, (_frame, depth) => `${name}_${i % 997}_${depth}`);
    return [`main;${frames.join(';')};leaf${i}`, 1n];
  });
  return gzippedPprof(cpuProfile({ timeNanos: 0n, samples }));
}

test('large writes of one moment, and one with 250,000 labels, hold nobody up', async () => {
  await write('labels', [labelled(250_000)]);
  const large = stacks(2_000, 'f');
  await write(
    'large',
    Array.from({ length: 12 }, () => large),
  );
  await write(
    'new',
    Array.from({ length: 2 }, (_, i) => stacks(3_000, `g${i}`)),
  );
  // Writes smaller profiles, which the main thread decodes itself.
  await write(
    'small',
    Array.from({ length: 20 }, (_, i) => stacks(100, `h${i % 5}`)),
  );
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  assert.match(metrics, /^parca_ingest_profiles_total 35$/m);
});

test('large bodies of JSON hold nobody up, and name what is wrong in them', async () => {
  const sample = cpuProfile({ timeNanos: 0n, samples: [['main;leaf', 1n]] });
  const rawProfile = Buffer.from(gzippedPprof(sample)).toString('base64');
  const value = 'v'.repeat(600);
  const series = Array.from({ length: 2_000 }, (_, i) => ({
    labels: {
      labels: [
        { name: '__name__', value: `json` },
        { name: 'job', value: `${value}${i}` },
      ],
    },
    samples: [{ rawProfile }],
  }));
  const post = (body: object, path: string): Promise<Response> =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const paths = [
    '/api/profiles/writeraw',
    '/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw',
  ];
  for (const path of paths) {
    const stored = await post({ series }, path);
    assert.equal(stored.status, 200, await stored.text());
    const wrong = await post({ series: [...series, { samples: [{ rawProfile: 7 }] }] }, path);
    assert.equal(wrong.status, 400);
    assert.match(await wrong.text(), /series\[2000\]\.samples\[0\]\.rawProfile: expected a string/);
  }
  const lists = await Promise.all(
    Array.from({ length: 80 }, () => fetch(`${server.url}/api/profiles/series?match={job!=""}`)),
  );
  const statuses = lists.map(({ status }) => status);
  await Promise.all(lists.map((list) => list.text()));
  // One list is made at a time; the others wait without using memory.
  assert.ok(statuses.filter((status) => status === 200).length >= 60, String(statuses));
  assert.ok(
    statuses.every((status) => status === 200 || status === 429),
    String(statuses),
  );
});
