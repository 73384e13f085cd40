// Reads facts about executable files for labels: the compiler, and whether the file is stripped.
import type { Binary } from '../../bpf/sampler.ts';
import { AppError } from '../../src/base/errors.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import {
  type ElfFile,
  findSection,
  readElf,
  readSection,
  sectionTypeSymbols,
} from '../../src/symbolize/elf-file.ts';
import { openDescriptor } from '../files/open-file.ts';
import { commentBytesMax, executableFactsMax } from '../limits.ts';

/** Content of the labels `__meta_process_executable_*`. */
export interface ExecutableFacts {
  /** Name and version; "" if the file does not contain them. */
  readonly compiler: string;
  readonly isStatic: boolean;
  readonly isStripped: boolean;
}

interface Known {
  /** Undefined for a file that is not an ELF file. */
  readonly facts: ExecutableFacts | undefined;
}

/** Type of the segment that names a dynamic loader. */
const interpreterSegment = 3;

/** Facts of executables; reads each file once. */
export class ExecutableTable {
  readonly #known = new LeastRecent<Known>(executableFactsMax, () => 1);

  /** Reads facts of files that are new. Their descriptors must be valid until then. */
  async load(binaries: readonly Binary[]): Promise<void> {
    for (const binary of binaries) {
      const isNew = this.#known.get(binaryKey(binary)) === undefined;
      if (binary.descriptor === -1 || !isNew) continue;
      this.#known.put(binaryKey(binary), { facts: await readFacts(binary.descriptor) });
    }
  }

  /** Returns the facts of a file; undefined if it was not loaded, or is not an ELF file. */
  facts(binary: Binary): ExecutableFacts | undefined {
    return this.#known.get(binaryKey(binary))?.facts;
  }
}

async function readFacts(descriptor: number): Promise<ExecutableFacts | undefined> {
  const source = openDescriptor(descriptor);
  if (source === undefined) return undefined;
  try {
    const elf = await readElf(source);
    return {
      compiler: await readCompiler(elf),
      isStatic: !elf.segments.some(({ type }) => type === interpreterSegment),
      isStripped: !elf.sections.some(({ type }) => type === sectionTypeSymbols),
    };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function readCompiler(elf: ElfFile): Promise<string> {
  if (findSection(elf, '.go.buildinfo') !== undefined) return 'go';
  const section = findSection(elf, '.comment');
  if (section === undefined) return '';
  const text = new TextDecoder().decode(await readSection(elf, section, commentBytesMax));
  const compilers = text.split('\0').filter((part) => part !== '');
  // GCC's start files are in the programs of every compiler, so the others come first.
  return (
    compilers.find((compiler) => compiler.startsWith('rustc')) ??
    compilers.find((compiler) => compiler.includes('clang')) ??
    compilers.at(0) ??
    ''
  );
}

function binaryKey({ path, buildId, fileBytes }: Binary): string {
  // A stripped file has the build id of the whole one.
  return `${buildId || path}\0${fileBytes}`;
}
