import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { silentLogger } from '../base/logger.ts';
import { seededRandom } from '../base/random.ts';
import { pageFileLengthMax, savedViewsMax } from './limits.ts';
import { openSavedViews } from './saved-views.ts';

const folder = '/data/page';
const view = { name: 'heap', address: 'explore?q=memory', isFavourite: false };

async function createDisk() {
  const files = new MemoryFiles(seededRandom(1));
  await files.makeDirectory('/data');
  await files.syncDirectory('/');
  const random = seededRandom(2);
  return { files, open: () => openSavedViews({ folder, files, logger: silentLogger, random }) };
}

test('views are saved, changed and removed, each durably', async () => {
  const { files, open } = await createDisk();
  const views = await open();
  assert.deepEqual(views.list(), []);
  const [first, second] = await Promise.all([views.add(view), views.add({ ...view, name: 'b' })]);
  assert.match(first.id, /^[0-9a-f]{16}$/);
  files.powerLoss();
  const reopened = await open();
  assert.deepEqual(reopened.list(), [first, second]);
  const renamed = await reopened.change(first.id, { ...view, name: 'leak', isFavourite: true });
  assert.deepEqual(renamed, { ...first, name: 'leak', isFavourite: true });
  await reopened.remove(second.id);
  files.powerLoss();
  assert.deepEqual((await open()).list(), [renamed]);
});

test('a view that is not there cannot be changed or removed', async () => {
  const views = await (await createDisk()).open();
  await assert.rejects(views.change('0', view), /cannot change saved view "0": there is none/);
  await assert.rejects(views.remove('0'), /cannot remove saved view "0": there is none/);
});

test('a failed write leaves the views as they were', async () => {
  const { files, open } = await createDisk();
  const views = await open();
  files.addFault({ call: 'append', errno: 'ENOSPC', skip: 0, times: 1 });
  await assert.rejects(views.add(view), /ENOSPC|no space/);
  assert.deepEqual(views.list(), []);
});

test('there are limits of number and length', async () => {
  const { files, open } = await createDisk();
  const keep = async (all: readonly object[]) => {
    await files.makeDirectory(folder);
    const file = await files.open(`${folder}/views.json`, { create: true });
    await file.truncate(0);
    await file.append(Buffer.from(JSON.stringify(all)));
    await file.close();
    return open();
  };
  const many = await keep(
    Array.from({ length: savedViewsMax }, (_, i) => ({ id: String(i), ...view })),
  );
  await assert.rejects(many.add(view), { code: 'resource-exhausted' });
  await many.remove('7');
  await many.add(view);
  const long = await keep([{ id: '1', ...view, address: 'x'.repeat(pageFileLengthMax - 200) }]);
  await assert.rejects(long.add({ ...view, name: 'y'.repeat(200) }), /the limit is 500 with/);
});

test('a damaged file is kept aside', async () => {
  const { files, open } = await createDisk();
  await files.makeDirectory(folder);
  const file = await files.open(`${folder}/views.json`, { create: true });
  await file.append(Buffer.from('[{"id":1}]'));
  await file.close();
  assert.deepEqual((await open()).list(), []);
  assert.deepEqual(await files.list(folder), ['views.json.damaged']);
});
