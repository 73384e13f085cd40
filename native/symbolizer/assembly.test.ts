// Tests the instructions of functions in uploaded programs, over HTTP. They must match the output
// of objdump (binutils), and have the values of the pushed addresses.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { uploadDebuginfo } from '../../test/support/debuginfo-client.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../../test/support/grpc-client.ts';
import { scratchDirectory, startServer } from '../../test/support/server.ts';
import { encodeStack, firstTimeNanos, pushedRange } from './testing/doors.ts';
import { addressesInFile, buildPlaces, type PlacesProgram, runPlaces } from './testing/places.ts';

interface UploadedProgram extends PlacesProgram {
  readonly isStripped: boolean;
  /** True if nothing is uploaded but the stripped program. */
  readonly isAlone?: boolean;
}

const builds: readonly UploadedProgram[] = [
  { name: 'gcc PIE', language: 'c', flags: [], isStripped: false },
  // This build differs from the others, so that its build id is new.
  { name: 'gcc stripped', language: 'c', flags: ['-O2'], isStripped: true },
  { name: 'gcc not PIE', language: 'c', flags: ['-no-pie'], isStripped: false },
  { name: 'rustc PIE', language: 'rust', flags: [], isStripped: false },
  { name: 'go not PIE', language: 'go', flags: [], isStripped: false },
  // The functions and lines of this program are in Go's own table.
  { name: 'go stripped, alone', language: 'go', flags: [], isStripped: true, isAlone: true },
];

const scratch = await scratchDirectory();
after(() => scratch.remove());
const server = await startServer({ storagePath: join(scratch.path, 'data') });
after(() => server.stop());
const client = connect(server.address);
after(() => client.close());

/** The parts of the answer that are compared. */
interface Assembly {
  readonly buildId: string;
  readonly functions: readonly {
    readonly name: string;
    readonly address: string;
    readonly instructions: readonly {
      readonly address: string;
      readonly bytes: string;
      readonly text: string;
      readonly line: number;
      readonly flat: string;
      readonly cumulative: string;
    }[];
  }[];
  readonly message?: string;
  /** Base of a comparison; null if it has no code. */
  readonly base?: Assembly | null;
  readonly warnings: readonly string[];
}

const raw = 'raw:samples:count:cpu:nanoseconds:delta';

async function ask(job: string, name: string, query?: string): Promise<Assembly> {
  const wait = { 'symbolizer-wait': '60' };
  const asked = { query: query ?? `${raw}{job="${job}"}`, function: name };
  const parameters = new URLSearchParams({ ...asked, ...pushedRange, ...wait });
  const response = await fetch(`${server.url}/api/v1/assembly?${parameters}`);
  return (await response.json()) as Assembly;
}

