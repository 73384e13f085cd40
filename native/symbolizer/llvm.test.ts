// Compares the names in various programs with the names that llvm-symbolizer finds, at 2,000
// addresses of each program.
//
// If both know the calls at an address, they must return the same functions, files and lines. Four
// kinds of differences are accepted, because both names mean the same function:
// - An alias: linkers give one function several names (constructors C1 and C2, memcpy and memmove,
//   identical functions that were folded). LLVM uses the last name in the symbol table.
// - A clone: LLVM keeps the suffix that compilers append for a part or a variant (.cold, .isra.0,
//   .part.1).
//   DWARF has the name in the source.
// - A second section: in DWARF 2, the cold part of f is called __second_sect_of_f.
// - A dot: Go writes type:.eq.T·1, and its symbol table has a full stop instead of the middle dot.
//   A fifth kind of accepted difference concerns files:
// - A repeated folder: in DWARF 5, the first directory is the folder of the compilation. If it is
//   relative (-fdebug-prefix-map), LLVM 14 joins it with itself: build/build/main.c.
//
// Names that only one of the two returns are not compared. LLVM, for example, returns lines without
// a function for the padding between functions.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { createFiles } from '../../src/base/node/files.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { runProgram } from '../../src/base/node/run-program.ts';
import { seededRandom } from '../../src/base/random.ts';
import { readElf, bytesSource } from '../../src/symbolize/elf-file.ts';
import { resolveByDwarf } from '../../src/symbolize/dwarf/dwarf-resolver.ts';
import type { SourceFrame } from '../../src/symbolize/interface.ts';
import { createProgramResolver } from '../../src/symbolize/program-resolver.ts';
import { type LlvmFrame, llvmFrames } from './testing/llvm-symbolizer.ts';
import { type Compiler, Programs, systemDebugFile, testdata } from './testing/programs.ts';

const addressCount = 2_000;
const agreementMin = 0.999;

const programs = new Programs();
after(() => programs.remove());
const program = new URL('../dist/parca-symbolizer', import.meta.url).pathname;
const resolver = createProgramResolver(runProgram, program, 'none', createClock());

/** Returns the function names by start address, from both symbol tables. */
function symbolStarts(path: string): ReadonlyMap<string, ReadonlySet<string>> {
  const starts = new Map<string, Set<string>>();
  for (const table of [[], ['--dynamic']]) {
    const options = ['--defined-only', ...table, path];
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    const lines = execFileSync('nm', options, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio });
    for (const line of lines.split('\n')) {
      const [, start, name] = /^([0-9a-f]+) \S ([^@]*)/.exec(line) ?? [];
      if (start === undefined || name === undefined) continue;
      const known = starts.get(name);
      if (known === undefined) starts.set(name, new Set([start]));
      else known.add(start);
    }
  }
  return starts;
}

type Verdict =
  | 'equal'
  | 'alias'
  | 'clone'
  | 'second section'
  | 'dot'
  | 'folder twice'
  | 'different';

function compare(
  ours: readonly SourceFrame[],
  theirs: readonly LlvmFrame[],
  starts: ReadonlyMap<string, ReadonlySet<string>>,
): Verdict {
  if (ours.length !== theirs.length) return 'different';
  let verdict: Verdict = 'equal';
  for (const [i, { systemName, fileName, line }] of ours.entries()) {
    const other = theirs[i];
    // llvm-symbolizer names a file by its symbol if the unit has no lines; our symbolizer skips
    // such symbols.
    const isFolderTwice = isWithFolderTwice(fileName, other.fileName);
    const isSameFile = fileName === other.fileName || fileName === '' || isFolderTwice;
    if (!isSameFile || line !== other.line) return 'different';
    if (isFolderTwice) verdict = 'folder twice';
    if (systemName === other.functionName) continue;
    // Only the outermost function has a symbol, because the others were inlined.
    if (i !== ours.length - 1) return 'different';
    verdict = explainDifference(systemName, other.functionName, starts);
  }
  return verdict;
}

function isWithFolderTwice(ours: string, theirs: string): boolean {
  const folder = theirs.slice(0, -ours.length);
  const isRelative = folder !== '' && !folder.startsWith('/');
  return isRelative && ours.startsWith(folder) && theirs === folder + ours;
}

