// Tests parcatool, which uploads debug information, sources and source maps to a real server.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeElf, makeNote, makeSymbols } from '../../../src/symbolize/testing/make-elf.ts';
import { connect } from '../../support/grpc-client.ts';
import { type Run, runParcatool } from '../../support/parcatool.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';
import { askStacks, pushUnnamed } from '../../support/profiles/unnamed-profiles.ts';

const buildId = '00112233445566778899aabbccddeeff00112233';
const debugId = '85314830-023f-4cf1-a267-535f4e37bb17';
const note = makeNote('GNU', 3, Uint8Array.from(Buffer.from(buildId, 'hex')));
const noteSection = { name: '.note.gnu.build-id', type: 7, content: note };
const code = { name: '.text', type: 1, content: new Uint8Array(100_000) };
const symbols = [
  { name: 'main', address: 0x1000, size: 0x80 },
  { name: '_ZN5spinAC1Ev', address: 0x2000, size: 0x100 },
];
const withSymbols = makeElf([noteSection, ...makeSymbols('.symtab', 2, symbols), code]);

const scratch = await scratchDirectory();
after(() => scratch.remove());
let server: TestServer;
before(async () => {
  server = await startServer({ storagePath: join(scratch.path, 'data') });
});
after(() => server.stop());

function file(name: string, content: Uint8Array | string): string {
  const path = join(scratch.path, name);
  writeFileSync(path, content);
  return path;
}

function upload(...args: string[]): Promise<Run> {
  const to = [`--store-address=${server.address}`, '--insecure'];
  return runParcatool('debuginfo', 'upload', ...args, ...to);
}

test('a program is uploaded without its code, once, and its addresses have names', async () => {
  const client = connect(server.address);
  await pushUnnamed(client, 'app', { path: '/app/server', buildId, addresses: [0x2020, 0x1010] });
  client.close();
  const path = file('server', withSymbols);
  // The file is read-only, like programs of the system that belong to another user.
  await chmod(path, 0o444);
  const first = await upload(path);
  assert.equal(first.err, '');
  const [, bytes] =
    /^uploaded .*server as debuginfo of (?:\w+), (\d+) bytes\n$/.exec(first.out) ?? [];
  assert.ok(Number(bytes) > 0 && Number(bytes) < 10_000, first.out);
  const named = await askStacks(server.url, 'app');
  assert.match(named.text, /^main;.*spin.* 7$/);

  const again = await upload(path);
  assert.equal(again.code, 0);
  assert.match(again.out, /^not uploaded: .*server: .*a file is there already/);
  const forced = await upload(path, '--force', '--no-extract');
  assert.match(forced.out, new RegExp(`^uploaded .*, ${withSymbols.length} bytes\n$`));
});

test('sources and source maps are what they are, or what --type says', async () => {
  const source = file('io.c', 'int main(void) { return 0; }\n');
  const archive = join(scratch.path, 'sources.tgz');
  execFileSync('tar', ['-C', scratch.path, '-czf', archive, 'io.c']);
  const nameless = await upload(archive);
  assert.equal(nameless.code, 3);
  assert.match(nameless.err, /sources\.tgz has no build id: set --build-id/);
  const sources = await upload(archive, `--build-id=${buildId}`);
  assert.match(sources.out, /^uploaded .*sources\.tgz as sources of 0011/);
  const refused = await upload(source, '--type=sources', `--build-id=${buildId}ff`);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /io\.c: .*archive/);

  const map = { version: 3, debugId, sources: ['a.ts'], names: [], mappings: 'AAAA' };
  const path = file('app.js.map', JSON.stringify(map));
  const byDebugId = await upload(path);
  assert.match(byDebugId.out, new RegExp(`as source-map of ${debugId}, `));
  const byName = await upload(path, '--build-id=/app/dist/app.js');
  assert.match(byName.out, /as source-map of \/app\/dist\/app\.js, /);
});

test('build ids are printed; mistakes are named', async () => {
  const elf = file('with-id', withSymbols);
  const map = file('id.map', JSON.stringify({ debug_id: debugId }));
  const both = await runParcatool('debuginfo', 'buildid', elf, map);
  assert.equal(both.out, `${buildId}  ${elf}\n${debugId}  ${map}\n`);
  const none = await runParcatool('debuginfo', 'buildid', file('no-id', makeElf([code])));
  assert.deepEqual([none.code, none.out], [3, '']);
  const text = await upload(file('notes.txt', 'hello'));
  assert.match(text.err, /notes\.txt: it is no ELF file, archive of sources or source map/);
  const missing = await upload(join(scratch.path, 'nothing'));
  assert.match(missing.err, /nothing: .*ENOENT|nothing: .*no such file/);
  const type = await upload(elf, '--type=binary');
  assert.match(type.err, /--type must be debuginfo, executable, sources, source-map, not "binary"/);
  const two = await upload(elf, map, '--build-id=aabb');
  assert.match(two.err, /--build-id is for one file/);
});
