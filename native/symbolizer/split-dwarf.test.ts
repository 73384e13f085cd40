// Tests of split DWARF and shared DWARF. Both readers must return the same functions, lines and
// inlined calls as llvm-symbolizer, and the same as for the program with complete DWARF.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { addSections } from '../../agent/debuginfo/add-sections.ts';
import { extractDebuginfo } from '../../agent/debuginfo/extract.ts';
import { openLinkedFile } from '../../agent/files/open-file.ts';
import { findSplitDwarf } from '../../agent/debuginfo/split-dwarf.ts';
import { splitDwarfBytesMax } from '../../agent/limits.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { runProgram } from '../../src/base/node/run-program.ts';
import { readAlternateName } from '../../src/symbolize/debug-link.ts';
import { resolveByDwarf } from '../../src/symbolize/dwarf/dwarf-resolver.ts';
import { findSection, readBuildIds, readElf, bytesSource } from '../../src/symbolize/elf-file.ts';
import type { SourceFrame } from '../../src/symbolize/interface.ts';
import { createProgramResolver } from '../../src/symbolize/program-resolver.ts';
import { llvmFrames } from './testing/llvm-symbolizer.ts';
import { type Compiler, compilers, Programs, testdata } from './testing/programs.ts';

const programs = new Programs();
after(() => programs.remove());
const program = new URL('../dist/parca-symbolizer', import.meta.url).pathname;
const resolver = createProgramResolver(runProgram, program, 'none', createClock());
const { signal } = new AbortController();

function run(cwd: string, command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
}

/** Returns 400 addresses that are spread over the code. */
async function chooseAddresses(path: string): Promise<number[]> {
  const text = findSection(await readElf(bytesSource(readFileSync(path))), '.text');
  assert.ok(text);
  const { address, size } = text;
  return Array.from({ length: 400 }, (_, i) => address + Math.floor((i * size) / 400));
}

/** Prints one call per line, innermost first. */
function printCalls(calls: readonly SourceFrame[]): string {
  const lines = calls.map(({ systemName, fileName, line, startLine, column }) => {
    return `${systemName}\t${fileName}:${line}\t${column} from ${startLine}`;
  });
  return lines.join('\n');
}

/** Returns one column of each call. */
function column(chain: string, index: number): string[] {
  return chain.split('\n').map((call) => call.split('\t')[index]);
}

/** Calls at each address, and the types of missing DWARF. */
interface Found {
  readonly calls: readonly string[];
  readonly missing: readonly string[];
}

async function byProgram(
  path: string,
  addresses: readonly number[],
  alternatePath?: string,
): Promise<Found> {
  const alternate = { name: 'common', buildId: 'ab', path: alternatePath };
  const source = { path, hasDwarf: true, hasGoLineTable: false, alternate };
  const missing: string[] = [];
  const note = (reason: string): void => void missing.push(reason.split(':')[0]);
  const frames = await resolver.resolve(source, addresses, signal, note);
  return { calls: frames.map(printCalls), missing };
}

async function byTypescript(
  path: string,
  addresses: readonly number[],
  alternatePath?: string,
): Promise<Found> {
  const request = { dwarfPath: path, alternatePath, addresses };
  const { frames, missing } = await resolveByDwarf(createFiles(), request, (name) => name);
  return { calls: frames.map(printCalls), missing };
}

/** Writes the file that parcatool uploads for a program; returns its path and its source files. */
async function pack(path: string): Promise<{ packed: string; paths: readonly string[] }> {
  const elf = await readElf(bytesSource(readFileSync(path)));
  const split = await findSplitDwarf(path, elf, openLinkedFile, splitDwarfBytesMax);
  assert.ok(split);
  assert.deepEqual(split.missing, []);
  const extract = await extractDebuginfo(elf);
  assert.ok(extract);
  const file = await addSections(elf, extract, split.sections);
  const pieces: Uint8Array[] = [];
  for await (const piece of file.pieces()) pieces.push(piece);
  split.close();
  const bytes = Buffer.concat(pieces);
  assert.equal(bytes.length, file.size);
  const packed = `${path}.packed`;
  writeFileSync(packed, bytes);
  return { packed, paths: split.paths };
}

