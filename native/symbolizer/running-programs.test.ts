// Tests that addresses of running programs get the functions and lines that addr2line returns. This
// must hold for twelve builds, at any load address, with each protocol of the server, and in the
// first query.
//
// Each program prints addresses in its code, and its mappings. Profiles of two runs are pushed,
// once with the mapping of the code, and once with a single mapping of the whole file, as some
// profilers send it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { uploadDebuginfo } from '../../test/support/debuginfo-client.ts';
import { connect } from '../../test/support/grpc-client.ts';
import { scratchDirectory, startServer } from '../../test/support/server.ts';
import {
  doors,
  firstTimeNanos,
  encodeStack,
  pushedRange,
  type ProcessStack,
} from './testing/doors.ts';
import {
  addressesInFile,
  buildPlaces,
  type BuiltProgram,
  callsAt,
  type PlacesProgram,
  runPlaces,
} from './testing/places.ts';

/**
 * Files of a program that are uploaded: the whole file, only debug information, or debug
 * information and a stripped program.
 */
type Uploaded = 'whole' | 'debug' | 'both';

const together = ['-Wl,-z,noseparate-code'];
const largePages = ['-Wl,-z,max-page-size=65536'];
const builds: readonly (PlacesProgram & { readonly uploaded: Uploaded })[] = [
  { name: 'gcc PIE', language: 'c', flags: [], uploaded: 'whole' },
  { name: 'gcc PIE, one segment', language: 'c', flags: together, uploaded: 'debug' },
  { name: 'gcc static PIE', language: 'c', flags: ['-static-pie'], uploaded: 'debug' },
  { name: 'gcc library', language: 'c', flags: [], isLibrary: true, uploaded: 'both' },
  { name: 'gcc not PIE', language: 'c', flags: ['-no-pie'], uploaded: 'debug' },
  {
    name: 'clang PIE, 64 KiB pages',
    language: 'c',
    compiler: 'clang',
    flags: largePages,
    uploaded: 'debug',
  },
  {
    name: 'clang library, one segment',
    language: 'c',
    compiler: 'clang',
    isLibrary: true,
    flags: together,
    uploaded: 'debug',
  },
  { name: 'rustc PIE', language: 'rust', flags: [], uploaded: 'debug' },
  {
    name: 'rustc static PIE',
    language: 'rust',
    uploaded: 'both',
    flags: ['-Ctarget-feature=+crt-static'],
  },
  { name: 'rustc library', language: 'rust', flags: [], isLibrary: true, uploaded: 'debug' },
  { name: 'go PIE', language: 'go', flags: ['-buildmode=pie'], uploaded: 'whole' },
  { name: 'go not PIE', language: 'go', flags: [], uploaded: 'whole' },
  {
    name: 'go library',
    language: 'go',
    isLibrary: true,
    flags: ['-buildmode=c-shared'],
    uploaded: 'debug',
  },
];

const scratch = await scratchDirectory();
after(() => scratch.remove());

/** A program with two runs, and the calls at its addresses. */
interface Prepared {
  readonly key: string;
  readonly built: BuiltProgram;
  readonly uploaded: Uploaded;
  readonly calls: readonly string[];
  /** Stacks by kind of mapping. */
  readonly stacks: Readonly<Record<'code' | 'whole', readonly ProcessStack[]>>;
  readonly isAnywhere: boolean;
}

const prepared = builds.map((build, i): Prepared => {
  const folder = join(scratch.path, `build-${i}`);
  mkdirSync(folder);
  const built = buildPlaces(folder, build);
  const runs = [runPlaces(built), runPlaces(built)];
  const [addresses, again] = runs.map((run) => addressesInFile(built, run));
  assert.deepEqual(addresses, again, build.name);
  const isOfLlvm = build.language === 'go' || build.compiler === 'clang';
  const calls = callsAt(built.file, addresses, isOfLlvm);
  const stacksWith = (kind: 'code' | 'whole'): ProcessStack[] =>
    runs.map((run, second) => {
      const { file, buildId } = built;
      const timeNanos = firstTimeNanos + BigInt(second) * 1_000_000_000n;
      return { file, buildId, range: run[kind], addresses: run.places, timeNanos };
    });
  return {
    key: `build-${i}`,
    built,
    uploaded: build.uploaded,
    calls,
    stacks: { code: stacksWith('code'), whole: stacksWith('whole') },
    isAnywhere: !/not PIE/.test(build.name),
  };
});

/** Profiles of scrape targets by path. */
const served = new Map<string, Uint8Array>();
const targets = createServer(({ url = '' }, response) => response.end(served.get(url)));
targets.listen(0, '127.0.0.1');
after(() => targets.close());
await new Promise((resolve) => targets.once('listening', resolve));
const { port } = targets.address() as AddressInfo;

