// Reads a file with tests of rules: profiles, and the expected alerts and values.
import type { Files } from '../../../src/base/files.ts';
import { ConfigDocument, readConfigText } from '../../../src/config/schema/document.ts';
import { filePattern } from '../../../src/config/schema/file-pattern.ts';
import {
  duration,
  labelNameMistake,
  list,
  readMap,
  nonEmptyText,
  optional,
  positiveDuration,
  type Reader,
  record,
  refine,
  refuse,
  required,
  text,
} from '../../../src/config/schema/read.ts';
import { createLabelSet, type LabelSet } from '../../../src/model/labels.ts';
import { parseProfileType, type ProfileType } from '../../../src/model/profile-type.ts';
import { parseExpression } from '../../../src/promql-like/parse-expression.ts';
import { parseSelector } from '../../../src/promql-like/parse.ts';
import { readSeriesValues, type SeriesValue } from './series-values.ts';

/** A series with a profile at each interval from the start of the test. */
export interface TestSeries {
  readonly type: ProfileType;
  readonly labels: LabelSet;
  /**
   * Values at each interval, by stack. A stack is its functions from the root, separated by ";".
   */
  readonly stacks: ReadonlyMap<string, readonly SeriesValue[]>;
}

export interface AlertTest {
  readonly evalMillis: number;
  readonly name: string;
  /** Alerts that must be firing. Their annotations are compared if the test has any. */
  readonly expected: readonly {
    readonly labels: ReadonlyMap<string, string>;
    readonly annotations: ReadonlyMap<string, string>;
  }[];
}

export interface ExpressionTest {
  readonly evalMillis: number;
  readonly text: string;
  readonly expected: readonly { readonly labels: LabelSet; readonly value: number }[];
}

export interface TestMark {
  readonly timeMillis: number;
  readonly labels: Readonly<Record<string, string>>;
}

export interface RuleTest {
  readonly name: string;
  readonly intervalMillis: number;
  readonly series: readonly TestSeries[];
  readonly alerts: readonly AlertTest[];
  readonly expressions: readonly ExpressionTest[];
  readonly externalLabels: LabelSet;
  /** Marks in order of time. Times are relative to the start of the test. */
  readonly marks: readonly TestMark[];
}

export interface TestFile {
  /** Absolute glob patterns of rule files. */
  readonly ruleFiles: readonly string[];
  readonly evaluationMillis: number;
  readonly tests: readonly RuleTest[];
}

const minuteMillis = 60_000;

const seriesName: Reader<Pick<TestSeries, 'type' | 'labels'>> = refine(
  nonEmptyText,
  (written, place) => {
    const { profile, matchers } = parseSelector(written);
    if (profile === undefined || matchers.some(({ operator }) => operator !== '=')) {
      return refuse(place, 'a whole profile type and labels, such as a:b:c:d:e:delta{job="api"}');
    }
    return { type: parseProfileType(profile.text), labels: createLabelSet(matchers.map(toLabel)) };
  },
);

function toLabel({ name, value }: { readonly name: string; readonly value: string }) {
  return { name, value };
}

const sampleLabels: Reader<LabelSet> = refine(text, (written) =>
  written === '' ? [] : createLabelSet(parseSelector(`x${written}`).matchers.map(toLabel)),
);

const number: Reader<number> = (place) => {
  const value = place.scalar()?.value;
  return typeof value === 'number' ? value : refuse(place, 'a number');
};

const labelMap = optional(readMap(text, labelNameMistake), new Map<string, string>());

const alertTest: Reader<AlertTest> = refine(
  record({
    eval_time: required(duration),
    alertname: required(nonEmptyText),
    exp_alerts: optional(list(record({ exp_labels: labelMap, exp_annotations: labelMap })), []),
  }),
  (keys) => ({
    evalMillis: keys.eval_time,
    name: keys.alertname,
    expected: keys.exp_alerts.map((alert) => ({
      labels: alert.exp_labels,
      annotations: alert.exp_annotations,
    })),
  }),
);

const expressionTest: Reader<ExpressionTest> = refine(
  record({
    expr: required(refine(nonEmptyText, (written) => (parseExpression(written), written))),
    eval_time: required(duration),
    exp_samples: optional(
      list(record({ labels: optional(sampleLabels, []), value: required(number) })),
      [],
    ),
  }),
  (keys) => ({ evalMillis: keys.eval_time, text: keys.expr, expected: keys.exp_samples }),
);

const ruleTest: Reader<RuleTest> = refine(
  record({
    name: optional(text, ''),
    interval: optional(positiveDuration, minuteMillis),
    input_profiles: optional(
      list(
        record({
          series: required(seriesName),
          stacks: required(readMap(refine(text, readSeriesValues))),
        }),
      ),
      [],
    ),
    alert_rule_test: optional(list(alertTest), []),
    expr_test: optional(list(expressionTest), []),
    external_labels: labelMap,
    marks: optional(list(record({ time: required(duration), labels: labelMap })), []),
  }),
  (keys) => ({
    name: keys.name,
    intervalMillis: keys.interval,
    series: keys.input_profiles.map(({ series, stacks }) => ({
      type: series.type,
      labels: series.labels,
      stacks,
    })),
    alerts: keys.alert_rule_test,
    expressions: keys.expr_test,
    externalLabels: createLabelSet(
      [...keys.external_labels].map(([name, value]) => ({ name, value })),
    ),
    marks: keys.marks
      .map(({ time, labels }) => ({ timeMillis: time, labels: Object.fromEntries(labels) }))
      .toSorted((a, b) => a.timeMillis - b.timeMillis),
  }),
);

const testFile: Reader<TestFile> = refine(
  record({
    rule_files: optional(list(filePattern(['yml', 'yaml'])), []),
    evaluation_interval: optional(positiveDuration, minuteMillis),
    tests: required(list(ruleTest)),
  }),
  (keys) => ({
    ruleFiles: keys.rule_files,
    evaluationMillis: keys.evaluation_interval,
    tests: keys.tests,
  }),
);

/** Reads a file of tests. Errors: ConfigError with all mistakes; AppErrors of readConfigText. */
export async function readTestFile(path: string, files: Pick<Files, 'read'>): Promise<TestFile> {
  const content = await readConfigText(path, 'file of tests', files);
  const nothing: TestFile = { ruleFiles: [], evaluationMillis: minuteMillis, tests: [] };
  return new ConfigDocument(content, path, testFile, nothing).content();
}