function explainDifference(
  ours: string,
  theirs: string,
  starts: ReadonlyMap<string, ReadonlySet<string>>,
): Verdict {
  if (theirs.startsWith(`${ours}.`)) return 'clone';
  if (ours.startsWith('__second_sect_of_')) return 'second section';
  if (theirs === ours.replaceAll('·', '.')) return 'dot';
  // LLVM appends the version: glob@GLIBC_2.2.5.
  const others = starts.get(theirs.replace(/@.*/, ''));
  return [...(starts.get(ours) ?? [])].some((start) => others?.has(start)) ? 'alias' : 'different';
}

function resolve(
  path: string,
  addresses: readonly number[],
): Promise<readonly (readonly SourceFrame[])[]> {
  const file = { path, hasDwarf: true, hasGoLineTable: false };
  return resolver.resolve(file, addresses, new AbortController().signal);
}

function addressOfMain(path: string): number {
  for (const [name, starts] of symbolStarts(path)) {
    const [start] = starts;
    if (name === 'main' && start !== undefined) return parseInt(start, 16);
  }
  throw new Error(`${path} has no main`);
}

/** Compares the TypeScript reader with the native program, if the latter returns lines. */
async function checkTypescript(
  path: string,
  addresses: readonly number[],
  ours: readonly (readonly SourceFrame[])[],
): Promise<void> {
  const { frames } = await resolveByDwarf(
    createFiles(),
    { dwarfPath: path, alternatePath: undefined, addresses },
    (name) => name,
  );
  const printCalls = (calls: readonly SourceFrame[]): string =>
    calls
      .map((call) => `${call.systemName} ${call.fileName}:${call.line}:${call.column}`)
      .join('\n');
  const different = addresses.filter((_, i) => {
    const isByDwarf = ours[i].some(({ fileName }) => fileName !== '');
    return isByDwarf && printCalls(ours[i]) !== printCalls(frames[i]);
  });
  const places = different.slice(0, 3).map((address) => {
    const i = addresses.indexOf(address);
    return `${address.toString(16)}\n${printCalls(frames[i])}\nprogram:\n${printCalls(ours[i])}`;
  });
  assert.ok(different.length <= addresses.length * (1 - agreementMin), places.join('\n'));
}

/** Runs both symbolizers on random code addresses of a file. */
async function check(path: string, comparedMin: number): Promise<Record<string, number>> {
  const elf = await readElf(bytesSource(readFileSync(path)));
  // In a separate file with debug information, this section exists but has no content.
  const text = elf.sections.find(({ name }) => name === '.text');
  assert.ok(text, 'it has code');
  const random = seededRandom(3);
  const addresses = Array.from(
    { length: addressCount },
    () => text.address + (random.uint32() % text.size),
  );
  const ours = await resolve(path, addresses);
  await checkTypescript(path, addresses, ours);
  const theirs = llvmFrames(path, addresses);
  const starts = symbolStarts(path);
  const counts = {
    equal: 0,
    alias: 0,
    clone: 0,
    'second section': 0,
    dot: 0,
    'folder twice': 0,
    different: 0,
  };
  let inlined = 0;
  const different: string[] = [];
  addresses.forEach((address, i) => {
    const known = theirs[i].at(-1)?.functionName;
    if (ours[i].length === 0 || known === undefined || known === '') return;
    const verdict = compare(ours[i], theirs[i], starts);
    counts[verdict] += 1;
    if (ours[i].length > 1) inlined += 1;
    if (verdict !== 'different') return;
    const mine = ours[i].map(
      ({ systemName, fileName, line }) => `${systemName} ${fileName}:${line}`,
    );
    const other = theirs[i].map((frame) => `${frame.functionName} ${frame.fileName}:${frame.line}`);
    different.push(`${address.toString(16)}\n${mine.join('\n')}\nLLVM:\n${other.join('\n')}`);
  });
  const compared = Object.values(counts).reduce((sum, count) => sum + count, 0);
  assert.ok(compared >= comparedMin, `${compared} of ${addressCount} known to both`);
  assert.ok(
    counts.different <= compared * (1 - agreementMin),
    `${counts.different} of ${compared} differ:\n${different.slice(0, 3).join('\n')}`,
  );
  return { compared, inlined, ...counts };
}