/** Returns the config of a job that scrapes a profile. */
function jobConfig(name: string, path: string): string {
  return [
    `  - job_name: ${name}`,
    '    scrape_interval: 1s',
    `    static_configs: [{ targets: ['127.0.0.1:${port}'] }]`,
    '    profiling_config:',
    '      pprof_config:',
    ...['memory', 'block', 'goroutine', 'mutex', 'process_cpu'].map(
      (profile) => `        ${profile}: { enabled: false }`,
    ),
    `        scraped: { enabled: true, path: ${path} }`,
  ].join('\n');
}

const jobs: string[] = [];
for (const { key, stacks } of prepared) {
  for (const kind of ['code', 'whole'] as const) {
    served.set(`/${key}-${kind}`, encodeStack(stacks[kind][0]));
    jobs.push(jobConfig(`${key}-${kind}`, `/${key}-${kind}`));
  }
}
const server = await startServer({
  storagePath: join(scratch.path, 'data'),
  config: `scrape_configs:\n${jobs.join('\n')}\n`,
});
after(() => server.stop());
const client = connect(server.address);
after(() => client.close());

/** Uploads the files of a program. Files with debug information are never the files that run. */
async function upload({ built, uploaded }: Prepared): Promise<void> {
  const { file, buildId } = built;
  const [debug, stripped] = [`${file}.debug`, `${file}.stripped`];
  execFileSync('objcopy', ['--only-keep-debug', file, debug]);
  execFileSync('strip', ['-o', stripped, file]);
  const send = (path: string, type: number): Promise<void> =>
    uploadDebuginfo(client, { buildId, hash: path, force: true, type }, readFileSync(path));
  await send(uploaded === 'whole' ? file : debug, 0);
  if (uploaded === 'both') await send(stripped, 1);
}

/** Result of a query: the calls of each location and the addresses, in the order of the stack. */
interface Answer {
  readonly calls: readonly string[];
  readonly addresses: readonly number[];
  readonly locationCount: number;
  readonly total: number;
}

/** Sends a query. It is the first query, but its result must contain all names. */
async function ask(query: string): Promise<Answer> {
  const wait = { 'symbolizer-wait': '60' };
  const parameters = new URLSearchParams({ query, ...pushedRange, ...wait, format: 'pprof' });
  for (let tries = 0; ; tries += 1) {
    const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status === 200) {
      assert.equal(response.headers.get('parca-warnings'), null);
      return readAnswer(Profile.decode(gunzipSync(bytes)));
    }
    // The profile may not be scraped yet, because targets are scraped at scheduled times.
    assert.ok(tries < 600 && query.startsWith('scraped:'), `${query}: ${bytes.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function readAnswer(profile: Profile): Answer {
  const { sample, location, function: functions, stringTable } = profile;
  const text = (index: unknown): string => stringTable.strings[Number(index)];
  const functionById = new Map(functions.map((one) => [Number(one.id), one]));
  const locationById = new Map(location.map((one) => [Number(one.id), one]));
  const stack = sample[0]?.locationId.map((id) => locationById.get(Number(id))) ?? [];
  return {
    calls: stack.map((one) =>
      (one?.line ?? [])
        .map(({ functionId, line }) => {
          const called = functionById.get(Number(functionId));
          return `${text(called?.systemName)} ${text(called?.filename)}:${Number(line) || '?'}`;
        })
        .join(' < '),
    ),
    addresses: stack.map((one) => Number(one?.address ?? 0)),
    locationCount: location.length,
    total: sample.reduce((sum, { value }) => sum + Number(value[0]), 0),
  };
}

test('programs were loaded at random places, and have inlined calls and lines', () => {
  for (const { isAnywhere, stacks, calls, built } of prepared) {
    const [first, second] = stacks.code;
    if (isAnywhere) assert.notEqual(first.range.start, second.range.start, built.file);
    assert.ok(calls.length >= 5 && calls.some((call) => call.includes(' < ')), calls.join('\n'));
    const withLine = calls.filter((call) => /^\S+ \S+:\d+/.test(call));
    assert.ok(withLine.length >= 5, calls.join('\n'));
  }
});

for (const [i, one] of prepared.entries()) {
  test(`${builds[i].name}, uploaded: ${one.uploaded}`, async () => {
    await upload(one);
    const check = async (what: string, query: string, pushes: number): Promise<void> => {
      const answer = await ask(query);
      assert.deepEqual(answer.calls, one.calls, what);
      assert.equal(answer.total, pushes, what);
      // The addresses of both runs were normalized, and are now the same.
      assert.equal(answer.locationCount, new Set(answer.addresses).size, what);
      assert.equal(answer.calls.length, one.calls.length, what);
    };
    for (const kind of ['code', 'whole'] as const) {
      for (const door of doors) {
        const service = `${one.key}-${kind}-${door.name.replaceAll(' ', '')}`;
        for (const stack of one.stacks[kind]) {
          await door.push({ url: server.url, client }, service, stack);
        }
        await check(`${door.name}, mapping of ${kind}`, door.query(service), 2);
      }
      const scraped = 'scraped:samples:count:cpu:nanoseconds:delta';
      await check(`scraped, mapping of ${kind}`, `${scraped}{job="${one.key}-${kind}"}`, 1);
    }
  });
}
