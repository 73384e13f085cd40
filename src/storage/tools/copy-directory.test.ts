// Tests backups on a disk that fails and loses power.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryFiles } from '../../base/fake/memory-files.ts';
import { seededRandom } from '../../base/random.ts';
import { emptyDisk, openStore, storePath as from, writeProfile } from '../testing/small-store.ts';
import { metaName } from '../files/meta.ts';
import { copyDirectory } from './copy-directory.ts';

const to = '/disk/backup';
const random = seededRandom(1);

/**
 * Creates a disk with a data directory that no process has open: blocks, and a log that a dead
 * process has left.
 */
async function diskWithData(): Promise<MemoryFiles> {
  const files = await emptyDisk(1);
  for (const end of ['close', 'kill']) {
    const store = await openStore(files, random);
    for (const hours of [0, 5]) await writeProfile(store, random, hours);
    if (end === 'close') await store.close();
    else files.kill();
  }
  return files;
}

/**
 * Returns the content of the files below a directory by path, without the files that are not
 * copied.
 */
function listContent(files: MemoryFiles, directory: string): Map<string, string> {
  const content = new Map<string, string>();
  for (const path of files.paths()) {
    const name = path.slice(directory.length + 1);
    if (!path.startsWith(`${directory}/`) || name === 'LOCK' || name === 'reserve') continue;
    content.set(name, Buffer.from(files.peek(path) ?? []).toString('hex'));
  }
  return content;
}

const disk = await diskWithData();
const want = listContent(disk, from);
assert.ok([...want.keys()].some((name) => name.endsWith('.block')));
assert.ok([...want.keys()].some((name) => name.endsWith('.wal')));

for (const isLinked of [true, false]) {
  const how = isLinked ? 'links' : 'copies';

  test(`a backup by ${how} that a call fails says so, and is no data directory`, async () => {
    const sound = disk.copy(random);
    const calls = sound.faults.startRecording();
    await copyDirectory(sound, from, to, { isLinked });
    assert.deepEqual(listContent(sound, to), want);
    for (const [number, { call, path }] of calls.entries()) {
      const files = disk.copy(random);
      files.faults.addNumbered({ skip: number, times: 1, errno: 'EIO' });
      await assert.rejects(copyDirectory(files, from, to, { isLinked }), /EIO/, `${call} ${path}`);
      assert.equal(files.openHandles, 0, `${call} ${path}`);
      assert.deepEqual(listContent(files, from), want);
      const isComplete = listContent(files, to).size === want.size;
      assert.ok(isComplete || files.peek(`${to}/${metaName}`) === undefined, `${call} ${path}`);
    }
  });

  test(`a backup by ${how} that is done outlives a power loss`, async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const files = disk.copy(seededRandom(seed));
      await copyDirectory(files, from, to, { isLinked });
      files.powerLoss();
      assert.deepEqual(listContent(files, to), want, `seed ${seed}`);
    }
  });
}
