// Tests Pyroscope's own command line: compares the output of each command that queries a server
// with sums made by hand, and runs the probes with which Grafana watches its servers.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { google } from '../../proto/gen/pyroscope.js';
import { PprofWriter } from '../../src/formats/pprof/writer.ts';
import { eventually } from '../support/browser.ts';
import { scratchDirectory, startServer } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const program = testTool('TEST_PROFILECLI');
const scratch = await scratchDirectory();
const server = await startServer({ storagePath: join(scratch.path, 'data') });
after(async () => {
  await server.stop();
  await scratch.remove();
});

const span = '00000000000000aa';
/** Start of the queried range, in seconds. */
const start = Math.floor(Date.now() / 1_000) - 120;
const range = [`--from=${start}`, `--to=${start + 60}`];

/** Runs a command; returns its output, or fails with its error output. */
function run(...command: string[]): string {
  const flags = [...command, `--url=${server.url}`];
  const { status, stdout, stderr } = spawnSync(program, flags, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

function refused(...command: string[]): string {
  const flags = [...command, `--url=${server.url}`];
  const { status, stderr } = spawnSync(program, flags, { encoding: 'utf8' });
  assert.notEqual(status, 0);
  return stderr;
}

type Row = readonly [stack: string, nanos: bigint, span?: string];

/** Uploads a CPU profile with stacks from the root to the leaf. */
function upload(seconds: number, rows: readonly Row[], labels: readonly string[]): void {
  const writer = new PprofWriter();
  for (const [stack, nanos, id] of rows) {
    const frames = stack.split(';').map((name) => writer.frame({ name, line: 7 }));
    writer.sample(frames.toReversed(), [nanos], id === undefined ? [] : [['profile_id', id]]);
  }
  const type = { type: 'cpu', unit: 'nanoseconds' };
  const file = join(scratch.path, 'cpu.pb');
  const timeNanos = BigInt(start + seconds) * 1_000_000_000n;
  const header = { timeNanos, durationNanos: 10_000_000_000n, periodType: type, period: 1n };
  writeFileSync(file, writer.finish({ sampleTypes: [type], ...header }));
  run('upload', file, ...labels.map((label) => `--extra-labels=${label}`));
}

const deep: Row[] = [
  ['main;serve', 5n],
  ['main;serve;decode', 30n, span],
];
upload(10, deep, ['service_name=shop', 'region=eu']);
upload(15, [['main;serve', 2n]], ['service_name=shop', 'region=us']);
upload(40, [['main', 7n]], ['service_name=cart', 'region=eu']);

/** Queries a profile; returns its stacks with their values. */
function stacks(command: string, ...flags: string[]): string[] {
  const file = join(scratch.path, 'answer.pb.gz');
  run('query', command, ...range, `--output=pprof=${file}`, '--force', ...flags);
  const profile = google.v1.Profile.decode(gunzipSync(readFileSync(file)));
  const { sample, location, function: functions, stringTable } = profile;
  const names = new Map(functions.map(({ id, name }) => [String(id), stringTable[Number(name)]]));
  const frames = new Map(
    location.map(({ id, line }) => [String(id), names.get(String(line[0].functionId)) ?? '']),
  );
  return sample
    .map(({ locationId, value }) => {
      const stack = locationId.map((id) => frames.get(String(id))).toReversed();
      return `${stack.join(';')} ${String(value[0])}`;
    })
    .sort();
}

const shop = '--query={service_name="shop"}';

test('query profile, merge and go-pgo: stacks, selected by labels, call site, span and id', () => {
  const all = ['main 7', 'main;serve 7', 'main;serve;decode 30'];
  assert.deepEqual(stacks('profile'), all);
  assert.deepEqual(stacks('merge'), all);
  assert.deepEqual(stacks('go-pgo'), all);
  assert.deepEqual(stacks('profile', '--function-names-only'), all);
  assert.deepEqual(stacks('profile', shop), all.slice(1));
  assert.deepEqual(stacks('profile', '--query={region=~"u.",service_name="shop",}'), [
    'main;serve 2',
  ]);
  const site = ['--stacktrace-selector=main', '--stacktrace-selector=serve'];
  assert.deepEqual(stacks('profile', ...site), all.slice(1));
  assert.deepEqual(stacks('profile', ...site, '--function-names-only'), all.slice(1));
  assert.deepEqual(stacks('profile', `--span-selector=${span}`), ['main;serve;decode 30']);
  const cut = stacks('profile', '--function-names-only', '--max-nodes=2');
  assert.deepEqual(cut, ['main 7', 'main;serve 7', 'main;serve;other 30']);
  assert.deepEqual(stacks('profile', '--query={service_name="none"}'), []);
});

test('query series, label-values-cardinality and top', () => {
  const labels = ['--label-names=service_name', '--label-names=region'];
  const { series } = JSON.parse(run('query', 'series', ...range, '--output=json', ...labels)) as {
    series: Record<string, string>[];
  };
  const pairs = series.map(({ service_name: service, region }) => `${service} ${region}`);
  assert.deepEqual(pairs.sort(), ['cart eu', 'shop eu', 'shop us']);
  const table = run('query', 'label-values-cardinality', ...range);
  const counts = new Map(
    Array.from(table.matchAll(/^\| (\w+) +\| +(\d+) \|$/gm), ([, name, count]) => [name, count]),
  );
  assert.deepEqual(
    ['__profile_type__', 'region', 'service_name'].map((name) => counts.get(name)),
    ['1', '2', '2'],
  );
  const top = JSON.parse(run('query', 'top', ...range, '--output=json', ...labels)) as {
    series: { labels: Record<string, string>; total: number }[];
  };
  assert.deepEqual(
    top.series.map(({ labels: of, total }) => `${of['service_name']} ${of['region']} ${total}`),
    ['shop eu 35', 'cart eu 7', 'shop us 2'],
  );
});

test('query exemplars: profiles with ids by which they are found, and spans', () => {
  interface Exemplar {
    readonly profile_id?: string;
    readonly span_id?: string;
    readonly timestamp: string;
    readonly value: number;
    readonly labels: Record<string, string>;
  }
  const ask = (kind: string): Exemplar[] => {
    const text = run('query', 'exemplars', kind, ...range, '--output=json');
    return (JSON.parse(text) as { exemplars: Exemplar[] }).exemplars;
  };
  const show = ({ labels, timestamp, value }: Exemplar): string =>
    `${labels['service_name']} ${Date.parse(timestamp) / 1_000 - start} ${value}`;
  const profiles = ask('profile');
  assert.deepEqual(profiles.map(show), ['shop 10 35', 'cart 40 7', 'shop 15 2']);
  const [{ profile_id: id }] = profiles;
  assert.deepEqual(stacks('profile', `--profile-id=${id}`), [
    'main;serve 5',
    'main;serve;decode 30',
  ]);
  const spans = ask('span');
  assert.deepEqual(
    spans.map(({ span_id: of, value }) => [of, value]),
    [[span, 30]],
  );
});

test('each protocol, ready, recording rules, and refusals', () => {
  for (const protocol of ['connect', 'grpc-web']) {
    const text = run('query', 'series', ...range, '--output=json', `--protocol=${protocol}`);
    assert.equal((JSON.parse(text) as { series: object[] }).series.length, 3, protocol);
  }
  // Without TLS, profilecli sends gRPC over HTTP/1.1, which is not valid gRPC.
  assert.match(refused('query', 'series', '--protocol=grpc'), /HTTP status 415/);
  run('ready');
  assert.equal(run('recording-rules', 'list'), '');
  assert.match(refused('recording-rules', 'get', 'x'), /unimplemented: .*no recording rules/);
  assert.match(refused('query', 'series', '--query={a=~"("}'), /invalid_argument: .*expression/);
  assert.match(refused('query', 'profile', '--max-nodes=2000000'), /invalid_argument: max nodes/);
});

test('canary-exporter: all probes of pushes and questions, at the version of today', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const flags = ['--query-probe-set=all', '--test-frequency=1h', '--test-delay=0s'];
  const canary = spawn(
    program,
    ['canary-exporter', `--url=${server.url}`, `--listen-address=127.0.0.1:${port}`, ...flags],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  canary.stderr.on('data', (bytes: Buffer) => {
    log += bytes.toString();
  });
  try {
    // The canary exporter serves its metrics after all probes have run.
    let metrics = '';
    await eventually(async () => {
      metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    });
    const results = Array.from(
      metrics.matchAll(/^probe_success\{name="([\w-]+)"\} (\d)$/gm),
      ([, name, value]) => [name, value],
    );
    assert.ok(results.length >= 16, metrics);
    assert.deepEqual(
      results.filter(([, value]) => value !== '1'),
      [],
      log,
    );
  } finally {
    const ended = once(canary, 'exit');
    canary.kill();
    await ended;
  }
});
