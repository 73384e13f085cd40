// Tests of storing recorded samples, and of querying them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage } from '../base/errors.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { seededRandom } from '../base/random.ts';
import { noMetrics } from '../base/metrics.ts';
import { createLabelSet } from '../model/labels.ts';
import { parseExpression } from '../promql-like/parse-expression.ts';
import { createQueryEngine } from '../query/engine/engine.ts';
import { createMemoryStore } from '../storage/tools/memory-store.ts';
import { askEngine } from './ask-engine.ts';
import { evaluate, type Vector } from './evaluate.ts';
import { recordSamples } from './recorder.ts';
import { parseRuleFile } from './rule-file.ts';

const second = 1_000_000_000n;
const storage = createMemoryStore(seededRandom(1));
const clock = createFakeClock();
const engine = createQueryEngine({ querier: storage.querier, metrics: noMetrics, clock });
const { signal } = new AbortController();

const [group] = parseRuleFile(
  `
groups:
  - name: g
    limit: 3
    labels: {team: x}
    rules:
      - record: job:cores
        expr: cores(cpu | by (job) [5m])
        labels: {kind: '{{ $value }}'}
`,
  'rules.yml',
  { intervalMillis: 60_000, offsetMillis: 0 },
);
const [rule] = group.rules;
assert.ok(rule.kind === 'record');

function sample(job: string, value: number): Vector[number] {
  return { labels: createLabelSet([{ name: 'job', value: job }]), value };
}

function record(seconds: bigint, ...samples: Vector): Promise<void> {
  assert.ok(rule.kind === 'record');
  return recordSamples(samples, { group, rule }, seconds * second, { storage, clock });
}

async function check(text: string, want: string): Promise<void> {
  const ask = askEngine(engine, 100n * second, { signal }, () => []);
  const found = await evaluate(parseExpression(text), ask);
  const shown = found.map(({ labels, value }) => {
    return `${labels.map((label) => `${label.name}=${label.value}`).join(',')} ${Number(value.toPrecision(12))}`;
  });
  assert.equal(shown.join('; '), want, text);
}

test('recorded numbers come back by a query, zeros and negative ones, too', async () => {
  await record(10n, sample('a', 0.25), sample('b', 0), sample('c', -1.5));
  await record(70n, sample('a', 0.75), sample('b', 1e-6), sample('c', NaN));
  await check(
    'average(recorded{record="job:cores"} | by (job) [1m])',
    'job=a 0.75; job=b 0.000001',
  );
  await check(
    'average(recorded{record="job:cores"} | by (job, team, kind) [100s])',
    'job=a,kind={{ $value }},team=x 0.5; job=b,kind={{ $value }},team=x 5e-7; job=c,kind={{ $value }},team=x -1.5',
  );
  await check('average(recorded{job="b"} offset 40s | by (job) [1m])', 'job=b 0');
  await check('average(recorded{record="other"} [1m])', '');
});

test('expressions read series by the names of their rules', async () => {
  const rest = 'kind={{ $value }},team=x';
  await check(
    'job:cores{job=~"a|b"}',
    `__name__=job:cores,job=a,${rest} 0.75; __name__=job:cores,job=b,${rest} 0.000001`,
  );
  await check('job:cores offset 40s < 0', `__name__=job:cores,job=c,${rest} -1.5`);
  await check('-{__name__=~"job:.*", job!="b"}', `job=a,${rest} -0.75; job=c,${rest} 1.5`);
  await check('sum by (team) (job:cores)', 'team=x -0.749999');
  await check('job:cores{job="a"} / job:cores offset 40s', `job=a,${rest} 3`);
  await check('absent(job:cores{job="z"})', 'job=z 1');
  await check('none', '');
});

test('samples that cannot be recorded are refused together', async () => {
  const refused = async (...samples: Vector): Promise<string> =>
    record(90n, ...samples).then(() => 'stored', errorMessage);
  assert.equal(
    await refused(sample('d', 1), sample('d', 2)),
    'cannot record rule: several samples have the labels ' +
      '{job="d", kind="{{ $value }}", record="job:cores", team="x"}',
  );
  assert.equal(
    await refused(sample('d', 1), sample('e', -2e9)),
    'cannot record rule: -2000000000 is too large, the limit is 1000000000: divide it, as by 1048576',
  );
  assert.equal(
    await refused(...['d', 'e', 'f', 'g'].map((job) => sample(job, 1))),
    'cannot record rule: it gives 4 samples, the limit of the group is 3',
  );
  await check('average(recorded{job="d"} [1m])', '');
});

test('a rule is an alert or a recording rule', () => {
  const mistake = (written: string): string => {
    try {
      const file = `groups: [{name: g, rules: [{expr: 'cores(cpu [5m])', ${written}}]}]`;
      parseRuleFile(file, 'r', { intervalMillis: 1, offsetMillis: 0 });
      return 'good';
    } catch (error) {
      return errorMessage(error);
    }
  };
  assert.equal(mistake('record: a:b'), 'good');
  assert.match(mistake(''), /alert or record is missing/);
  assert.match(mistake('record: a b'), /expected a name of a metric/);
  assert.match(mistake('record: a, alert: b'), /alert: a rule with record cannot have it/);
  assert.match(mistake('record: a, for: 5m'), /for: a rule with record cannot have it/);
  assert.match(mistake('record: a, labels: {record: b}'), /cannot set the label record/);
});
