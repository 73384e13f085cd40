import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cutOffFiles,
  harmlessFile,
  hostileAddress,
  hostileFiles,
} from '../../../test/support/hostile/hostile-elf.ts';
import { AppError } from '../../base/errors.ts';
import { readElf, bytesSource } from '../elf-file.ts';
import { readDwarf } from './dwarf-file.ts';

const addresses = Array.from({ length: 200 }, (_, i) => hostileAddress + 5 * i);

/**
 * Returns the number of addresses that have names and the notes about missing DWARF, or the reason
 * why there are no names.
 */
async function verdictOn(bytes: Uint8Array): Promise<string> {
  try {
    const dwarf = await readDwarf(await readElf(bytesSource(bytes)));
    if (dwarf === undefined) return 'no DWARF';
    const named = addresses.filter((address) => dwarf.framesAt(address).length > 0).length;
    return [`${named} named`, ...dwarf.missing].join(', ');
  } catch (error) {
    assert.ok(error instanceof AppError, error instanceof Error ? error.stack : String(error));
    return error.message;
  }
}

test('a file has its functions, files and lines', async () => {
  assert.equal(await verdictOn(harmlessFile()), '200 named');
});

const expected = /^(\d+ named(, damaged)?|no DWARF|cannot read .*)$/;

for (const { name, make } of hostileFiles) {
  test(`hostile: ${name}`, async (t) => {
    const before = process.cpuUsage();
    const verdict = await verdictOn(make());
    const { user, system } = process.cpuUsage(before);
    t.diagnostic(`${verdict}, ${(user + system) / 1e3} ms`);
    assert.match(verdict, expected);
    assert.ok(user + system < 30e6, `${user + system} us`);
  });
}

test('a file that is cut off anywhere', async (t) => {
  const verdicts = new Map<string, number>();
  for (const { name, make } of cutOffFiles()) {
    const verdict = await verdictOn(make());
    assert.match(verdict, expected, name);
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  }
  t.diagnostic(JSON.stringify([...verdicts].slice(0, 10)));
});
