// Tests debug information in backups: answers have the names from the moment of the backup.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Client } from '@grpc/grpc-js';
import { makeElf, makeNote, makeSymbols } from '../../src/symbolize/testing/make-elf.ts';
import { uploadDebuginfo } from '../support/debuginfo-client.ts';
import { connect } from '../support/grpc-client.ts';
import { runParcatool } from '../support/parcatool.ts';
import { askStacks, pushUnnamed } from '../support/profiles/unnamed-profiles.ts';
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
    { name: '_ZN4spin1AC1Ev', address: 0x2000, size: 0x100 },
  ]),
]);
/** main at 0x1010 calls 0x2020. */
const stack = { path: '/app/server', buildId, addresses: [0x2020, 0x1010] };

async function upload(client: Client, content: Uint8Array, hash: string): Promise<void> {
  await uploadDebuginfo(client, { buildId, hash, force: true }, content);
}

test('a backup has the names of its moment, whatever is uploaded later', async () => {
  const scratch = await scratchDirectory();
  after(() => scratch.remove());
  const [data, backup, restored] = ['data', 'backup', 'restored'].map((name) =>
    join(scratch.path, name),
  );
  const serve = async (storagePath: string, use: (server: TestServer) => Promise<void>) => {
    const server = await startServer({ storagePath });
    after(() => server.kill());
    await use(server);
    await server.stop();
  };
  const named = 'exported;0x2020 (server) 7';
  await serve(data, async ({ address, url }) => {
    const client = connect(address);
    await pushUnnamed(client, 'app', stack);
    await upload(client, stripped, 'stripped');
    client.close();
    assert.equal((await askStacks(url, 'app')).text, named);
  });
  const backedUp = await runParcatool('data', 'backup', data, '--target', backup);
  assert.equal(backedUp.code, 0, backedUp.err);

  // The backup shares its files with the server, which must not write to them.
  await serve(data, async ({ address, url }) => {
    const client = connect(address);
    await upload(client, withSymbols, 'symbols');
    client.close();
    assert.equal((await askStacks(url, 'app')).text, 'main;spin::A::A 7');
  });
  const done = await runParcatool('data', 'restore', backup, '--target', restored);
  assert.equal(done.code, 0, done.err);
  await serve(restored, async ({ address, url }) => {
    assert.equal((await askStacks(url, 'app')).text, named);
    const client = connect(address);
    await upload(client, withSymbols, 'symbols');
    client.close();
    assert.equal((await askStacks(url, 'app')).text, 'main;spin::A::A 7');
  });
});
