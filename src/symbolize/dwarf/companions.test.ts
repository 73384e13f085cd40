// Tests of DWARF that is not in the main sections of a file: split DWARF, and DWARF that is shared
// with another file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  sharedFile,
  sharingFile,
  splitAddress,
  splitFile,
} from '../../../test/support/hostile/split-elf.ts';
import { readElf, bytesSource } from '../elf-file.ts';
import { readAlternateName } from '../debug-link.ts';
import { isSplit } from './abbreviations.ts';
import { readDwarf } from './dwarf-file.ts';
import { readSplitEntries, readSplitUnits } from './split-units.ts';

/** Returns the function name at an address, and the types of missing DWARF. */
async function nameIn(bytes: Uint8Array, other?: Uint8Array): Promise<readonly unknown[]> {
  const alternate = other && (await readElf(bytesSource(other)));
  const dwarf = await readDwarf(await readElf(bytesSource(bytes)), alternate);
  return [dwarf?.framesAt(splitAddress + 8).map(({ systemName }) => systemName), dwarf?.missing];
}

/** Returns the file with a section renamed. */
function renamed(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return new Uint8Array(
    Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to), 'latin1'),
  );
}

test('a function is found in the package of the file', async () => {
  assert.deepEqual(await nameIn(splitFile()), [['work'], new Set()]);
  const bare = renamed(splitFile(), '.debug_cu_index', '.debug_no_index');
  assert.deepEqual(await nameIn(bare), [[], new Set(['split'])]);
  const elf = await readElf(bytesSource(splitFile()));
  assert.equal(await isSplit(elf), true);
  const [unit] = await readSplitUnits(elf, 1_000);
  assert.equal(unit.splitName, 'a.dwo');
  assert.equal((await readSplitEntries(elf, unit, 1_000))?.id, unit.splitId);
});

test('a name is found in the file that is shared', async () => {
  assert.deepEqual(await nameIn(sharingFile(), sharedFile()), [['work'], new Set()]);
  assert.deepEqual(await nameIn(sharingFile()), [[''], new Set(['alternate'])]);
  const elf = await readElf(bytesSource(sharingFile()));
  assert.equal(await isSplit(elf), false);
  assert.deepEqual(await readAlternateName(elf), {
    name: 'common.debug',
    buildId: '5a'.repeat(20),
  });
});
