// Tests the symbolization of real C++ and Go programs: from profiles without names to inlined
// frames with lines.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { uploadDebuginfo } from '../../test/support/debuginfo-client.ts';
import { sharingFile, splitAddress } from '../../test/support/hostile/split-elf.ts';
import { connect } from '../../test/support/grpc-client.ts';
import { scratchDirectory, startServer, type TestServer } from '../../test/support/server.ts';
import {
  askStacks,
  queryParameters,
  pushUnnamed,
} from '../../test/support/profiles/unnamed-profiles.ts';

const scratch = await scratchDirectory();
after(() => scratch.remove());
const go = process.env.TEST_GO ?? 'go';
const inFolder = (name: string): string => join(scratch.path, name);
let server: TestServer;
before(async () => {
  server = await startServer({ storagePath: inFolder('data') });
});
after(() => server.stop());

/** Runs a tool in the scratch folder. */
function run(program: string, ...args: string[]): string {
  const env = { ...process.env, GO111MODULE: 'off' };
  return execFileSync(program, args, { cwd: scratch.path, env }).toString();
}

/** Returns the start of a function, from nm. */
function findAddress(file: string, symbol: RegExp): number {
  const line = run('nm', file)
    .split('\n')
    .find((one) => symbol.test(one));
  assert.ok(line, `${file} has no ${symbol}`);
  return parseInt(line, 16);
}

/** Returns the first address after `start` in an inlined call, from addr2line. */
function inlinedAddress(file: string, start: number): number {
  const addresses = Array.from({ length: 200 }, (_, i) => (start + i).toString(16));
  const blocks = run('addr2line', '-aife', file, ...addresses)
    .split(/^0x/m)
    .slice(1);
  // A block has one line with the address, then two lines per call.
  const found = blocks.find((block) => block.trim().split('\n').length === 5);
  assert.ok(found, `${file} has no inlined call`);
  return parseInt(found, 16);
}

