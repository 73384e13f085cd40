// Tests OpenTelemetry's collector, which receives profiles over OTLP and sends them to this server
// over gRPC and HTTP; identical profiles are stored once.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { eventually } from '../support/browser.ts';
import { scratchDirectory, startServer } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const scratch = await scratchDirectory();
const server = await startServer({ storagePath: join(scratch.path, 'data') });
const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
  await server.stop();
  await scratch.remove();
});

/** Builds a program in a folder next to this file; returns its path. */
function build(name: string): string {
  const path = join(scratch.path, name);
  execFileSync(testTool('TEST_NEW_GO'), ['build', '-o', path, '.'], {
    cwd: new URL(`${name}/`, import.meta.url).pathname,
    env: { ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=readonly' },
  });
  return path;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((one) => once(one, 'listening')));
  const ports = servers.map((one) => (one.address() as AddressInfo).port);
  await Promise.all(servers.map((one) => new Promise((resolve) => one.close(resolve))));
  return ports;
}

async function collapsed(query: string): Promise<string> {
  const parameters = new URLSearchParams({ query, start: 'now-10m', format: 'collapsed' });
  const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
  return (await response.text()).trim();
}

test('profiles and the labels of their samples come through the collector', async () => {
  const seconds = Math.floor(Date.now() / 1_000) - 60;
  execFileSync(build('push-clients'), ['otlp', scratch.path, String(seconds)]);
  const [grpcPort, httpPort] = await freePorts(2);
  const config = join(scratch.path, 'collector.yaml');
  writeFileSync(
    config,
    `
receivers:
  otlp:
    protocols:
      grpc: {endpoint: 127.0.0.1:${grpcPort}}
      http: {endpoint: 127.0.0.1:${httpPort}}
exporters:
  otlp_grpc: {endpoint: ${server.address}, tls: {insecure: true}, timeout: 60s}
  otlp_http: {endpoint: ${server.url}, timeout: 60s}
service:
  telemetry: {metrics: {level: none}}
  pipelines:
    profiles: {receivers: [otlp], exporters: [otlp_grpc, otlp_http]}
`,
  );
  const flags = [`--config=file:${config}`, '--feature-gates=service.profilesSupport'];
  const collector = spawn(build('otel-collector'), flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  collector.stderr.on('data', (text: Buffer) => (log += text.toString()));
  stops.push(async () => {
    if (collector.exitCode !== null) return;
    const ended = once(collector, 'exit');
    collector.kill();
    await ended;
  });
  await eventually(() => assert.match(log, /Everything is ready/));
  const response = await fetch(`http://127.0.0.1:${httpPort}/v1development/profiles`, {
    method: 'POST',
    body: new Uint8Array(readFileSync(join(scratch.path, 'otlp.pb'))),
    headers: { 'content-type': 'application/x-protobuf' },
  });
  assert.equal(response.status, 200, `${await response.text()}\n${log}`);
  const type = 'process_cpu:samples:count:cpu:nanoseconds:delta';
  await eventually(async () => {
    assert.equal(await collapsed(`${type}{service_name="pdata"}`), 'main;work 5', log);
  });
  const linked = `thread_name="worker", trace_id="010203${'0'.repeat(26)}"`;
  assert.equal(await collapsed(`${type}{service_name="pdata", ${linked}}`), 'main;work 3');
  assert.doesNotMatch(log, /error|fail|drop/i);
});
