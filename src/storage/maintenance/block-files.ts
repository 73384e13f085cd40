// Takes blocks off the disk so that a crash at any time leaves them whole or gone.
import type { Files } from '../../base/files.ts';
import { blockName, blocksPathOf, deletedIdOf, deletedName } from '../files/block-names.ts';
import { writeDeletionOfAll } from '../files/deletions.ts';
import { errorCode } from '../../base/errors.ts';

export const trashName = 'trash';

/**
 * Removes the files of blocks, in this order: out of `blocks/` into `trash/`, durably; then their
 * deletions, which must outlive the block; then the files themselves. Deletions of the blocks in
 * `buried` stay, for the bucket.
 *
 * Readers that have a file open can read it to its end. A missing file is skipped, so that a
 * removal that failed can be tried again.
 */
export async function removeBlockFiles(
  files: Files,
  storagePath: string,
  ids: readonly string[],
  buried: ReadonlySet<string> = new Set(),
): Promise<void> {
  const blocks = blocksPathOf(storagePath);
  const trash = `${storagePath}/${trashName}`;
  await files.makeDirectory(trash);
  for (const id of ids) {
    const path = `${blocks}/${blockName(id)}`;
    if (await files.exists(path)) await files.rename(path, `${trash}/${blockName(id)}`);
  }
  await files.syncDirectory(blocks);
  for (const id of ids) {
    if (buried.has(id)) continue;
    const path = `${blocks}/${deletedName(id)}`;
    if (await files.exists(path)) await files.remove(path);
  }
  await emptyTrash(files, storagePath);
}

/**
 * Marks blocks as deleted whole, durably, before they leave the disk: after a crash a bucket that
 * still has them would bring them back. BucketSync removes the marks after the objects.
 */
export async function buryBlocks(
  files: Files,
  storagePath: string,
  ids: Iterable<string>,
): Promise<void> {
  const blocks = blocksPathOf(storagePath);
  for (const id of ids) await writeDeletionOfAll(files, `${blocks}/${blockName(id)}`);
}

/** Removes what a crash left: blocks in the trash, and deletions without a block. */
export async function removeOrphans(files: Files, storagePath: string): Promise<void> {
  const blocks = blocksPathOf(storagePath);
  const names = new Set(await files.listFiles(blocks));
  for (const name of names) {
    const id = deletedIdOf(name);
    if (id !== undefined && !names.has(blockName(id))) await files.remove(`${blocks}/${name}`);
  }
  await emptyTrash(files, storagePath);
}

async function emptyTrash(files: Files, storagePath: string): Promise<void> {
  const trash = `${storagePath}/${trashName}`;
  for (const name of await files.listFiles(trash)) await files.remove(`${trash}/${name}`);
}

/**
 * Bytes of blocks, log, temporaries and trash. `known` gives sizes of blocks by id, which do not
 * change; all other files are looked at.
 */
export async function usedBytes(
  files: Files,
  storagePath: string,
  known: ReadonlyMap<string, number>,
): Promise<number> {
  let bytes = 0;
  for (const directory of ['blocks', 'wal', trashName]) {
    for (const name of await files.listFiles(`${storagePath}/${directory}`)) {
      const ofBlock = directory === 'blocks' ? known.get(name.replace(/\.block$/, '')) : undefined;
      bytes += ofBlock ?? (await fileBytes(files, `${storagePath}/${directory}/${name}`));
    }
  }
  return bytes;
}

/** 0 for a file that went meanwhile. */
async function fileBytes(files: Files, path: string): Promise<number> {
  try {
    const file = await files.open(path, { create: false });
    return await file.size().finally(() => file.close());
  } catch (error) {
    if (errorCode(error) === 'not-found') return 0;
    throw error;
  }
}