/** Returns the lines of each location in the server's export, innermost first. */
async function exportLines(job: string): Promise<string[]> {
  const response = await fetch(`${server.url}/api/v1/export?${queryParameters(job)}&format=pprof`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { location, function: functions, stringTable } = Profile.decode(gunzipSync(bytes));
  const names = new Map(functions.map((one) => [String(one.id), one]));
  return location.flatMap(({ line }) =>
    line.map(({ functionId, line: number }) => {
      const found = names.get(String(functionId));
      const text = (index: unknown): string => stringTable.strings[Number(index)];
      return `${text(found?.name)} ${text(found?.filename).replace(/^.*\//, '')}:${number}`;
    }),
  );
}

async function upload(buildId: string, file: string): Promise<void> {
  const client = connect(server.address);
  await uploadDebuginfo(client, { buildId, hash: file, force: true }, readFileSync(inFolder(file)));
  client.close();
}

async function push(job: string, buildId: string, addresses: number[]): Promise<void> {
  const client = connect(server.address);
  await pushUnnamed(client, job, { path: `/app/${job}`, buildId, addresses });
  client.close();
}

test('C++: addresses, then symbols, then inlined frames with lines; stripped files hide nothing', async () => {
  const buildId = '11'.repeat(20);
  writeFileSync(
    inFolder('work.cpp'),
    `#include <cstdio>
static inline __attribute__((always_inline)) long mix(long a) { return a * 31 + (a >> 3); }
namespace app { struct Worker { __attribute__((noinline)) long spin(long n); }; }
long app::Worker::spin(long n) {
  long sum = n;
  for (long i = 0; i < n; i++)
    sum = mix(sum + i);
  return sum;
}
int main(int argc, char **) { app::Worker w; std::printf("%ld", w.spin(argc)); }
`,
  );
  run('g++', '-O2', '-g', `-Wl,--build-id=0x${buildId}`, '-o', 'cpp', 'work.cpp');
  run('strip', '--strip-debug', '-o', 'cpp.symbols', 'cpp');
  run('strip', '-o', 'cpp.stripped', 'cpp');
  const address = inlinedAddress('cpp', findAddress('cpp', / T _ZN3app6Worker4spinEl$/));
  await push('cpp', buildId, [address]);
  const before = await askStacks(server.url, 'cpp');
  assert.equal(before.text, `0x${address.toString(16)} (cpp) 7`);
  assert.match(before.warnings.join(), /^the name of 1 address in cpp is missing .*no debug info/);

  await upload(buildId, 'cpp.symbols');
  assert.equal((await askStacks(server.url, 'cpp')).text, 'app::Worker::spin 7');
  await upload(buildId, 'cpp.stripped');
  assert.equal((await askStacks(server.url, 'cpp')).text, 'app::Worker::spin 7');
  await upload(buildId, 'cpp');
  assert.deepEqual(await askStacks(server.url, 'cpp'), {
    text: 'app::Worker::spin;mix 7',
    warnings: [],
  });
  const lines = await exportLines('cpp');
  assert.deepEqual(lines, ['mix work.cpp:2', 'app::Worker::spin work.cpp:7']);
});

/** Uploads with parcatool; returns its output. */
function parcatool(...args: string[]): string {
  const main = new URL('../../cmd/parcatool/main.ts', import.meta.url).pathname;
  const address = [`--store-address=${server.address}`, '--insecure'];
  return run(process.execPath, main, 'debuginfo', 'upload', ...args, ...address);
}

test('split DWARF: without its parts functions come from symbols; parcatool uploads them', async () => {
  const buildId = '33'.repeat(20);
  const note = `-Wl,--build-id=0x${buildId}`;
  run('g++', '-O2', '-g', '-gsplit-dwarf', note, '-o', 'split', 'work.cpp');
  run('g++', '-O2', '-g', note, '-o', 'unsplit', 'work.cpp');
  const address = inlinedAddress('unsplit', findAddress('unsplit', / T _ZN3app6Worker4spinEl$/));
  await push('split', buildId, [address]);
  const [part] = readdirSync(scratch.path).filter((name) => name.endsWith('.dwo'));
  await assert.rejects(upload(buildId, part), /parcatool debuginfo upload PROGRAM takes it along/);
  const refused = await askStacks(server.url, 'split');
  assert.equal(refused.text, `0x${address.toString(16)} (split) 7`);
  assert.match(refused.warnings.join(), /upload.* was refused: cannot keep a file of split DWARF/);

  run('mv', part, 'elsewhere');
  assert.match(
    parcatool('split'),
    /, without split DWARF that is missing: \/.*\/split-work\.dwo\n$/,
  );
  assert.deepEqual(await askStacks(server.url, 'split'), {
    text: 'app::Worker::spin 7',
    warnings: [
      'lines of split are missing (its split DWARF is missing: upload the program again with ' +
        'parcatool debuginfo upload, where its .dwp file or its .dwo files are)',
    ],
  });
  assert.deepEqual(await exportLines('split'), ['app::Worker::spin :0']);

  run('mv', 'elsewhere', part);
  assert.throws(() => parcatool(part), /it is split DWARF, which goes with its program/);
  assert.match(
    parcatool('split'),
    /^uploaded split as debuginfo of .*, with \/.*split-work\.dwo\n$/,
  );
  assert.deepEqual(await askStacks(server.url, 'split'), {
    text: 'app::Worker::spin;mix 7',
    warnings: [],
  });
  assert.deepEqual(await exportLines('split'), ['mix work.cpp:2', 'app::Worker::spin work.cpp:7']);
  // Now nothing is missing.
  assert.match(parcatool('split'), /^not uploaded: split: a file is there already\n$/);
});

test('DWARF that files share: names come when the other file does', async () => {
  const buildId = '44'.repeat(20);
  for (const name of ['shared', 'other']) {
    const id = name === 'shared' ? buildId : '45'.repeat(20);
    run('g++', '-O2', '-g', `-Wl,--build-id=0x${id}`, '-o', name, 'work.cpp');
  }
  run('cp', 'shared', 'unshared');
  run(process.env['TEST_DWZ'] ?? 'dwz', '-m', 'common.debug', 'shared', 'other');
  const address = inlinedAddress('unshared', findAddress('unshared', / T _ZN3app6Worker4spinEl$/));
  await push('shared', buildId, [address]);
  run('mv', 'common.debug', 'moved');
  const [, sharedId] = /Build ID: ([0-9a-f]+)/.exec(run('readelf', '-n', 'moved')) ?? [];
  const printed = parcatool('shared');
  assert.match(
    printed,
    /^uploaded shared .*\nshared shares DWARF with .*common\.debug \(build id /,
  );
  const missing =
    `(a part of its DWARF is in the file common.debug, build id ${sharedId}, ` +
    'which is missing: upload that file with parcatool debuginfo upload)';
  assert.deepEqual(await askStacks(server.url, 'shared'), {
    text: 'app::Worker::spin 7',
    warnings: [`lines of shared are missing ${missing}`],
  });

  run('mv', 'moved', 'common.debug');
  const both = new RegExp(
    `^not uploaded: shared: .*\nuploaded .*common\\.debug as debuginfo of ${sharedId}, `,
  );
  assert.match(parcatool('shared'), both);
  assert.deepEqual(await askStacks(server.url, 'shared'), {
    text: 'app::Worker::spin;mix 7',
    warnings: [],
  });
  assert.deepEqual(await exportLines('shared'), ['mix work.cpp:2', 'app::Worker::spin work.cpp:7']);
});

test('a server fetches a file, and the one that it shares DWARF with, from another server', async () => {
  const other = await startServer({
    storagePath: inFolder('fetched'),
    flags: [`--debuginfod-upstream-servers=${server.url}`],
  });
  const client = connect(other.address);
  try {
    const address = inlinedAddress(
      'unshared',
      findAddress('unshared', / T _ZN3app6Worker4spinEl$/),
    );
    const buildId = '44'.repeat(20);
    await pushUnnamed(client, 'shared', { path: '/app/shared', buildId, addresses: [address] });
    assert.deepEqual(await askStacks(other.url, 'shared'), {
      text: 'app::Worker::spin;mix 7',
      warnings: [],
    });
    // The file with shared DWARF is not on any server; queries do not wait for it.
    const lacking = { buildId: 'abcdef00', hash: 'h', force: true };
    await uploadDebuginfo(client, lacking, sharingFile());
    const stack = { path: '/app/lacking', buildId: 'abcdef00', addresses: [splitAddress + 8] };
    await pushUnnamed(client, 'lacking', stack);
    const start = performance.now();
    const { warnings } = await askStacks(other.url, 'lacking');
    assert.match(warnings.join(), /file common\.debug, build id (5a)+, which is missing/);
    assert.ok(performance.now() - start < 30_000, 'it waits');
  } finally {
    client.close();
    await other.stop();
  }
});

test('Go: a stripped program has inlined frames with lines', async () => {
  const buildId = '22'.repeat(20);
  writeFileSync(
    inFolder('work.go'),
    `package main

func mix(a int) int { return a*31 + a>>3 }

//go:noinline
func spin(n int) int {
	sum := n
	for i := 0; i < n; i++ {
		sum = mix(sum + i)
	}
	return sum
}

func main() { println(spin(7)) }
`,
  );
  const flags = (strip: string): string => `-ldflags=${strip} -B 0x${buildId}`;
  run(go, 'build', flags(''), '-o', 'go-program', 'work.go');
  run(go, 'build', flags('-s -w'), '-o', 'go-stripped', 'work.go');
  // addr2line does not find Go's inlined calls, but Go's own tool prints the lines of instructions.
  const listing = run(go, 'tool', 'objdump', '-s', 'main.spin', 'go-program');
  const [, digits] = /work\.go:3\s+0x([0-9a-f]+)/.exec(listing) ?? [];
  assert.ok(digits, listing);
  const address = parseInt(digits, 16);
  await push('go', buildId, [address]);
  await upload(buildId, 'go-stripped');
  assert.equal((await askStacks(server.url, 'go')).text, 'main.spin;main.mix 7');
  const lines = ['main.mix work.go:3', 'main.spin work.go:9'];
  assert.deepEqual(await exportLines('go'), lines);
  await upload(buildId, 'go-program');
  assert.equal((await askStacks(server.url, 'go')).text, 'main.spin;main.mix 7');
  assert.deepEqual(await exportLines('go'), lines);
});
