// Tests the symbolizer with files that try to crash it, to delay it, or to fill its memory. Each
// run must end within the limits.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AppError } from '../../src/base/errors.ts';
import { symbolizerCpuSecondsMax, symbolizerMemoryBytesMax } from '../../src/base/limits.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { runProgram } from '../../src/base/node/run-program.ts';
import { seededRandom } from '../../src/base/random.ts';
import { createProgramResolver } from '../../src/symbolize/program-resolver.ts';
import {
  cutOffFiles,
  harmlessFile,
  hostileAddress,
  hostileFiles,
} from '../../test/support/hostile/hostile-elf.ts';
import {
  sharedFile,
  sharingFile,
  splitAddress,
  splitFile,
} from '../../test/support/hostile/split-elf.ts';

const program = new URL('../dist/parca-symbolizer', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'parca-hostile-'));
after(() => rmSync(folder, { recursive: true }));
const resolver = createProgramResolver(runProgram, program, 'simple', createClock());
const path = join(folder, 'file');
const addresses = Array.from({ length: 200 }, (_, i) => hostileAddress + 5 * i);

/** Returns the result of the program: names, or the reason why there are none. */
async function verdictOn(bytes: Uint8Array): Promise<string> {
  writeFileSync(path, bytes);
  const source = { path, hasDwarf: true, hasGoLineTable: false, generation: 1 };
  try {
    const found = await resolver.resolve(source, addresses, new AbortController().signal);
    return `${found.filter((frames) => frames.length > 0).length} named`;
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    return error.message;
  }
}

test('the limits of the program are those that hostile files are to be held by', () => {
  // In addition, up to 20 MB of a file are in memory.
  assert.ok(symbolizerMemoryBytesMax <= 380e6, `${symbolizerMemoryBytesMax} bytes`);
  assert.ok(symbolizerCpuSecondsMax <= 10, `${symbolizerCpuSecondsMax} s`);
});

test('the file that the hostile ones are made from has names', async () => {
  assert.equal(await verdictOn(harmlessFile()), '200 named');
});

const expected = /^(\d+ named|cannot symbolize: |its limits of memory or time were reached )/;

for (const { name, make } of hostileFiles) {
  test(name, async (t) => {
    const verdict = await verdictOn(make());
    t.diagnostic(verdict);
    assert.match(verdict, expected);
  });
}

test('damaged files of split DWARF, and of DWARF that they share', async (t) => {
  const random = seededRandom(7);
  const other = join(folder, 'other');
  const verdicts = new Map<string, number>();
  const damaged = (bytes: Uint8Array): Uint8Array => {
    const changed = bytes.slice();
    // Also damages the DWARF, which is before the section headers, because damaging only headers is
    // not enough.
    for (let i = random.uint32() % 3; i > 0; i -= 1) {
      const at = 120 + (random.uint32() % 200);
      changed[Math.min(at, changed.length - 1)] = random.uint32() % 3 === 0 ? i : 0xff;
    }
    return changed;
  };
  for (let round = 0; round < 60; round += 1) {
    const isShared = round % 2 === 1;
    writeFileSync(path, damaged(isShared ? sharingFile() : splitFile()));
    writeFileSync(other, damaged(sharedFile()));
    const alternate = { name: 'other', buildId: 'ab', path: other };
    const common = { path, hasDwarf: true, hasGoLineTable: false };
    const source = isShared ? { ...common, alternate } : common;
    const { signal } = new AbortController();
    const found = resolver.resolve(source, [splitAddress + 8], signal);
    const verdict = await found.then(
      ([frames]) => `${frames.length} named`,
      (error: unknown) => (error instanceof AppError ? error.message : String(error)),
    );
    assert.match(verdict, expected);
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  }
  t.diagnostic(JSON.stringify([...verdicts]));
  assert.ok((verdicts.get('1 named') ?? 0) > 5);
});

test('a file that is cut off anywhere', async (t) => {
  const verdicts = new Map<string, number>();
  for (const { name, make } of cutOffFiles()) {
    const verdict = await verdictOn(make());
    assert.match(verdict, expected, name);
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  }
  t.diagnostic(JSON.stringify([...verdicts]));
});
