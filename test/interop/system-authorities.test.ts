// Tests certificates of authorities that only the system trusts, such as a company's own authority.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { runParcatoolWith } from '../support/parcatool.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const scratch = await scratchDirectory();
after(() => scratch.remove());

/** Makes a certificate for 127.0.0.1 that is its own authority. */
async function makeCertificate(): Promise<{ readonly certPath: string; readonly keyPath: string }> {
  const [certPath, keyPath] = ['cert.pem', 'key.pem'].map((name) => join(scratch.path, name));
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', keyPath, '-out', certPath];
  await promisify(execFile)(testTool('TEST_OPENSSL'), [
    'req',
    '-x509',
    ...key,
    ...subject,
    ...files,
  ]);
  return { certPath, keyPath };
}

test('authorities of the system are trusted, by scrapes, buckets and parcatool', async (t) => {
  const { certPath, keyPath } = await makeCertificate();
  const asked = new Map<string, () => void>();
  const wanted = ['/cpu', '/here'].map(
    (path) => new Promise<void>((resolve) => void asked.set(path, resolve)),
  );
  const target = createServer({ cert: await readFile(certPath), key: await readFile(keyPath) });
  target.on('request', ({ url = '' }, response) => {
    for (const [path, resolve] of asked) if (url.startsWith(path)) resolve();
    response.writeHead(404).end();
  });
  await once(target.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    target.closeAllConnections();
    target.close();
  });
  const { port } = target.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  const bucket = { bucket: 'here', endpoint: host, access_key: 'a', secret_key: 'b' };
  const cpu = { process_cpu: { path: '/cpu', delta: true } };
  const job = {
    job_name: 'secure',
    scheme: 'https',
    scrape_interval: '1s',
    static_configs: [{ targets: [host] }],
    profiling_config: { pprof_config: cpu },
  };
  const config = JSON.stringify({
    object_storage: { bucket: { type: 'S3', config: bucket } },
    scrape_configs: [job],
  });
  const start = (name: string, variables: Record<string, string>): Promise<TestServer> =>
    startServer({ storagePath: join(scratch.path, name), config, variables });
  const trusting = { SSL_CERT_FILE: certPath };
  const own = await start('trusting', trusting);
  t.after(() => own.kill());
  await Promise.race([Promise.all(wanted), rejectAfter(20_000, () => own.log())]);
  await own.stop();
  const client = await runParcatoolWith(trusting, 'labels', `--server=https://${host}`);
  assert.match(client.err, /it has no such path; does the address need its path prefix/);
  const doubting = { ...trusting, NODE_USE_SYSTEM_CA: '0' };
  const other = await start('doubting', doubting);
  await other.stop();
  assert.match(other.log(), /cannot use the bucket.*its certificate has no known authority/);
});

/** Rejects after `millis` with the message from `explain`; never resolves. */
async function rejectAfter(millis: number, explain: () => string): Promise<never> {
  await delay(millis, undefined, { ref: false });
  throw new Error(explain());
}
