// Tests that all text files except tiny ones are read in a worker thread, so that other requests
// are answered meanwhile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createThreadImport } from '../../../cmd/parca/import-in-thread.ts';
import { importHereBytesMax } from '../../../src/api/limits.ts';
import { createClock } from '../../../src/base/node/clock.ts';
import { readPprofHead } from '../../../src/formats/pprof/head.ts';
import { startApi } from '../../support/api.ts';
import { parseMetrics } from '../../support/metrics-text.ts';

const importInThread = createThreadImport(createClock());
const line = `${'frame;'.repeat(50)}leaf 1\n`;
const large = line.repeat(Math.ceil(importHereBytesMax / line.length) + 1);

test('a thread reads large text at each door, within the limits, and nothing else', async (t) => {
  let asked = 0;
  const stored: string[] = [];
  const server = await startApi({
    hooks: {
      importInThread: async (file, signal) => {
        asked += 1;
        const imported = await importInThread(file, signal);
        // The main thread is not busy with the file.
        assert.equal((await fetch(`${server.url}/-/healthy`)).status, 200);
        return imported;
      },
    },
    services: {
      ingester: {
        write: async (uploads) => {
          for (const { profile } of uploads) {
            stored.push(
              readPprofHead(profile)
                .sampleTypes.map(({ type }) => type)
                .join(),
            );
          }
        },
        writeRecord: async () => undefined,
      },
    },
  });
  t.after(() => server.close());
  const push = async (path: string, body: string | Uint8Array<ArrayBuffer>): Promise<string> => {
    const answer = await fetch(server.url + path, { method: 'POST', body });
    return `${answer.status} ${await answer.text()}`;
  };
  assert.match(await push('/api/v1/push?job=a', line), /^200 .*"collapsed"/);
  const binary = Buffer.concat([
    Buffer.from('320032007a00', 'hex'),
    Buffer.alloc(large.length, '\0x'),
  ]);
  await push('/api/v1/push?job=a', Uint8Array.from(binary));
  assert.equal(asked, 0);
  assert.match(await push('/api/v1/push?job=a&type=x:count', large), /^200 .*"collapsed"/);
  assert.match(await push('/ingest?name=app.wall', large), /^200 $/);
  assert.match(await push('/ingest?name=app.wall&format=lines', large), /^200 $/);
  assert.deepEqual([asked, ...stored.slice(-3)], [3, 'x', 'wall', 'wall']);
  const deep = `${'a;'.repeat(9_000)}b 1\n`.repeat(20);
  assert.match(await push('/api/v1/push?job=a', deep), /^429 .*--profile-max-stack-depth/);
  assert.equal(asked, 4);
  const reached = parseMetrics((await server.metrics.text()).text).filter(
    ({ name }) => name === 'parca_limit_reached_total',
  );
  assert.deepEqual(
    reached.map(({ labels, value }) => [labels.get('limit'), value]),
    [['profile-max-stack-depth', 1]],
  );
});
