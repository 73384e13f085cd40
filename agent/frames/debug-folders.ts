// Finds separate debug files by build id, as installed by distributions.
import { join } from 'node:path';
import type { Binary } from '../../bpf/sampler.ts';
import { AppError } from '../../src/base/errors.ts';
import { type ElfFile, readBuildIds, readElf } from '../../src/symbolize/elf-file.ts';
import { type OpenFile, openLinkedFile } from '../files/open-file.ts';

/**
 * Folders such as /usr/lib/debug with files `.build-id/xx/yyyy.debug`, which are links in RPM
 * distributions. The operator configures the folders.
 */
export class DebugFolders {
  readonly folders: readonly string[];

  constructor(folders: readonly string[]) {
    this.folders = folders;
  }

  /**
   * Opens the debug file of `binary`, calls `use` with the file, its path and its owner, and closes
   * the file. Returns the result of `use`, or undefined if no folder has such a file.
   */
  async read<T>(
    binary: Binary,
    use: (file: ElfFile, path: string, userId: number) => Promise<T>,
  ): Promise<T | undefined> {
    if (binary.buildIdKind !== 'gnu' || binary.buildId.length < 3) return undefined;
    const name = `.build-id/${binary.buildId.slice(0, 2)}/${binary.buildId.slice(2)}.debug`;
    for (const folder of this.folders) {
      const path = join(folder, name);
      const opened = openLinkedFile(path);
      if (opened === undefined) continue;
      try {
        const file = await readMatching(binary, opened.file);
        if (file !== undefined) return await use(file, path, opened.file.userId);
      } finally {
        opened.close();
      }
    }
    return undefined;
  }
}

/** Reads the file if it has the build id of `binary`; a damaged file counts as missing. */
async function readMatching(binary: Binary, source: OpenFile): Promise<ElfFile | undefined> {
  try {
    const file = await readElf(source);
    const { gnu } = await readBuildIds(file);
    return gnu === binary.buildId ? file : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
