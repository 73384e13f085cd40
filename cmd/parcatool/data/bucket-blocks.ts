// Reads the blocks of all servers in a bucket, one block after another. Each block is copied to the
// local disk.
import type { Files } from '../../../src/base/files.ts';
import { objectCopyBytes } from '../../../src/base/limits.ts';
import type { Block } from '../../../src/storage/block/block.ts';
import { BlockFile } from '../../../src/storage/block/block-file.ts';
import { blockName, blocksFolder, deletedName } from '../../../src/storage/files/block-names.ts';
import { replaceFile } from '../../../src/base/durable-files.ts';
import type { Bucket } from '../../../src/storage/object-store/bucket.ts';
import { openBlockAlone } from '../../../src/storage/tools/open-block.ts';
import type {
  BucketFolders,
  FolderBlock,
} from '../../../src/storage/query-server/bucket-folders.ts';

export class BucketBlocks {
  readonly #files: Files;
  readonly #folders: BucketFolders;
  /** Folder for the current block. */
  readonly #path: string;

  constructor(files: Files, folders: BucketFolders, path: string) {
    this.#files = files;
    this.#folders = folders;
    this.#path = path;
  }

  /**
   * Returns the blocks that have not been replaced by other blocks, oldest first. Also returns
   * messages about folders that cannot be listed. Errors: as in Bucket and BlockFile.open.
   */
  async list(): Promise<{ blocks: readonly FolderBlock[]; problems: readonly string[] }> {
    await this.#folders.refresh();
    const { blocks, problems } = this.#folders.list;
    const replaced = new Set<string>();
    for (const block of blocks) {
      const { facts } = await BlockFile.open(bucketFile(block));
      for (const id of facts.sources) replaced.add(id);
    }
    return { blocks: blocks.filter(({ id }) => !replaced.has(id)), problems };
  }

  /** Calls `work` with a block, which is on disk during the call. */
  async use<T>(
    { id, bucket, fileBytes, deletedBytes }: FolderBlock,
    work: (block: Block) => Promise<T>,
  ): Promise<T> {
    const path = `${this.#path}/${blockName(id)}`;
    const deletedPath = `${this.#path}/${deletedName(id)}`;
    await this.#fetch(bucket, blockName(id), path, fileBytes);
    if (deletedBytes > 0) await this.#fetch(bucket, deletedName(id), deletedPath, deletedBytes);
    try {
      const block = await openBlockAlone(this.#files, path);
      return await work(block).finally(() => block.close());
    } finally {
      for (const one of [path, deletedPath]) {
        if (await this.#files.exists(one)) await this.#files.remove(one);
      }
    }
  }

  close(): Promise<void> {
    return this.#folders.close();
  }

  async #fetch(bucket: Bucket, name: string, path: string, bytes: number): Promise<void> {
    await replaceFile(this.#files, path, async (file) => {
      for (let at = 0; at < bytes; at += objectCopyBytes) {
        const length = Math.min(objectCopyBytes, bytes - at);
        await file.append(await bucket.readRange(`${blocksFolder}/${name}`, at, length));
      }
    });
  }
}

/** Returns a block in a bucket as a file. Only the end of the file is read. */
function bucketFile({ id, bucket, fileBytes }: FolderBlock): Parameters<typeof BlockFile.open>[0] {
  return {
    size: async () => fileBytes,
    read: async (into, offset) => {
      const length = Math.min(into.length, fileBytes - offset);
      into.set(await bucket.readRange(`${blocksFolder}/${blockName(id)}`, offset, length));
      return length;
    },
    close: async () => undefined,
  };
}
