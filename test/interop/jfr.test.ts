// Tests a minute of pushes by Pyroscope's SDK for Java; jfr-recordings.test.ts tests other
// recordings.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { realpathSync } from 'node:fs';
import { after, test } from 'node:test';
import { scratchDirectory, startServer } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const bin = dirname(realpathSync(testTool('TEST_JAVAC')));
const [java, javac] = ['java', 'javac'].map((name) => join(bin, name));
const agent = testTool('TEST_PYROSCOPE_JAVA');
const folder = new URL('jfr/', import.meta.url).pathname;
const scratch = await scratchDirectory();
const server = await startServer({ storagePath: join(scratch.path, 'data') });
after(async () => {
  await server.stop();
  await scratch.remove();
});
execFileSync(javac, ['-d', scratch.path, '-cp', agent, join(folder, 'Labelled.java')]);

test("Pyroscope's SDK for Java pushes for a minute: CPU time, allocations, labels", async () => {
  const { status, stdout, stderr } = spawnSync(
    java,
    [`-javaagent:${agent}`, '-cp', `${scratch.path}:${agent}`, 'Labelled', '60'],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        PYROSCOPE_APPLICATION_NAME: 'java.shop',
        PYROSCOPE_SERVER_ADDRESS: server.url,
        PYROSCOPE_FORMAT: 'jfr',
        PYROSCOPE_LABELS: 'region=eu',
        PYROSCOPE_UPLOAD_INTERVAL: '5s',
        PYROSCOPE_PROFILER_EVENT: 'itimer',
        PYROSCOPE_PROFILER_ALLOC: '512k',
      },
    },
  );
  assert.equal(status, 0, stderr);
  assert.doesNotMatch(`${stdout}${stderr}`, /error|failed/i);
  const seconds = async (selected: string): Promise<number> => {
    const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
    const lines = await collapsed(`${cpu}{service_name="java.shop", region="eu"${selected}}`);
    return lines.filter((line) => line.includes('Labelled.burn')).reduce(addCount, 0) / 1e9;
  };
  const [all, cart] = [await seconds(''), await seconds(', endpoint="/cart"')];
  assert.ok(all > 10 && all < 70, `${all} s in burn`);
  assert.ok(cart > all * 0.3 && cart < all * 0.7, `${cart} s of ${all} s have the label`);
  const allocated = await collapsed(
    'memory:alloc_in_new_tlab_bytes:bytes:space:bytes:delta{service_name="java.shop"}',
  );
  assert.ok(
    allocated.some((line) => line.includes('Labelled.burn')),
    allocated.join('\n'),
  );
});

async function collapsed(query: string): Promise<string[]> {
  const parameters = new URLSearchParams({ query, start: 'now-10m', format: 'collapsed' });
  const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text.trim().split('\n');
}

function addCount(sum: number, line: string): number {
  return sum + Number(line.slice(line.lastIndexOf(' ') + 1));
}
