// Function names from the symbol tables of the files that were sampled, for --symbolize-locally.
import { type Binary } from '../../bpf/sampler.ts';
import { AppError } from '../../src/base/errors.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import { ElfFile } from '../../src/symbolize/elf-file.ts';
import { ElfSymbols } from '../../src/symbolize/elf-symbols.ts';
import { openDescriptor } from '../files/open-file.ts';
import { symbolTableBytesMax } from '../limits.ts';
import { type DebugFolders } from './debug-folders.ts';

interface Known {
  /** Undefined for a file that has no symbols, or is not an ELF file of 64 bits. */
  readonly symbols: ElfSymbols | undefined;
}

/** A file without symbols weighs something too, so that their number has a limit. */
const emptyWeight = 1_024;

/** Symbol tables by file; each file is read once. */
export class BinarySymbols {
  readonly #folders: DebugFolders;
  readonly #known = new LeastRecent<Known>(
    symbolTableBytesMax,
    ({ symbols }) => emptyWeight + (symbols?.byteLength ?? 0),
  );

  constructor(folders: DebugFolders) {
    this.#folders = folders;
  }

  /** Bytes of memory that the tables take. */
  get byteLength(): number {
    return this.#known.weight;
  }

  /** Name of the function at an ELF address; undefined where no symbol covers it. */
  name(binary: Binary, address: bigint): string | undefined {
    return this.#symbols(binary)?.find(Number(address))?.name;
  }

  #symbols(binary: Binary): ElfSymbols | undefined {
    const key = `${binary.path}\0${binary.buildId}\0${binary.fileBytes}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known.symbols;
    // Without a descriptor nothing can be said yet.
    if (binary.descriptor === -1) return undefined;
    const symbols = this.#read(binary);
    this.#known.put(key, { symbols });
    return symbols;
  }

  #read(binary: Binary): ElfSymbols | undefined {
    const source = openDescriptor(binary.descriptor);
    if (source === undefined) return undefined;
    try {
      const file = ElfFile.read(source);
      if (file.isStripped()) {
        const better = this.#folders.read(binary, (other) =>
          ElfSymbols.read(other, symbolTableBytesMax),
        );
        if (better !== undefined) return better;
      }
      return ElfSymbols.read(file, symbolTableBytesMax);
    } catch (error) {
      // A damaged file has no names, and that is all.
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }
}
