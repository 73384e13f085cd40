// Compares names that are demangled by the WebAssembly package with names that are demangled by the
// native program.
//
// The names come from real programs: Node (C++), the C++ library, and the native program itself
// (Rust). Three kinds of names differ:
// - The package has a lower nesting limit: names in V8 with thirty levels of templates stay
//   mangled.
// - It omits ABI tags: [abi:cxx11].
// - It keeps a return type in the name of a local lambda, which the newer library of the program
// omits.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { readDemanglerModule } from '../../src/base/node/demangler-module.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { runProgram } from '../../src/base/node/run-program.ts';
import type { DemangleMode } from '../../src/symbolize/interface.ts';
import { WasmDemangler } from '../../src/symbolize/demangle/wasm-demangler.ts';
import { isMangled } from '../../src/symbolize/demangler.ts';
import { createProgramDemangler } from '../../src/symbolize/program-resolver.ts';

const program = new URL('../dist/parca-symbolizer', import.meta.url).pathname;
const batch = 20_000;
/** Smallest share of equal names. */
const agreementMin = 0.98;

function mangledNames(path: string, ...options: string[]): string[] {
  const lines = execFileSync('nm', [...options, path], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const names = lines.split('\n').map((line) => line.slice(line.lastIndexOf(' ') + 1));
  return [...new Set(names.filter(isMangled))];
}

async function programNames(names: readonly string[], mode: DemangleMode): Promise<string[]> {
  const demangle = createProgramDemangler(runProgram, program, mode, createClock());
  const found: string[] = [];
  for (let at = 0; at < names.length; at += batch) {
    const part = names.slice(at, at + batch);
    found.push(...(await demangle(part, new AbortController().signal)));
  }
  return found;
}

const files: readonly (readonly [path: string, namesMin: number, ...options: string[]])[] = [
  [process.execPath, 20_000],
  ['/usr/lib/x86_64-linux-gnu/libstdc++.so.6', 3_000, '--dynamic'],
  [program, 500],
];

for (const [path, namesMin, ...options] of files) {
  test(`names of ${path}`, async (t) => {
    const names = mangledNames(path, ...options);
    assert.ok(names.length >= namesMin, `${names.length} names`);
    for (const mode of ['simple', 'templates'] as const) {
      const demangler = new WasmDemangler(readDemanglerModule());
      const ours = names.map((name) => demangler.demangle(name, mode));
      const theirs = await programNames(names, mode);
      const different = names.flatMap((name, i) =>
        ours[i] === theirs[i] ? [] : [`${name}: ${ours[i]}; ${theirs[i]}`],
      );
      const mangled = ours.filter((name, i) => name === names[i] && name !== theirs[i]).length;
      const counts = { names: names.length, different: different.length, mangled };
      t.diagnostic(`${mode} ${JSON.stringify(counts)}`);
      const differentMax = names.length * (1 - agreementMin);
      assert.ok(different.length <= differentMax, different.slice(0, 5).join('\n'));
    }
  });
}