/** Returns objdump's lines by address: bytes and mnemonic. */
function dump(file: string): ReadonlyMap<string, string> {
  const output = execFileSync('objdump', ['-d', '-w', '-M', 'intel', file], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const lines = output.matchAll(/^\s*([0-9a-f]+):\t([0-9a-f ]+)\t(.*)$/gm);
  return new Map(
    [...lines].map(([, address, bytes, text]) => [
      `0x${address}`,
      `${bytes.replaceAll(' ', '')} ${mnemonic(text)}`,
    ]),
  );
}

/** Prefixes that only one of the two disassemblers prints as separate words. */
const prefix = /^((data16|cs|ds|es|ss|bnd|notrack|rex\S*|lock|repz?|repnz)\s+)+/;
/** Mnemonics of objdump, with our mnemonics for the same instructions. */
const sameNames: Readonly<Record<string, string>> = { movabs: 'mov', movsb: 'movs', stosq: 'stos' };

function mnemonic(text: string): string {
  const [name] = text.replace(prefix, '').split(/\s+/);
  return sameNames[name] ?? name;
}

for (const [i, build] of builds.entries()) {
  test(`${build.name}: instructions of objdump, with values where samples are`, async () => {
    const folder = join(scratch.path, `build-${i}`);
    mkdirSync(folder);
    const built = buildPlaces(folder, build);
    const run = runPlaces(built);
    const { file, buildId } = built;
    const stack = { file, buildId, range: run.code, timeNanos: firstTimeNanos };
    const job = `job-${i}`;
    // The innermost address gets the value of the stack.
    const pushed = encodeStack({ ...stack, addresses: run.places });
    await unary(client, writeRawPath, writeRawRequest({ __name__: 'raw', job }, pushed));
    const [debug, stripped] = [`${file}.debug`, `${file}.stripped`];
    execFileSync('objcopy', ['--only-keep-debug', file, debug]);
    execFileSync('strip', ['-o', stripped, file]);
    const send = (path: string, type: number): Promise<void> =>
      uploadDebuginfo(client, { buildId, hash: path, force: true, type }, readFileSync(path));
    if (build.isAlone === true) await send(stripped, 1);
    else await send(build.isStripped ? debug : file, 0);
    const inFile = addressesInFile(built, run);
    const [innermost] = inFile;
    const name = await nameAt(job, innermost);
    if (build.isStripped && build.isAlone !== true) {
      const refused = await ask(job, name);
      assert.match(refused.message ?? '', /^cannot disassemble build id \w+: the file has no code/);
      await send(stripped, 1);
    }
    const answer = await ask(job, name);
    assert.equal(answer.message, undefined);
    assert.equal(answer.buildId, buildId);
    const theirs = dump(file);
    let flat = 0n;
    let count = 0;
    for (const { instructions } of answer.functions) {
      for (const one of instructions) {
        count += 1;
        assert.equal(`${one.bytes} ${mnemonic(one.text)}`, theirs.get(one.address), one.address);
        flat += BigInt(one.flat);
        const length = one.bytes.length / 2;
        const from = Number(one.address);
        const isIn = inFile.some((address) => from <= address && address < from + length);
        // Other functions of the stack may also have been inlined into this code.
        assert.ok(isIn || one.cumulative === '0', one.address);
      }
    }
    assert.ok(count > 3, `${count} instructions`);
    assert.equal(flat, 1n);
    assert.ok(answer.functions[0].instructions.some(({ line }) => line > 0));
  });
}

/** Returns the function name that the server finds for an address, from a collapsed export. */
async function nameAt(job: string, address: number): Promise<string> {
  const query = `${raw}{job="${job}"}`;
  const wait = { 'symbolizer-wait': '60' };
  const parameters = new URLSearchParams({ query, ...pushedRange, ...wait, format: 'collapsed' });
  const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
  const text = await response.text();
  const found = /^(.*) 1$/m.exec(text)?.[1].split(';').at(-1);
  assert.ok(found, `no function at ${address}: ${text}`);
  return found;
}

test('what has no code is an error that says why', async () => {
  const unknown = await ask('job-0', 'no_such_function');
  assert.match(unknown.message ?? '', /no profile of the selection has it/);
});

test('a comparison has the code of both sides, each of its own build', async () => {
  const sides = (base: string, compared: string): string =>
    `diff(${raw}{job="${base}"}, ${raw}{job="${compared}"})`;
  const [older, newer] = [await ask('job-0', 'inner'), await ask('job-2', 'inner')];
  const { base, ...compared } = await ask('', 'inner', sides('job-0', 'job-2'));
  assert.notEqual(older.buildId, newer.buildId);
  assert.deepEqual(compared, newer);
  const { warnings: _, ...ofBase } = older;
  assert.deepEqual(base, ofBase);
  // Programs of Go have no function of this name.
  const added = await ask('', 'inner', sides('job-4', 'job-2'));
  assert.deepEqual([added.functions, added.base], [newer.functions, null]);
  assert.match(added.warnings.join(), /^base: cannot disassemble "inner": no profile/);
  const removed = await ask('', 'inner', sides('job-2', 'job-4'));
  assert.deepEqual([removed.functions, removed.base?.functions], [[], newer.functions]);
  assert.match(removed.warnings.join(), /^compared side: cannot disassemble "inner"/);
  const neither = await ask('', 'no_such_function', sides('job-0', 'job-2'));
  assert.match(neither.message ?? '', /no profile of the selection has it/);
});
