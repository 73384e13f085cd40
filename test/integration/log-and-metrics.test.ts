// Tests a running server with operators' tools: its JSON log lines, its metrics with promlint's
// rules, and its message about a lock.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runParcatool } from '../support/parcatool.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const scratch = await scratchDirectory();
const storagePath = join(scratch.path, 'data');
let server: TestServer;

before(async () => {
  server = await startServer({ storagePath, flags: ['--log-format=json'], selfScrape: true });
});

after(async () => {
  await server.stop();
  await scratch.remove();
});

test('numbers in JSON logs are numbers', () => {
  const lines = server.log().trimEnd().split('\n');
  const fields = lines.flatMap((line) => Object.entries(JSON.parse(line) as object));
  assert.ok(fields.some(([name, value]) => name === 'seconds' && typeof value === 'number'));
  const texts = fields.filter(([, value]) => typeof value === 'string' && /^[\d.]+$/.test(value));
  assert.deepEqual(texts, [['version', '0.1.0']]);
});

test('metrics keep the rules of promtool check metrics', async () => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const helped = new Set([...text.matchAll(/^# HELP (\S+) ./gm)].map(([, name]) => name));
  const units = /milliseconds|minutes|hours|kilobytes|megabytes|_(?:ms|kb|mb)(?:_|$)/;
  const mistakes: string[] = [];
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    if (!helped.has(name)) mistakes.push(`${name} has no help`);
    if (name.endsWith('_total') !== (type === 'counter')) mistakes.push(`${name} is a ${type}`);
    if (/_(?:count|sum|bucket)$/.test(name)) mistakes.push(`${name} has a reserved ending`);
    if (/[A-Z]|:/.test(name) || units.test(name)) mistakes.push(`${name} is misnamed`);
    if (/_(?:gauge|counter|histogram|summary)(?:_|$)/.test(name)) mistakes.push(`${name}: type`);
  }
  assert.deepEqual(mistakes, []);
});

test('the message of a lock says what holds it', async () => {
  const held = new RegExp(`another server holds it \\(pid ${server.pid}\\)`);
  await assert.rejects(startServer({ storagePath }), held);
  const { code, err } = await runParcatool('data', 'backup', storagePath, '--target=/tmp/none');
  assert.equal(code, 1);
  assert.match(err, held);
});
