// Tests of the status server: what it answers, and that strangers' names stay text.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { silentLogger } from '../../src/base/logger.ts';
import { noCounters } from '../testing/samples.ts';
import type { AgentStatus } from './status.ts';
import { openStatusServer } from './status-server.ts';

const status: AgentStatus = {
  ...{ version: '1.2.3', node: 'n<1>', destination: 'sends to db:7070' },
  ...{ uptimeSeconds: 3_725, cpuSeconds: 37.25, memoryBytes: 1_572_864 },
  sampler: { ...noCounters, samples: 1_234_567 },
  sender: undefined,
  queue: undefined,
  uploads: { uploaded: 3, pending: 0, isUnsupported: false },
  symbols: 'by the agent',
  notices: ['kernel functions have no names'],
  processes: [
    {
      ...{ pid: 7, comm: '<script>', executable: '/x', samples: 5 },
      found: { comm: '<script>alert(1)</script>' },
      labels: undefined,
    },
  ],
  executables: [
    {
      ...{ executable: '/x', samples: 8, completeShare: 0.75, failures: { noRule: 2 } },
      firstFailure: 'noRule at 0x10 of 7',
    },
  ],
};
let problem: string | undefined = 'no samples yet';
const server = await openStatusServer('127.0.0.1:0', {
  status: () => status,
  metricsText: async () => ({ contentType: 'text/plain', text: 'a 1\n' }),
  cpuProfile: async (seconds) => Uint8Array.of(seconds),
  heapProfile: async () => Uint8Array.of(9),
  problem: () => problem,
  logger: silentLogger,
});
after(() => server.close());

async function get(path: string): Promise<{ readonly code: number; readonly text: string }> {
  const response = await fetch(`http://${server.address}${path}`);
  return { code: response.status, text: await response.text() };
}

test('the page shows numbers, problems and labels, and escapes them', async () => {
  const { code, text } = await get('/');
  assert.equal(code, 200);
  for (const shown of ['n&lt;1&gt;', '1:02:05', '1.00 % of a core', '1.5 MiB', '1,234,567']) {
    assert.ok(text.includes(shown), shown);
  }
  assert.ok(text.includes('&lt;script&gt;: dropped by relabel_configs'));
  assert.ok(text.includes('kernel functions have no names'));
  assert.ok(text.includes('75.0 %') && text.includes('noRule at 0x10 of 7'));
  assert.ok(!text.includes('<script'));
});

test('every other path', async () => {
  assert.deepEqual(await get('/healthy'), { code: 200, text: 'ok\n' });
  assert.deepEqual(await get('/ready'), { code: 503, text: 'no samples yet\n' });
  problem = undefined;
  assert.deepEqual(await get('/ready'), { code: 200, text: 'ready\n' });
  assert.deepEqual(await get('/metrics'), { code: 200, text: 'a 1\n' });
  assert.equal((await get('/debug/pprof/profile?seconds=7')).text, '\u0007');
  assert.equal((await get('/debug/pprof/profile?seconds=900')).code, 400);
  assert.equal((await get('/debug/pprof/heap')).text, '\t');
  assert.equal((await get('/nothing')).code, 404);
  const { uptimeSeconds } = JSON.parse((await get('/status.json')).text) as AgentStatus;
  assert.equal(uptimeSeconds, 3_725);
  const response = await fetch(`http://${server.address}/`, { method: 'POST' });
  assert.equal(response.status, 405);
});
