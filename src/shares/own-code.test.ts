import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { silentLogger } from '../base/logger.ts';
import { seededRandom } from '../base/random.ts';
import { ownCodeServicesMax } from './limits.ts';
import { openOwnCode } from './own-code.ts';

async function createDisk() {
  const files = new MemoryFiles(seededRandom(1));
  await files.makeDirectory('/data');
  await files.syncDirectory('/');
  return {
    files,
    open: () => openOwnCode({ folder: '/data/page', files, logger: silentLogger }),
  };
}

test('prefixes are set by service, and survive a loss of power', async () => {
  const { files, open } = await createDisk();
  const own = await open();
  await own.set({ service: 'shop', prefixes: ['a/'] });
  await own.set({ service: 'mail', prefixes: ['b/', '/srv/'] });
  await own.set({ service: 'shop', prefixes: ['c/'] });
  files.powerLoss();
  const reopened = await open();
  assert.deepEqual(reopened.list(), [
    { service: 'mail', prefixes: ['b/', '/srv/'] },
    { service: 'shop', prefixes: ['c/'] },
  ]);
  await reopened.set({ service: 'mail', prefixes: [] });
  files.powerLoss();
  assert.deepEqual((await open()).list(), [{ service: 'shop', prefixes: ['c/'] }]);
});

test('there is a limit of services, and one with prefixes can still be changed', async () => {
  const own = await (await createDisk()).open();
  for (let i = 0; i < ownCodeServicesMax; i += 1) {
    await own.set({ service: String(i), prefixes: ['x'] });
  }
  await assert.rejects(own.set({ service: 'new', prefixes: ['x'] }), {
    code: 'resource-exhausted',
  });
  await own.set({ service: '7', prefixes: ['y'] });
  assert.deepEqual(own.list().at(-1), { service: '7', prefixes: ['y'] });
});
