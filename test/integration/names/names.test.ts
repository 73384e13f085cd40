// Tests names of addresses: profiles arrive first, then debug information, and then a better file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Client } from '@grpc/grpc-js';
import { Profile } from 'pprof-format';
import { makeElf, makeNote, makeSymbols } from '../../../src/symbolize/testing/make-elf.ts';
import { uploadDebuginfo } from '../../support/debuginfo-client.ts';
import { connect } from '../../support/grpc-client.ts';
import { harmlessFile, hostileAddress, hostileBuildId } from '../../support/hostile/hostile-elf.ts';
import { runParcatool } from '../../support/parcatool.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';
import {
  askStacks,
  queryParameters,
  pushUnnamed,
} from '../../support/profiles/unnamed-profiles.ts';

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
    { name: '_ZN4spin1AC1Ev', address: 0x2000, size: 0x100 },
  ]),
]);
/** main at 0x1010 calls 0x2020. */
const stack = { path: '/app/server', buildId, addresses: [0x2020, 0x1010] };
const unnamed = '0x1010 (server);0x2020 (server) 7';

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
  await pushUnnamed(client, 'app', stack);
  assert.deepEqual(await askStacks(server.url, 'app'), {
    text: unnamed,
    warnings: ['names of 2 addresses in server are missing (no debug information was uploaded)'],
  });

  const parameters = queryParameters('app');
  const [query, from, to] = ['query', 'start', 'end'].map((name) => parameters.get(name) ?? '');
  const printed = await runParcatool(
    'top',
    query,
    '--from',
    from,
    '--to',
    to,
    '--server',
    server.url,
  );
  assert.equal(
    printed.err,
    'parcatool: names of 2 addresses in server are missing (no debug information was uploaded)\n',
  );

  await upload(client, stripped, 'stripped');
  assert.deepEqual(await askStacks(server.url, 'app'), {
    text: 'exported;0x2020 (server) 7',
    warnings: [
      'the name of 1 address in server is missing (its debug information has no function there)',
    ],
  });

  await upload(client, withSymbols, 'symbols');
  const named = await askStacks(server.url, 'app');
  assert.deepEqual(named, { text: 'main;spin::A::A 7', warnings: [] });

  // A stripped file that is uploaded later does not replace the better file.
  await upload(client, stripped, 'again');
  assert.deepEqual(await askStacks(server.url, 'app'), named);
  client.close();
  await server.stop();

  const again = await startServer({ storagePath });
  after(() => again.stop());
  assert.deepEqual(await askStacks(again.url, 'app'), named, 'at once');
});

/** Server that tests share if their programs have different jobs or build ids. */
let shared: TestServer;
const sharedScratch = await scratchDirectory();

before(async () => {
  shared = await startServer({ storagePath: join(sharedScratch.path, 'data') });
});

after(async () => {
  await shared.stop();
  await sharedScratch.remove();
});

test('addresses of a running program, wherever it was loaded, are those of its file', async () => {
  const server = shared;
  const client = connect(server.address);
  // The program has the layout that lld makes: code at file offset 0x1000 has the address 0x2000.
  const segments = [
    { offset: 0, address: 0, size: 0x1000 },
    { offset: 0x1000, address: 0x2000, size: 0x1000, isExecutable: true },
  ];
  const functions = [
    { name: 'main', address: 0x2100, size: 0x80 },
    { name: 'work', address: 0x2800, size: 0x80 },
  ];
  const program = makeElf([noteSection, ...makeSymbols('.symtab', 2, functions)], segments);
  for (const base of [0x55d0_c0a0_0000, 0x7f01_2345_6000]) {
    const start = base + 0x2000;
    await pushUnnamed(client, 'pie', {
      path: '/app/server',
      buildId,
      addresses: [base + 0x2810, base + 0x2110],
      mapping: { start, limit: start + 0x1000, offset: 0x1000 },
    });
    // The mapping covers the whole file, but the addresses are addresses in the file, which are
    // outside the mapping.
    const mapping = { start: base, limit: base + 0x3000, offset: 0 };
    const whole = { path: '/app/server', buildId, mapping };
    const addresses = [base + 0x2810, base + 0x2110];
    await pushUnnamed(client, 'whole', { ...whole, addresses });
    await pushUnnamed(client, 'of-file', { ...whole, addresses: [0x2810, 0x2110] });
  }
  const stored = await askStacks(server.url, 'pie');
  assert.equal(stored.text, '0x1110 (server);0x1810 (server) 14', 'the same after every start');
  await upload(client, program, 'program');
  for (const job of ['pie', 'whole', 'of-file']) {
    assert.deepEqual(await askStacks(server.url, job), { text: 'main;work 14', warnings: [] });
  }
  client.close();
});

