// Tests the profile tools of mcp-grafana, with which AI assistants query Grafana. A fake Grafana
// has one data source, and passes its requests on to this server.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { scratchDirectory, startServer } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const scratch = await scratchDirectory();
const server = await startServer({ storagePath: join(scratch.path, 'data') });
const dataSource = '/api/datasources/uid/profiles';
const proxied = '/api/datasources/proxy/uid/profiles/';
/** Calls to this server's API that the fake Grafana passed on. */
const calls: string[] = [];

const grafana = createServer((request, response) => {
  void answer(request).then(({ status, type, body }) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  });
}).listen(0, '127.0.0.1');
await once(grafana, 'listening');

async function answer(request: IncomingMessage): Promise<{
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
}> {
  const { url = '', method = 'GET', headers } = request;
  const sent = await buffer(request);
  const json = 'application/json';
  if (url === dataSource) {
    const found = {
      id: 1,
      uid: 'profiles',
      name: 'Profiles',
      type: 'grafana-pyroscope-datasource',
    };
    return { status: 200, type: json, body: JSON.stringify(found) };
  }
  if (!url.startsWith(proxied)) return { status: 404, type: json, body: '{}' };
  const path = url.slice(proxied.length - 1);
  calls.push(path.split('?')[0]);
  const passed = [
    'content-type',
    'content-encoding',
    'accept-encoding',
    'connect-protocol-version',
  ];
  const kept = passed.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' && name !== 'accept-encoding' ? [[name, value] as const] : [];
  });
  const answered = await fetch(server.url + path, {
    method,
    headers: Object.fromEntries(kept),
    ...(method === 'POST' && { body: new Uint8Array(sent) }),
  });
  const type = answered.headers.get('content-type') ?? '';
  return { status: answered.status, type, body: new Uint8Array(await answered.arrayBuffer()) };
}

const { port } = grafana.address() as AddressInfo;
const tools = spawn(testTool('TEST_MCP_GRAFANA'), ['-t', 'stdio', '--enabled-tools=pyroscope'], {
  stdio: ['pipe', 'pipe', 'ignore'],
  env: {
    ...process.env,
    GRAFANA_URL: `http://127.0.0.1:${port}`,
    GRAFANA_SERVICE_ACCOUNT_TOKEN: 'a-token',
  },
});
const answers = new Map<number, (message: Answer) => void>();
createInterface({ input: tools.stdout }).on('line', (line) => {
  const message = JSON.parse(line) as Answer & { id?: number };
  answers.get(message.id ?? -1)?.(message);
});
after(async () => {
  await stop(tools);
  grafana.close();
  await server.stop();
  await scratch.remove();
});

interface Answer {
  readonly error?: object;
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
  };
}

async function stop(program: ChildProcess): Promise<void> {
  const ended = once(program, 'exit');
  program.kill();
  await ended;
}

let lastId = 0;

function send(method: string, params: object): Promise<Answer> {
  lastId += 1;
  const id = lastId;
  const answered = new Promise<Answer>((resolve) => answers.set(id, resolve));
  tools.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  return answered;
}

/** Calls a tool; returns the text in its answer. */
async function call(name: string, more: object = {}): Promise<string> {
  const times = { start_rfc_3339: 'now-10m', end_rfc_3339: 'now' };
  const given = { data_source_uid: 'profiles', ...times };
  const answered = await send('tools/call', { name, arguments: { ...given, ...more } });
  const text = answered.result?.content?.[0]?.text;
  assert.ok(text !== undefined && answered.result?.isError !== true, JSON.stringify(answered));
  return text;
}

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';

test('its tools list types and labels, and show a table, a graph and series', async () => {
  const from = Math.floor(Date.now() / 1_000) - 60;
  const times = `from=${from}&until=${from + 10}&sampleRate=1000000000`;
  for (const [app, stacks] of [
    ['shop', 'main;serve 5000000\nmain;serve;decode 30000000\n'],
    ['cart', 'main 7000000\n'],
  ]) {
    const url = `${server.url}/ingest?name=${app}&format=folded&${times}`;
    assert.equal((await fetch(url, { method: 'POST', body: stacks })).status, 200);
  }
  const clientInfo = { name: 'test', version: '1' };
  await send('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
  assert.deepEqual(JSON.parse(await call('list_pyroscope_profile_types')), [cpu]);
  const names = JSON.parse(await call('list_pyroscope_label_names')) as string[];
  assert.ok(names.includes('service_name') && names.includes('__profile_type__'), names.join());
  const values = await call('list_pyroscope_label_values', { name: 'service_name' });
  assert.deepEqual(JSON.parse(values), ['cart', 'shop']);
  const asked = { profile_type: cpu, matchers: '{service_name="shop"}' };
  const both = JSON.parse(
    await call('query_pyroscope', { ...asked, group_by: ['service_name'] }),
  ) as {
    profile: string;
    metrics: { series: { labels: object; points: [number, number][] }[]; step_seconds: number };
  };
  assert.match(both.profile, /^Total: 35\.00ms\nShowing top 3 out of 3 functions/m);
  assert.match(both.profile, /30\.00ms 85\.71% 85\.71% +30\.00ms 85\.71%  decode/);
  assert.match(both.profile, /5\.00ms 14\.29% 100\.00% +35\.00ms 100\.00%  serve/);
  const { series, step_seconds: step } = both.metrics;
  assert.equal(step, 15);
  assert.deepEqual(
    series.map(({ labels }) => labels),
    [{ service_name: 'shop' }],
  );
  assert.equal(
    series[0].points.reduce((sum, [, value]) => sum + value, 0),
    35_000_000,
  );
  const graph = await call('query_pyroscope', { ...asked, query_type: 'profile', format: 'dot' });
  assert.match((JSON.parse(graph) as { profile: string }).profile, /N2 -> N1\nN1 -> N3/);
  const service = '/querier.v1.QuerierService/';
  assert.deepEqual(calls, [
    `${service}ProfileTypes`,
    `${service}LabelNames`,
    `${service}LabelValues`,
    `${service}SelectMergeStacktraces`,
    `${service}SelectSeries`,
    '/pyroscope/render',
  ]);
});

test('a profile that is not there, and a bad selector', async () => {
  const args = { data_source_uid: 'profiles', profile_type: cpu, query_type: 'profile' };
  const none = { ...args, matchers: '{service_name="none"}' };
  const empty = await send('tools/call', { name: 'query_pyroscope', arguments: none });
  assert.match(empty.result?.content?.[0]?.text ?? '', /empty profile/);
  const bad = { ...args, query_type: 'metrics', matchers: '{a=~"("}' };
  const refused = await send('tools/call', { name: 'query_pyroscope', arguments: bad });
  assert.match(refused.result?.content?.[0]?.text ?? '', /invalid_argument/);
});
