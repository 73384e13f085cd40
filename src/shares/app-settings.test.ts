import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { silentLogger } from '../base/logger.ts';
import { seededRandom } from '../base/random.ts';
import { openAppSettings } from './app-settings.ts';

const path = '/data/app-settings.json';
const setting = { name: 'size', value: 'ä "large"', modifiedMillis: 1_790_000_000_000 };

async function folder() {
  const files = new MemoryFiles(seededRandom(1));
  await files.makeDirectory('/data');
  await files.syncDirectory('/');
  return { files, open: () => openAppSettings({ path, files, logger: silentLogger }) };
}

test('settings survive a loss of power', async () => {
  const { files, open } = await folder();
  const settings = await open();
  assert.deepEqual(settings.list(), []);
  const other = { ...setting, name: 'other' };
  await Promise.all([
    settings.change(() => [setting]),
    settings.change((list) => [...list, other]),
  ]);
  files.powerLoss();
  assert.deepEqual((await open()).list(), [setting, other]);
});

test('a failed save leaves the list as it was, and the next one works', async () => {
  const { files, open } = await folder();
  const settings = await open();
  files.addFault({ call: 'append', errno: 'ENOSPC', skip: 0, times: 1 });
  await assert.rejects(
    settings.change(() => [setting]),
    /ENOSPC|no space/,
  );
  assert.deepEqual(settings.list(), []);
  await settings.change(() => [setting]);
  assert.deepEqual((await open()).list(), [setting]);
});

test('a damaged file is kept aside', async () => {
  const { files, open } = await folder();
  const file = await files.open(path, { create: true });
  await file.append(Buffer.from('[{"name":1}]'));
  await file.close();
  assert.deepEqual((await open()).list(), []);
  assert.deepEqual(await files.list('/data'), ['app-settings.json.damaged']);
});
