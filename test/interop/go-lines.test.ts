// Compares our reader of Go's line tables with Go's own reader on a real Go program, which is built
// with four versions of Go for the four layouts of the table.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { seededRandom } from '../../src/base/random.ts';
import { AppError } from '../../src/base/errors.ts';
import { findSection, readElf, bytesSource } from '../../src/symbolize/elf-file.ts';
import { readGoLineTable } from '../../src/symbolize/go-line-table.ts';
import { rounds } from '../../src/base/testing/rounds.ts';
import { buildExample } from '../support/example-targets.ts';
import { testTool } from '../support/tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'parca-go-lines-'));
after(() => rmSync(folder, { recursive: true }));
const newest = await buildExample('go');
const bytes = new Uint8Array(readFileSync(newest));

/** Builds the example with an older Go. */
function buildWith(go: string): string {
  const path = join(folder, 'example');
  const cwd = new URL('../../examples/targets/go/', import.meta.url).pathname;
  execFileSync(go, ['build', '-o', path, 'main.go'], { cwd, env: olderGoEnvironment() });
  return path;
}

/** Returns the environment without settings that only newer versions of Go know. */
function olderGoEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, GOENV: 'off', GOFLAGS: '', GOTOOLCHAIN: 'local' };
}

for (const [tool, inlinedMin] of [
  ['TEST_GO', 100],
  ['TEST_GO_1_15', 100],
  ['TEST_GO_1_17', 100],
  ['TEST_GO_1_19', 100],
] as const) {
  test(`every address has the function and the line of addr2line: ${tool}`, async () => {
    const go = testTool(tool);
    const program = tool === 'TEST_GO' ? newest : buildWith(go);
    await compareLines(program, go, inlinedMin);
  });
}

async function compareLines(program: string, go: string, inlinedMin: number): Promise<void> {
  const elf = await readElf(bytesSource(new Uint8Array(readFileSync(program))));
  const table = await readGoLineTable(elf);
  const text = findSection(elf, '.text');
  assert.ok(table && text);
  const random = seededRandom(20);
  const addresses = Array.from(
    { length: 2_000 },
    () => text.address + (random.uint32() % text.size),
  );
  const input = addresses.map((address) => `0x${address.toString(16)}\n`).join('');
  const env = go === testTool('TEST_GO') ? process.env : olderGoEnvironment();
  const output = execFileSync(go, ['tool', 'addr2line', program], { input, env });
  const lines = output.toString().split('\n');
  const different: string[] = [];
  let compared = 0;
  addresses.forEach((address, i) => {
    const [functionName = '', place = ''] = lines.slice(2 * i, 2 * i + 2);
    // Padding between functions, and C functions of cgo, have no line in this table.
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
  assert.ok(inlined.length >= inlinedMin, `${inlined.length} addresses in inlined calls`);
}

test('a damaged program is refused, or answers for what it still holds', async () => {
  const random = seededRandom(7);
  const elf = await readElf(bytesSource(bytes));
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
      const table = await readGoLineTable(await readElf(bytesSource(damaged)));
      for (let i = 0; i < 50; i += 1) table?.framesAt(0x401000 + (random.uint32() % 0x9_0000));
    } catch (error) {
      assert.ok(error instanceof AppError, `round ${round}: ${String(error)}`);
      refused += 1;
    }
  }
  assert.ok(refused > count / 10, `${refused} of ${count} refused`);
});
