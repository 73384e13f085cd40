// What a directory takes on the disk.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How many files, what their lengths say, and blocks of 512 bytes that they take. */
export interface DiskFigures {
  readonly files: number;
  readonly bytes: number;
  readonly blocks: number;
}

/** Of all files under a path; one may be removed while we look. */
export async function diskFigures(path: string): Promise<DiskFigures> {
  let [files, bytes, blocks] = [0, 0, 0];
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    if (found === undefined) continue;
    files += 1;
    bytes += found.size;
    blocks += found.blocks;
  }
  return { files, bytes, blocks };
}
