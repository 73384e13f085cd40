// Names for addresses: profiles come first, debug information later, a better file after that.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Client } from '@grpc/grpc-js';
import Long from 'long';
import protobuf from 'protobufjs/minimal.js';
import { makeElf, makeNote, makeSymbols } from '../../src/symbolize/testing/make-elf.ts';
import { uploadDebuginfo } from '../support/debuginfo-client.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const buildId = '00112233445566778899aabbccddeeff00112233';
const note = makeNote('GNU', 3, Uint8Array.from(Buffer.from(buildId, 'hex')));
const noteSection = { name: '.note.gnu.build-id', type: 7, content: note };
const stripped = makeElf([
  noteSection,
  ...makeSymbols('.dynsym', 2, [{ name: 'exported', address: 0x1000, size: 0x80 }]),
]);
const withSymbols = makeElf([
  noteSection,
  ...makeSymbols('.symtab', 2, [
    { name: 'main', address: 0x1000, size: 0x80 },
    { name: '_ZN5spinAC1Ev', address: 0x2000, size: 0x100 },
  ]),
]);
const timeNanos = 1_790_000_000_000_000_000n;

/** A profile of one stack, main at 0x1010 calling 0x2020, without a name in it. */
function unsymbolizedProfile(): Uint8Array {
  const strings = ['', 'samples', 'count', 'cpu', 'nanoseconds', '/app/server', buildId];
  const writer = new protobuf.Writer();
  const field = (number: number, write: (inner: protobuf.Writer) => void): void => {
    writer.uint32((number << 3) | 2).fork();
    write(writer);
    writer.ldelim();
  };
  field(1, (to) => void to.uint32(0x08).int32(1).uint32(0x10).int32(2));
  field(2, (to) => void to.uint32(0x08).uint64(2).uint32(0x08).uint64(1).uint32(0x10).int64(7));
  field(3, (to) => {
    to.uint32(0x08).uint64(1).uint32(0x10).uint64(0).uint32(0x18).uint64(0x10000);
    to.uint32(0x28).int64(5).uint32(0x30).int64(6);
  });
  const location = (id: number, address: number): void =>
    field(
      4,
      (to) => void to.uint32(0x08).uint64(id).uint32(0x10).uint64(1).uint32(0x18).uint64(address),
    );
  location(1, 0x1010);
  location(2, 0x2020);
  for (const text of strings) writer.uint32((6 << 3) | 2).string(text);
  writer.uint32(9 << 3).int64(Long.fromString(timeNanos.toString()));
  writer.uint32(10 << 3).int64(Long.fromNumber(1e9));
  field(11, (to) => void to.uint32(0x08).int32(3).uint32(0x10).int32(4));
  writer.uint32(12 << 3).int64(1);
  return writer.finish();
}

interface Answer {
  readonly text: string;
  readonly warnings: string;
}

async function stacks(server: TestServer): Promise<Answer> {
  const millis = Number(timeNanos / 1_000_000n);
  const parameters = new URLSearchParams({
    query: 'app:samples:count:cpu:nanoseconds:delta{job="app"}',
    start: new Date(millis - 60_000).toISOString(),
    end: new Date(millis + 60_000).toISOString(),
    format: 'collapsed',
  });
  const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const warnings = [...response.headers].filter(([name]) => name.includes('warning')).join();
  return { text: text.trim(), warnings };
}

/** Asks until the answer does not wait for names, as the page does. */
async function namedStacks(server: TestServer): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { text, warnings } = await stacks(server);
    if (!warnings.includes('being%20looked') && !warnings.includes('being looked')) return text;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('names did not come');
}

async function upload(client: Client, content: Uint8Array, hash: string): Promise<void> {
  await uploadDebuginfo(client, { buildId, hash, force: true }, content);
}

test('names come when the binary does, get better with it, and stay over a restart', async () => {
  const scratch = await scratchDirectory();
  after(() => scratch.remove());
  const storagePath = join(scratch.path, 'data');
  const server = await startServer({ storagePath });
  after(() => server.kill());
  const client = connect(server.address);
  const labels = { __name__: 'app', job: 'app' };
  await unary(client, writeRawPath, writeRawRequest(labels, unsymbolizedProfile()));
  assert.match((await stacks(server)).text, /^0x1010 \(server\);0x2020 \(server\) 7$/);

  await upload(client, stripped, 'stripped');
  assert.match(await namedStacks(server), /^exported;0x2020 \(server\) 7$/);

  await upload(client, withSymbols, 'symbols');
  const named = await namedStacks(server);
  assert.match(named, /^main;.*spin.* 7$/);

  // A stripped file that comes later hides nothing.
  await upload(client, stripped, 'again');
  assert.equal(await namedStacks(server), named);
  client.close();
  await server.stop();

  const again = await startServer({ storagePath });
  after(() => again.stop());
  assert.equal(await namedStacks(again), named);
});
