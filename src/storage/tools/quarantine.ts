// Moves unreadable files to another folder, so that a server can start and serve the rest.
import type { Files } from '../../base/files.ts';
import { makeDurableFolder } from '../../base/durable-files.ts';
import type { Finding } from './check-directory.ts';
import { parseBlockId, deletedPath } from '../files/block-names.ts';

/** Folder of a data directory that the server ignores. */
export const quarantineName = 'quarantine';

/**
 * Returns the paths of the files to move: files that the server cannot read, or that prevent it
 * from starting.
 */
export function filesToMove(findings: readonly Finding[]): string[] {
  const paths = findings
    .filter(({ severity, path }) => severity === 'unreadable' && path.includes('/'))
    .flatMap(({ path }) => {
      // The list of a block's deletions is useless without the block.
      return parseBlockId(path) === undefined ? [path] : [path, deletedPath(path)];
    });
  return [...new Set(paths)];
}

/** Moves files to the quarantine folder, durably. Skips files that do not exist. */
export async function moveToQuarantine(
  files: Files,
  storagePath: string,
  paths: readonly string[],
): Promise<void> {
  const folders = new Set<string>();
  for (const path of paths) {
    if (!(await files.exists(`${storagePath}/${path}`))) continue;
    const folder = path.slice(0, path.lastIndexOf('/'));
    const target = `${storagePath}/${quarantineName}/${folder}`;
    await makeDurableFolder(files, target, storagePath);
    await files.rename(`${storagePath}/${path}`, `${storagePath}/${quarantineName}/${path}`);
    folders.add(target).add(`${storagePath}/${folder}`);
  }
  for (const folder of folders) await files.syncDirectory(folder);
}
