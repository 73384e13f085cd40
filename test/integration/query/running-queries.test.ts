// Tests that callers can find their running queries by the tag that they give to a request.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, Metadata, credentials } from '@grpc/grpc-js';
import { parca } from '../../../proto/gen/query.js';
import { frameMessage } from '../../../src/api/transport/grpc/message-frames.ts';
import { parseProfileType } from '../../../src/model/profile-type.ts';
import { cpuText } from '../../../src/query/testing/ask.ts';
import { TestStore } from '../../../src/query/testing/test-store.ts';
import { startHeldApi, type HeldApi } from '../../support/held-queries.ts';

const { QueryRangeRequest } = parca.query.v1alpha1;
const rangePath = '/parca.query.v1alpha1.QueryService/QueryRange';

let server: HeldApi;

before(async () => {
  const store = new TestStore();
  store.add({ type: parseProfileType(cpuText), timeNanos: 5n, rows: 'main;work 10' });
  server = await startHeldApi(store, 0);
});

after(() => server.close());

interface Listed {
  readonly kind: string;
  readonly tags: readonly string[];
  readonly rows: { readonly done: number; readonly selected: number };
}

const waitMillisMax = 30_000;

async function list(
  parameters = '',
  signal = AbortSignal.timeout(waitMillisMax),
): Promise<Listed[]> {
  const response = await fetch(`${server.url}/api/v1/queries${parameters}`, { signal });
  assert.equal(response.status, 200, await response.clone().text());
  return ((await response.json()) as { queries: Listed[] }).queries;
}

/** Waits until `count` queries are listed; returns a sorted list with the joined tags of each. */
async function waitForTags(count: number, parameters = ''): Promise<string[]> {
  const signal = AbortSignal.timeout(waitMillisMax);
  let queries = await list(parameters, signal);
  while (queries.length !== count) queries = await list(parameters, signal);
  return queries.map(({ tags }) => tags.join(' ')).toSorted();
}

/** Makes a request for a range that starts in 1970 and lasts `nanos`. */
function rangeRequest(nanos: number): Uint8Array {
  const [start, end, step] = [{ nanos: 0 }, { nanos }, { nanos: 1 }];
  return QueryRangeRequest.encode({ query: cpuText, start, end, step }).finish();
}

function json(seconds: number, tag: string, signal?: AbortSignal): Promise<Response> {
  const [start, end] = [0, seconds].map((time) => new Date(time * 1000).toISOString());
  const asked = new URLSearchParams({ query: cpuText, start, end, step: '1s' });
  return fetch(`${server.url}/api/profiles/query_range?${asked}`, {
    headers: { 'parca-query-tag': tag },
    ...(signal && { signal }),
  });
}

test('every transport takes the tag; the list can be asked for tags', async () => {
  server.queries.hold();
  const grpc = new Client(server.address, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('parca-query-tag', 'native');
  const pass = (bytes: Buffer): Buffer => bytes;
  const native = new Promise<Buffer>((resolve, reject) => {
    const request = Buffer.from(rangeRequest(10));
    grpc.makeUnaryRequest(rangePath, pass, pass, request, metadata, (error, bytes) => {
      if (error) reject(error);
      else resolve(bytes ?? Buffer.alloc(0));
    });
  });
  const web = fetch(`${server.url}/api${rangePath}`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto', 'parca-query-tag': 'web' },
    body: new Uint8Array(frameMessage(rangeRequest(20))),
  });
  const gateway = json(30, 'gateway');
  const changes = (end: string, headers: Record<string, string>): Promise<Response> => {
    const asked = { query: cpuText, start: '1970-01-01T00:01:00Z', end };
    return fetch(`${server.url}/api/v1/changes?${new URLSearchParams(asked)}`, { headers });
  };
  const tagged = changes('1970-01-01T00:02:00Z', { 'parca-query-tag': 'changes' });
  const untagged = changes('1970-01-01T00:03:00Z', {});
  assert.deepEqual(await waitForTags(5), ['', 'changes', 'gateway', 'native', 'web']);
  assert.deepEqual(await waitForTags(2, '?tag=web&tag=native&tag=none'), ['native', 'web']);
  assert.deepEqual(await waitForTags(0, '?tag=none'), []);
  server.queries.release();
  assert.equal((await gateway).status, 200);
  await Promise.all([native, web, tagged, untagged]);
  grpc.close();
  assert.deepEqual(await list(), []);
});

test('who joins an equal question finds it by its own tag, and leaves with it', async () => {
  server.queries.hold();
  const controller = new AbortController();
  const first = json(40, 'first', controller.signal);
  await waitForTags(1);
  const second = json(40, 'second');
  assert.deepEqual(await waitForTags(1, '?tag=second'), ['first second']);
  const context = server.queries.held.get('range');
  context?.budget.selectRows(8);
  assert.deepEqual((await list('?tag=second'))[0].rows, { done: 0, selected: 8 });
  controller.abort();
  await assert.rejects(first, { name: 'AbortError' });
  assert.deepEqual(await waitForTags(0, '?tag=first'), []);
  assert.deepEqual(await waitForTags(1), ['second']);
  server.queries.release();
  assert.equal((await second).status, 200);
});

test('a query leaves the list with its caller', async () => {
  server.queries.hold();
  const controller = new AbortController();
  const asked = json(50, 'gone', controller.signal);
  await waitForTags(1, '?tag=gone');
  controller.abort();
  await assert.rejects(asked, { name: 'AbortError' });
  assert.deepEqual(await waitForTags(0), []);
  server.queries.release();
});

test('what is wrong with a tag or a parameter is said', async () => {
  const tagged = await json(60, 'a tag');
  assert.equal(tagged.status, 400);
  assert.match(await tagged.text(), /parca-query-tag: must be 1 to 64 letters/);
  const unknown = await fetch(`${server.url}/api/v1/queries?tags=x`);
  assert.equal(unknown.status, 400);
  assert.match(await unknown.text(), /unknown parameter \\"tags\\": did you mean tag\?/);
});
