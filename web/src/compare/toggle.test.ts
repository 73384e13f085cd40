// Tests of the key of comparisons.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from '../rpc/api.ts';
import { RpcError } from '../rpc/grpc-web.ts';
import { toggled } from './toggle.ts';

const question = {
  query: 'cpu{job="a"}',
  profileType: 'cpu',
  selectedSpan: { from: 1, to: 60_000 },
};

function apiOf(labels: string[], error: Error): Api {
  const api: Partial<Api> = {
    labelNames: async () => labels,
    queryRange: async () => {
      throw error;
    },
  };
  return api as Api;
}

test('a query that the server refuses is compared with nothing', async () => {
  const refused = apiOf(['version'], new RpcError(3, '1:5: expected a quoted label value'));
  assert.equal(await toggled(question, refused), question.query);
});

test('what is no refusal is not hidden', async () => {
  await assert.rejects(toggled(question, apiOf(['version'], new TypeError('BUG'))), /BUG/);
});

test('without versions the base is the time before', async () => {
  const query = await toggled(question, apiOf(['job'], new TypeError('not asked')));
  assert.equal(query, 'diff(cpu{job="a"} offset 1m, cpu{job="a"})');
  // A fixed range includes both ends: a profile at its start does not belong to the time before.
  const fixed = { ...question, selectedSpan: { from: 0, to: 60_000 } };
  const ofFixed = await toggled(fixed, apiOf(['job'], new TypeError('not asked')));
  assert.equal(ofFixed, 'diff(cpu{job="a"} offset 1m1s, cpu{job="a"})');
});
