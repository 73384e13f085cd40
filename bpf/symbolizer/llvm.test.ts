// Names of programs of many kinds, next to those of llvm-symbolizer: 2,000 addresses each.
//
// Both must name the same chain of calls by function, file and line where both know one. Three
// kinds of differences are other words for the same function, and count as equal:
// - An alias: linkers give one function several names (constructors C1 and C2, memcpy and memmove,
//   identical functions that were folded). LLVM takes the last one of the symbol table.
// - A clone: LLVM keeps what compilers append for a part or a variant (.cold, .isra.0, .part.1).
//   DWARF has the name of the source.
// - A second section: DWARF 2 calls the cold part of f __second_sect_of_f.
// Names that only one of them has are not compared: LLVM gives lines without a function for the
// padding between functions.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { runProgram } from '../../src/base/node/run-program.ts';
import { seededRandom } from '../../src/base/random.ts';
import { readElf, sourceOf } from '../../src/symbolize/elf-file.ts';
import type { SourceFrame } from '../../src/symbolize/interface.ts';
import { createProgramResolver } from '../../src/symbolize/program-resolver.ts';
import { type LlvmFrame, llvmFrames } from './testing/llvm-symbolizer.ts';
import { type Compiler, Programs, systemDebugFile } from './testing/programs.ts';

const addressCount = 2_000;
const agreementMin = 0.999;

const programs = new Programs();
after(() => programs.remove());
const program = new URL('../dist/parca-symbolizer', import.meta.url).pathname;
const resolver = createProgramResolver(runProgram, program, 'none');

/** Names of functions by the addresses where they start, of both symbol tables. */
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

type Verdict = 'equal' | 'alias' | 'clone' | 'second section' | 'different';

function compare(
  ours: readonly SourceFrame[],
  theirs: readonly LlvmFrame[],
  starts: ReadonlyMap<string, ReadonlySet<string>>,
): Verdict {
  if (ours.length !== theirs.length) return 'different';
  let verdict: Verdict = 'equal';
  for (const [i, { systemName, fileName, line }] of ours.entries()) {
    const other = theirs[i];
    // Symbols of files have no place in ours: a name of a unit without lines.
    const isSamePlace = line === other.line && (fileName === other.fileName || fileName === '');
    if (!isSamePlace) return 'different';
    if (systemName === other.functionName) continue;
    // Only a function that was not inlined has a symbol.
    if (i !== ours.length - 1) return 'different';
    verdict = kindOf(systemName, other.functionName, starts);
  }
  return verdict;
}

function kindOf(
  ours: string,
  theirs: string,
  starts: ReadonlyMap<string, ReadonlySet<string>>,
): Verdict {
  if (theirs.startsWith(`${ours}.`)) return 'clone';
  if (ours.startsWith('__second_sect_of_')) return 'second section';
  // LLVM adds the version: glob@GLIBC_2.2.5.
  const others = starts.get(theirs.replace(/@.*/, ''));
  return [...(starts.get(ours) ?? [])].some((start) => others?.has(start)) ? 'alias' : 'different';
}

/** Asks both about random addresses of the code of a file. */
async function check(path: string, comparedMin: number): Promise<Record<string, number>> {
  const elf = await readElf(sourceOf(readFileSync(path)));
  // A file of debug information alone has the section without its bytes.
  const text = elf.sections.find(({ name }) => name === '.text');
  assert.ok(text, 'it has code');
  const random = seededRandom(3);
  const addresses = Array.from(
    { length: addressCount },
    () => text.address + (random.uint32() % text.size),
  );
  const file = { path, hasDwarf: true, hasGoLineTable: false, generation: 1 };
  const ours = await resolver.resolve(file, addresses, new AbortController().signal);
  const theirs = llvmFrames(path, addresses);
  const starts = symbolStarts(path);
  const counts = { equal: 0, alias: 0, clone: 0, 'second section': 0, different: 0 };
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
    // DWARF 2 has no inlined calls of what is in ranges, so it has few of them.
    const inlinedMin = isPlain ? 0 : 50;
    assert.ok(counts['inlined'] >= inlinedMin, `${counts['inlined']} of inlined calls`);
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

test('symbols alone, and what stripping leaves of them', async (t) => {
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
