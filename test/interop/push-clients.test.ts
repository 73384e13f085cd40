// Tests what is stored of pushes by Pyroscope's SDKs for Go, Node.js, Python and Rust, and of
// messages that OpenTelemetry's own types encode.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect, unary } from '../support/grpc-client.ts';
import { scratchDirectory, startServer } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const exportPath = '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export';
const seconds = Math.floor(Date.now() / 1_000) - 60;
const scratch = await scratchDirectory();
const server = await startServer({ storagePath: join(scratch.path, 'data') });
const client = connect(server.address);
after(async () => {
  client.close();
  await server.stop();
  await scratch.remove();
});
const clients = join(scratch.path, 'push-clients');
execFileSync(testTool('TEST_NEW_GO'), ['build', '-o', clients, '.'], {
  cwd: new URL('push-clients/', import.meta.url).pathname,
  env: { ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=readonly' },
});

async function collapsed(query: string): Promise<string> {
  const parameters = new URLSearchParams({ query, start: 'now-10m', format: 'collapsed' });
  const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text.trim();
}

test("Pyroscope's SDK for Go pushes for a minute: CPU time, allocations, memory in use", async () => {
  const used = Number(execFileSync(clients, ['sdk', server.url, '60'], { encoding: 'utf8' }));
  const app = '{service_name="go.shop", region="eu"}';
  const cpu = await collapsed(`process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta${app}`);
  const burned = Array.from(cpu.matchAll(/main\.burn.* (\d+)$/gm), ([, value]) => Number(value));
  const total = burned.reduce((sum, value) => sum + value, 0) / 1e9;
  assert.ok(total > used * 0.5 && total < used * 1.2, `${total} s of ${used} in burn\n${cpu}`);
  const types = await (await fetch(`${server.url}/api/profiles/types`)).text();
  const isDelta = (type: string): boolean | undefined =>
    (
      JSON.parse(types) as { types: { name: string; sampleType: string; delta: boolean }[] }
    ).types.find(({ name, sampleType }) => name === 'memory' && sampleType === type)?.delta;
  assert.deepEqual([isDelta('alloc_space'), isDelta('inuse_space')], [true, false], types);
  assert.match(await collapsed(`memory:alloc_space:bytes:space:bytes:delta${app}`), /main\.burn/);
});

test("Pyroscope's SDK for Node.js pushes for a minute: CPU and wall time of a function", async () => {
  const program = new URL('push-clients/pyroscope-node.cjs', import.meta.url).pathname;
  execFileSync(process.execPath, [program, testTool('TEST_PYROSCOPE_SDK'), server.url, '60']);
  const burned = async (type: string): Promise<number> => {
    const text = await collapsed(
      `process_cpu:${type}:nanoseconds:wall:nanoseconds:delta{service_name="node.shop", region="eu"}`,
    );
    const values = Array.from(text.matchAll(/:burn:.* (\d+)$/gm), ([, value]) => Number(value));
    return values.reduce((sum, value) => sum + value, 0) / 1e9;
  };
  const [cpu, wall] = [await burned('cpu'), await burned('wall')];
  // Clients of Pyroscope's API get Pyroscope's own type names.
  const now = Date.now();
  const ask = async (method: string, more: object): Promise<string> => {
    const response = await fetch(`${server.url}/querier.v1.QuerierService/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ start: String(now - 600_000), end: String(now), ...more }),
    });
    return response.text();
  };
  const types = await ask('ProfileTypes', {});
  const ofNode = ['cpu:nanoseconds', 'samples:count', 'wall:nanoseconds'];
  for (const type of ofNode) {
    const profileTypeID = `wall:${type}:wall:nanoseconds`;
    assert.ok(types.includes(`"ID":"${profileTypeID}"`), types);
    const labelSelector = '{service_name="node.shop"}';
    const graph = await ask('SelectMergeStacktraces', { profileTypeID, labelSelector });
    assert.match(graph, /:burn:/, profileTypeID);
  }
  assert.ok(!types.includes('"ID":"process_cpu:wall:'), types);
  // On a busy machine, the profiler takes fewer samples.
  assert.ok(wall > 15 && cpu > 0.2 && cpu < wall * 1.5, `${cpu} s, ${wall} s`);
});

test("Pyroscope's SDK for Python pushes for a minute: CPU time, tags of a part of it", async () => {
  const program = new URL('push-clients/pyroscope-python.py', import.meta.url).pathname;
  const sdk = testTool('TEST_PYROSCOPE_PYTHON');
  execFileSync(testTool('TEST_PYTHON'), [program, sdk, server.url, '60']);
  const burned = async (selector: string): Promise<number> => {
    const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
    const text = await collapsed(`${cpu}{service_name="python.shop", region="eu"${selector}}`);
    const values = Array.from(text.matchAll(/\bburn\b.* (\d+)$/gm), ([, value]) => Number(value));
    return values.reduce((sum, value) => sum + value, 0) / 1e9;
  };
  const [all, tagged] = [await burned(''), await burned(', endpoint="/cart"')];
  // Samples may be late on a busy machine.
  assert.ok(all > 30 && all < 65, `${all} s of 60`);
  assert.ok(tagged > all * 0.2 && tagged < all * 0.45, `${tagged} s of ${all}`);
});

test("Pyroscope's SDK for Rust pushes for a minute: CPU time, tags of a part of it", async () => {
  // The folder is kept between runs, because it has 200 packages.
  const target = new URL('../../.cache/test-tools/pyroscope-rust/', import.meta.url).pathname;
  const build = ['build', '--release', '--locked', '--quiet', '--target-dir', target];
  const folder = new URL('pyroscope-rust/', import.meta.url).pathname;
  execFileSync(testTool('TEST_CARGO'), build, { cwd: folder });
  const program = join(target, 'release/pyroscope-rust');
  const took = Number(execFileSync(program, [server.url, '60'], { encoding: 'utf8' })) / 1e9;
  const burned = async (selector: string): Promise<number> => {
    const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
    const text = await collapsed(`${cpu}{service_name="rust.shop", region="eu"${selector}}`);
    const values = Array.from(text.matchAll(/\bburn\b.* (\d+)$/gm), ([, value]) => Number(value));
    return values.reduce((sum, value) => sum + value, 0) / 1e9;
  };
  const [all, tagged] = [await burned(''), await burned(', endpoint="/cart"')];
  // On a busy machine, a program gets less than a core and few samples.
  assert.ok(all > took * 0.6 && all < took * 1.2 + 0.5, `${all} s of ${took}`);
  assert.ok(tagged > all * 0.15 && tagged < all * 0.5, `${tagged} s of ${all}`);
});

test("OTLP by OpenTelemetry's own types, by gRPC and in JSON: the same is stored once", async () => {
  execFileSync(clients, ['otlp', scratch.path, String(seconds)]);
  const binary = readFileSync(join(scratch.path, 'otlp.pb'));
  assert.equal((await unary(client, exportPath, binary)).length, 0);
  const json = readFileSync(join(scratch.path, 'otlp.json'));
  const response = await fetch(`${server.url}/v1development/profiles`, {
    method: 'POST',
    body: json,
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(response.status, 200, await response.text());
  const type = 'process_cpu:samples:count:cpu:nanoseconds:delta';
  assert.equal(await collapsed(`${type}{service_name="pdata"}`), 'main;work 5');
  const linked = `thread_name="worker", trace_id="010203${'0'.repeat(26)}"`;
  assert.equal(await collapsed(`${type}{service_name="pdata", ${linked}}`), 'main;work 3');
});
