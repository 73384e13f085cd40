// `parcatool rules test`: evaluates rules with the profiles of a test, and compares the results.
import { resolve } from 'node:path';
import { AppError } from '../../../src/base/errors.ts';
import type { Files } from '../../../src/base/files.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { createClock } from '../../../src/base/node/clock.ts';
import { createRandom } from '../../../src/base/node/random.ts';
import { namedFiles } from '../../../src/config/load/parse.ts';
import { PprofWriter } from '../../../src/formats/pprof/writer.ts';
import { createIngester } from '../../../src/ingest/ingester.ts';
import { formatLabels, type LabelSet } from '../../../src/model/labels.ts';
import { parseExpression } from '../../../src/promql-like/parse-expression.ts';
import { createQueryEngine } from '../../../src/query/engine/engine.ts';
import { askEngine } from '../../../src/rules/ask-engine.ts';
import { evaluate } from '../../../src/rules/evaluate.ts';
import type { RuleGroupConfig } from '../../../src/rules/interface.ts';
import { createRuleMetrics } from '../../../src/rules/metrics.ts';
import { readRuleFiles } from '../../../src/rules/rule-file.ts';
import { type GroupContext, RuleGroup } from '../../../src/rules/rule-group.ts';
import { createMemoryStore } from '../../../src/storage/tools/memory-store.ts';
import { readTestFile, type RuleTest, type TestFile, type TestSeries } from './test-file.ts';

/** Start time of all tests. Times in tests are relative to it. */
const startMillis = Date.UTC(2020, 0, 1);

/** Result of a file: one line for each test, and one line for each difference. */
export interface TestResult {
  readonly lines: readonly string[];
  readonly failures: number;
}

/** Runs the tests in a file. Errors: those of reading it and its rule files. */
export async function runTestFile(path: string, files: Files): Promise<TestResult> {
  const file = await readTestFile(resolve(path), files);
  const paths = await namedFiles(file.ruleFiles, files);
  const defaults = { intervalMillis: file.evaluationMillis, offsetMillis: 0 };
  const groups = await readRuleFiles(paths, defaults, files);
  const lines: string[] = [];
  let failures = 0;
  for (const [i, test] of file.tests.entries()) {
    const differences = await runTest(test, file, groups);
    failures += differences.length > 0 ? 1 : 0;
    const name = test.name === '' ? `test ${i + 1}` : test.name;
    lines.push(`${path}: ${name}: ${differences.length === 0 ? 'passed' : 'FAILED'}`);
    lines.push(...differences.map((difference) => `    ${difference}`));
  }
  return { lines, failures };
}

async function runTest(
  test: RuleTest,
  { evaluationMillis }: TestFile,
  configs: readonly RuleGroupConfig[],
): Promise<string[]> {
  const store = createMemoryStore(createRandom());
  const { querier } = store;
  const clock = createClock();
  const parts = { clock, metrics: noMetrics, logger: silentLogger };
  const ingester = createIngester({ ...parts, storage: store });
  for (const series of test.series) {
    for (const profile of listProfiles(series, test.intervalMillis)) {
      const labels = [{ name: '__name__', value: series.type.name }, ...series.labels];
      await ingester.write([{ labels, profile }]);
    }
  }
  const engine = createQueryEngine({ querier, ...parts });
  const marks = test.marks.map(({ timeMillis, labels }) => ({
    timeMillis: startMillis + timeMillis,
    labels,
  }));
  const listMarks = (): typeof marks => marks;
  const context: GroupContext = {
    ...parts,
    engine,
    listMarks,
    storage: store,
    metrics: createRuleMetrics(noMetrics),
    externalLabels: test.externalLabels,
    linkTo: () => '',
    isDelivered: () => true,
    onEvaluated: () => undefined,
  };
  const groups = configs.map((config) => new RuleGroup(config, context, () => undefined));
  const differences: string[] = [];
  // Rules are evaluated until the time of the last test, even if that test is an expression,
  // because it may use series of recording rules.
  const times = [...test.alerts, ...test.expressions].map(({ evalMillis }) => evalMillis);
  const lastMillis = Math.max(0, ...times);
  const known = new Set(configs.flatMap(({ rules }) => rules.map(({ name }) => name)));
  for (const { name } of test.alerts) {
    if (!known.has(name)) throw new AppError('not-found', `no rule has the name ${name}`);
  }
  for (let at = 0; at <= lastMillis; at += evaluationMillis) {
    for (const group of groups) {
      if (at % group.config.intervalMillis === 0) await group.evaluate(startMillis + at);
    }
    const due = test.alerts.filter(({ evalMillis }) => {
      return evalMillis >= at && evalMillis < at + evaluationMillis;
    });
    for (const one of due) differences.push(...compareAlerts(one, groups));
  }
  for (const one of test.expressions)
    differences.push(...(await compareSamples(one, { engine, listMarks })));
  await store.close();
  return differences;
}

