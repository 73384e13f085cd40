// Tests Prometheus and promtool: they query series and expressions, scrape the server, and receive
// the results of recording rules.
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
      - record: job:cpu:sum
        expr: sum by (job) (sum_over_time(job:cpu:cores[1h]))
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

interface ReportTexts {
  readonly out: string;
  readonly err: string;
}

function promtool(kind: string, ...args: readonly string[]): Promise<ReportTexts> {
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

test('promtool queries functions over time, and the largest samples', async () => {
  await check('avg_over_time(job:cpu:cores{job="a"}[1h])', ['{job="a", team="x"} => 0.5']);
  await check('max(max_over_time(job:cpu:cores[1h]) * 2)', ['{} => 1']);
  await check('topk(1, job:cpu:cores)', ['job:cpu:cores{job="a", team="x"} => 0.5']);
  await check('bottomk by (job) (1, min_over_time(job:cpu:cores[1h])) < 0.4', [
    '{job="b", team="x"} => 0.25',
  ]);
  await check('round(job:cpu:cores)', ['']);
});

test('promtool queries series of functions', async () => {
  await check('parca_function_cores{job="a"}', [
    'parca_function_cores{function="main", job="a"} => 0.5',
  ]);
  await check('sum by (job) (avg_over_time(parca_function_self_cores{job="b"}[1h]))', [
    '{job="b"} => 0.25',
  ]);
  // If several services satisfy a condition, each has a series, as with recorded series.
  await check('sum by (job) (parca_function_cores{job=~"a|b|none"})', [
    '{job="a"} => 0.5',
    '{job="b"} => 0.25',
  ]);
  await check('sum by (job) (job:cpu:cores{job=~"a|b|none"})', [
    '{job="a"} => 0.5',
    '{job="b"} => 0.25',
  ]);
  await check('parca_function_share{function!="main"}', ['']);
  const { out } = await promtool('series', '--match=parca_function_cores{job="b"}');
  assert.equal(out, '{__name__="parca_function_cores", function="main", job="b"}');
  const end = Math.ceil(Date.now() / 1000);
  const range = [`--start=${end - 3600}`, `--end=${end}`, '--step=2s'];
  const found = await promtool('range', 'topk(1, parca_function_cores{job="a"})', ...range);
  const [head, ...points] = found.out.split('\n');
  assert.equal(head, 'parca_function_cores{function="main", job="a"} =>', found.err);
  assert.ok(points.length > 0 && points.every((point) => point.startsWith('0.5 @[')), found.out);
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
  const { out } = await promtool('series', '--match=job:cpu:cores');
  assert.deepEqual(out.split('\n').toSorted(), [
    '{__name__="job:cpu:cores", job="a", team="x"}',
    '{__name__="job:cpu:cores", job="b", team="x"}',
  ]);
  assert.equal((await promtool('labels', 'job')).out, 'a\nb');
  const names = 'job:cpu:cores\njob:cpu:sum\nparca_function_cores\nparca_function_self_cores\n';
  const shares = 'parca_function_self_share\nparca_function_share';
  assert.equal((await promtool('labels', '__name__')).out, names + shares);
});

test('the calls of Grafana are answered', async () => {
  const root = `${server.url}/prometheus/api/v1`;
  const call = async (path: string, form?: Record<string, string>): Promise<string> => {
    const body = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
    return (await fetch(`${root}/${path}`, body)).text();
  };
  const now = String(Math.floor(Date.now() / 1000));
  const good = (data: string): string => `{"status":"success","data":${data}}`;
  assert.equal(
    await call('query', { query: '1+1', time: now }),
    good(`{"resultType":"scalar","result":[${now},"2"]}`),
  );
  const query = 'topk(5, sum by (function) (parca_function_cores{job=~"a|b"}))';
  const range = { start: String(Number(now) - 3600), end: now, step: '15' };
  const panel = await call('query_range', { query, ...range });
  assert.match(panel, /^\{"status":"success".*"matrix".*\{"function":"main"\},"values":\[\[/);
  const match = `match[]=${encodeURIComponent('parca_function_cores{job="a"}')}`;
  assert.equal(await call(`label/job/values?${match}`), good('["a"]'));
  assert.equal(await call(`label/function/values?${match}`), good('["main"]'));
  assert.equal(await call(`labels?${match}`), good('["__name__","function","job"]'));
  assert.match(await call('metadata'), /"parca_function_cores":\[\{"type":"gauge"/);
  const both = 'match[]=parca_function_share&match[]=job:cpu:sum{job="a"}';
  const series = '[{"__name__":"parca_function_share","function":"main"},';
  assert.equal(
    await call(`series?${both}`),
    good(`${series}{"__name__":"job:cpu:sum","job":"a"}]`),
  );
});

test('what is not supported is named with its position', async () => {
  const { err } = await promtool('instant', '2 * quantile(1, job:cpu:cores)');
  assert.match(err, /bad_data: 1:5: quantile is not supported/);
});

test('Prometheus scrapes the metrics, and receives what rules record', async () => {
  let prometheus = await startPrometheus();
  try {
    await untilFound('prometheus_rule_evaluations_total and on (job) up == 1', '"rule_group"');
    await untilFound('job:cpu:cores{cluster="test"} == 0.5', '"job":"a"');
    await stop(prometheus);
    // Prometheus is down for some evaluations, and gets the missed results later.
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
    await compareAnswers(backSeconds - 0.3);
    await server.kill();
    const killSeconds = Date.now() / 1000;
    server = await startServer({ storagePath: `${scratch.path}/data`, config });
    await untilFound(`timestamp(job:cpu:cores{job="a"}) > ${killSeconds}`, '"job":"a"');
  } finally {
    await stop(prometheus);
  }
});

/** Checks that Prometheus computes the same as our server from the values that ours sent. */
async function compareAnswers(seconds: number): Promise<void> {
  const ask = (name: string): Promise<readonly [ours: string, theirs: string]> => {
    const expression = `sum by (job) (${name}(job:cpu:sum{job=~".+"}[7s]))`;
    const query = `query=${encodeURIComponent(expression)}&time=${seconds}`;
    return Promise.all([
      get(`${server.url}/api/v1/query?${query}`),
      get(`${prometheusUrl}/api/v1/query?${query}`),
    ]);
  };
  await until(
    async () => {
      const [ours, theirs] = await ask('count_over_time');
      return ours === theirs;
    },
    { millis: 60_000, failure: () => `${log} ${server.log()}` },
  );
  for (const name of ['rate', 'increase', 'avg_over_time', 'sum_over_time', 'min_over_time']) {
    const [ours, theirs] = await ask(name);
    assert.match(ours, /"job":"a".*"job":"b"/, ours);
    assert.equal(ours, theirs, name);
  }
}

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
