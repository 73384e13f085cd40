// Tests the instructions of Go programs without symbols, which still contain Go's own table. The
// functions, bytes and lines must match what `go tool objdump` prints for the same program with its
// symbols.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { runProgram } from '../../src/base/node/run-program.ts';
import { symbolizerMemoryBytesMax } from '../../src/base/limits.ts';
import { createDisassembler } from '../../src/symbolize/disassembler.ts';
import { testTool, type TestTool } from '../../test/support/tools.ts';

const program = new URL('../dist/parca-symbolizer', import.meta.url).pathname;
const disassemble = createDisassembler(runProgram, program, 'simple', symbolizerMemoryBytesMax);
const folder = mkdtempSync(join(tmpdir(), 'parca-go-assembly-'));
after(() => rmSync(folder, { recursive: true }));

const source = `package main

import (
	"fmt"
	"sort"
)

type table struct{ rows []int }

//go:noinline
func (t *table) load(n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		t.rows = append(t.rows, (i*7919)%n)
		sum += double(i)
	}
	sort.Ints(t.rows)
	return sum
}

func double(n int) int { return n * 2 }

func main() {
	t := &table{}
	fmt.Println(t.load(1000))
}
`;

interface TheirLine {
  readonly address: number;
  readonly bytes: string;
  readonly place: string;
}

/** Returns the lines of `go tool objdump` by function. */
function dump(go: string, file: string, functions: RegExp): Map<string, TheirLine[]> {
  const args = ['tool', 'objdump', '-s', functions.source, file];
  const text = execFileSync(go, args, { encoding: 'utf8', env: environment, maxBuffer: 2 ** 28 });
  const found = new Map<string, TheirLine[]>();
  let lines: TheirLine[] = [];
  for (const line of text.split('\n')) {
    const [, name] = /^TEXT (.*)\(SB\)/.exec(line) ?? [];
    if (name !== undefined) found.set(name, (lines = []));
    const [, place, address, bytes] =
      /^\s+(\S+:\d+)\t+(0x[0-9a-f]+)\t+([0-9a-f]+)\t/.exec(line) ?? [];
    if (place !== undefined) lines.push({ address: Number(address), bytes, place });
  }
  return found;
}

const environment = {
  ...process.env,
  GOENV: 'off',
  GOFLAGS: '',
  GOTOOLCHAIN: 'local',
  GO111MODULE: 'on',
};

/** Returns the program without its sections for symbols and DWARF. */
function withoutSymbols(program: Buffer): Buffer {
  const stripped = Buffer.from(program);
  const start = Number(stripped.readBigUInt64LE(40));
  const [size, count, names] = [58, 60, 62].map((at) => stripped.readUInt16LE(at));
  const strings = Number(stripped.readBigUInt64LE(start + size * names + 24));
  for (let at = start; at < start + size * count; at += size) {
    const name = strings + stripped.readUInt32LE(at);
    const text = stripped.toString('latin1', name, stripped.indexOf(0, name));
    // An entry without a name and a type does not count as a section.
    if (/^\.(symtab|z?debug_)/.test(text)) stripped.fill(0, at, at + 8);
  }
  return stripped;
}

/** Reverses the order of bytes in hexadecimal. */
function reversed(bytes: string): string {
  return Buffer.from(bytes, 'hex').reverse().toString('hex');
}

const wanted = /^(main\..*|sort\.Ints|fmt\.Fprintln|runtime\.mallocgc|runtime\.memmove)$/;

const builds: readonly {
  readonly tool: TestTool;
  readonly arch?: 'arm64';
  readonly flags?: readonly string[];
}[] = [
  { tool: 'TEST_GO' },
  { tool: 'TEST_GO', flags: ['-buildmode=pie'] },
  { tool: 'TEST_GO', arch: 'arm64' },
  { tool: 'TEST_GO_1_19' },
  { tool: 'TEST_GO_1_17' },
  { tool: 'TEST_GO_1_15' },
];

for (const [i, { tool, arch = 'amd64', flags = [] }] of builds.entries()) {
  const what = [tool, arch, ...flags].join(' ');
  test(`a stripped program has functions, code and lines: ${what}`, async () => {
    const go = testTool(tool);
    const cwd = join(folder, String(i));
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'go.mod'), 'module shop\n\ngo 1.15\n');
    writeFileSync(join(cwd, 'main.go'), source);
    const env = { ...environment, GOARCH: arch, CGO_ENABLED: '0' };
    const file = join(cwd, 'shop');
    execFileSync(go, ['build', ...flags, '-o', file, 'main.go'], { cwd, env });
    const stripped = `${file}.stripped`;
    // The binutils of this machine cannot strip programs for another architecture.
    if (arch === 'amd64') execFileSync('strip', ['-s', '-o', stripped, file]);
    else writeFileSync(stripped, withoutSymbols(readFileSync(file)));
    const theirs = dump(go, file, wanted);
    assert.ok(theirs.has('main.main') && theirs.has('runtime.mallocgc'), [...theirs.keys()].join());
    const starts = Array.from(theirs.values(), ([{ address }]) => address);
    const { signal } = new AbortController();
    const found = await disassemble({ path: stripped, namesPath: undefined }, starts, signal);
    assert.deepEqual(found.missing, []);
    const ours = new Map(found.functions.map((one) => [one.name, one]));
    assert.deepEqual([...ours.keys()].sort(), [...theirs.keys()].sort());
    let count = 0;
    for (const [name, lines] of theirs) {
      const code = ours.get(name);
      const known = new Map(code?.instructions.map((one) => [one.address, one]));
      for (const { address, bytes, place } of lines) {
        const one = known.get(address);
        // Go's disassembler knows fewer instructions. After an instruction that it does not know,
        // it continues one byte later.
        if (one === undefined || one.bytes.length > bytes.length) continue;
        // Go's disassembler prints an arm64 instruction as one number, so its bytes are in reverse
        // order.
        const theirBytes = arch === 'arm64' ? reversed(bytes) : bytes;
        assert.equal(one.bytes, theirBytes, `${name} at ${address.toString(16)}`);
        const own = one.line === 0 ? '' : `${basename(one.file)}:${one.line}`;
        assert.equal(own, place, `${name} at ${address.toString(16)}`);
        count += 1;
      }
    }
    const all = [...theirs.values()].reduce((sum, { length }) => sum + length, 0);
    assert.ok(count > 0.95 * all, `${count} of ${all} instructions`);
    const calls = ours.get('main.main')?.instructions.map(({ target }) => target);
    assert.ok(calls?.includes('main.(*table).load'), calls?.join());
  });
}
