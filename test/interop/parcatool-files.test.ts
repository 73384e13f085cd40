// Tests parcatool on files of real Go profiles, whose values are compared with the output of `go
// tool pprof`.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { startExample } from '../support/example-targets.ts';
import { runParcatool } from '../support/parcatool.ts';
import { scratchDirectory } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const testdata = new URL('../../src/formats/pprof/testdata/', import.meta.url).pathname;
const cpu = join(testdata, 'go-cpu.pb.gz');
const heap = join(testdata, 'go-heap.pb.gz');

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
/** Path of an uncompressed CPU profile of another program. */
let plain: string;

before(async () => {
  scratch = await scratchDirectory();
  plain = join(scratch.path, 'example.pb');
  const target = await startExample('go');
  const taken = await fetch(`http://${target.address}/debug/pprof/profile?seconds=2`);
  await writeFile(plain, gunzipSync(await taken.arrayBuffer()));
  await target.stop();
});

after(() => scratch.remove());

type Values = Map<string, readonly [flat: bigint, cumulative: bigint]>;

/** Returns the values of every function from `go tool pprof -top`. */
async function goTop(...args: string[]): Promise<Values> {
  const all = ['-nodecount=100000', '-nodefraction=0', '-symbolize=none'];
  const { stdout } = await promisify(execFile)(
    testTool('TEST_GO'),
    ['tool', 'pprof', '-top', ...all, ...args],
    { env: { ...process.env, PPROF_TMPDIR: scratch.path }, maxBuffer: 1 << 26 },
  );
  const values: Values = new Map();
  for (const line of stdout.split('\n')) {
    const match = /^ *(-?\d+)\D* .*?%.*?% +(-?\d+)\D* .*?% +(.*)$/.exec(line);
    if (match === null) continue;
    const name = match[3].replace(/ \((partial-)?inline\)$/, '');
    values.set(name, [BigInt(match[1]), BigInt(match[2])]);
  }
  return values;
}

async function ask(...args: string[]) {
  const { code, out, err } = await runParcatool(...args, '-o', 'json', '--top=0');
  assert.equal(err, '');
  assert.equal(code, 0);
  return JSON.parse(out);
}

interface JsonRow {
  readonly name: string;
  readonly flat: string;
  readonly cumulative: string;
}

async function ownTop(...args: string[]): Promise<Values> {
  const { functions }: { functions: readonly JsonRow[] } = await ask('top', ...args);
  return new Map(
    functions.map(({ name, flat, cumulative }) => [name, [BigInt(flat), BigInt(cumulative)]]),
  );
}

function sorted(values: Values): readonly unknown[] {
  return [...values].sort(([a], [b]) => (a < b ? -1 : 1));
}

test('top of a file is what go tool pprof says, by default and by type', async () => {
  const check = async (own: string[], go: string[], functionsMin: number): Promise<void> => {
    const values = await ownTop(...own);
    assert.ok(values.size > functionsMin, String(values.size));
    assert.deepEqual(sorted(values), sorted(await goTop(...go)));
  };
  await check([cpu], ['-unit=ns', cpu], 400);
  // The counts in a file are shown as counts.
  await check([cpu, '--query=samples'], ['-sample_index=samples', cpu], 400);
  await check([heap], ['-unit=B', heap], 3);
  await check([heap, '--query=alloc_objects'], ['-sample_index=alloc_objects', heap], 150);
  await check([plain], ['-unit=ns', plain], 1);
});

test('several files are merged', async () => {
  const merged = await ownTop(cpu, plain);
  assert.deepEqual(sorted(merged), sorted(await goTop('-unit=ns', cpu, plain)));
  const conditions = `cpu:nanoseconds{file="${plain}"}`;
  assert.deepEqual(
    sorted(await ownTop(cpu, plain, '--query', conditions)),
    sorted(await ownTop(plain)),
  );
});

test('diff of two files: differences are those of -diff_base, the rest adds up', async () => {
  const go = await goTop('-unit=ns', `-diff_base=${cpu}`, plain);
  const answer = await ask('diff', cpu, plain, '--normalize=none');
  assert.ok(answer.functions.length > 10);
  let sum = 0n;
  for (const { name, flat, cumulative } of answer.functions) {
    const differences = [BigInt(flat.difference), BigInt(cumulative.difference)];
    assert.deepEqual(differences, go.get(name) ?? [0n, 0n], name);
    sum += BigInt(flat.difference);
  }
  sum += BigInt(answer.noise.flat.difference);
  assert.equal(sum, BigInt(answer.difference));
  assert.equal(
    sum,
    [...go.values()].reduce((total, [flat]) => total + flat, 0n),
  );
});

test('files are exported as from a server', async () => {
  const file = join(scratch.path, 'merged.pb.gz');
  const { code, err } = await runParcatool('export', cpu, plain, '--output', file);
  assert.deepEqual([code, err], [0, '']);
  const [exported, originals] = [
    await goTop('-unit=ns', file),
    await goTop('-unit=ns', cpu, plain),
  ];
  assert.deepEqual(sorted(exported), sorted(originals));
  const { out } = await runParcatool('query', plain, '-o', 'collapsed');
  const total = out.match(/\d+$/gm)?.reduce((sum, value) => sum + BigInt(value), 0n);
  const { total: want } = await ask('top', plain);
  assert.equal(String(total), want);
});

test('what cannot be read is named', async () => {
  const check = async (args: string[], want: number, message: RegExp): Promise<void> => {
    const { code, err } = await runParcatool(...args);
    assert.match(err, message);
    assert.equal(code, want);
  };
  const text = join(scratch.path, 'notes.pb');
  await writeFile(text, 'no profile');
  await check(['top', 'none.pb.gz'], 3, /cannot read none\.pb\.gz: there is no such file/);
  await check(['top', cpu, 'cpu{}'], 3, /cannot read cpu\{\}: there is no such file/);
  await check(['top', text], 1, /cannot read .*notes\.pb: failed to parse profile/);
  await check(['diff', cpu], 1, /diff needs two files/);
  await check(['top', cpu, '--query=heap'], 1, /heap/);
  await check(['diff', cpu, heap], 1, /cannot compare the files: \S+go-heap\S+ has no cpu:nanosec/);
});