/** Builds a program in its own folder, with and without complete DWARF. */
function build({ name, compiler, flags, split = '-gsplit-dwarf' }: Build): Built {
  const folder = join(programs.folder, name.replace(/\W+/g, '-'));
  mkdirSync(folder);
  const command = compilers[compiler];
  const output = join(folder, 'program');
  for (const kind of ['whole', 'split']) {
    const given = kind === 'split' ? [...flags, split] : flags;
    if (compiler === 'rustc') run(folder, command, ...given, '-o', output, `${testdata}words.rs`);
    else {
      const objects = ['shapes', 'parse'].map((unit) => {
        run(folder, command, '-std=c++17', ...given, '-c', `${testdata}${unit}.cpp`);
        return `${unit}.o`;
      });
      run(folder, command, '-o', output, ...objects);
    }
    // Both variants are built under the same name, because names of units may depend on it.
    if (kind === 'whole') renameSync(output, join(folder, 'whole'));
  }
  return { whole: join(folder, 'whole'), split: output };
}

interface Built {
  /** Program with complete DWARF. */
  readonly whole: string;
  readonly split: string;
}

/** A program to build. */
interface Build {
  readonly name: string;
  readonly compiler: Compiler;
  readonly flags: readonly string[];
  /** Flag for splitting; -gsplit-dwarf if absent. */
  readonly split?: string;
  /** Command that creates a package; absent if the upload packs the .dwo files. */
  readonly packer?: 'dwp' | 'llvm-dwp';
}

const rust = ['-Copt-level=2', '-g'];
// Programs with DWARF 5 are not packed by dwp, because dwp of binutils 2.40 crashes on DWARF 5.
const builds: readonly Build[] = [
  { name: 'gcc, DWARF 4', compiler: 'gxx', flags: ['-O2', '-gdwarf-4'] },
  { name: 'gcc, DWARF 5', compiler: 'gxx', flags: ['-O2', '-gdwarf-5'] },
  { name: 'gcc, DWARF 4, dwp', compiler: 'gxx', flags: ['-O2', '-gdwarf-4'], packer: 'dwp' },
  { name: 'gcc, llvm-dwp', compiler: 'gxx', flags: ['-O2', '-gdwarf-5'], packer: 'llvm-dwp' },
  {
    name: 'gcc, types of their own, compressed',
    compiler: 'gxx',
    flags: ['-O1', '-gdwarf-5', '-fdebug-types-section', '-gz=zlib'],
  },
  { name: 'clang, DWARF 4', compiler: 'clangxx', flags: ['-O2', '-gdwarf-4'] },
  { name: 'clang, DWARF 5', compiler: 'clangxx', flags: ['-O2', '-gdwarf-5'] },
  { name: 'clang, llvm-dwp', compiler: 'clangxx', flags: ['-O2', '-gdwarf-5'], packer: 'llvm-dwp' },
  {
    name: 'clang, DWARF 4, llvm-dwp',
    compiler: 'clangxx',
    flags: ['-O1', '-gdwarf-4'],
    packer: 'llvm-dwp',
  },
  {
    name: 'clang, in object files',
    compiler: 'clangxx',
    flags: ['-O1', '-gdwarf-5'],
    split: '-gsplit-dwarf=single',
  },
  { name: 'rustc, packed', compiler: 'rustc', flags: rust, split: '-Csplit-debuginfo=packed' },
  { name: 'rustc, unpacked', compiler: 'rustc', flags: rust, split: '-Csplit-debuginfo=unpacked' },
];

