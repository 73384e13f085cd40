// Prometheus and promtool: they query series and expressions, scrape the server, and receive what
// rules record.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pushCpu } from '../support/profiles/long-named-fleet.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { testTool } from '../support/tools.ts';
import { until } from '../support/until.ts';

const rules = `
groups:
  - name: cpu
    interval: 1s
    rules:
      - record: job:cpu:cores
        expr: cores(process_cpu | by (job) [1h])
        labels: {team: x}
`;

let scratch: ScratchDirectory;
let server: TestServer;
let config: string;
let prometheusUrl: string;
let log = '';

before(async () => {
  scratch = await scratchDirectory();
  await writeFile(`${scratch.path}/rules.yml`, rules);
  prometheusUrl = `http://127.0.0.1:${await freePort()}`;
  config = `
global: {external_labels: {cluster: test}}
rule_files: [${scratch.path}/rules.yml]
remote_write: [{url: '${prometheusUrl}/api/v1/write'}]
scrape_configs: []
`;
  server = await startServer({ storagePath: `${scratch.path}/data`, config });
  const push = (job: string, milliseconds: bigint): Promise<void> =>
    pushCpu(server.url, job, [['main', milliseconds]], Date.now() - 10_000);
  await push('a', 500n);
  await push('b', 250n);
  await until(async () => (await promtool('instant', 'job:cpu:cores')).out.includes('job="b"'), {
    millis: 30_000,
    failure: () => server.log(),
  });
});

after(async () => {
  await server.stop();
  await scratch.remove();
});

interface Said {
  readonly out: string;
  readonly err: string;
}

function promtool(kind: string, ...args: readonly string[]): Promise<Said> {
  return new Promise((resolve) => {
    const url = `${server.url}/prometheus`;
    const flags = ['query', kind];
    execFile(testTool('TEST_PROMTOOL'), [...flags, url, ...args], (_error, out, err) =>
      resolve({ out: out.trim(), err: err.trim() }),
    );
  });
}

async function check(expression: string, want: readonly string[]): Promise<void> {
  const { out, err } = await promtool('instant', expression);
  const lines = out.split('\n').map((line) => line.replace(/ @\[.*\]$/, ''));
  assert.deepEqual(lines.toSorted(), want, err);
}

test('promtool queries the present', async () => {
  await check('job:cpu:cores', [
    'job:cpu:cores{job="a", team="x"} => 0.5',
    'job:cpu:cores{job="b", team="x"} => 0.25',
  ]);
  await check('sum by (team) (job:cpu:cores{job=~"a|b"}) * 100', ['{team="x"} => 75']);
  await check('max(job:cpu:cores)', ['{} => 0.5']);
  await check('job:cpu:cores{job!="a"} > 0.1', ['job:cpu:cores{job="b", team="x"} => 0.25']);
  await check('self_cores(process_cpu{job="a"} [1h]) > 0', ['{function="main"} => 0.5']);
  await check('cores(process_cpu{job="a"} | by (job) [1h])', ['{job="a"} => 0.5']);
});

test('promtool queries a range', async () => {
  const end = Math.ceil(Date.now() / 1000);
  const range = [`--start=${end - 600}`, `--end=${end}`, '--step=1s'];
  const { out, err } = await promtool('range', 'max(job:cpu:cores)', ...range);
  const [head, ...points] = out.split('\n');
  assert.equal(head, '{} =>', err);
  assert.ok(points.length > 0 && points.every((point) => point.startsWith('0.5 @[')), out);
});

test('promtool lists series and values of labels', async () => {
  const { out } = await promtool('series', '--match={job=~".+"}');
  assert.deepEqual(out.split('\n').toSorted(), [
    '{__name__="job:cpu:cores", job="a", team="x"}',
    '{__name__="job:cpu:cores", job="b", team="x"}',
  ]);
  assert.equal((await promtool('labels', 'job')).out, 'a\nb');
  assert.equal((await promtool('labels', '__name__')).out, 'job:cpu:cores');
});

test('what is not supported is named with its position', async () => {
  const { err } = await promtool('instant', 'topk(1, job:cpu:cores)');
  assert.match(err, /bad_data: 1:1: topk is not supported/);
});

test('Prometheus scrapes the metrics, and receives what rules record', async () => {
  let prometheus = await startPrometheus();
  try {
    await untilFound('prometheus_rule_evaluations_total and on (job) up == 1', '"rule_group"');
    await untilFound('job:cpu:cores{cluster="test"} == 0.5', '"job":"a"');
    await stop(prometheus);
    // It is away for some evaluations; what it misses then comes later.
    const awaySeconds = Date.now() / 1000;
    await sleep(4_000);
    const backSeconds = Date.now() / 1000;
    prometheus = await startPrometheus();
    const range = `start=${awaySeconds + 1}&end=${backSeconds - 1}&step=1`;
    const query = encodeURIComponent('count_over_time(job:cpu:cores{job="b"}[1s])');
    const url = `${prometheusUrl}/api/v1/query_range?query=${query}&${range}`;
    await until(async () => /"values":\[(?:\[[^\]]*\],?){2,}/.test(await get(url)), {
      millis: 60_000,
      failure: () => `${log} ${server.log()}`,
    });
    await server.kill();
    const killSeconds = Date.now() / 1000;
    server = await startServer({ storagePath: `${scratch.path}/data`, config });
    await untilFound(`timestamp(job:cpu:cores{job="a"}) > ${killSeconds}`, '"job":"a"');
  } finally {
    await stop(prometheus);
  }
});

async function get(url: string): Promise<string> {
  return fetch(url).then(
    (got) => got.text(),
    () => '',
  );
}

function untilFound(query: string, text: string): Promise<void> {
  const url = `${prometheusUrl}/api/v1/query?query=${encodeURIComponent(query)}`;
  return until(async () => (await get(url)).includes(text), {
    millis: 60_000,
    failure: () => `${query}: ${log} ${server.log()}`,
  });
}

async function startPrometheus(): Promise<ChildProcess> {
  const file = `${scratch.path}/prometheus.yml`;
  const target = new URL(server.url).host;
  const job = `{job_name: parca, scrape_interval: 1s, static_configs: [{targets: ['${target}']}]}`;
  await writeFile(file, `scrape_configs: [${job}]`);
  const program = spawn(
    join(dirname(testTool('TEST_PROMTOOL')), 'prometheus'),
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${scratch.path}/tsdb`,
      `--web.listen-address=${new URL(prometheusUrl).host}`,
      '--web.enable-remote-write-receiver',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  program.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  return program;
}

async function stop(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const exited = once(program, 'exit');
  program.kill();
  await exited;
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}
