import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBudgetFile } from './budget-file.ts';

async function read(content: string) {
  const files = { read: async () => new TextEncoder().encode(content) };
  return readBudgetFile('budget.yaml', files);
}

test('rules and settings are read', async () => {
  const { rules, alpha, scaling, runNoise } = await read(`
alpha: 0.5%
scale: total
run_noise: 2 %
rules:
  - kind: total
    max_increase: 3%
  - kind: function
    match: runtime\\.gc.*|main\\.work
    ignore: true
  - kind: function
    measure: cumulative
    max_increase: 10%
    min_cost: 0%
  - kind: package
    match: runtime
    max_share: 20%
`);
  assert.deepEqual(
    { alpha, scaling, runNoise },
    { alpha: 0.005, scaling: 'total', runNoise: 0.02 },
  );
  assert.deepEqual(
    rules.map(({ kind, pattern, measure, increaseMax, costMin, shareMax }) => {
      return [kind, pattern, measure, increaseMax, costMin, shareMax];
    }),
    [
      ['total', '', 'flat', 0.03, 0.01, undefined],
      ['function', 'runtime\\.gc.*|main\\.work', 'flat', undefined, 0.01, undefined],
      ['function', '', 'cumulative', 0.1, 0, undefined],
      ['package', 'runtime', 'flat', undefined, 0.01, 0.2],
    ],
  );
  const matches = ['runtime.gcBgMarkWorker', 'main.work', 'main.workers'].map((name) =>
    rules[1].matches(name),
  );
  assert.deepEqual(matches, [true, true, false]);
  assert.ok(rules[2].matches('anything'));
});

test('mistakes are listed with their places', async () => {
  await assert.rejects(
    read(`
alpha: 60%
rules:
  - kind: file
  - kind: total
    match: x
    max_increase: 3
  - kind: package
    measure: flat
  - kind: function
    match: '('
    ignore: true
    max_share: 10%
`),
    (error: Error) => {
      assert.deepEqual(error.message.split('\n'), [
        'budget.yaml:2:8: alpha: expected a percentage above 0% and below 50%, got "60%"',
        'budget.yaml:4:5: rules[0]: max_increase, max_share or ignore is missing',
        'budget.yaml:4:11: rules[0].kind: expected one of total, package, function, got "file"',
        'budget.yaml:6:12: rules[1].match: there is one total: a rule about it cannot have it',
        'budget.yaml:7:19: rules[1].max_increase: expected a percentage such as 3%, got 3',
        'budget.yaml:8:5: rules[2]: max_increase, max_share or ignore is missing',
        'budget.yaml:9:14: rules[2].measure: only rules about functions can have it',
        'budget.yaml:11:12: rules[3].match: cannot compile regular expression of match: error parsing regexp: missing closing ): `(`',
        'budget.yaml:13:16: rules[3].max_share: a rule with ignore cannot have it',
      ]);
      return true;
    },
  );
  await assert.rejects(read('rule: []'), /rules is missing/);
});
