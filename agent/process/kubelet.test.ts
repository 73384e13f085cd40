import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { containerRetryMillis } from '../limits.ts';
import { KubeletLogs } from './kubelet.ts';

const id = '0123456789abcdef'.repeat(4);

test('containers are found by the names of their logs, new ones after a while', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parca-kubelet-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createFakeClock();
  const logs = new KubeletLogs(clock, folder);
  assert.equal(logs.find(id), undefined);
  writeFileSync(join(folder, `web-7d4b9_shop_nginx-proxy-${id}.log`), '');
  writeFileSync(join(folder, 'something-else.log'), '');
  assert.equal(logs.find(id), undefined, 'the folder is not read all the time');
  await clock.advance(containerRetryMillis);
  assert.deepEqual(logs.find(id), {
    pod: 'web-7d4b9',
    namespace: 'shop',
    container: 'nginx-proxy',
  });
  rmSync(folder, { recursive: true });
  assert.equal(new KubeletLogs(clock, folder).find(id), undefined);
});
