// The folders of a bucket to which servers upload their blocks, according to the latest listing.
import { errorMessage } from '../../base/errors.ts';
import type { Bucket } from '../object-store/bucket.ts';
import { parseBlockId, blocksFolder, deletedName } from '../files/block-names.ts';

/** A block in a folder. */
export interface FolderBlock {
  readonly id: string;
  readonly bucket: Bucket;
  readonly fileBytes: number;
  /** Size of the block's deletions in bytes; 0 = none. */
  readonly deletedBytes: number;
}

interface Folder {
  readonly bucket: Bucket;
  blocks: readonly FolderBlock[];
  /** Reason why the list of blocks is not current; undefined if it is. */
  problem: string | undefined;
}

/** Blocks that were found in the latest listing of each folder. */
export interface FolderList {
  readonly blocks: readonly FolderBlock[];
  /** Sentences about folders that could not be listed. */
  readonly problems: readonly string[];
}

export class BucketFolders {
  readonly #root: Bucket;
  readonly #open: (folder: string) => Promise<Bucket>;
  readonly #folders = new Map<string, Folder>();
  #list: FolderList = { blocks: [], problems: [] };

  /**
   * Creates an empty list. `open` opens a folder at the top of the bucket `root`. The bucket itself
   * may also contain blocks.
   */
  constructor(root: Bucket, open: (folder: string) => Promise<Bucket>) {
    this.#root = root;
    this.#open = open;
    this.#folders.set('', { bucket: root, blocks: [], problem: undefined });
  }

  /** Current list. Each refresh creates a new object. */
  get list(): FolderList {
    return this.#list;
  }

  /** Lists all folders. Never rejects: a folder that cannot be listed keeps its previous list. */
  async refresh(): Promise<void> {
    const problems: string[] = [];
    try {
      const found = (await this.#root.folders()).filter((name) => name !== blocksFolder);
      for (const name of found) {
        if (this.#folders.has(name)) continue;
        this.#folders.set(name, { bucket: await this.#open(name), blocks: [], problem: undefined });
      }
      for (const [name, { bucket }] of this.#folders) {
        if (name === '' || found.includes(name)) continue;
        this.#folders.delete(name);
        await bucket.close();
      }
    } catch (error) {
      problems.push(`cannot list bucket ${this.#root.name}: ${errorMessage(error)}`);
    }
    const folders = [...this.#folders.values()];
    await Promise.all(folders.map(refreshFolder));
    problems.push(...folders.flatMap(({ problem }) => problem ?? []));
    this.#list = { blocks: folders.flatMap(({ blocks }) => blocks), problems };
  }

  async close(): Promise<void> {
    for (const { bucket } of this.#folders.values()) await bucket.close();
  }
}

async function refreshFolder(folder: Folder): Promise<void> {
  const { bucket } = folder;
  try {
    const objects = await bucket.list(blocksFolder, () => true);
    const sizes = new Map(objects.map(({ name, bytes }) => [name, bytes]));
    folder.blocks = objects.flatMap(({ name, bytes }) => {
      const id = parseBlockId(name);
      if (id === undefined) return [];
      return { id, bucket, fileBytes: bytes, deletedBytes: sizes.get(deletedName(id)) ?? 0 };
    });
    folder.problem = undefined;
  } catch (error) {
    folder.problem = `cannot list the blocks of ${bucket.name}: ${errorMessage(error)}`;
  }
}
