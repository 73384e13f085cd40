// Separate files with debug information, as distributions install them: by build id.
import { join } from 'node:path';
import { type Binary } from '../../bpf/sampler.ts';
import { AppError } from '../../src/base/errors.ts';
import { ElfFile } from '../../src/symbolize/elf-file.ts';
import { withRegularFile } from '../files/open-file.ts';

/** Folders such as /usr/lib/debug, each with `.build-id/xx/yyyy.debug` in it. */
export class DebugFolders {
  readonly #folders: readonly string[];

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Path of the debug file that belongs to `binary`, undefined when no folder has one. */
  find(binary: Binary): string | undefined {
    if (binary.buildIdKind !== 'gnu' || binary.buildId.length < 3) return undefined;
    const name = `.build-id/${binary.buildId.slice(0, 2)}/${binary.buildId.slice(2)}.debug`;
    return this.#folders
      .map((folder) => join(folder, name))
      .find((path) => this.#isOf(binary, path));
  }

  /** What `use` makes of that file. */
  read<T>(binary: Binary, use: (file: ElfFile) => T): T | undefined {
    const path = this.find(binary);
    if (path === undefined) return undefined;
    return withRegularFile(path, (file) => use(ElfFile.read(file)));
  }

  #isOf(binary: Binary, path: string): boolean {
    const found = withRegularFile(path, (file) => {
      try {
        return ElfFile.read(file).buildId().text;
      } catch (error) {
        if (error instanceof AppError) return '';
        throw error;
      }
    });
    return found === binary.buildId;
  }
}
