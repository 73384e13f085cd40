// Benchmark of 10,000 addresses in a C++ program with 100 MB of DWARF: our symbolizer relative to
// llvm-symbolizer.
//
// The program is one unit that uses much of the standard library, linked many times with different
// functions. CPU time and peak memory of both symbolizers are read from /proc while they run, so
// that other processes do not count. Needs g++, objcopy and llvm-symbolizer.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { symbolizerCpuSecondsMax, symbolizerMemoryBytesMax } from '../../src/base/limits.ts';
import { seededRandom } from '../../src/base/random.ts';
import { readElf, bytesSource } from '../../src/symbolize/elf-file.ts';
import { encodeAddresses } from '../../src/symbolize/program-resolver.ts';
import { median, reportRatio } from '../measure.ts';

const addressCount = 10_000;
const dwarfBytes = 100e6;
const turns = 5;
const root = new URL('../../', import.meta.url).pathname;
const folder = join(root, '.cache/bench/dwarf');
const binary = join(folder, 'program');
const ours = join(root, 'native/dist/parca-symbolizer');
const llvm = process.env['TEST_LLVM_SYMBOLIZER'] ?? 'llvm-symbolizer';

/** CPU time and peak memory of a program run. */
interface Cost {
  readonly millis: number;
  readonly megabytes: number;
}

if (!existsSync(binary)) build();
const bytes = new Uint8Array(readFileSync(binary));
const elf = await readElf(bytesSource(bytes));
const size = elf.sections
  .filter(({ name }) => name.startsWith('.debug_'))
  .reduce((sum, section) => sum + section.size, 0);
const text = elf.sections.find(({ name }) => name === '.text');
if (text === undefined) throw new Error('the program has no code');
console.log(`${(statSync(binary).size / 1e6).toFixed(0)} MB, DWARF ${(size / 1e6).toFixed(0)} MB`);
const random = seededRandom(5);
const addresses = Array.from(
  { length: addressCount },
  () => text.address + (random.uint32() % text.size),
);
for (const count of [1, addressCount]) await compare(addresses.slice(0, count));

async function compare(asked: readonly number[]): Promise<void> {
  const lines = asked.map((address) => `0x${address.toString(16)}\n`).join('');
  const limits = [String(symbolizerMemoryBytesMax), String(symbolizerCpuSecondsMax)];
  const flags = ['--functions=linkage', '--inlines', `--obj=${binary}`];
  const costs: { readonly ours: Cost; readonly llvm: Cost }[] = [];
  for (let turn = 0; turn <= turns; turn += 1) {
    const mine = await measureCost(ours, ['simple', ...limits], encodeAddresses(asked));
    const other = await measureCost(llvm, flags, Buffer.from(lines));
    // The first turn reads the program from disk.
    if (turn > 0) costs.push({ ours: mine, llvm: other });
  }
  for (const [unit, field] of [
    ['ms of CPU', 'millis'],
    ['MB', 'megabytes'],
  ] as const) {
    const of = (who: 'ours' | 'llvm'): number => median(costs.map((cost) => cost[who][field]));
    const name = `${asked.length} addresses, ${of('ours').toFixed(0)} ${unit}`;
    const ratio = median(costs.map((cost) => cost.ours[field] / cost.llvm[field]));
    reportRatio(`${name} to llvm-symbolizer's ${of('llvm').toFixed(0)}`, ratio, 1, false);
  }
}

async function measureCost(
  program: string,
  given: readonly string[],
  input: Uint8Array,
): Promise<Cost> {
  const descriptor = openSync(binary, 'r');
  const child = spawn(program, given, { stdio: ['pipe', 'pipe', 'inherit', descriptor] });
  closeSync(descriptor);
  const ended = once(child, 'close');
  let output = 0;
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.length));
  child.stdin?.end(input);
  let cost: Cost = { millis: 0, megabytes: 0 };
  const timer = setInterval(() => (cost = costSoFar(child.pid ?? 0) ?? cost), 1);
  const [code] = await ended;
  clearInterval(timer);
  if (code !== 0 || output === 0) throw new Error(`${program} ended with ${String(code)}`);
  return cost;
}

function costSoFar(pid: number): Cost | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const peak = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];
    const nanos = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0];
    if (peak === undefined || nanos === undefined) return undefined;
    return { millis: Number(nanos) / 1e6, megabytes: Number(peak) / 1e3 };
  } catch {
    // The process has already exited.
    return undefined;
  }
}

function build(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const cxx = process.env['TEST_CXX'] ?? 'g++';
  const object = join(folder, 'unit.o');
  const source = new URL('unit.cpp', import.meta.url).pathname;
  execFileSync(cxx, ['-std=c++17', '-O2', '-g', '-DUNIT=unit', '-c', source, '-o', object]);
  const sections = execFileSync('size', ['-A', object], { encoding: 'utf8' });
  const perUnit = [
    ...sections.matchAll(/^\.debug_(?:info|line|abbrev|rnglists|loclists)\s+(\d+)/gm),
  ].reduce((sum, [, bytesOfSection]) => sum + Number(bytesOfSection), 0);
  const count = Math.ceil(dwarfBytes / perUnit);
  const objects = Array.from({ length: count }, (_, i) => {
    const copy = join(folder, `unit${i}.o`);
    const mangled = (name: string): string =>
      `_Z${name.length}${name}RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE`;
    execFileSync('objcopy', [
      '--redefine-sym',
      `${mangled('unit')}=${mangled(`unit${i}`)}`,
      object,
      copy,
    ]);
    return copy;
  });
  const main = join(folder, 'main.cpp');
  const numbers = objects.map((_, i) => i);
  writeFileSync(
    main,
    `#include <string>\n${numbers.map((i) => `double unit${i}(const std::string &);\n`).join('')}` +
      `int main(int, char **words) {\n  return ${numbers.map((i) => `unit${i}(words[0])`).join(' + ')};\n}\n`,
  );
  execFileSync(cxx, ['-g', main, ...objects, '-o', binary]);
  for (const copy of [object, ...objects]) rmSync(copy);
}
