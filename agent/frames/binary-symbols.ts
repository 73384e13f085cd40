// Function names from the symbol tables of the files that were sampled, for --symbolize-locally.
import type { Binary } from '../../bpf/sampler.ts';
import { AppError } from '../../src/base/errors.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import { type ElfFile, readElf, sectionTypeSymbols } from '../../src/symbolize/elf-file.ts';
import { type FunctionSymbols, readFunctionSymbols } from '../../src/symbolize/elf-symbols.ts';
import { type GoLineTable, readGoLineTable } from '../../src/symbolize/go-line-table.ts';
import { openDescriptor } from '../files/open-file.ts';
import { symbolTableBytesMax } from '../limits.ts';
import type { DebugFolders } from './debug-folders.ts';

/** Names of one file; both undefined for a file that has no symbols. */
interface Known {
  readonly symbols: FunctionSymbols | undefined;
  /** Read where the symbols were removed. */
  readonly goLines: GoLineTable | undefined;
  /** Memory that both take, about. */
  readonly bytes: number;
}

/** A file without symbols weighs something too, so that the number of files has a limit. */
const nothing: Known = { symbols: undefined, goLines: undefined, bytes: 1_024 };
/** Sections that stay in memory. Columns of a symbol take as much as its row in the file, about. */
const keptSections = new Set(['.symtab', '.strtab', '.dynsym', '.dynstr', '.gopclntab']);

/** Symbol tables by file; each file is read once. */
export class BinarySymbols {
  readonly #folders: DebugFolders;
  readonly #known = new LeastRecent<Known>(symbolTableBytesMax, ({ bytes }) => bytes);

  constructor(folders: DebugFolders) {
    this.#folders = folders;
  }

  /** Reads the symbols of files that are new. Their descriptors must be valid until then. */
  async load(binaries: readonly Binary[]): Promise<void> {
    for (const binary of binaries) {
      const isNew = this.#known.get(keyOf(binary)) === undefined;
      // Without a descriptor nothing can be said yet.
      if (binary.kind !== 'file' || binary.descriptor === -1 || !isNew) continue;
      this.#known.put(keyOf(binary), await this.#read(binary));
    }
  }

  /** Name of the function at an ELF address; undefined where no symbol covers it. */
  name(binary: Binary, address: bigint): string | undefined {
    const known = this.#known.get(keyOf(binary));
    if (known === undefined) return undefined;
    const name = known.symbols?.nameOf(Number(address));
    if (name !== undefined || known.goLines === undefined) return name;
    try {
      // The last frame is the function that the inlined calls are in.
      return known.goLines.framesAt(Number(address)).at(-1)?.functionName;
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  async #read(binary: Binary): Promise<Known> {
    const source = openDescriptor(binary.descriptor);
    if (source === undefined) return nothing;
    try {
      const elf = await readElf(source);
      if (elf.sections.some(({ type }) => type === sectionTypeSymbols)) return await readBoth(elf);
      return (await this.#folders.read(binary, readBoth)) ?? (await readBoth(elf));
    } catch (error) {
      // A damaged file has no names, and that is all.
      if (error instanceof AppError) return nothing;
      throw error;
    }
  }
}

async function readBoth(elf: ElfFile): Promise<Known> {
  const hasAll = elf.sections.some(({ type }) => type === sectionTypeSymbols);
  return {
    symbols: await readFunctionSymbols(elf),
    goLines: hasAll ? undefined : await readGoLineTable(elf),
    bytes: elf.sections
      .filter(({ name }) => keptSections.has(name))
      .reduce((sum, { size }) => sum + size, nothing.bytes),
  };
}

/** Copies of one file share their symbols. */
function keyOf({ path, buildId, fileBytes }: Binary): string {
  return `${buildId || path}\0${fileBytes}`;
}
