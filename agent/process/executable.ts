// Facts of executable files that labels tell: what made a file, and what is left in it.
import { AppError } from '../../src/base/errors.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import { type ByteSource } from '../../src/symbolize/byte-source.ts';
import { ElfFile } from '../../src/symbolize/elf-file.ts';
import { openDescriptor } from '../files/open-file.ts';
import { executableFactsMax } from '../limits.ts';

/** Content of the labels `__meta_process_executable_*`. */
export interface ExecutableFacts {
  /** "" where nothing tells. */
  readonly compiler: string;
  readonly isStatic: boolean;
  readonly isStripped: boolean;
}

interface Known {
  /** Undefined for a file that is not an ELF file of 64 bits. */
  readonly facts: ExecutableFacts | undefined;
}

/** Facts of executables; reads each file once. */
export class ExecutableTable {
  readonly #known = new LeastRecent<Known>(executableFactsMax, () => 1);

  /** Facts of the file that `descriptor` has open, which stays open. */
  facts(descriptor: number): ExecutableFacts | undefined {
    const file = openDescriptor(descriptor);
    if (file === undefined) return undefined;
    const known = this.#known.get(file.key) ?? { facts: readFacts(file) };
    this.#known.put(file.key, known);
    return known.facts;
  }
}

function readFacts(source: ByteSource): ExecutableFacts | undefined {
  try {
    const file = ElfFile.read(source);
    return {
      compiler: compilerOf(file),
      isStatic: file.isStatic(),
      isStripped: file.isStripped(),
    };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function compilerOf(file: ElfFile): string {
  if (file.section('.go.buildinfo') !== undefined) return 'go';
  const compilers = file.compilers();
  // GCC's start files are in what every compiler links; Rust and clang say more.
  return (
    compilers.find((text) => text.startsWith('rustc')) ??
    compilers.find((text) => text.includes('clang')) ??
    compilers.at(0) ??
    ''
  );
}
