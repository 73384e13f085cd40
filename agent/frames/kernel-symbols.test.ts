import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { KernelSymbols } from './kernel-symbols.ts';

function parseSymbols(text: string): KernelSymbols {
  return new KernelSymbols(Buffer.from(text));
}

test('functions of kernel and modules are found, data is not', () => {
  const symbols = parseSymbols(
    [
      'ffffffff81000000 T _stext',
      'ffffffff81000000 T _text',
      'ffffffff81000100 t do_work',
      'ffffffff81000180 d some_data',
      'ffffffffc0000010 t nft_eval\t[nf_tables]',
      'not a line',
      '',
    ].join('\n'),
  );
  assert.equal(symbols.length, 4);
  assert.equal(symbols.find(0xffffffff80ffffffn), undefined);
  assert.deepEqual(symbols.find(0xffffffff81000000n), { name: '_stext', file: 'vmlinux' });
  assert.deepEqual(symbols.find(0xffffffff810001ffn), { name: 'do_work', file: 'vmlinux' });
  assert.deepEqual(symbols.find(0xffffffffc0000011n), { name: 'nft_eval', file: 'nf_tables' });
});

test('hidden addresses are no symbols', () => {
  const symbols = parseSymbols('0000000000000000 T _stext\n0000000000000000 t do_work\n');
  assert.equal(symbols.length, 0);
  assert.equal(symbols.find(0xffffffff81000000n), undefined);
});

test('the list of this kernel is read', () => {
  const symbols = new KernelSymbols(readFileSync('/proc/kallsyms'));
  // Users other than root see only zeros.
  if (symbols.length > 0) assert.ok(symbols.length > 1_000);
  else assert.notEqual(process.geteuid?.(), 0);
});
