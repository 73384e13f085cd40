// Tests limits of callers in the web config file: which callers are refused, which are not, and
// what the refusals say.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openWebConfig, type Scope } from '../../../src/config/web/web-config.ts';
import { startApi } from '../../support/api.ts';

function token(name: string, ...scopes: Scope[]) {
  return { name, sha256: createHash('sha256').update(name).digest('hex'), scopes };
}

test('a token past its bytes a second gets 429 and a time; others and the list do not', async (t) => {
  const ingester = { write: async () => undefined, writeRecord: async () => undefined };
  const limit = { caller: 'token "ci"', pushBytesPerSecond: 8, queriesAtOnce: 0, activeSeries: 0 };
  const tokens = [token('ci', 'write'), token('app', 'write'), token('boss', 'admin')];
  const web = { ...openWebConfig, tokens, callerLimits: [limit] };
  const server = await startApi({ options: { web }, services: { ingester } });
  t.after(() => server.close());
  const push = async (name: string): Promise<Response> => {
    const answer = await fetch(`${server.url}/api/v1/push?job=x`, {
      method: 'POST',
      headers: { authorization: `Bearer ${name}` },
      body: 'main;work 1\n'.repeat(50),
    });
    await answer.arrayBuffer();
    return answer;
  };
  assert.equal((await push('ci')).status, 200);
  const refused = await push('ci');
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  assert.deepEqual([(await push('app')).status, (await push('app')).status], [200, 200]);
  const ask = (name: string): Promise<Response> =>
    fetch(`${server.url}/api/v1/callers`, { headers: { authorization: `Bearer ${name}` } });
  assert.equal((await ask('app')).status, 403);
  const { callers } = (await (await ask('boss')).json()) as {
    callers: { caller: string; pushes: number; refusedPushes: number; limits: object }[];
  };
  assert.deepEqual(
    callers.map(({ caller, pushes, refusedPushes }) => [caller, pushes, refusedPushes]),
    [
      ['token "app"', 2, 0],
      ['token "ci"', 1, 1],
    ],
  );
  assert.deepEqual(callers[1].limits, { pushBytesPerSecond: 8, queriesAtOnce: 0, activeSeries: 0 });
  // A changed file takes effect at once.
  server.api.applyWebConfig({ ...web, callerLimits: [] });
  assert.equal((await push('ci')).status, 200);
});
