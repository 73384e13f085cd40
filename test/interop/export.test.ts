// Tests exports of the real server: all formats have the same content, and `go build -pgo` accepts
// ours.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import Long from 'long';
import { parca } from '../../proto/gen/query.js';
import { startExample } from '../support/example-targets.ts';
import { startFilledServer } from '../support/filled-server.ts';
import { connect, unary } from '../support/grpc-client.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { testTool } from '../support/tools.ts';

const messages = parca.query.v1alpha1;
const run = promisify(execFile);
const exampleFolder = new URL('../../examples/targets/go/', import.meta.url).pathname;
const heapProfile = new URL('../../src/formats/pprof/testdata/go-heap.pb.gz', import.meta.url);
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
/** Total of two profiles: one has 7 + 2 samples of 10 ms, the other has 1 sample. */
const totalNanos = 100_000_000n;
const whole = { start: '2026-01-01T00:00:00Z', end: '1767229200' };

const target = await startExample('go');
after(() => target.stop());
const server = await startFilledServer(['--path-prefix=/behind'], async (push) => {
  const timeNanos = BigInt(Date.parse('2026-01-01T00:30:00Z')) * 1_000_000n;
  const api = { __name__: 'process_cpu', job: 'api' };
  const first = [
    ['main;serve;decode', 7n],
    ['main;gc', 2n],
  ] as const;
  await push(api, gzippedPprof(cpuProfile({ timeNanos, samples: first })));
  const second = [['main;serve;decode', 1n]] as const;
  const later = cpuProfile({ timeNanos: timeNanos + 10n ** 10n, samples: second });
  await push(api, gzippedPprof(later));
  await push({ __name__: 'memory', job: 'api' }, await readFile(heapProfile));
  // Pushes profiles of 400 ms and of 800 ms; the second has fewer samples.
  await push(
    { __name__: 'process_cpu', job: 'fine' },
    gzippedPprof(cpuProfile({ timeNanos, samples: [['main;serve', 40n]] })),
  );
  const coarse = cpuProfile({ timeNanos, samples: [['main;serve', 20n]] });
  const samples = [['main;serve', 20n, 800_000_000n]] as const;
  await push(
    { __name__: 'process_cpu', job: 'coarse' },
    gzippedPprof({ ...coarse, period: 40_000_000n, samples }),
  );
  const taken = await fetch(`http://${target.address}/debug/pprof/profile?seconds=1`);
  await push({ __name__: 'process_cpu', job: 'go' }, new Uint8Array(await taken.arrayBuffer()));
});
after(() => server.stop());