/** Programs by compiler and flags. */
const built: readonly (readonly [Compiler, ...string[]])[] = [
  ['gcc', '-O0', '-gdwarf-4'],
  ['gcc', '-O2', '-gdwarf-5'],
  ['gcc', '-O2', '-gdwarf-3', '-no-pie'],
  ['gcc', '-O2', '-gdwarf-2', '-gstrict-dwarf'],
  ['gcc', '-O2', '-g', '-static'],
  ['clang', '-O0', '-gdwarf-4', '-no-pie'],
  ['clang', '-O2', '-gdwarf-5'],
  ['gxx', '-O0', '-gdwarf-4'],
  ['gxx', '-O2', '-gdwarf-5'],
  ['gxx', '-O3', '-g', '-flto'],
  ['gxx', '-O2', '-g', '-static', '-no-pie'],
  ['gxx', '-O2', '-gdwarf-4', '-fdebug-types-section'],
  ['gxx', '-O2', '-gdwarf-5', '-ffunction-sections', '-Wl,--gc-sections', '-gz=zlib'],
  ['clangxx', '-O0', '-gdwarf-5'],
  ['clangxx', '-O2', '-gdwarf-4', '-fdebug-types-section'],
  ['clangxx', '-O2', '-gdwarf-5', '-flto'],
  ['clangxx', '-O2', '-gline-tables-only'],
  ['rustc', '-g'],
  ['rustc', '-O', '-g', '-Cdwarf-version=5'],
  ['rustc', '-Copt-level=3', '-Clto=fat', '-g', '-Csymbol-mangling-version=v0'],
  ['go'],
  ['go', '-gcflags=all=-N -l', '-ldflags=-compressdwarf=false'],
];

for (const [compiler, ...flags] of built) {
  const name = [compiler, ...flags].join(' ');
  test(name, async (t) => {
    const counts = await check(programs.build(name, compiler, flags), addressCount * 0.9);
    t.diagnostic(JSON.stringify(counts));
    const isPlain = name.includes('-O0') || name.includes('-N') || name.includes('-static');
    // DWARF 2 cannot describe inlined calls with several ranges, so it has few inlined calls.
    const inlinedMin = isPlain ? 0 : 50;
    assert.ok(counts['inlined'] >= inlinedMin, `${counts['inlined']} of inlined calls`);
  });
}

/** Compilers and flags for programs whose lines have relative file names. */
const relative: readonly (readonly [Compiler, ...string[]])[] = [
  ['gcc', '-gdwarf-3'],
  ['gcc', '-gdwarf-5'],
  ['clang', '-gdwarf-4'],
  ['clang', '-gdwarf-5'],
];

for (const [compiler, version] of relative) {
  test(`relative names: ${compiler} ${version}`, async (t) => {
    const sources = `-fdebug-prefix-map=${testdata.replace(/\/$/, '')}=lib`;
    const folders = {
      [programs.folder]: [],
      build: [`${programs.folder}=build`],
      '': [`${programs.folder}=`],
    };
    for (const [folder, maps] of Object.entries(folders)) {
      const flags = maps.map((map) => `-fdebug-prefix-map=${map}`);
      const name = `relative-${compiler}-${version}-${maps.length}-${folder.length}`;
      const path = programs.build(name, compiler, ['-O2', version, sources, ...flags]);
      t.diagnostic(JSON.stringify(await check(path, addressCount * 0.8)));
      const start = folder === '' ? 'lib/' : `${folder}/lib/`;
      const [frames] = await resolve(path, [addressOfMain(path)]);
      assert.ok(
        frames.at(-1)?.fileName.startsWith(start),
        `${frames.at(-1)?.fileName} in ${start}`,
      );
    }
  });
}

test('the example in Rust', async (t) => {
  t.diagnostic(JSON.stringify(await check(programs.buildRustExample(), addressCount * 0.9)));
});

test('a stripped program with its debug information in another file', async (t) => {
  const whole = programs.build('separate', 'gxx', ['-O2', '-g']);
  const debugFile = programs.separate(whole);
  t.diagnostic(JSON.stringify(await check(debugFile, addressCount * 0.9)));
});

test('only symbols, and what stripping leaves of them', async (t) => {
  const path = programs.build('symbols', 'gxx', ['-O2', '-static']);
  t.diagnostic(JSON.stringify(await check(path, addressCount * 0.9)));
  const library = '/usr/lib/x86_64-linux-gnu/libstdc++.so.6';
  t.diagnostic(JSON.stringify(await check(library, addressCount * 0.3)));
});

for (const library of ['libc.so.6', 'libm.so.6', 'ld-linux-x86-64.so.2']) {
  test(`debug information of the system: ${library}`, async (t) => {
    const path = systemDebugFile(`/lib/x86_64-linux-gnu/${library}`);
    assert.ok(path, 'the package libc6-dbg is installed');
    t.diagnostic(JSON.stringify(await check(path, addressCount * 0.3)));
  });
}
