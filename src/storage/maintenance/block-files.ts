// The files of blocks on the disk: removes them so that a crash leaves blocks whole or gone.
import type { Files } from '../../base/files.ts';
import { blockName, blocksPathOf, deletedIdOf, deletedName } from '../files/block-names.ts';
import { writeDeletionOfAll } from '../files/deletions.ts';
import { errorCode } from '../../base/errors.ts';

const trashName = 'trash';

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
 * Adds a deletion of every profile to blocks that leave the disk and the bucket, durably. After a
 * crash it keeps them from coming back from the bucket. BucketSync removes it after the objects.
 */
export async function buryBlocks(
  files: Files,
  storagePath: string,
  ids: Iterable<string>,
): Promise<void> {
  const blocks = blocksPathOf(storagePath);
  for (const id of ids) await writeDeletionOfAll(files, `${blocks}/${blockName(id)}`);
}

/** Removes remains of a crash: blocks in the trash, and deletions without a block. */
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
 * Returns the bytes of blocks, log, temporary files and trash. `known` has the sizes of blocks by
 * id, which do not change. All other files are opened.
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

/** Returns the size of a file; 0 if it was removed meanwhile. */
async function fileBytes(files: Files, path: string): Promise<number> {
  try {
    const file = await files.open(path, { create: false });
    return await file.size().finally(() => file.close());
  } catch (error) {
    if (errorCode(error) === 'not-found') return 0;
    throw error;
  }
}