/** Yields the profiles of a series as pprof. */
function* listProfiles(
  { type, stacks }: TestSeries,
  intervalMillis: number,
): Generator<Uint8Array> {
  const count = Math.max(0, ...[...stacks.values()].map((values) => values.length));
  for (let i = 0; i < count; i += 1) {
    const samples = [...stacks].flatMap(([stack, values]) => {
      const value = values.at(i);
      return value === undefined ? [] : [{ names: stack.split(';'), value }];
    });
    if (samples.length === 0) continue;
    const writer = new PprofWriter();
    for (const { names, value } of samples) {
      const locations = names.map((name) => writer.frame({ name })).toReversed();
      writer.sample(locations, [value]);
    }
    yield writer.finish({
      sampleTypes: [type.sample],
      periodType: type.period,
      period: 1n,
      timeNanos: BigInt(startMillis + i * intervalMillis) * 1_000_000n,
      durationNanos: type.delta ? BigInt(intervalMillis) * 1_000_000n : 0n,
    });
  }
}

function compareAlerts(
  { name, evalMillis, expected }: RuleTest['alerts'][number],
  groups: readonly RuleGroup[],
): string[] {
  const firing = groups
    .flatMap((group) => group.status().rules)
    .filter(({ config }) => config.name === name)
    .flatMap(({ alerts }) => alerts.filter(({ state }) => state === 'firing'));
  const hasAnnotations = expected.some(({ annotations }) => annotations.size > 0);
  const got = firing.map(({ labels, annotations }) => {
    const own = labels.filter((label) => label.name !== 'alertname');
    return formatLabels(own) + (hasAnnotations ? ` ${formatLabels(annotations)}` : '');
  });
  const want = expected.map(({ labels, annotations }) => {
    const shown = formatLabels(toLabels(labels));
    return shown + (hasAnnotations ? ` ${formatLabels(toLabels(annotations))}` : '');
  });
  return listDifferences(`alert ${name} at ${evalMillis / 1000} s`, got, want);
}

async function compareSamples(
  { text, evalMillis, expected }: RuleTest['expressions'][number],
  { engine, listMarks }: Pick<GroupContext, 'engine' | 'listMarks'>,
): Promise<string[]> {
  const timeNanos = BigInt(startMillis + evalMillis) * 1_000_000n;
  const { signal } = new AbortController();
  const ask = askEngine(engine, timeNanos, { signal }, listMarks);
  const samples = await evaluate(parseExpression(text), ask);
  const show = ({ labels, value }: (typeof samples)[number]): string =>
    `${formatLabels(labels)} ${Number(value.toPrecision(comparedDigits))}`;
  const what = `${text.trim()} at ${evalMillis / 1000} s`;
  return listDifferences(what, samples.map(show), expected.map(show));
}

/**
 * Number of digits that are compared. It is limited, because sums of doubles differ in the last
 * digits.
 */
const comparedDigits = 9;

function listDifferences(what: string, got: readonly string[], want: readonly string[]): string[] {
  const [found, wanted] = [got.toSorted(), want.toSorted()];
  if (found.join('\n') === wanted.join('\n')) return [];
  const list = (lines: readonly string[]): string =>
    lines.length === 0 ? 'none' : lines.join(', ');
  return [`${what}: expected ${list(wanted)}, got ${list(found)}`];
}

function toLabels(map: ReadonlyMap<string, string>): LabelSet {
  return [...map]
    .map(([name, value]) => ({ name, value }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
