// Function names from the symbol tables of sampled files; for --symbolize-locally.
import type { Binary } from '../../bpf/sampler.ts';
import { AppError } from '../../src/base/errors.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import {
  type ElfFile,
  isCompressed,
  readElf,
  sectionTypeSymbols,
  textAt,
} from '../../src/symbolize/elf-file.ts';
import {
  type FunctionSymbols,
  functionSections,
  readFunctionSymbols,
} from '../../src/symbolize/elf-symbols.ts';
import { type GoLineTable, readGoLineTable } from '../../src/symbolize/go-line-table.ts';
import { openDescriptor } from '../files/open-file.ts';
import { heldNamesBytesMax, symbolNameBytesMax, symbolTableBytesMax } from '../limits.ts';
import type { DebugFolders } from './debug-folders.ts';
import { nameBytes } from './remember.ts';

/** Names of one file; both are undefined if the file has no symbols. */
interface Known {
  readonly symbols: FunctionSymbols | undefined;
  /** Go's line table; read only if the symbol table was stripped. */
  readonly goLines: GoLineTable | undefined;
  /** Offset of the names of `symbols` in the file; undefined if the names are in memory. */
  readonly namesOffset: number | undefined;
  /** Names that were read from the file, by offset. */
  readonly names: Map<number, string>;
  /** Approximate memory of symbols and names, in bytes. */
  readonly bytes: number;
}

/**
 * Bytes that are counted for a file without symbols, so that the number of files is limited, too.
 */
const emptyBytes = 1_024;
/**
 * Sections that count towards a file's memory, because a function takes about as many bytes in
 * memory as in these sections.
 */
const keptSections = new Set(['.symtab', '.dynsym', '.gopclntab']);
const nameSections = new Set(['.strtab', '.dynstr']);

/** Symbol tables by file; each file is read only once. */
export class BinarySymbols {
  readonly #folders: DebugFolders;
  readonly #known = new LeastRecent<Known>(symbolTableBytesMax, ({ bytes }) => bytes);
  readonly #onRead: () => void;
  /** Bytes of names that were read since the names were last dropped. */
  #nameBytes = 0;

  /** `onRead` is called after each file, because reading leaves much garbage. */
  constructor(folders: DebugFolders, onRead: () => void = () => undefined) {
    this.#folders = folders;
    this.#onRead = onRead;
  }

  /** Reads the symbols of new files, whose descriptors must be valid during the call. */
  async load(binaries: readonly Binary[]): Promise<void> {
    for (const binary of binaries) {
      const isNew = this.#known.get(makeKey(binary)) === undefined;
      // Without a descriptor, the symbols cannot be read yet.
      if (binary.kind !== 'file' || binary.descriptor === -1 || !isNew) continue;
      this.#known.put(makeKey(binary), await this.#read(binary));
      this.#onRead();
    }
  }

  /** Releases the symbols of files that the server symbolizes from now on. */
  forget(binaries: readonly Binary[]): void {
    for (const binary of binaries) this.#known.remove(makeKey(binary));
  }

  /** Returns the function name for an ELF address; undefined if no symbol covers the address. */
  name(binary: Binary, address: bigint): string | undefined {
    const known = this.#known.get(makeKey(binary));
    if (known === undefined) return undefined;
    const name = this.#symbolName(known, binary.descriptor, Number(address));
    if (name !== undefined || known.goLines === undefined) return name;
    try {
      // The last frame is the function itself; the frames before it are inlined calls.
      return known.goLines.framesAt(Number(address)).at(-1)?.functionName;
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  #symbolName(known: Known, descriptor: number, address: number): string | undefined {
    const { symbols, namesOffset, names } = known;
    if (namesOffset === undefined) return symbols?.findName(address);
    const offset = symbols?.nameOffset(address);
    if (offset === undefined) return undefined;
    const held = names.get(offset);
    if (held !== undefined) return held;
    const bytes = openDescriptor(descriptor)?.readNow(namesOffset + offset, symbolNameBytesMax);
    // If many files are sampled, the descriptor may already be closed.
    if (bytes === undefined) return undefined;
    const name = textAt(bytes, 0);
    if (this.#nameBytes >= heldNamesBytesMax) this.#forgetNames();
    this.#nameBytes += nameBytes(name);
    names.set(offset, name);
    return name;
  }

  #forgetNames(): void {
    for (const { names } of this.#known.all()) names.clear();
    this.#nameBytes = 0;
  }

  async #read(binary: Binary): Promise<Known> {
    const source = openDescriptor(binary.descriptor);
    if (source === undefined) return nothing();
    try {
      const elf = await readElf(source);
      if (elf.sections.some(({ type }) => type === sectionTypeSymbols)) return await readOwn(elf);
      return (await this.#folders.read(binary, readBoth)) ?? (await readOwn(elf));
    } catch (error) {
      // A damaged file is treated as a file without names.
      if (error instanceof AppError) return nothing();
      throw error;
    }
  }
}

function nothing(): Known {
  return {
    symbols: undefined,
    goLines: undefined,
    namesOffset: undefined,
    names: new Map(),
    bytes: emptyBytes,
  };
}

async function readBoth(elf: ElfFile): Promise<Known> {
  const hasAll = elf.sections.some(({ type }) => type === sectionTypeSymbols);
  return {
    ...nothing(),
    symbols: await readFunctionSymbols(elf),
    goLines: hasAll ? undefined : await readGoLineTable(elf),
    bytes: sumBytes(elf, keptSections) + sumBytes(elf, nameSections),
  };
}

/**
 * Reads the symbols of a sampled file without their names. Few names are needed, and the file is
 * open again in each batch that needs one. All names of Node would take 12 MB.
 */
async function readOwn(elf: ElfFile): Promise<Known> {
  const both = await readBoth(elf);
  const names = functionSections(elf)?.names;
  // Compressed names cannot be read one by one.
  if (names === undefined || isCompressed(names)) return both;
  const symbols = both.symbols?.withoutNames();
  return { ...both, symbols, namesOffset: names.offset, bytes: sumBytes(elf, keptSections) };
}

function sumBytes(elf: ElfFile, names: ReadonlySet<string>): number {
  return elf.sections
    .filter(({ name }) => names.has(name))
    .reduce((sum, { size }) => sum + size, emptyBytes);
}

/** Copies of a file share its symbols. */
function makeKey({ path, buildId, fileBytes }: Binary): string {
  return `${buildId || path}\0${fileBytes}`;
}
