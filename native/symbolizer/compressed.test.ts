// Tests both DWARF readers with all formats of compressed sections that binutils writes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { createFiles } from '../../src/base/node/files.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { runProgram } from '../../src/base/node/run-program.ts';
import { findSection, isCompressed, readElf, bytesSource } from '../../src/symbolize/elf-file.ts';
import { resolveByDwarf } from '../../src/symbolize/dwarf/dwarf-resolver.ts';
import type { SourceFrame } from '../../src/symbolize/interface.ts';
import { createProgramResolver } from '../../src/symbolize/program-resolver.ts';
import { Programs } from './testing/programs.ts';

const programs = new Programs();
after(() => programs.remove());
const program = new URL('../dist/parca-symbolizer', import.meta.url).pathname;
const resolver = createProgramResolver(runProgram, program, 'none', createClock());
const plain = programs.build('plain', 'gxx', ['-O2', '-g']);

/**
 * Returns the source positions of addresses all over the code, as found by the native program and
 * by the TypeScript reader.
 */
async function resolveTwice(path: string): Promise<readonly string[][]> {
  const text = findSection(await readElf(bytesSource(readFileSync(path))), '.text');
  assert.ok(text);
  const addresses = Array.from(
    { length: 200 },
    (_, i) => text.address + Math.floor((i * text.size) / 200),
  );
  const source = { path, hasDwarf: true, hasGoLineTable: false };
  const byProgram = await resolver.resolve(source, addresses, new AbortController().signal);
  const byTypescript = await resolveByDwarf(
    createFiles(),
    { dwarfPath: path, alternatePath: undefined, addresses },
    (name) => name,
  );
  const printCalls = (calls: readonly SourceFrame[]): string =>
    calls.map(({ systemName, fileName, line }) => `${systemName} ${fileName}:${line}`).join(' < ');
  return [byProgram.map(printCalls), byTypescript.frames.map(printCalls)];
}

const kinds: readonly (readonly [kind: string, section: string, type: number | undefined])[] = [
  ['zlib', '.debug_info', 1],
  ['zlib-gnu', '.zdebug_info', undefined],
  ['zstd', '.debug_info', 2],
];

for (const [kind, name, type] of kinds) {
  test(`sections compressed as ${kind} have the lines of the plain ones`, async () => {
    const path = `${plain}-${kind}`;
    execFileSync('objcopy', [`--compress-debug-sections=${kind}`, plain, path]);
    const elf = await readElf(bytesSource(readFileSync(path)));
    const section = findSection(elf, name);
    assert.ok(section);
    assert.equal(isCompressed(section), type !== undefined);
    const [first] = await elf.source.read(section.offset, 1);
    if (type !== undefined) assert.equal(first, type);
    const [byProgram, byTypescript] = await resolveTwice(path);
    assert.deepEqual([byProgram, byTypescript], await resolveTwice(plain));
    assert.ok(byTypescript.filter((place) => /\.cpp:\d/.test(place)).length > 20);
  });
}
