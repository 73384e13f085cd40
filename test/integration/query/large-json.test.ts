// Long answers in JSON: one is written at a time, and those that would fill the memory are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonWaitingBytesMax } from '../../../src/base/limits.ts';
import { emptyServices, startApi } from '../../support/api.ts';

/** Label sets of an answer of some 9 MB. */
const labelSets = Array.from({ length: 4_500 }, (_, i) => [
  { name: 'job', value: 'a' },
  { name: 'pod', value: `${'p'.repeat(2_000)}${i}` },
]);

test('of many long lists of series at once, those past the limit are refused at once', async (t) => {
  const engine = { ...emptyServices.engine, labelSets: async () => ({ labelSets, missing: [] }) };
  const api = await startApi({ services: { engine } });
  t.after(() => api.close());
  const ask = async (): Promise<Response> => {
    const answer = await fetch(`${api.url}/api/profiles/series?match=%7B%7D`);
    await answer.arrayBuffer();
    return answer;
  };
  const answers = await Promise.all(Array.from({ length: 16 }, ask));
  const statuses = answers.map(({ status }) => status);
  assert.ok(statuses.includes(200), statuses.join());
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0 && refused.every(({ status }) => status === 429), statuses.join());
  for (const { headers } of refused) assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal((await ask()).status, 200);
  assert.ok(jsonWaitingBytesMax < 16 * 9e6);
});
