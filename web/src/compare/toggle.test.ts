// Tests of the comparison shortcut.
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

function makeApi(labels: string[], error: Error): Api {
  const api: Partial<Api> = {
    labelNames: async () => labels,
    queryRange: async () => {
      throw error;
    },
  };
  return api as Api;
}

test('a query that the server refuses is compared with nothing', async () => {
  const refused = makeApi(['version'], new RpcError(3, '1:5: expected a quoted label value'));
  assert.deepEqual(await toggled(question, refused), { query: question.query });
});

test('other errors are not hidden', async () => {
  await assert.rejects(toggled(question, makeApi(['version'], new TypeError('BUG'))), /BUG/);
});

test('without versions the base is the time before', async () => {
  const { query } = await toggled(question, makeApi(['job'], new TypeError('not asked')));
  assert.equal(query, 'diff(cpu{job="a"} offset 1m, cpu{job="a"})');
  // A fixed range includes both ends, so a profile at its start does not belong to the preceding
  // time.
  const fixed = { ...question, selectedSpan: { from: 0, to: 60_000 } };
  const { query: ofFixed } = await toggled(fixed, makeApi(['job'], new TypeError('not asked')));
  assert.equal(ofFixed, 'diff(cpu{job="a"} offset 1m1s, cpu{job="a"})');
});

test('a time that was compared with the rest is selected again', async () => {
  const nothing = makeApi([], new TypeError('not asked'));
  const query = 'diff(cpu except @ 60 to 90.5, cpu @ 60 to 90.5) | top 3';
  assert.deepEqual(await toggled({ ...question, query }, nothing), {
    query: 'cpu | top 3',
    selection: { from: 60_000, to: 90_500 },
  });
  const swapped = 'diff(cpu @ 60 to 90.5, cpu except @ 60 to 90.5)';
  assert.deepEqual(await toggled({ ...question, query: swapped }, nothing), {
    query: 'cpu',
    selection: { from: 60_000, to: 90_500 },
  });
});

test('a time of the range is compared with the time before it', async () => {
  const asked = { ...question, query: 'cpu @ 60 to 90 | top 3' };
  assert.deepEqual(await toggled(asked, makeApi([], new TypeError('not asked'))), {
    query: 'diff(cpu offset 31s, cpu) | top 3',
    selection: { from: 60_000, to: 90_000 },
  });
});
