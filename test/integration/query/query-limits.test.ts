// Tests limits of queries on the real server: limits set by flags and by requests, and cancelling.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFilledServer } from '../../support/filled-server.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';

const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const whole = { query: cpuType, start: '2026-01-01T00:00:00Z', end: '2026-01-01T01:00:00Z' };

const flags = ['--query-max-rows=4'];
const server = await startFilledServer(flags, async (push) => {
  const start = BigInt(Date.parse('2026-01-01T00:30:00Z')) * 1_000_000n;
  for (const [i, job] of ['a', 'b', 'b'].entries()) {
    const samples = [
      ['main;x', 1n],
      ['main;y', 2n],
    ] as const;
    const profile = cpuProfile({ timeNanos: start + BigInt(i) * 10n ** 10n, samples });
    await push({ __name__: 'process_cpu', job }, gzippedPprof(profile));
  }
});
after(() => server.stop());

function get(
  path: string,
  parameters: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${server.url}/api/v1/${path}?${new URLSearchParams(parameters)}`, { headers });
}

async function refusal(response: Response): Promise<readonly [number, string]> {
  const body = (await response.json()) as { message: string };
  return [response.status, body.message];
}

test('rows: past --query-max-rows a query is refused; a narrower one is answered', async () => {
  const [status, message] = await refusal(await get('export', whole));
  assert.equal(status, 429);
  assert.match(message, /it selects 6 rows, and the limit is 4 \(--query-max-rows/);
  const narrow = { ...whole, query: `${cpuType}{job="b"}`, format: 'collapsed' };
  const answer = await get('export', narrow);
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /^main;x \d+$/m);
});

test('requests may ask for less: by header and by the timeout parameter', async () => {
  const narrow = { ...whole, query: `${cpuType}{job="b"}` };
  // The query needs different rows, because rows that were already merged are not read again.
  const other = { ...narrow, query: `${cpuType}{job=~"b"}` };
  const fewer = await refusal(await get('export', other, { 'parca-query-max-rows': '3' }));
  assert.equal(fewer[0], 429);
  assert.match(fewer[1], /it selects 4 rows, and the limit is 3/);
  const small = await refusal(await get('export', other, { 'parca-query-max-memory': '512B' }));
  assert.equal(small[0], 429);
  assert.match(small[1], /bytes of memory or more, and the limit is 512/);
  // The machine may pause for seconds, and pauses count towards the query's time.
  const timed = await get('export', { ...narrow, timeout: '10m' });
  assert.equal(timed.status, 200);
  // The query ends when its body is complete, which may be later than the status.
  assert.ok((await timed.arrayBuffer()).byteLength > 0);
  const late = await refusal(await get('export', { ...other, timeout: '1ns' }));
  assert.equal(late[0], 504);
  const wrong = await refusal(await get('export', { ...narrow, timeout: 'soon' }));
  assert.equal(wrong[0], 400);
  assert.match(wrong[1], /^timeout: cannot read duration "soon"/);
});

test('queries under way are listed; who cancels one that is not is told', async () => {
  const list = await get('queries', {});
  assert.equal(list.headers.get('cache-control'), 'no-store');
  assert.deepEqual(await list.json(), { queries: [] });
  const unknown = await fetch(`${server.url}/api/v1/queries/12345`, { method: 'DELETE' });
  assert.deepEqual(await refusal(unknown), [404, 'cannot cancel query "12345": none is under way']);
});
