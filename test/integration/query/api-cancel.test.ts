// Tests that the server ends the work for callers who disconnect, over each protocol.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { QueryCaller } from '../../../src/query/interface.ts';
import { parca } from '../../../proto/gen/query.js';
import { emptyServices, startApi, type TestApi } from '../../support/api.ts';

let server: TestApi;
let began = Promise.withResolvers<void>();
let aborted = Promise.withResolvers<unknown>();

/** Work that ends only when its caller disconnects. */
function endless({ signal }: QueryCaller): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      aborted.resolve(signal.reason);
      reject(signal.reason);
    });
    began.resolve();
  });
}

before(async () => {
  server = await startApi({
    services: {
      ...emptyServices,
      engine: {
        ...emptyServices.engine,
        queryRange: (_question, caller) => endless(caller),
        encodedReport: (_question, _encoding, caller) => endless(caller),
      },
    },
  });
});

after(() => server.close());

/** Sends a request, and disconnects as soon as the work has started. */
async function goAway(path: string, init: RequestInit = {}): Promise<void> {
  began = Promise.withResolvers();
  aborted = Promise.withResolvers();
  const controller = new AbortController();
  const asked = fetch(`${server.url}${path}`, { ...init, signal: controller.signal });
  await began.promise;
  controller.abort();
  await assert.rejects(asked, { name: 'AbortError' });
  assert.match(String(await aborted.promise), /cancelled by the caller/, path);
}

const range = 'start=2026-01-01T00:00:00Z&end=2026-01-01T01:00:00Z';

test('over HTTP/1.1: the JSON API, and exports', async () => {
  await goAway(`/api/profiles/query_range?query=q&step=10s&${range}`);
  await goAway(`/api/v1/export?query=q&${range}`);
});

test('over gRPC-Web', async () => {
  const { QueryRangeRequest } = parca.query.v1alpha1;
  const asked = { query: 'q', start: { nanos: 1 }, end: { nanos: 2 }, step: { nanos: 1 } };
  const message = QueryRangeRequest.encode(asked).finish();
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  await goAway('/api/parca.query.v1alpha1.QueryService/QueryRange', {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto' },
    body: frame,
  });
});
