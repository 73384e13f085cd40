// Tests a server on a small disk that is really full, because no space is kept free: every API and
// page reports it once, and the server recovers by itself.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseMetrics } from '../../support/metrics-text.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

const scratch = await scratchDirectory();
after(() => scratch.remove());

test('ENOSPC is a read-only server: one line in the log, 503, a metric, and it recovers', async () => {
  const mount = join(scratch.path, 'disk');
  fs.mkdirSync(mount);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', mount]);
  const server = await startServer({
    storagePath: join(mount, 'data'),
    flags: ['--storage-free-disk-min=0'],
  });
  try {
    let count = 0;
    const push = async (): Promise<Response> => {
      count += 1;
      const timeNanos = 1_800_000_000_000_000_000n + BigInt(count) * 1_000_000_000n;
      const samples: [string, bigint][] = Array.from({ length: 200 }, (_, i) => [
        `function_${count}_${i}`,
        1n,
      ]);
      const body = new Uint8Array(gzippedPprof(cpuProfile({ timeNanos, samples })));
      return fetch(`${server.url}/api/v1/push?job=a`, { method: 'POST', body });
    };
    const readiness = async (): Promise<number> =>
      (await fetch(`${server.url}/-/ready/write`)).status;
    const readMetric = async (name: string): Promise<number | undefined> => {
      const metrics = parseMetrics(await (await fetch(`${server.url}/metrics`)).text());
      return metrics.find((metric) => metric.name === name)?.value;
    };
    assert.equal((await push()).status, 200);
    assert.equal(await readiness(), 200);
    const filler = join(mount, 'filler');
    fill(filler);
    let refused = await push();
    while (refused.status === 200) refused = await push();
    assert.match(await refused.text(), /cannot store profiles: the disk is full/);
    for (let i = 0; i < 20; i += 1) assert.equal((await push()).status, refused.status);
    assert.equal(await readiness(), 503);
    assert.equal(await readMetric('parca_storage_read_only'), 1);
    assert.equal(await readMetric('parca_ready_for_writes'), 0);
    assert.equal((await fetch(`${server.url}/-/ready`)).status, 200);
    fs.rmSync(filler);
    while ((await readiness()) !== 200) await new Promise((done) => void setTimeout(done, 50));
    assert.equal((await push()).status, 200);
    assert.equal(await readMetric('parca_storage_read_only'), 0);
    const lines = server.log().match(/level=(?:error|warn) .*|msg="the disk has room.*/g) ?? [];
    assert.deepEqual(
      lines.map((line) => line.replace(/ path=.*/, '')),
      [
        'level=error msg="the disk is full: writes are refused"',
        'msg="the disk has room again: writes are taken"',
      ],
    );
    assert.equal(await server.stop(), 0);
  } finally {
    await server.kill();
    execFileSync('umount', [mount]);
  }
});

function fill(path: string): void {
  const descriptor = fs.openSync(path, 'a');
  try {
    for (;;) if (fs.writeSync(descriptor, new Uint8Array(4_096)) < 4_096) break;
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error && error.code === 'ENOSPC');
  } finally {
    fs.closeSync(descriptor);
  }
}
