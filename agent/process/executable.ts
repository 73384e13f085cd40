// Properties of executables for labels: an id, the compiler, and whether the executable is
// stripped.
import { createHash } from 'node:crypto';
import type { Binary } from '../../bpf/sampler.ts';
import { AppError } from '../../src/base/errors.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import { type ElfSource, readElf, sectionTypeSymbols } from '../../src/symbolize/elf-file.ts';
import { openDescriptor } from '../files/open-file.ts';
import { executableFactsMax } from '../limits.ts';
import { readCompiler } from './compiler.ts';

/** Values of the labels `__meta_process_executable_*`. */
export interface ExecutableFacts {
  /** Hash of the content as 32 characters; it does not depend on a build id. */
  readonly fileId: string;
  /** Name and version, or "unknown". */
  readonly compiler: string;
  readonly isStatic: boolean;
  readonly isStripped: boolean;
}

interface Known {
  /** Undefined if the file is not an ELF file. */
  readonly facts: ExecutableFacts | undefined;
}

/** Type of the segment that contains the path of the dynamic loader. */
const interpreterSegment = 3;
/** Bytes at each end of a file that are hashed for its id. */
const hashedBytes = 4_096;

/** Properties of executables; each file is read only once. */
export class ExecutableTable {
  readonly #known = new LeastRecent<Known>(executableFactsMax, () => 1);

  /** Reads new files, whose descriptors must be valid during the call. */
  async load(binaries: readonly Binary[]): Promise<void> {
    for (const binary of binaries) {
      const isNew = this.#known.get(binaryKey(binary)) === undefined;
      if (binary.descriptor === -1 || !isNew) continue;
      this.#known.put(binaryKey(binary), { facts: await readFacts(binary.descriptor) });
    }
  }

  /** Returns the properties of a file; undefined if it was not loaded or is not an ELF file. */
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
      fileId: await readFileId(source),
      compiler: await readCompiler(elf),
      isStatic: !elf.segments.some(({ type }) => type === interpreterSegment),
      isStripped: !elf.sections.some(({ type }) => type === sectionTypeSymbols),
    };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Returns OpenTelemetry's `process.executable.build_id.htlhash`, which Parca Agent uses, too. */
async function readFileId(source: ElfSource): Promise<string> {
  const length = Math.min(source.size, hashedBytes);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(source.size));
  const hash = createHash('sha256');
  hash.update(await source.read(0, length)).update(await source.read(source.size - length, length));
  return hash.update(size).digest('hex').slice(0, 32);
}

function binaryKey({ path, buildId, fileBytes }: Binary): string {
  // The size is part of the key, because a stripped file has the same build id as its original.
  return `${buildId || path}\0${fileBytes}`;
}
