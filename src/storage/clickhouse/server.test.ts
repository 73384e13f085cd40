// Tests that a caller that no longer wants an answer from ClickHouse does not wait for a server
// that hangs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { silentLogger } from '../../base/logger.ts';
import { createClock } from '../../base/node/clock.ts';
import { createRandom } from '../../base/node/random.ts';
import { clickHouseServers } from './open.ts';
import { selectStreams } from './select-series.ts';
import { toAsker } from './server.ts';

test('a search for series ends with its caller, although the server does not answer', async () => {
  const statements: string[] = [];
  const begun = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const server = createServer(async (request) => {
    let statement = '';
    for await (const part of request) statement += String(part);
    statements.push(statement);
    if (statement.startsWith('KILL QUERY')) killed.resolve();
    else begun.resolve();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const machine = { clock: createClock(), random: createRandom(), logger: silentLogger };
  const options = { urls: [url], username: '', password: '', cluster: '', database: '' };
  const servers = clickHouseServers(machine, { ...options, insertQuorum: 0, keepNanos: 0n }, 'a');
  const caller = new AbortController();
  const query = { matchers: [], profileType: undefined, range: { from: 0n, to: 1n } };
  const asked = selectStreams(servers, query, toAsker(caller.signal));
  await begun.promise;
  caller.abort(new AppError('cancelled', 'the caller has gone'));
  await assert.rejects(asked, /the caller has gone/);
  await killed.promise;
  assert.equal(statements.length, 2);
  server.closeAllConnections();
  await servers.close();
  server.close();
});
