// Tests that a query server finds names of addresses in the files that were uploaded to its live
// servers.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { servedReadBytesMax } from '../../src/base/limits.ts';
import { makeElf, makeNote, makeSymbols } from '../../src/symbolize/testing/make-elf.ts';
import { uploadDebuginfo } from '../support/debuginfo-client.ts';
import { connect } from '../support/grpc-client.ts';
import { askStacks, pushUnnamed } from '../support/profiles/unnamed-profiles.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const buildId = '0123456789abcdef0123456789abcdef01234567';
const unknown = 'fedcba9876543210fedcba9876543210fedcba98';
const scratch = await scratchDirectory();
const servers: TestServer[] = [];
after(async () => {
  for (const server of servers) await server.stop();
  await scratch.remove();
});

async function start(name: string, flags: readonly string[]): Promise<TestServer> {
  await mkdir(join(scratch.path, name));
  const server = await startServer({ storagePath: join(scratch.path, name, 'data'), flags });
  servers.push(server);
  return server;
}

test('a file that one of the servers has names the addresses of both', async () => {
  const [empty, live] = [await start('empty', []), await start('live', [])];
  const content = makeElf([
    {
      name: '.note.gnu.build-id',
      type: 7,
      content: makeNote('GNU', 3, Uint8Array.from(Buffer.from(buildId, 'hex'))),
    },
    // The section is so large that it comes in several pieces.
    { name: '.debug_info', type: 1, content: new Uint8Array(2 * servedReadBytesMax) },
    ...makeSymbols('.symtab', 3, [
      { name: 'main', address: 0x1000, size: 0x80 },
      { name: 'work', address: 0x2000, size: 0x80 },
    ]),
  ]);
  const client = connect(live.address);
  await uploadDebuginfo(client, { buildId, hash: 'a' }, content);
  client.close();
  const other = connect(empty.address);
  const addresses = [0x2010, 0x1010];
  await pushUnnamed(other, 'known', { path: '/usr/bin/app', buildId, addresses });
  await pushUnnamed(other, 'unknown', { path: '/usr/bin/other', buildId: unknown, addresses });
  other.close();

  const both = `${empty.address},${live.address}`;
  const asking = await start('asking', ['--mode=query', `--store-address=${both}`, '--insecure']);
  assert.equal((await askStacks(asking.url, 'known')).text, 'main;work 7');
  const { text, warnings } = await askStacks(asking.url, 'unknown');
  assert.equal(text, '0x1010 (other);0x2010 (other) 7');
  const why = [empty, live].map(({ address }) => `${address} does not have it`).join('; ');
  assert.deepEqual(warnings, [
    `names of 2 addresses in other are missing (no debug information was uploaded, and ${why})`,
  ]);
});
