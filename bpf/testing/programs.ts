// Builds the programs in testdata/, and runs them while they are sampled.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('../testdata/', import.meta.url));

/** Returns the path of a file in testdata/. */
export function testdata(name: string): string {
  return join(sources, name);
}

/** Compiles programs into a folder. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'parca-bpf-'));

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  /** Compiles C or C++ as distributions do: optimized and without frame pointers. */
  compile(source: string, name: string, ...flags: readonly string[]): string {
    const compiler = process.env['TEST_CXX'] ?? 'g++';
    // The C compiler is in the same folder as the C++ compiler.
    const command = source.endsWith('.c') ? compiler.replace(/g\+\+([^/]*)$/, 'gcc$1') : compiler;
    const path = join(this.folder, name);
    const common = ['-O2', '-fomit-frame-pointer', testdata(source), '-o', path];
    execFileSync(command, [...common, ...flags], { stdio: ['ignore', 'ignore', 'inherit'] });
    return path;
  }

  compileRust(source: string, name: string): string {
    const path = join(this.folder, name);
    const cargo = process.env['TEST_CARGO'] ?? 'cargo';
    const rustc = cargo.includes('/') ? join(dirname(cargo), 'rustc') : 'rustc';
    execFileSync(rustc, ['-O', testdata(source), '-o', path]);
    return path;
  }

  compileGo(source: string, name: string): string {
    const path = join(this.folder, name);
    const args = ['build', '-o', path, testdata(source)];
    execFileSync(process.env['TEST_GO'] ?? 'go', args, { env: { ...process.env, GOFLAGS: '' } });
    return path;
  }
}

/**
 * Returns the Node that runs the tests, and older installed versions of Node, because their V8
 * differs.
 */
export function nodePrograms(): { readonly name: string; readonly path: string }[] {
  const older = [20, 22].map((version) => ({
    name: `node ${version}`,
    path: process.env[`TEST_NODE_${version}`] ?? '',
  }));
  return [{ name: 'node', path: process.execPath }, ...older.filter(({ path }) => path !== '')];
}

/**
 * Returns the path of the Python interpreter itself. The program in the PATH may be a script that
 * selects an interpreter.
 */
export function pythonProgram(): string {
  const where = ['-c', 'import os, sys; print(os.path.realpath(sys.executable))'];
  const command = process.env['TEST_SYSTEM_PYTHON'] ?? 'python3';
  return execFileSync(command, where, { encoding: 'utf8' }).trim();
}

/** Runs a program while `use` runs, and passes the program's process id to `use`. */
export async function whileRunning<T>(
  command: readonly [string, ...string[]],
  use: (pid: number) => Promise<T>,
): Promise<T> {
  const child = spawn(command[0], command.slice(1), { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.pid === undefined) throw new Error(`cannot start ${command.join(' ')}`);
  try {
    return await use(child.pid);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}
