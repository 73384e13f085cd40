// Tests which profiles are stored when Alloy's component `pyroscope.write` pushes those of its
// scraper and of its receiver.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { scratchDirectory, startServer } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const scratch = await scratchDirectory();
const server = await startServer({ storagePath: join(scratch.path, 'data') });
after(async () => {
  await server.stop();
  await scratch.remove();
});

async function collapsed(query: string): Promise<string> {
  const parameters = new URLSearchParams({ query, start: 'now-10m', format: 'collapsed' });
  const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text.trim();
}

test('Alloy pushes for a minute: CPU time, memory with labels, and a file that it received', async () => {
  const used = Number(
    execFileSync(testTool('TEST_ALLOY_WRITE'), [server.url, '60'], { encoding: 'utf8' }),
  );
  const labels = '{service_name="alloy.shop", instance="shop:6060", region="eu"}';
  const cpu = await collapsed(`process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta${labels}`);
  const burned = Array.from(cpu.matchAll(/main\.burn.* (\d+)$/gm), ([, value]) => Number(value));
  const total = burned.reduce((sum, value) => sum + value, 0) / 1e9;
  assert.ok(total > used * 0.5 && total < used * 1.2, `${total} s of ${used} in burn\n${cpu}`);
  const heap = await collapsed(`memory:inuse_space:bytes:space:bytes${labels}`);
  assert.match(heap, / [1-9]\d*$/m);
  const file = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{service_name="alloy.file"}';
  assert.equal(await collapsed(file), 'main;work 70000000');
});
