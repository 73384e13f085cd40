// Takes blocks off the disk so that a crash at any time leaves them whole or gone.
import type { Files } from '../../base/files.ts';
import { blockName, blocksPathOf, deletedIdOf, deletedName } from '../files/block-names.ts';

export const trashName = 'trash';

/**
 * Removes the files of blocks, in this order: out of `blocks/` into `trash/`, durably; then their
 * deletions, which must not be gone while the block can come back; then the files themselves.
 *
 * Who has a file open can read it until the end. A file that is not there is passed over, so that
 * a removal that failed can be tried again.
 */
export async function removeBlockFiles(
  files: Files,
  storagePath: string,
  ids: readonly string[],
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
    const path = `${blocks}/${deletedName(id)}`;
    if (await files.exists(path)) await files.remove(path);
  }
  await emptyTrash(files, storagePath);
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
