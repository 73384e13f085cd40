// Programs with various debug information, for comparing names with other tools.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Folder of the sources. */
export const testdata = new URL('../testdata/', import.meta.url).pathname;
const examples = new URL('../../../examples/targets/', import.meta.url).pathname;

const cxx = process.env['TEST_CXX'] ?? 'g++';
const cargo = process.env['TEST_CARGO'] ?? 'cargo';
/** Commands of compilers. */
export const compilers = {
  gcc: cxx.replace(/g\+\+([^/]*)$/, 'gcc$1'),
  gxx: cxx,
  clang: process.env['TEST_CLANG'] ?? 'clang',
  // These compilers belong to the clang and the cargo that the tests use.
  clangxx: `${process.env['TEST_CLANG'] ?? 'clang'}++`,
  rustc: cargo.includes('/') ? join(dirname(cargo), 'rustc') : 'rustc',
  go: process.env['TEST_GO'] ?? 'go',
};
export type Compiler = keyof typeof compilers;

/** Sources of the program for each compiler. */
const sources: Readonly<Record<Compiler, readonly string[]>> = {
  gcc: ['tables.c'],
  clang: ['tables.c'],
  gxx: ['shapes.cpp', 'parse.cpp'],
  clangxx: ['shapes.cpp', 'parse.cpp'],
  rustc: ['words.rs'],
  go: [],
};

/** A folder of built programs. */
export class Programs {
  readonly folder = mkdtempSync(join(tmpdir(), 'parca-symbolizer-'));

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  /** Builds the program with a compiler and flags, and returns the program's path. */
  build(name: string, compiler: Compiler, flags: readonly string[]): string {
    const path = join(this.folder, name.replace(/\W+/g, '-'));
    const files = sources[compiler].map((file) => join(testdata, file));
    const isGo = compiler === 'go';
    const standard = compiler.endsWith('xx') ? ['-std=c++17'] : [];
    const given = isGo
      ? ['build', ...flags, '-o', path, '.']
      : [...standard, ...flags, '-o', path, ...files];
    execFileSync(compilers[compiler], given, {
      cwd: isGo ? join(examples, 'go') : this.folder,
      env: { ...process.env, GOFLAGS: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return path;
  }

  /** Builds the Rust example with its dependencies; returns its path. */
  buildRustExample(): string {
    const cwd = join(examples, 'rust');
    execFileSync(cargo, ['build', '--release', '--locked', '--quiet'], { cwd, stdio: 'pipe' });
    return join(cwd, 'target/release/example-target');
  }

  /** Moves the debug information of a program to a separate file, and returns that file's path. */
  separate(program: string): string {
    const path = `${program}.debug`;
    execFileSync('objcopy', ['--only-keep-debug', program, path]);
    execFileSync('strip', [program]);
    return path;
  }
}

/** Returns the debug file of a system library; undefined if it is not installed. */
export function systemDebugFile(library: string): string | undefined {
  if (!existsSync(library)) return undefined;
  const notes = execFileSync('readelf', ['-n', library], { encoding: 'utf8' });
  const id = /Build ID: ([0-9a-f]+)/.exec(notes)?.[1] ?? '';
  const folder = `/usr/lib/debug/.build-id/${id.slice(0, 2)}`;
  const file = `${id.slice(2)}.debug`;
  if (!existsSync(folder) || !readdirSync(folder).includes(file)) return undefined;
  return join(folder, file);
}
