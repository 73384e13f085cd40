// Extracts debug information of the running Node, and reads it with the server's parsers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findSection,
  readBuildIds,
  readElf,
  sectionTypeNoBits,
  bytesSource,
} from '../../src/symbolize/elf-file.ts';
import { readFunctionSymbols } from '../../src/symbolize/elf-symbols.ts';
import { makeElf } from '../../src/symbolize/testing/make-elf.ts';
import { openRegularFile } from '../files/open-file.ts';
import { extractDebuginfo, isUseful } from './extract.ts';

test('the extract of Node names what the whole file names, at a third of its size', async () => {
  const opened = openRegularFile(process.execPath);
  assert.ok(opened !== undefined);
  const whole = await readElf(opened.file);
  assert.equal(isUseful(whole), true);
  const extract = await extractDebuginfo(whole);
  assert.ok(extract !== undefined);
  const pieces: Uint8Array[] = [];
  for await (const piece of extract.pieces()) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  assert.equal(bytes.length, extract.size);
  assert.ok(bytes.length < opened.file.size / 3, `${bytes.length} of ${opened.file.size}`);
  const elf = await readElf(bytesSource(bytes));
  assert.equal(elf.sections.length, whole.sections.length);
  assert.deepEqual(await readBuildIds(elf), await readBuildIds(whole));
  assert.equal(elf.sections.find(({ name }) => name === '.text')?.type, sectionTypeNoBits);
  assert.deepEqual(
    elf.segments.filter(({ type }) => type === 1).map(({ address }) => address),
    whole.segments.filter(({ type }) => type === 1).map(({ address }) => address),
  );
  const [before, after] = [await readFunctionSymbols(whole), await readFunctionSymbols(elf)];
  assert.ok(before !== undefined && after !== undefined);
  assert.equal(after.length, before.length);
  const text = findSection(whole, '.text');
  assert.ok(text !== undefined);
  for (let at = text.address; at < text.address + text.size; at += 65_537) {
    assert.equal(after.findName(at), before.findName(at));
  }
  opened.close();
});

test('a file without symbols is useless', async () => {
  const elf = await readElf(bytesSource(makeElf([])));
  assert.equal(isUseful(elf), false);
});

test('sections that are larger than their file are refused', async () => {
  const content = new Uint8Array(4_000);
  const elf = makeElf([{ name: '.debug_info', type: 1, content }]);
  // Size field of the first section header after the empty one.
  const headers = Number(new DataView(elf.buffer).getBigUint64(40, true));
  for (const size of [4_000n, 5_000n, 2n ** 40n]) {
    new DataView(elf.buffer).setBigUint64(headers + 64 + 32, size, true);
    const extract = extractDebuginfo(await readElf(bytesSource(elf)));
    if (size === 4_000n) assert.ok(((await extract)?.size ?? 0) < elf.length + 8);
    else await assert.rejects(extract, /section \.debug_info is outside of the file/);
  }
  const twice = makeElf([
    { name: '.debug_info', type: 1, content },
    { name: '.debug_line', type: 1, content: new Uint8Array(1) },
  ]);
  const view = new DataView(twice.buffer);
  const table = Number(view.getBigUint64(40, true));
  for (const at of [24, 32]) {
    view.setBigUint64(table + 2 * 64 + at, view.getBigUint64(table + 64 + at, true), true);
  }
  await assert.rejects(
    extractDebuginfo(await readElf(bytesSource(twice))),
    /section \.debug_line .* in another one/,
  );
});
