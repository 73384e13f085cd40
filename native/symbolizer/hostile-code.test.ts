// Tests disassembly with files, symbols and addresses from attackers. Each run must end within the
// limits, and its instructions must be inside the code.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AppError } from '../../src/base/errors.ts';
import { symbolizerMemoryBytesMax } from '../../src/base/limits.ts';
import { runProgram } from '../../src/base/node/run-program.ts';
import { type Random, randomBelow, seededRandom } from '../../src/base/random.ts';
import { rounds, testSeed } from '../../src/base/testing/rounds.ts';
import { createDisassembler, type Disassembly } from '../../src/symbolize/disassembler.ts';
import { makeElf, makeSymbols, type SymbolToBe } from '../../src/symbolize/testing/make-elf.ts';

const program = new URL('../dist/parca-symbolizer', import.meta.url).pathname;
const disassemble = createDisassembler(runProgram, program, 'simple', symbolizerMemoryBytesMax);
const folder = mkdtempSync(join(tmpdir(), 'parca-hostile-code-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'file');
const { signal } = new AbortController();

const textAddress = 0x40_1000;
/** Flags of a section that contains code: it is loaded into memory and executable. */
const codeFlags = 6;

function programOf(code: Uint8Array, symbols: readonly SymbolToBe[]): Uint8Array {
  const text = { name: '.text', type: 1, flags: codeFlags, address: textAddress, content: code };
  return makeElf([text, ...makeSymbols('.symtab', 2, symbols)]);
}

function read(bytes: Uint8Array, addresses: readonly number[]): Promise<Disassembly> {
  writeFileSync(path, bytes);
  return disassemble({ path, namesPath: undefined }, addresses, signal);
}

/** Checks that instructions follow one another without gaps, and are inside their function. */
function checkCode({ functions }: Disassembly): void {
  for (const { start, end, instructions, cutBytes } of functions) {
    let at = start;
    for (const { address, bytes } of instructions) {
      assert.equal(address, at);
      assert.match(bytes, /^([0-9a-f]{2}){1,15}$/);
      at += bytes.length / 2;
    }
    assert.ok(at <= end && cutBytes >= 0, `${at} is after ${end}`);
  }
}

function randomBytes(random: Random, length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, () => randomBelow(random, 256));
}

test('any bytes are instructions, or are said to be bad', async () => {
  const random = seededRandom(testSeed());
  // The code consists of endless prefixes, of the longest instruction, or of instructions that are
  // cut off.
  const codes = [0x66, 0xf0, 0x0f, 0xc4, 0x62, 0xff, 0xe8].map((byte) =>
    new Uint8Array(200).fill(byte),
  );
  for (let i = 0; i < rounds(20, 400); i += 1) codes.push(randomBytes(random, 300));
  for (const code of codes) {
    const symbols = [{ name: 'main', address: textAddress, size: code.length }];
    const found = await read(programOf(code, symbols), [textAddress + 5]);
    checkCode(found);
    const [{ instructions }] = found.functions;
    const all = instructions.map(({ bytes }) => bytes).join('');
    assert.equal(all, Buffer.from(code).toString('hex'));
  }
});

test('a huge function is cut, and one past the end of its file has what is there', async () => {
  // All instructions have two bytes.
  const code = Uint8Array.from({ length: 100_000 }, (_, i) => (i % 2 === 0 ? 0x66 : 0x90));
  for (const size of [2 ** 48, 2 ** 52, 100_000]) {
    const symbols = [{ name: 'huge', address: textAddress, size }];
    const found = await read(programOf(code, symbols), [textAddress + 99_999, 2 ** 45]);
    checkCode(found);
    assert.equal(found.functions[0].instructions.length, 32_768);
    assert.equal(found.functions[0].cutBytes, size - 65_536);
  }
  const past = [{ name: 'past', address: textAddress + 99_990, size: 1_000 }];
  const found = await read(programOf(code, past), [textAddress + 99_995]);
  assert.equal(found.functions[0].instructions.length, 5);
});

test('addresses outside of all functions, and functions outside of the code', async () => {
  const code = new Uint8Array(64).fill(0x90);
  const symbols = [
    { name: 'main', address: textAddress, size: 64 },
    { name: 'nowhere', address: 0x90_0000, size: 64 },
    { name: 'last', address: 2 ** 53 - 64, size: 1_000 },
  ];
  const outside = [0, 1, textAddress - 1, textAddress + 64, 2 ** 47, Number.MAX_SAFE_INTEGER];
  const found = await read(programOf(code, symbols), [...outside, 0x90_0001, textAddress]);
  checkCode(found);
  assert.deepEqual(
    found.functions.map(({ name, instructions }) => [name, instructions.length]),
    [
      ['main', 64],
      ['nowhere', 0],
      ['last', 0],
    ],
  );
  assert.ok(found.missing.includes('the file has no code at 0x900000'), found.missing.join());
  assert.ok(found.missing.includes('no function is known at 0x401040'), found.missing.join());
});

test('many functions, many addresses, and names with separators', async () => {
  const count = 3_000;
  const code = new Uint8Array(16 * count).fill(0x90);
  const symbols = Array.from({ length: count }, (_, i) => ({
    name: `f${i}\tI\t0\n\rF\t1\t2\t${'x'.repeat(i % 7 === 0 ? 3_000 : 3)}`,
    address: textAddress + 16 * i,
    size: 16,
  }));
  const addresses = Array.from({ length: 60_000 }, (_, i) => textAddress + (i % (16 * count)));
  const found = await read(programOf(code, symbols), addresses);
  checkCode(found);
  assert.equal(found.functions.length, 64);
  assert.deepEqual(found.missing, ['2936 more functions are left out']);
  for (const { name } of found.functions) assert.ok(!/[\t\n\r]/.test(name) && name.length <= 500);
});

test('damaged programs give code or a reason', async (t) => {
  const seed = testSeed();
  const random = seededRandom(seed);
  // The symbolizer itself is used as the file: an ELF file with code, symbols and perhaps DWARF.
  const whole = new Uint8Array(readFileSync(program));
  const symbols = Array.from({ length: 20 }, (_, i) => ({
    name: `f${i}`,
    address: textAddress + 50 * i,
    size: 50,
  }));
  const small = programOf(randomBytes(random, 1_000), symbols);
  const verdicts = new Map<string, number>();
  for (let round = 0; round < rounds(60, 1_500); round += 1) {
    const isSmall = round % 4 !== 0;
    const damaged = (isSmall ? small : whole).slice(0, isSmall ? undefined : 3_000_000);
    for (let i = 0; i < 1 + randomBelow(random, 20); i += 1) {
      const headers = randomBelow(random, 2) === 0 ? 64 : damaged.length;
      const from = isSmall && randomBelow(random, 2) === 0 ? damaged.length - 400 : 0;
      const at = Math.min(damaged.length - 1, from + randomBelow(random, headers));
      damaged[at] = [0, 1, 0x7f, 0x80, 0xff, randomBelow(random, 256)][randomBelow(random, 6)];
    }
    const addresses = Array.from({ length: 30 }, () => textAddress + randomBelow(random, 2_000));
    const verdict = await read(damaged, addresses).then(
      (found) => {
        checkCode(found);
        return found.functions.length > 0 ? 'code' : 'nothing';
      },
      (error: unknown) => {
        assert.ok(error instanceof AppError, `TEST_SEED=${seed}: ${String(error)}`);
        return error.code;
      },
    );
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  }
  t.diagnostic(JSON.stringify([...verdicts]));
  const known = ['code', 'nothing', 'invalid-argument', 'resource-exhausted', 'data-loss'];
  assert.deepEqual(
    [...verdicts.keys()].filter((one) => !known.includes(one)),
    [],
  );
  assert.ok((verdicts.get('code') ?? 0) > 0);
});
