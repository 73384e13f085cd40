// Tests of the real program with random requests and damaged files. Each request must get a
// response or an error.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AppError } from '../../src/base/errors.ts';
import { runProgram } from '../../src/base/node/run-program.ts';
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import { rounds } from '../../src/base/testing/rounds.ts';
import { decodeAnswer, encodeAddresses } from '../../src/symbolize/program-resolver.ts';
import { harmlessFile, hostileAddress } from '../../test/support/hostile/hostile-elf.ts';

const program = new URL('../dist/parca-symbolizer', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'parca-requests-'));
after(() => rmSync(folder, { recursive: true }));
const filePath = join(folder, 'file');
const random = seededRandom(Number(process.env['TEST_SEED'] ?? '1'));
const below = (end: number): number => randomBelow(random, end);
const whole = harmlessFile();
const mebi = 1024 ** 2;

/** Number of responses by outcome. */
const counts = new Map<string, number>();

/** Runs the program, and returns its response; undefined if it failed and reported the reason. */
async function ask(
  input: Uint8Array,
  file: Uint8Array,
  ...more: string[]
): Promise<Uint8Array | undefined> {
  writeFileSync(filePath, file);
  const mode = ['none', 'simple', 'full', 'templates'][below(4)];
  const { signal } = new AbortController();
  const limits = { millisMax: 60_000, outputBytesMax: mebi, signal };
  const programArguments = [mode, String(400 * mebi), '10', ...more];
  try {
    return await runProgram({ program, programArguments, filePath, input, ...limits });
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    assert.match(error.message, /^cannot symbolize: |^its limits of memory or time were reached /);
    return undefined;
  }
}

function randomBytes(length: number, largest: number): Uint8Array {
  return Uint8Array.from({ length }, () => below(largest + 1));
}

/** Returns the file with some bytes changed or cut off. */
function damagedFile(): Uint8Array {
  const bytes = whole.slice();
  for (let left = 1 + below(20); left > 0; left -= 1) {
    bytes[below(bytes.length)] = [0, 1, 0x7f, 0x80, 0xff, below(256)][below(6)];
  }
  return below(10) === 0 ? bytes.slice(0, below(bytes.length)) : bytes;
}

const kinds: Readonly<Record<string, () => Promise<boolean>>> = {
  async addresses() {
    const length = below(200);
    const input = randomBytes(below(2) === 0 ? length : 8 * length, 255);
    const answer = await ask(input, whole);
    assert.equal(answer === undefined, input.length % 8 !== 0);
    if (answer !== undefined) decodeAnswer(answer, input.length / 8);
    return answer !== undefined;
  },
  async names() {
    const names = Array.from({ length: below(5) }, () => {
      const name = randomBytes(below(30), 127);
      // One of eight names has a wrong length.
      const length = name.length + (below(8) === 0 ? below(5) : 0);
      return Buffer.concat([new Uint8Array(Uint32Array.of(length).buffer), name]);
    });
    const answer = await ask(Buffer.concat(names), whole, 'names');
    if (answer !== undefined) {
      decodeAnswer(answer, new DataView(answer.buffer, answer.byteOffset).getUint32(8, true));
    }
    return answer !== undefined;
  },
  async files() {
    const addresses = Array.from({ length: 50 }, () => hostileAddress + below(1_000));
    const answer = await ask(encodeAddresses(addresses), damagedFile());
    if (answer !== undefined) decodeAnswer(answer, 50);
    return answer !== undefined;
  },
};

test('random requests and damaged files get an answer or a reason', async (t) => {
  for (let round = 0; round < rounds(60, 5_000); round += 1) {
    for (const [kind, run] of Object.entries(kinds)) {
      const result = `${kind} ${(await run()) ? 'answered' : 'refused'}`;
      counts.set(result, (counts.get(result) ?? 0) + 1);
    }
  }
  t.diagnostic(JSON.stringify([...counts]));
  assert.equal(counts.size, 6);
});
