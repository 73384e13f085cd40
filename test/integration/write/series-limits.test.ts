// Tests limits of active series and labels: the errors for pushes and targets, and what the status
// page shows.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { CardinalityStatus } from '../../../src/ingest/interface.ts';
import { PprofWriter } from '../../../src/formats/pprof/writer.ts';
import { parseMetrics } from '../../support/metrics-text.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

const count = { type: 'samples', unit: 'count' };

function profile(): Uint8Array<ArrayBuffer> {
  const writer = new PprofWriter();
  writer.sample([writer.frame({ name: 'main' })], [1n], []);
  const header = { timeNanos: 1n, durationNanos: 1n, period: 1n, periodType: count };
  return new Uint8Array(writer.finish({ sampleTypes: [count], ...header }));
}

test('a push and a target past a limit are told its label and flag; others go on', async (t) => {
  const folder = await scratchDirectory();
  t.after(() => folder.remove());
  const target = createServer((_request, response) => response.end(profile()));
  t.after(() => target.close());
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  const server = await startServer({
    storagePath: join(folder.path, 'data'),
    config: `
scrape_configs:
  - job_name: late
    scrape_interval: 1s
    static_configs:
      - targets: ['127.0.0.1:${(target.address() as AddressInfo).port}']
        labels: {l1: x, l2: x, l3: x, l4: x, l5: x, l6: x}
`,
    // Pushes have the labels job and pod, the server's own target has job and instance.
    flags: ['--series-max-label-names=5', '--series-max-label-values=3'],
  });
  t.after(() => server.stop());
  const push = async (labels: string): Promise<readonly [number, string, boolean]> => {
    const url = `${server.url}/api/v1/push?${labels}`;
    const answer = await fetch(url, { method: 'POST', body: profile() });
    const { message = '' } = (await answer.json()) as { message?: string };
    return [answer.status, message, answer.headers.has('retry-after')];
  };
  const status = async (): Promise<CardinalityStatus> => {
    const answer = await fetch(`${server.url}/api/v1/status/cardinality`);
    return (await answer.json()) as CardinalityStatus;
  };
  assert.equal((await push('job=a&pod=1'))[0], 200);
  assert.equal((await push('job=a&pod=2'))[0], 200);
  assert.equal((await push('job=a&pod=3'))[0], 200);
  assert.deepEqual(await push('job=a&pod=4'), [
    429,
    'cannot store profiles: they would make 4 values of label "pod", the limit is 3 ' +
      '(--series-max-label-values)',
    true,
  ]);
  const refused = await push('job=a&n1=1&n2=2&n3=3&n4=4&n5=5');
  assert.equal(refused[0], 429);
  assert.match(refused[1], /names of labels, such as ".*\(--series-max-label-names\)$/);
  assert.equal((await push('job=a&pod=3'))[0], 200);

  const { seriesByName, limits, seriesByValue } = await status();
  assert.deepEqual(
    seriesByName.find(({ text }) => text === 'pod'),
    { text: 'pod', count: 3 },
  );
  assert.ok(seriesByValue.some(({ text, count: series }) => text === 'job="a"' && series === 3));
  assert.deepEqual(
    limits.find(({ flag }) => flag === 'series-max-label-values'),
    { flag: 'series-max-label-values', limit: 3, used: 3 },
  );

  const readTargets = async (): Promise<string> => {
    const answer = await fetch(`${server.url}/api/v1/targets`);
    return JSON.stringify(await answer.json());
  };
  while (
    !/label names|names of labels, such as .*--series-max-label-names/.test(await readTargets())
  ) {
    await delay(50);
  }
  const metrics = parseMetrics(await (await fetch(`${server.url}/metrics`)).text());
  const readMetric = (name: string, limit?: string): number | undefined =>
    metrics.find((one) => one.name === name && one.labels.get('limit') === limit)?.value;
  assert.ok((readMetric('parca_active_series') ?? 0) >= 3);
  assert.ok((readMetric('parca_limit_reached_total', 'series-max-label-values') ?? 0) >= 1);
  assert.ok((readMetric('parca_limit_reached_total', 'series-max-label-names') ?? 0) >= 2);
});

test('a caller past its active series is told so; its known series and other callers go on', async (t) => {
  const folder = await scratchDirectory();
  t.after(() => folder.remove());
  const sha = (token: string): string => createHash('sha256').update(token).digest('hex');
  const web = join(folder.path, 'web.yml');
  const tokens = ['ci', 'app', 'boss'].map((name) => {
    return `  - {name: ${name}, sha256: ${sha(name)}, scopes: [${name === 'boss' ? 'admin, read' : 'write'}]}`;
  });
  const limit = `caller_limits:\n  - {caller: 'token "ci"', active_series: 3}\n`;
  await writeFile(web, `bearer_tokens:\n${tokens.join('\n')}\n${limit}`);
  const server = await startServer({
    storagePath: join(folder.path, 'data'),
    flags: [`--web-config-file=${web}`],
  });
  t.after(() => server.stop());
  const push = async (name: string, pod: number): Promise<readonly [number, string, boolean]> => {
    const url = `${server.url}/api/v1/push?job=a&pod=${name}${pod}`;
    const headers = { authorization: `Bearer ${name}` };
    const answer = await fetch(url, { method: 'POST', body: profile(), headers });
    const { message = '' } = (await answer.json()) as { message?: string };
    return [answer.status, message, answer.headers.has('retry-after')];
  };
  for (let pod = 1; pod <= 3; pod += 1) assert.equal((await push('ci', pod))[0], 200);
  assert.deepEqual(await push('ci', 4), [
    429,
    'cannot store profiles: they would make 4 active series of token "ci", its limit is 3 ' +
      '(caller_limits of the web config file)',
    true,
  ]);
  assert.equal((await push('ci', 2))[0], 200);
  for (let pod = 1; pod <= 5; pod += 1) assert.equal((await push('app', pod))[0], 200);
  const ask = async (path: string): Promise<unknown> => {
    const answer = await fetch(server.url + path, { headers: { authorization: 'Bearer boss' } });
    return answer.json();
  };
  const { callers } = (await ask('/api/v1/callers')) as {
    callers: { caller: string; limits: { activeSeries: number } }[];
  };
  const limits = callers.map(({ caller, limits: own }) => [caller, own.activeSeries]);
  assert.deepEqual(new Map(limits as [string, number][]).get('token "ci"'), 3);
  const { seriesByCaller } = (await ask('/api/v1/status/cardinality')) as CardinalityStatus;
  assert.equal(seriesByCaller.find(({ text }) => text === 'token "ci"')?.count, 3);
  assert.equal(seriesByCaller.find(({ text }) => text === 'token "app"')?.count, 5);
});
