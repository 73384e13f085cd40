// Builds and runs programs that print addresses in their code, and their load addresses. The
// expected calls come from addr2line and llvm-symbolizer.
import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilers } from './programs.ts';
import { llvmFrames } from './llvm-symbolizer.ts';

const sources = new URL('../testdata/places/', import.meta.url).pathname;

/** A program to build. */
export interface PlacesProgram {
  readonly name: string;
  readonly language: 'c' | 'rust' | 'go';
  readonly flags: readonly string[];
  /** C compiler. */
  readonly compiler?: 'gcc' | 'clang';
  /** True for a shared library. A small C program then calls it. */
  readonly isLibrary?: boolean;
}

/** A program, or a library that a program calls. */
export interface BuiltProgram {
  /** File with code and debug information. */
  readonly file: string;
  /** File to run. */
  readonly started: string;
  readonly buildId: string;
}

/** A range in the memory of a process. */
export interface MappedRange {
  readonly start: bigint;
  readonly limit: bigint;
  readonly offset: bigint;
}

/** A run of a program. */
export interface PlacesRun {
  /** Addresses in the process. */
  readonly places: readonly bigint[];
  /** Mapping of the code. */
  readonly code: MappedRange;
  /** A single mapping of the complete file. */
  readonly whole: MappedRange;
}

function run(command: string, args: readonly string[], cwd?: string): string {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GO111MODULE: 'on' };
  return execFileSync(command, args, { encoding: 'utf8', cwd, env, stdio: 'pipe' });
}

/** Builds a program in its own folder. */
export function buildPlaces(folder: string, program: PlacesProgram): BuiltProgram {
  const { language, flags, isLibrary = false, compiler = 'gcc' } = program;
  const file = join(folder, isLibrary ? 'libplaces.so' : 'places');
  const note = '-Wl,--build-id';
  if (language === 'c') {
    const shared = isLibrary ? ['-shared', '-fPIC', '-DLIBRARY'] : [];
    const options = ['-g', '-O1', note, ...shared, ...flags];
    run(compilers[compiler], [...options, '-o', file, `${sources}places.c`]);
  } else if (language === 'rust') {
    const shared = isLibrary ? ['--crate-type=cdylib', '--cfg=library'] : [];
    const options = ['-g', '-Copt-level=1', `-Clink-arg=${note}`, ...shared, ...flags];
    run(compilers.rustc, [...options, '-o', file, `${sources}places.rs`]);
  } else {
    copyFileSync(`${sources}places.go`, join(folder, 'places.go'));
    if (isLibrary) copyFileSync(`${sources}library.go`, join(folder, 'library.go'));
    writeFileSync(join(folder, 'go.mod'), 'module places\n\ngo 1.19\n');
    const link = isLibrary ? `-extldflags=${note}` : `-B 0x${randomId(program.name)}`;
    run(compilers.go, ['build', ...flags, `-ldflags=${link}`, '-o', file, '.'], folder);
  }
  const notes = run('readelf', ['-n', file]);
  const buildId = /Build ID: ([0-9a-f]+)/.exec(notes)?.[1];
  if (buildId === undefined) throw new Error(`${program.name} has no build id`);
  if (!isLibrary) return { file, started: file, buildId };
  const started = join(folder, 'host');
  run(compilers.gcc, ['-o', started, `${sources}host.c`, file, `-Wl,-rpath,${folder}`]);
  return { file, started, buildId };
}

/**
 * Returns a build id derived from a name, because older versions of Go do not write one by default.
 */
function randomId(name: string): string {
  return Buffer.from(name.padEnd(20, '.').slice(0, 20)).toString('hex');
}

/** Starts a program, and reads its addresses and mappings. */
export function runPlaces({ file, started }: BuiltProgram): PlacesRun {
  const output = run(started, []);
  const places = [...output.matchAll(/^place ([0-9a-f]+)$/gm)].map(([, hex]) => BigInt(`0x${hex}`));
  const mapped = [...output.matchAll(/^([0-9a-f]+)-([0-9a-f]+) \S+ ([0-9a-f]+) \S+ \d+ +(\S+)$/gm)]
    .filter(([, , , , path]) => path === file)
    .map(([, start, limit, offset]) => ({
      start: BigInt(`0x${start}`),
      limit: BigInt(`0x${limit}`),
      offset: BigInt(`0x${offset}`),
    }));
  const code = mapped.find(({ start, limit }) => start <= places[0] && places[0] < limit);
  if (code === undefined) throw new Error(`${file} is not mapped:\n${output}`);
  const limit = mapped[mapped.length - 1].limit;
  return { places, code, whole: { ...mapped[0], limit } };
}

/** Returns the ELF virtual addresses for the addresses of a run. */
export function addressesInFile({ file }: BuiltProgram, { places, whole }: PlacesRun): number[] {
  const headers = run('readelf', ['-hlW', file]);
  const first = BigInt(/^ +LOAD +0x0+ (0x[0-9a-f]+)/m.exec(headers)?.[1] ?? '0');
  const isFixed = /Type: +EXEC/.test(headers);
  return places.map((place) => Number(isFixed ? place : place - whole.start + first));
}

/**
 * Returns the calls at addresses in a file, innermost first: "function file:line < ...". They come
 * from addr2line. For DWARF that binutils 2.40 does not support (Go's DWARF 5 and clang's inlined
 * calls), they come from llvm-symbolizer.
 */
export function callsAt(file: string, addresses: readonly number[], isOfLlvm: boolean): string[] {
  if (isOfLlvm) {
    return llvmFrames(file, addresses).map((frames) =>
      frames
        .map(({ functionName, fileName, line }) => `${functionName} ${fileName}:${line}`)
        .join(' < '),
    );
  }
  const hex = addresses.map((address) => `0x${address.toString(16)}`);
  const output = run('addr2line', ['-a', '-f', '-i', '-e', file, ...hex]);
  return output
    .split(/^0x[0-9a-f]+$/m)
    .slice(1)
    .map((chain) => {
      const rows = chain.trim().split('\n');
      const calls = rows.flatMap((name, i) => (i % 2 === 0 ? [`${name} ${rows[i + 1]}`] : []));
      return calls.map((call) => call.replace(/ \(discriminator.*/, '')).join(' < ');
    });
}
