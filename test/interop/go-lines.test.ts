// The line table of a real Go program, against Go's own reader of it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { seededRandom } from '../../src/base/random.ts';
import { AppError } from '../../src/base/errors.ts';
import { findSection, readElf, sourceOf } from '../../src/symbolize/elf-file.ts';
import { readGoLineTable } from '../../src/symbolize/go-line-table.ts';
import { rounds } from '../../src/base/testing/rounds.ts';
import { buildExample } from '../support/example-targets.ts';
import { testTool } from '../support/tools.ts';

const program = await buildExample('go');
const bytes = new Uint8Array(readFileSync(program));

test('every address has the function and the line that go tool addr2line gives it', async () => {
  const elf = await readElf(sourceOf(bytes));
  const table = await readGoLineTable(elf);
  const text = findSection(elf, '.text');
  assert.ok(table && text);
  const random = seededRandom(20);
  const addresses = Array.from(
    { length: 2_000 },
    () => text.address + (random.uint32() % text.size),
  );
  const input = addresses.map((address) => `0x${address.toString(16)}\n`).join('');
  const output = execFileSync(testTool('TEST_GO'), ['tool', 'addr2line', program], { input });
  const lines = output.toString().split('\n');
  const different: string[] = [];
  let compared = 0;
  addresses.forEach((address, i) => {
    const [functionName = '', place = ''] = lines.slice(2 * i, 2 * i + 2);
    // Padding between functions and C functions of cgo have no line in this table.
    if (functionName === '?' || /:-\d+$/.test(place) || functionName.includes('_cgo_')) return;
    const frames = table.framesAt(address);
    const ours = `${frames.at(-1)?.functionName} ${frames[0]?.fileName}:${frames[0]?.line}`;
    const theirs = `${functionName} ${place}`;
    if (ours !== theirs) different.push(`${address.toString(16)}: ${ours}, Go: ${theirs}`);
    compared += 1;
  });
  assert.ok(compared > 1_500, `${compared} addresses with lines`);
  assert.deepEqual(different, []);
  const inlined = addresses.filter((address) => table.framesAt(address).length > 1);
  assert.ok(inlined.length > 100, `${inlined.length} addresses in inlined calls`);
});

test('a damaged program is refused, or answers for what it still holds', async () => {
  const random = seededRandom(7);
  const elf = await readElf(sourceOf(bytes));
  const section = findSection(elf, '.gopclntab');
  assert.ok(section);
  let refused = 0;
  const count = rounds(100, 5_000);
  for (let round = 0; round < count; round += 1) {
    const damaged = bytes.slice();
    for (let flips = 1 + (random.uint32() % 8); flips > 0; flips -= 1) {
      const isHeader = random.uint32() % 2 === 0;
      const at = random.uint32() % (isHeader ? 72 : section.size);
      damaged[section.offset + at] = random.uint32();
    }
    try {
      const table = await readGoLineTable(await readElf(sourceOf(damaged)));
      for (let i = 0; i < 50; i += 1) table?.framesAt(0x401000 + (random.uint32() % 0x9_0000));
    } catch (error) {
      assert.ok(error instanceof AppError, `round ${round}: ${String(error)}`);
      refused += 1;
    }
  }
  assert.ok(refused > count / 10, `${refused} of ${count} refused`);
});
