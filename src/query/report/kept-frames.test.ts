// Tests of cached groups and filters of frames, while the store grows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../../model/profile-type.ts';
import type { FrameCriteria } from '../../report/stacks/frame-criteria.ts';
import { plainView } from '../../report/stacks/stack-view.ts';
import type { ReportQuestion } from '../interface.ts';
import { cpuText, createEngine, flameGraph } from '../testing/ask.ts';
import { pick, randomFrom, randomRows } from '../testing/random-rows.ts';
import { TestStore, type TestLocation } from '../testing/test-store.ts';

const type = parseProfileType(cpuText);
const { signal } = new AbortController();

function named(text: string, isNegated: boolean): FrameCriteria {
  return { functionName: { operator: 'contains', isNegated, texts: [text] } };
}

const filters: readonly (readonly FrameCriteria[])[] = [
  [],
  [named('f1', true)],
  [named('f', false)],
  [named('f2', true), named('g', true)],
  [{ lineNumber: { isNegated: true, value: 7n } }],
  [{ address: { isNegated: true, value: 16n } }],
];

test('a tree made with the cache equals one made without it, after all changes', async () => {
  let rows = 0;
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = randomFrom(seed * 7_919);
    const store = new TestStore();
    const keeping = createEngine(store);
    for (let time = 1n; time <= 20n; time += 1n) {
      const line = { name: `f${random(3)}`, line: 6 + random(3), fileName: `${random(2)}.go` };
      const places: TestLocation[] = [
        { address: 16 + random(3), lines: [], mappingFile: 'a' },
        { address: random(3) * 16, lines: [line], mappingFile: 'b' },
      ];
      const stack = store.addStack(places.map((place) => store.addLocation(place)));
      const profile = `${randomRows(random, 1 + random(8))}\n#${stack} 3`;
      store.add({ type, timeNanos: time, durationNanos: 1n, rows: profile });
      const range = { from: random(2) === 0 ? 0n : time, to: time };
      const fields = [[], [], ['function_file_name'], ['location_address']];
      const question: ReportQuestion = {
        select: { mode: 'merge', query: cpuText, range },
        report: 'flame-graph',
        nodeTrimFraction: 0,
        rootTrimFraction: 0,
        groupBy: pick(random, fields),
        view: {
          ...plainView,
          frameFilters: pick(random, filters),
          stackFilters: random(2) === 0 ? [] : pick(random, filters),
        },
      };
      const kept = flameGraph(await keeping.report(question, { signal }));
      const fresh = flameGraph(await createEngine(store).report(question, { signal }));
      assert.deepEqual(kept, fresh);
      rows += kept.rowCount;
    }
  }
  assert.ok(rows > 5_000, `${rows} rows`);
});
