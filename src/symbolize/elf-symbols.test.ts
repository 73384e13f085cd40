import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readElf, bytesSource } from './elf-file.ts';
import { type FunctionSymbols, readFunctionSymbols } from './elf-symbols.ts';
import { makeElf, makeSymbols, type SymbolToBe } from './testing/make-elf.ts';

async function readSymbols(symbols: readonly SymbolToBe[]): Promise<FunctionSymbols> {
  const elf = await readElf(bytesSource(makeElf(makeSymbols('.symtab', 1, symbols))));
  const found = await readFunctionSymbols(elf);
  assert.ok(found);
  return found;
}

test('an address belongs to the function that covers it', async () => {
  const symbols = await readSymbols([
    { name: 'second', address: 0x2000, size: 0x10 },
    { name: 'first', address: 0x1000, size: 0x20 },
  ]);
  const check = (address: number, want: string | undefined): void =>
    assert.equal(symbols.findName(address), want, address.toString(16));
  check(0xfff, undefined);
  check(0x1000, 'first');
  check(0x101f, 'first');
  check(0x1020, undefined);
  check(0x2008, 'second');
});

test('of several names the one that people know is given', async () => {
  const symbols = await readSymbols([
    { name: '__libc_malloc', address: 0x1000, size: 8 },
    { name: 'malloc', address: 0x1000, size: 8 },
    { name: 'malloc_weak', address: 0x1000, size: 8, binding: 2 },
    { name: 'malloc_local', address: 0x1000, size: 0, binding: 0 },
  ]);
  assert.equal(symbols.findName(0x1004), 'malloc');
  assert.equal(symbols.length, 1);
});

test('a function without a size reaches to the next one', async () => {
  const symbols = await readSymbols([
    { name: '_start', address: 0x1000, size: 0 },
    { name: 'main', address: 0x1100, size: 4 },
    { name: 'last', address: 0x1200, size: 0 },
  ]);
  assert.equal(symbols.findName(0x10ff), '_start');
  assert.equal(symbols.findName(0x1104), undefined);
  assert.equal(symbols.findName(0x9_0000), 'last');
  assert.equal(symbols.findName(0x10_0000), undefined);
});

test('a file without .symtab is read by .dynsym; one with neither has no functions', async () => {
  const dynamic = makeElf(makeSymbols('.dynsym', 1, [{ name: 'open', address: 16, size: 4 }]));
  const found = await readFunctionSymbols(await readElf(bytesSource(dynamic)));
  assert.equal(found?.findName(18), 'open');
  const none = makeElf([{ name: '.text', type: 1, content: new Uint8Array(8) }]);
  assert.equal(await readFunctionSymbols(await readElf(bytesSource(none))), undefined);
});

test('the functions of a real program are found', async () => {
  const elf = await readElf(bytesSource(readFileSync(process.execPath)));
  const symbols = await readFunctionSymbols(elf);
  assert.ok(symbols && symbols.length > 10_000, `${symbols?.length} functions`);
});