function get(path: string, parameters: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${server.url}/behind/api/v1/${path}?${new URLSearchParams(parameters)}`);
}

async function download(path: string, parameters: Record<string, string>): Promise<Buffer> {
  const response = await get(path, { ...whole, ...parameters });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, bytes.toString('utf8', 0, 300));
  return bytes;
}

test('every format holds the same stacks and sums', async () => {
  const query = `${cpuType}{job="api"}`;
  const collapsed = (await download('export', { query, format: 'collapsed' })).toString();
  assert.deepEqual(collapsed.trim().split('\n').sort(), [
    'main;gc 20000000',
    'main;serve;decode 80000000',
  ]);
  const speedscope = JSON.parse(
    (await download('export', { query, format: 'speedscope' })).toString(),
  );
  assert.equal(speedscope.profiles[0].endValue, Number(totalNanos));
  assert.equal(speedscope.name, cpuType);
  const firefox = JSON.parse(
    gunzipSync(await download('export', { query, format: 'firefox' })).toString(),
  );
  const weights: number[] = firefox.threads[0].samples.weight;
  assert.deepEqual(
    weights.toSorted((a, b) => a - b),
    [20, 80],
  );
  const file = join(server.scratchPath, 'api.pb.gz');
  await writeFile(file, await download('export', { query }));
  const { stdout } = await run(testTool('TEST_GO'), ['tool', 'pprof', '-traces', file]);
  assert.match(stdout, /80ms +decode\s+serve\s+main/);
  assert.match(stdout, /20ms +gc\s+main/);
});

/** Returns the output of `go tool pprof` for a PPROF report: a merge, or a diff with `base`. */
async function readTop(name: string, query: string, base?: string): Promise<string> {
  const [start, end] = [0, 3_600].map((seconds) => ({
    seconds: Long.fromNumber(Date.parse('2026-01-01T00:00:00Z') / 1_000 + seconds),
  }));
  const side = (text: string) => ({ mode: 1, merge: { query: text, start, end } });
  const { Mode, ReportType } = messages.QueryRequest;
  const request = messages.QueryRequest.encode({
    reportType: ReportType.REPORT_TYPE_PPROF,
    ...(base === undefined
      ? { mode: Mode.MODE_MERGE, merge: { query, start, end } }
      : { mode: Mode.MODE_DIFF, diff: { a: side(base), b: side(query), absolute: true } }),
  });
  const client = connect(server.address);
  const path = '/parca.query.v1alpha1.QueryService/Query';
  const answer = await unary(client, path, request.finish());
  client.close();
  const file = join(server.scratchPath, `${name}.pb.gz`);
  const { pprof } = messages.QueryResponse.decode(answer);
  assert.ok(pprof);
  await writeFile(file, pprof);
  const go = testTool('TEST_GO');
  const { stdout } = await run(go, ['tool', 'pprof', '-top', '-symbolize=none', file]);
  const { stdout: raw } = await run(go, ['tool', 'pprof', '-raw', '-symbolize=none', file]);
  const line = stdout.split('\n').find((one) => one.endsWith('serve'));
  const facts = /^PeriodType: (.*)\nPeriod: (.*)$/m.exec(raw)?.slice(1);
  return [line?.trim().split(/ +/)[0], ...(facts ?? [])].join(', ');
}

test('counts of samples are of one period, or say what they stand for', async () => {
  const samples = 'process_cpu:samples';
  const fine = `${samples}{job="fine"}`;
  const coarse = `${samples}{job="coarse"}`;
  assert.equal(await readTop('fine', fine), '40, cpu nanoseconds, 10000000');
  const nobody = `${samples}{job="nobody"}`;
  assert.equal(await readTop('alone', fine, nobody), '40, cpu nanoseconds, 10000000');
  // The diff is 20 samples of 40 ms minus 40 samples of 10 ms; the merge adds both.
  assert.equal(await readTop('diff', coarse, fine), '400ms, cpu nanoseconds, 0');
  const both = `${samples}{job=~"fine|coarse"}`;
  assert.equal(await readTop('both', both), '1.20s, cpu nanoseconds, 0');
});

test('files say what they are', async () => {
  const check = async (format: string, type: string, name: string): Promise<void> => {
    const { headers } = await get('export', { ...whole, query: cpuType, format });
    assert.equal(headers.get('content-type'), type);
    assert.equal(headers.get('content-disposition'), `attachment; filename="${name}"`);
  };
  await check('pprof', 'application/octet-stream', 'profile.pb.gz');
  await check('collapsed', 'text/plain; charset=utf-8', 'profile.collapsed.txt');
  await check('speedscope', 'application/json', 'profile.speedscope.json');
  await check('firefox', 'application/gzip', 'profile.firefox.json.gz');
});

test('go build -pgo takes the profile of a real program', { timeout: 600_000 }, async () => {
  const query = `${cpuType}{job="go"}`;
  const file = join(server.scratchPath, 'default.pgo');
  await writeFile(file, await download('pgo', { query, start: 'now-1h', end: 'now+1m' }));
  const program = join(server.scratchPath, 'optimized');
  await run(testTool('TEST_GO'), ['build', `-pgo=${file}`, '-o', program, '.'], {
    cwd: exampleFolder,
    maxBuffer: 1 << 26,
  });
  const { stdout } = await run(testTool('TEST_GO'), ['version', '-m', program]);
  assert.match(stdout, /build\s+-pgo=.*default\.pgo/);
});

test('errors are JSON with the usual statuses', async () => {
  const check = async (
    path: string,
    parameters: Record<string, string>,
    status: number,
    message: RegExp,
  ): Promise<void> => {
    const response = await get(path, { ...whole, ...parameters });
    const body = await response.json();
    assert.equal(response.status, status, body.message);
    assert.match(body.message, message);
    assert.deepEqual(body.details, []);
  };
  const none = `${cpuType}{job="nobody"}`;
  await check('export', {}, 400, /query: cannot be blank/);
  await check('export', { query: 'process_cpu{' }, 400, /1:13/);
  await check('export', { query: cpuType, format: 'svg' }, 400, /format: must be pprof, coll/);
  await check('export', { query: none }, 404, /no profiles match/);
  await check('pgo', { query: none }, 404, /no profiles match/);
  const heap = 'memory:inuse_space:bytes:space:bytes';
  await check('pgo', { query: heap, start: '0', end: 'now' }, 400, /inuse_space\/bytes: it takes/);
  await check('pgo', { query: `${cpuType}{job="api"}` }, 400, /no function in it has a start line/);
  const post = await fetch(`${server.url}/behind/api/v1/export`, { method: 'POST' });
  assert.equal(post.status, 404);
});

test('calls are counted', async () => {
  const text = await (await fetch(`${server.url}/behind/metrics`)).text();
  assert.match(text, /grpc_server_handled_total\{.*grpc_method="Pgo".*grpc_code="OK".*\} 1/);
});
