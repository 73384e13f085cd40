// Reads the compiler of a program, in the form that Parca Agent uses: "GCC 12.2.0", "Go 1.26.8".
import { type ElfFile, findSection, readSection } from '../../src/symbolize/elf-file.ts';
import { commentBytesMax } from '../limits.ts';

/** Maximum number of bytes of `.go.buildinfo` to read: a header of 32 bytes, then the version. */
const goVersionBytesMax = 128;

/**
 * Returns the name and version of the compiler; "unknown" if the file does not contain it. For a
 * Rust program without debug information, the compiler comes from the linker: "Rust (GCC 12.2.0)".
 *
 * Errors: AppError if the file is damaged.
 */
export async function readCompiler(elf: ElfFile): Promise<string> {
  const ofGo = findSection(elf, '.go.buildinfo');
  if (ofGo !== undefined) {
    const length = Math.min(ofGo.size, goVersionBytesMax);
    const text = decode(await elf.source.read(ofGo.offset, length));
    return `Go ${/go(\d+\.\d+(?:\.\d+)?)/.exec(text)?.[1] ?? '(unknown version)'}`;
  }
  const section = findSection(elf, '.comment');
  if (section === undefined) return 'unknown';
  const text = decode(await readSection(elf, section, commentBytesMax));
  const others = findClang(text) ?? findGcc(text) ?? findGhc(text);
  const rust = /rustc version (\S+)/.exec(text)?.[1];
  if (rust === undefined) return others ?? 'unknown';
  if (findSection(elf, '.debug_str') !== undefined) return `Rust ${rust}`;
  // In a Rust program, LLVM may have compiled C code, but it is not the linker.
  const linker = findGcc(text) ?? others;
  return linker === undefined ? 'Rust' : `Rust (${linker})`;
}

/** Returns the newest GCC version, because the system's start files come from an older GCC. */
function findGcc(text: string): string | undefined {
  const versions = Array.from(text.matchAll(/GCC: \([^)]*\) (\d+(?:\.\d+)*)/g), ([, one]) => one);
  const newest = versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return newest === undefined ? undefined : `GCC ${newest}`;
}

function findClang(text: string): string | undefined {
  const version = /clang version (\d+(?:\.\d+)*)/.exec(text)?.[1];
  return version === undefined ? undefined : `Clang ${version}`;
}

function findGhc(text: string): string | undefined {
  const version = /GHC (\d+(?:\.\d+)+)/.exec(text)?.[1];
  return version === undefined ? undefined : `GHC ${version}`;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}
