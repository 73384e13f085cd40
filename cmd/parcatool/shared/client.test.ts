// Tests of the client's warnings and errors.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { get, getJson } from './client.ts';

const server = createServer((request, response) => {
  if (request.url === '/file') response.setHeader('parca-warnings', '["block \\u00fc","b"]');
  response.end(request.url === '/file' ? 'main 5' : '{"total":"5","warnings":["block c"]}');
});

before(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
after(() => new Promise((resolve) => void server.close(resolve)));

test('what an answer lacks is told', async () => {
  const { port } = server.address() as AddressInfo;
  const warnings: string[] = [];
  const warn = (sentence: string): void => void warnings.push(sentence);
  const options = { url: new URL(`http://127.0.0.1:${port}`), timeoutMillis: 10_000, warn };
  assert.equal(new TextDecoder().decode(await get(options, '/file', {})), 'main 5');
  assert.deepEqual(warnings, ['block \u00fc', 'b']);
  await getJson(options, '/json', {});
  assert.deepEqual(warnings, ['block \u00fc', 'b', 'block c']);
});
