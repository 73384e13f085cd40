// Removes block files from the disk. After a crash, each block is either complete or gone.
import type { Files } from '../../base/files.ts';
import { blockName, joinBlocksPath, parseDeletedId, deletedName } from '../files/block-names.ts';
import { writeDeletionOfAll } from '../files/deletions.ts';

const trashName = 'trash';

/**
 * Removes the files of blocks in three steps. First it moves the blocks from `blocks/` to `trash/`,
 * durably. Then it removes the files with their deletions, which must outlive the blocks. Then it
 * removes the blocks. Deletions of the blocks in `buried` stay, because they are still needed for
 * the bucket.
 *
 * Readers that have opened a file can still read all of it. A missing file is skipped, so that a
 * removal that failed can be tried again.
 */
export async function removeBlockFiles(
  files: Files,
  storagePath: string,
  ids: readonly string[],
  buried: ReadonlySet<string> = new Set(),
): Promise<void> {
  const blocks = joinBlocksPath(storagePath);
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
 * Durably adds a deletion of every profile to blocks that are removed from the disk and from the
 * bucket. Without it, the blocks could come back from the bucket after a crash. BucketSync removes
 * the deletion after it has removed the objects.
 */
export async function buryBlocks(
  files: Files,
  storagePath: string,
  ids: Iterable<string>,
): Promise<void> {
  const blocks = joinBlocksPath(storagePath);
  for (const id of ids) await writeDeletionOfAll(files, `${blocks}/${blockName(id)}`);
}

/**
 * Removes files that are left over after a crash: blocks in the trash, and deletions without a
 * block.
 */
export async function removeOrphans(files: Files, storagePath: string): Promise<void> {
  const blocks = joinBlocksPath(storagePath);
  const names = new Set(await files.listFiles(blocks));
  for (const name of names) {
    const id = parseDeletedId(name);
    if (id !== undefined && !names.has(blockName(id))) await files.remove(`${blocks}/${name}`);
  }
  await emptyTrash(files, storagePath);
}

async function emptyTrash(files: Files, storagePath: string): Promise<void> {
  const trash = `${storagePath}/${trashName}`;
  for (const name of await files.listFiles(trash)) await files.remove(`${trash}/${name}`);
}

/** Sizes of the data under the storage path. */
export interface DiskUse {
  /** Bytes of all files. A file with several hard links counts once. */
  readonly allBytes: number;
  /** Bytes of blocks, log, temporary files and trash. */
  readonly profileBytes: number;
  /** Bytes that only snapshots use. An operator has to remove snapshots. */
  readonly snapshotBytes: number;
  /**
   * Bytes of each other folder, such as debug information; "" = files directly in the storage path.
   */
  readonly otherFolders: ReadonlyMap<string, number>;
}

const profileFolders: ReadonlySet<string> = new Set(['blocks', 'wal', trashName]);

/** Measures all files under the storage path. */
export async function measureUse(files: Files, storagePath: string): Promise<DiskUse> {
  const use = { allBytes: 0, profileBytes: 0, snapshotBytes: 0 };
  const otherFolders = new Map<string, number>();
  for (const [folder, bytes] of await files.folderBytes(storagePath)) {
    use.allBytes += bytes;
    if (profileFolders.has(folder)) use.profileBytes += bytes;
    else if (folder === 'snapshots') use.snapshotBytes += bytes;
    else otherFolders.set(folder, bytes);
  }
  return { ...use, otherFolders };
}
