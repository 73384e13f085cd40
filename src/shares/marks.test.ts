import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { silentLogger } from '../base/logger.ts';
import { seededRandom } from '../base/random.ts';
import { storedMarksLengthMax, storedMarksMax } from './limits.ts';
import { openMarks } from './marks.ts';

const folder = '/data/marks';

async function createDisk() {
  const files = new MemoryFiles(seededRandom(1));
  await files.makeDirectory('/data');
  await files.syncDirectory('/');
  const random = seededRandom(2);
  return { files, open: () => openMarks({ folder, files, logger: silentLogger, random }) };
}

const createMark = (timeMillis: number, text = 'rollout') => ({
  timeMillis,
  text,
  link: 'https://ci.example.com/1',
  labels: { job: 'api' },
});

test('marks are in the order of their times, and survive a loss of power', async () => {
  const { files, open } = await createDisk();
  const marks = await open();
  assert.deepEqual(marks.list(), []);
  const [late, early] = await Promise.all([
    marks.add(createMark(2_000)),
    marks.add(createMark(1_000)),
  ]);
  assert.match(late.id, /^[0-9a-f]{16}$/);
  files.powerLoss();
  const reopened = await open();
  assert.deepEqual(reopened.list(), [early, late]);
  await reopened.remove(early.id);
  files.powerLoss();
  assert.deepEqual((await open()).list(), [late]);
  await assert.rejects(
    reopened.remove(early.id),
    /cannot remove mark "[0-9a-f]{16}": there is none/,
  );
});

test('a failed write leaves the marks as they were, and the next one works', async () => {
  const { files, open } = await createDisk();
  const marks = await open();
  files.addFault({ call: 'append', errno: 'ENOSPC', skip: 0, times: 1 });
  await assert.rejects(marks.add(createMark(1)), /ENOSPC|no space/);
  assert.deepEqual(marks.list(), []);
  const added = await marks.add(createMark(2));
  assert.deepEqual((await open()).list(), [added]);
});

test('the oldest leave when there are too many, or they are too long', async () => {
  const { files, open } = await createDisk();
  const of = (length: number, text: string) =>
    Array.from({ length }, (_, i) => ({ id: String(i), ...createMark(i, text) }));
  const keep = async (all: readonly object[]) => {
    await files.makeDirectory(folder);
    const file = await files.open(`${folder}/marks.json`, { create: true });
    await file.truncate(0);
    await file.append(Buffer.from(JSON.stringify(all)));
    await file.close();
    return open();
  };
  const many = await keep(of(storedMarksMax, ''));
  const added = await many.add(createMark(1e6));
  assert.equal(many.list().length, storedMarksMax);
  assert.deepEqual([many.list()[0].id, many.list().at(-1)], ['1', added]);
  await assert.rejects(many.add(createMark(-1)), /too many, and each is later/);
  const long = await keep(of(10, 'x'.repeat(storedMarksLengthMax / 8)));
  await long.add(createMark(1e6));
  assert.deepEqual(
    long.list().map(({ timeMillis }) => timeMillis),
    [3, 4, 5, 6, 7, 8, 9, 1e6],
  );
});

test('a damaged file is kept aside', async () => {
  const { files, open } = await createDisk();
  await files.makeDirectory(folder);
  const file = await files.open(`${folder}/marks.json`, { create: true });
  await file.append(Buffer.from('[{"id":1}]'));
  await file.close();
  assert.deepEqual((await open()).list(), []);
  assert.deepEqual(await files.list(folder), ['marks.json.damaged']);
});