for (const one of builds) {
  test(`split: ${one.name}`, async (t) => {
    const { packer, split = '' } = one;
    const built = build(one);
    const folder = dirname(built.split);
    const command = packer === 'llvm-dwp' ? (process.env['TEST_LLVM_DWP'] ?? packer) : packer;
    if (command !== undefined) run(folder, command, '-e', 'program', '-o', 'program.dwp');
    const { packed, paths } = await pack(built.split);
    const isPackage = packer !== undefined || split.endsWith('=packed');
    assert.equal(paths.at(0)?.endsWith('.dwp'), isPackage);
    const addresses = await chooseAddresses(built.split);
    const wanted = await byProgram(built.whole, addresses);
    assert.deepEqual(await byProgram(packed, addresses), wanted);
    const { calls } = await byTypescript(built.whole, addresses);
    assert.deepEqual(await byTypescript(packed, addresses), { calls, missing: [] });
    const withCalls = wanted.calls.filter((chain) => chain.includes('\n')).length;
    const withLine = wanted.calls.filter((chain) => /:[1-9]\d*\t/.test(chain)).length;
    t.diagnostic(`${withLine} with lines, ${withCalls} with inlined calls`);
    assert.ok(withLine > 200 && withCalls > 100);
    await t.test('llvm-symbolizer has the same places', () => {
      const different = llvmFrames(built.split, addresses).filter((frames, i) => {
        const isKnown = wanted.calls[i] !== '' && frames.every(({ line }) => line > 0);
        const ours = column(wanted.calls[i], 1).join();
        const theirs = frames.map(({ fileName, line }) => `${fileName}:${line}`).join();
        return isKnown && theirs !== ours;
      });
      assert.ok(different.length <= 4, JSON.stringify(different.slice(0, 3)));
    });
    await t.test(
      'without the parts, functions come from symbols, and the answer says so',
      async () => {
        const bare = await byProgram(built.split, addresses);
        assert.deepEqual(bare.missing, ['its split DWARF is missing']);
        assert.deepEqual((await byTypescript(built.split, addresses)).missing, ['split']);
        const named = bare.calls.filter((chain) => chain !== '').length;
        assert.ok(named > 200, `${named} named`);
      },
    );
  });
}

test('shared: dwz -m moves DWARF of two programs into a third file', async (t) => {
  for (const flags of [['-gdwarf-4'], ['-gdwarf-5']]) {
    const folder = join(programs.folder, `dwz${flags[0]}`);
    mkdirSync(folder);
    const files = ['shapes.cpp', 'parse.cpp'].map((file) => testdata + file);
    for (const [name, level] of [
      ['one', '-O2'],
      ['two', '-O1'],
    ]) {
      const options = ['-std=c++17', level, ...flags, '-Wl,--build-id'];
      run(folder, compilers.gxx, ...options, '-o', name, ...files);
      copyFileSync(join(folder, name), join(folder, `${name}.whole`));
    }
    run(
      folder,
      process.env['TEST_DWZ'] ?? 'dwz',
      '-m',
      'common',
      '-M',
      '/usr/lib/debug/.dwz/common',
      'one',
      'two',
    );
    const common = join(folder, 'common');
    for (const name of ['one', 'two']) {
      const path = join(folder, name);
      const link = await readAlternateName(await readElf(bytesSource(readFileSync(path))));
      const own = await readBuildIds(await readElf(bytesSource(readFileSync(common))));
      assert.deepEqual(link, { name: '/usr/lib/debug/.dwz/common', buildId: own.gnu });
      const addresses = await chooseAddresses(path);
      const wanted = await byProgram(`${path}.whole`, addresses);
      assert.deepEqual(await byProgram(path, addresses, common), wanted);
      const whole = await byTypescript(`${path}.whole`, addresses);
      assert.deepEqual(await byTypescript(path, addresses, common), whole);
      // Without the package, the names of functions come from the symbol table.
      const bares = [
        [await byProgram(path, addresses), wanted],
        [await byTypescript(path, addresses), whole],
      ] as const;
      for (const [bare, all] of bares) {
        // The symbol table has different names for parts of functions.
        const outermost = (chain: string): string | undefined =>
          column(chain, 0)
            .at(-1)
            ?.replace(/\.(cold|part|isra).*/, '');
        const different = bare.calls.filter((chain, i) => {
          return outermost(chain) !== outermost(all.calls[i]);
        });
        assert.ok(different.length < 20, different.slice(0, 3).join('\n'));
        assert.deepEqual(bare.missing.length, 1);
      }
      t.diagnostic(`${wanted.calls.filter((chain) => chain.includes('\n')).length} inlined`);
    }
  }
});
