import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, zstdCompressSync } from 'node:zlib';
import { AppError } from '../base/errors.ts';
import { findSection, readBuildIds, readElf, readSection, bytesSource } from './elf-file.ts';
import { makeElf, makeNote, type SectionToBe } from './testing/make-elf.ts';

const content = new TextEncoder().encode('int main() { return 0; }\n'.repeat(50));

function compressed(type: number, bytes: Uint8Array, size = content.length): Uint8Array {
  const header = new Uint8Array(24);
  const view = new DataView(header.buffer);
  view.setUint32(0, type, true);
  view.setBigUint64(8, BigInt(size), true);
  return Uint8Array.from([...header, ...bytes]);
}

async function readMadeSection(section: SectionToBe, bytesMax = 1_000_000): Promise<Uint8Array> {
  const elf = await readElf(bytesSource(makeElf([section])));
  const found = findSection(elf, section.name);
  assert.ok(found);
  return readSection(elf, found, bytesMax);
}

test('sections are read, compressed ones too', async () => {
  const cases: SectionToBe[] = [
    { name: '.debug_info', type: 1, content },
    { name: '.debug_info', type: 1, flags: 0x800, content: compressed(1, deflateSync(content)) },
    {
      name: '.debug_info',
      type: 1,
      flags: 0x800,
      content: compressed(2, zstdCompressSync(content)),
    },
  ];
  for (const section of cases) assert.deepEqual(await readMadeSection(section), content);
  const size = new Uint8Array(8);
  new DataView(size.buffer).setBigUint64(0, BigInt(content.length), false);
  const old = Uint8Array.from([
    ...new TextEncoder().encode('ZLIB'),
    ...size,
    ...deflateSync(content),
  ]);
  assert.deepEqual(await readMadeSection({ name: '.zdebug_info', type: 1, content: old }), content);
});

test('a section that is not what it declares is refused by name', async () => {
  const refuse = async (section: SectionToBe, message: RegExp, bytesMax?: number): Promise<void> =>
    assert.rejects(readMadeSection(section, bytesMax), (error) => {
      assert.ok(error instanceof AppError);
      assert.match(error.message, message);
      return true;
    });
  const base = { name: '.debug_line', type: 1 };
  await refuse({ ...base, content, size: 4e9 }, /section \.debug_line has 4000000000 bytes, limit/);
  await refuse({ ...base, content, size: 90_000 }, /\.debug_line at \d+ goes past the end/);
  const bomb = compressed(1, deflateSync(new Uint8Array(1_000_000)), 5_000);
  await refuse({ ...base, flags: 0x800, content: bomb }, /\.debug_line cannot be decompressed/);
  const short = compressed(1, deflateSync(content), content.length + 9);
  await refuse({ ...base, flags: 0x800, content: short }, /does not have the 1259 bytes/);
  const huge = compressed(2, zstdCompressSync(content), 4e9);
  await refuse({ ...base, flags: 0x800, content: huge }, /has 4000000000 bytes, limit 1000000/);
  await refuse({ ...base, flags: 0x800, content: compressed(7, content) }, /compression type 7/);
});

test('build ids come from notes, GNU and Go', async () => {
  const gnu = makeNote('GNU', 3, Uint8Array.of(0xab, 0xcd, 0xef, 0x01));
  const go = makeNote('Go', 4, new TextEncoder().encode('a/b'));
  const elf = await readElf(
    bytesSource(
      makeElf([
        { name: '.note.ABI-tag', type: 7, content: makeNote('GNU', 1, new Uint8Array(16)) },
        { name: '.note.gnu.build-id', type: 7, content: gnu },
        { name: '.note.go.buildid', type: 7, content: go },
      ]),
    ),
  );
  assert.deepEqual(await readBuildIds(elf), { gnu: 'abcdef01', go: '612f62' });
});

test('a file cut off anywhere is refused or read in part, never more than that', async () => {
  const note = makeNote('GNU', 3, new Uint8Array(20));
  const whole = makeElf([
    { name: '.note.gnu.build-id', type: 7, content: note },
    { name: '.text', type: 1, content },
  ]);
  let refused = 0;
  for (let length = 0; length <= whole.length; length += 1) {
    try {
      const elf = await readElf(bytesSource(whole.slice(0, length)));
      await readBuildIds(elf);
      for (const section of elf.sections) await readSection(elf, section, 1_000_000);
    } catch (error) {
      assert.ok(error instanceof AppError, String(error));
      refused += 1;
    }
  }
  // Only the complete file includes the section table at its end.
  assert.equal(refused, whole.length);
});
