// Tests that every published command line of Parca Agent starts our agent, which then sends
// profiles.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parseMetrics } from '../../support/metrics-text.ts';
import { publishedCommands } from '../../support/published-commands.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';
import { getText } from '../../support/json-api.ts';
import { cleaner, cpuType, startAgent } from '../support.ts';

const clean = cleaner();
const scratch = await scratchDirectory();
clean(() => scratch.remove());
const server = await startServer({ storagePath: join(scratch.path, 'data') });
clean(() => server.stop());
/** Folder of a package, which gives the program in it a name of its own. */
const folder = join(scratch.path, 'shop');
await mkdir(folder);
await writeFile(join(folder, 'index.js'), 'for (;;) Math.sqrt(2);');
// npm's variables would name the package that runs this test.
const program = spawn(process.execPath, ['index.js'], { cwd: folder, env: {}, stdio: 'ignore' });
clean(async () => void program.kill('SIGKILL'));

for (const command of publishedCommands.filter((one) => one.program === 'parca-agent')) {
  test(`${command.source}: ${command.args.join(' ')}`, async () => {
    const moved = (text: string): string =>
      text.replaceAll(/(?<![\w.])\/(?=(?:var|etc)\/)/g, `${scratch.path}/`);
    for (const [path, content] of Object.entries(command.files ?? {})) {
      await mkdir(dirname(join(scratch.path, path)), { recursive: true });
      await writeFile(join(scratch.path, path), content);
    }
    const takesServer = command.args.some((arg) => /^--remote-store-insecure(=true)?$/.test(arg));
    const agent = await startAgent([
      ...command.args.map(moved),
      '--http-address=127.0.0.1:0',
      `--queue-directory=${join(scratch.path, 'queue')}`,
      ...(takesServer ? [`--remote-store-address=${server.address}`] : []),
    ]);
    try {
      const isSending = 'a batch of samples, which the server takes';
      await agent.waitFor(isSending, ({ sampler, sender }) => {
        return sampler !== undefined && (!takesServer || (sender?.sentRequests ?? 0) > 0);
      });
      const [, address] = /msg=ready address=(\S+)/.exec(agent.log()) ?? [];
      for (const path of ['/ready', '/healthy']) {
        assert.equal((await fetch(`http://${address}${path}`)).status, 200, path);
      }
      const metrics = parseMetrics(await (await fetch(`http://${address}/metrics`)).text());
      if (command.source.includes('jsonnet')) {
        assert.match(agent.log(), /no process has __meta_kubernetes_pod_container_image/);
      }
      if (takesServer) {
        for (const [wanted, label] of [
          ['parca_reporter_samples_total', 'cpu'],
          ['sample_writes_total', undefined],
          ['sample_write_request_bytes', undefined],
          ['parca_agent_write_requests_total', 'OK'],
          ['grpc_client_handled_total', 'unary'],
          ['grpc_client_handling_seconds_count', 'unary'],
        ]) {
          const found = metrics.find(
            ({ name, labels }) =>
              name === wanted && (label === undefined || [...labels.values()].includes(label)),
          );
          assert.ok((found?.value ?? 0) > 0, `${wanted} ${label}`);
        }
      }
    } finally {
      assert.equal(await agent.stop(), 0, agent.log());
    }
  });
}

test('a Node program is a service of its own, not MainThread', async () => {
  const now = Date.now();
  const text = await getText(server.url, '/profiles/labels/service_name/values', {
    profileType: cpuType,
    start: new Date(now - 3_600_000).toISOString(),
    end: new Date(now + 60_000).toISOString(),
  });
  const { labelValues } = JSON.parse(text) as { readonly labelValues: readonly string[] };
  assert.ok(labelValues.includes('shop'), labelValues.join(' '));
  assert.ok(!labelValues.includes('MainThread'), labelValues.join(' '));
});
