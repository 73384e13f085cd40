// Tests Pyroscope's own client, on which Grafana's data source is based: it reads from this server
// over Connect, gRPC and gRPC-Web, and in JSON.
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
const clients = join(scratch.path, 'pyroscope-clients');
execFileSync(testTool('TEST_NEW_GO'), ['build', '-o', clients, '.'], {
  cwd: new URL('pyroscope-clients/', import.meta.url).pathname,
  env: { ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=readonly' },
});

/** Start of the queried range, in seconds. */
const start = Math.floor(Date.now() / 1_000) - 120;

/** Pushes an application's stacks; a sample is a nanosecond. */
async function push(app: string, seconds: number, stacks: string): Promise<void> {
  const from = start + seconds;
  const parameters = new URLSearchParams({
    name: app,
    format: 'folded',
    from: String(from),
    until: String(from + 10),
    sampleRate: '1000000000',
  });
  const url = `${server.url}/ingest?${parameters}`;
  const response = await fetch(url, { method: 'POST', body: stacks });
  assert.equal(response.status, 200, await response.text());
}

test('the same answers in every protocol, equal to sums by hand', async () => {
  await push('shop', 10, 'main;serve 5\nmain;serve;decode 30\n');
  await push('shop', 15, 'main;serve 2\n');
  await push('shop', 16, 'main 1\n');
  await push('cart', 40, 'main 7\n');
  const range = [start, start + 60].map((seconds) => String(seconds * 1_000));
  const output = execFileSync(clients, [server.url, ...range], { encoding: 'utf8' });
  const lines = output.trim().split('\n');
  const answers = lines.map((line) => JSON.parse(line) as { protocol: string; answers: object });
  const protocols = answers.map(({ protocol }) => protocol).sort();
  assert.deepEqual(protocols, ['connect', 'grpc', 'grpc-web', 'json']);
  for (const { protocol, answers: got } of answers) {
    assert.deepEqual(
      got,
      {
        types: ['process_cpu:cpu:nanoseconds:cpu:nanoseconds'],
        names: [
          '__name__',
          '__period_type__',
          '__period_unit__',
          '__profile_type__',
          '__service_name__',
          '__type__',
          '__unit__',
          'service_name',
        ],
        values: ['cart', 'shop'],
        series: ['shop 15:37 30:1', 'cart 45:7'],
        'names of bars': ['total', 'main', 'serve', 'decode'],
        levels: [
          [0, 38, 0, 0],
          [0, 38, 1, 1],
          [0, 37, 7, 2],
          [0, 30, 30, 3],
        ],
        total: 45,
        refused: 'invalid_argument',
      },
      protocol,
    );
  }
});
