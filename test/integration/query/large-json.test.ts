// Tests long lists in JSON: two lists are made at a time, and lists above the limit are refused
// before they are made.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listsWaitingMax } from '../../../src/api/limits.ts';
import { emptyServices, startApi } from '../../support/api.ts';

/** Label sets that make an answer of 0.9 MB. */
const labelSets = Array.from({ length: 450 }, (_, i) => [
  { name: 'job', value: 'a' },
  { name: 'pod', value: `${'p'.repeat(2_000)}${i}` },
]);

test('of many long lists of series at once, two are made; those past the limit are refused at once', async (t) => {
  const gate = Promise.withResolvers<void>();
  let making = 0;
  let mostMade = 0;
  const engine = {
    ...emptyServices.engine,
    labelSets: async () => {
      making += 1;
      mostMade = Math.max(mostMade, making);
      // No list is answered until one has been refused.
      await gate.promise;
      making -= 1;
      return { labelSets, missing: [] };
    },
  };
  const api = await startApi({ services: { engine } });
  t.after(() => api.close());
  const ask = async (selector: string): Promise<Response> => {
    const answer = await fetch(`${api.url}/api/profiles/series?match=${selector}`);
    if (answer.status !== 200) gate.resolve();
    await answer.arrayBuffer();
    return answer;
  };
  const answers = await Promise.all(
    Array.from({ length: 6 + listsWaitingMax }, () => ask('%7B%7D')),
  );
  const statuses = answers.map(({ status }) => status);
  assert.ok(statuses.includes(200), statuses.join());
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0 && refused.every(({ status }) => status === 429), statuses.join());
  for (const { headers } of refused) assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal((await ask('%7B%7D')).status, 200);
  assert.ok(mostMade <= 2, `${mostMade}`);
});