test('a file with DWARF gives files and lines, whether or not anything was built', async () => {
  const server = shared;
  const client = connect(server.address);
  const offer = { buildId: hostileBuildId, hash: 'dwarf', force: true };
  await uploadDebuginfo(client, offer, harmlessFile());
  const path = '/app/server';
  await pushUnnamed(client, 'dwarf', {
    path,
    buildId: hostileBuildId,
    addresses: [hostileAddress],
  });
  client.close();
  const parameters = `${queryParameters('dwarf')}&format=pprof&symbolizer-wait=60s`;
  const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { location, function: functions, stringTable } = Profile.decode(gunzipSync(bytes));
  const lines = location.flatMap(({ line }) => line.map((one) => Number(one.line)));
  const names = functions.map((one) =>
    [one.name, one.filename].map((at) => stringTable.strings[Number(at)]),
  );
  assert.deepEqual([names, lines], [[['plain', 'a.c']], [1]]);
});

test('names that profiles bring mangled are readable, those of C++ and of Rust', async () => {
  const server = shared;
  const client = connect(server.address);
  const names = ['_ZNSt6vectorIiSaIiEE9push_backERKi', '_RINvC3foo3barmE', 'main'];
  await pushUnnamed(client, 'mangled', { ...stack, addresses: [0x30, 0x20, 0x10], names });
  client.close();
  assert.equal(
    (await askStacks(server.url, 'mangled')).text,
    'main;foo::bar;std::vector::push_back 7',
  );
});

test('names of arriving profiles are there before the first question, also after a restart', async () => {
  const scratch = await scratchDirectory();
  after(() => scratch.remove());
  const storagePath = join(scratch.path, 'data');
  const server = await startServer({ storagePath });
  after(() => server.kill());
  const client = connect(server.address);
  await pushUnnamed(client, 'before', stack);
  await upload(client, withSymbols, 'symbols');
  await untilLookedUp(server, 2);
  // The file of another program is uploaded before its profiles.
  const other = 'ff'.repeat(20);
  const program = makeElf([
    { ...noteSection, content: makeNote('GNU', 3, Uint8Array.from(Buffer.from(other, 'hex'))) },
    ...makeSymbols('.symtab', 2, [{ name: 'main', address: 0x1000, size: 0x2000 }]),
  ]);
  await uploadDebuginfo(client, { buildId: other, hash: 'other' }, program);
  await pushUnnamed(client, 'after', { ...stack, buildId: other });
  await untilLookedUp(server, 4);
  client.close();
  const wait = '0';
  const { text, warnings } = await askStacks(server.url, 'before', wait);
  assert.match(text, /^main;.*spin.* 7$/);
  const named = { text: 'main;main 7', warnings: [] };
  assert.deepEqual([warnings, await askStacks(server.url, 'after', wait)], [[], named]);
  await server.stop();
  const again = await startServer({ storagePath });
  after(() => again.stop());
  assert.deepEqual(await askStacks(again.url, 'after', wait), named);
});

/** Resolves when a server has found the names of a number of addresses. */
async function untilLookedUp({ url }: TestServer, count: number): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const named = /^parca_symbolizer_addresses_total\{result="named"\} (\d+)/m.exec(metrics);
    if (Number(named?.[1] ?? 0) >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('no names were looked up');
}

test('a file that is refused is the reason', async () => {
  const scratch = await scratchDirectory();
  after(() => scratch.remove());
  const server = await startServer({ storagePath: join(scratch.path, 'data') });
  after(() => server.stop());
  const client = connect(server.address);
  await pushUnnamed(client, 'app', stack);
  await assert.rejects(upload(client, new TextEncoder().encode('hello'), 'text'));
  const { warnings } = await askStacks(server.url, 'app');
  assert.match(warnings.join(), /the file that was uploaded was refused: .*magic bytes of ELF/);
  // The file has the magic bytes and its build id, but its symbol table ends outside the file.
  const damaged = withSymbols.slice();
  new DataView(damaged.buffer).setBigUint64(
    Number(sectionHeaders(damaged)) + 64 * 2 + 32,
    1n << 40n,
    true,
  );
  await upload(client, damaged, 'damaged').catch(() => undefined);
  const { text, warnings: later } = await askStacks(server.url, 'app');
  assert.equal(text, unnamed);
  assert.equal(later.length, 1);
  assert.match(later[0], /^names of 2 addresses in server are missing \(.*(symtab|section|ELF)/i);
  client.close();
});

/** Returns the offset of the section headers of an ELF file. */
function sectionHeaders(elf: Uint8Array): bigint {
  return new DataView(elf.buffer, elf.byteOffset).getBigUint64(40, true);
}
