// Reads rule files: Prometheus' format, with expressions over profiles.
import type { Files } from '../base/files.ts';
import { AppError } from '../base/errors.ts';
import { ConfigDocument, ConfigError, readConfigText } from '../config/schema/document.ts';
import type { ConfigProblem } from '../config/schema/place.ts';
import {
  duration,
  integer,
  labelNameMistake,
  list,
  readMap,
  nonEmptyText,
  optional,
  positiveDuration,
  record,
  type Reader,
  type RecordOf,
  refine,
  refuse,
  reportTaken,
  required,
  text,
} from '../config/schema/read.ts';
import type { Label } from '../model/labels.ts';
import { firstQuery } from '../promql-like/expression.ts';
import { functionSeries } from '../promql-like/function-series.ts';
import { parseExpression } from '../promql-like/parse-expression.ts';
import { recordLabel } from '../promql-like/recorded-series.ts';
import { alertNameLabel } from './alert-rule.ts';
import type { RuleConfig, RuleGroupConfig, TemplateLabel } from './interface.ts';
import { resultSamplesMax, ruleFileBytesMax, rulesMax } from './limits.ts';
import { parseTemplate } from './template.ts';

/** Groups that still need the settings of the config's `global`. */
type UnfinishedGroup = (defaults: GroupDefaults) => RuleGroupConfig;

/** Settings of `global` for groups without their own. */
export interface GroupDefaults {
  readonly intervalMillis: number;
  readonly offsetMillis: number;
}

const expression = refine(nonEmptyText, (written) => ({
  text: written.trim(),
  parsed: parseExpression(written),
}));

const template = refine(text, (written) => parseTemplate(written));

function ruleLabelMistake(name: string): string | undefined {
  const isReserved = ['__name__', alertNameLabel, recordLabel].includes(name);
  return isReserved ? `a rule cannot set the label ${name}` : labelNameMistake(name);
}

function templates(
  mistakeOf: (name: string) => string | undefined,
): Reader<readonly TemplateLabel[]> {
  return refine(readMap(template, mistakeOf), (map) =>
    [...map].map(([name, value]) => ({ name, template: value })),
  );
}

const recordName = refine(nonEmptyText, (written, place) =>
  /^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(written) && !functionSeries.has(written)
    ? written
    : refuse(place, 'a name of a metric that nothing else has'),
);

const ruleFields = {
  alert: optional(nonEmptyText, ''),
  record: optional(recordName, ''),
  expr: required(expression),
  for: optional(duration, 0),
  keep_firing_for: optional(duration, 0),
  labels: optional(templates(ruleLabelMistake), []),
  annotations: optional(templates(labelNameMistake), []),
};

/** Keys that only alerting rules have. */
const alertKeys = ['for', 'keep_firing_for', 'annotations'] as const;

const rule: Reader<RuleConfig> = refine(
  record(ruleFields, [], (_given, place) => {
    const has = (key: string): boolean => place.find(key)?.isEmpty() === false;
    if (!has('alert') && !has('record')) place.report('alert or record is missing');
    if (!has('record')) return;
    for (const key of ['alert', ...alertKeys]) {
      if (has(key)) place.find(key)?.report('a rule with record cannot have it');
    }
  }),
  (keys: RecordOf<typeof ruleFields>) => {
    const common = {
      text: keys.expr.text,
      expression: keys.expr.parsed,
      firstQuery: firstQuery(keys.expr.parsed) ?? '',
      labels: keys.labels,
    };
    if (keys.record !== '') return { ...common, kind: 'record', name: keys.record };
    return {
      ...common,
      kind: 'alert',
      name: keys.alert,
      forMillis: keys.for,
      keepFiringMillis: keys.keep_firing_for,
      annotations: keys.annotations,
    };
  },
);

const groupFields = {
  name: required(nonEmptyText),
  interval: optional(positiveDuration, undefined),
  query_offset: optional(duration, undefined),
  limit: optional(integer(0, resultSamplesMax), 0),
  labels: optional(readMap(text, ruleLabelMistake), new Map<string, string>()),
  rules: optional(list(rule), []),
};

const group: Reader<UnfinishedGroup> = refine(
  record(groupFields, []),
  (keys: RecordOf<typeof groupFields>, place) => {
    const { file } = place.source;
    const labels = [...keys.labels].map(([name, value]): Label => ({ name, value }));
    return ({ intervalMillis, offsetMillis }) => ({
      file,
      name: keys.name,
      intervalMillis: keys.interval ?? intervalMillis,
      offsetMillis: keys.query_offset ?? offsetMillis,
      limit: keys.limit,
      labels,
      rules: keys.rules,
    });
  },
);

const ruleFile: Reader<readonly UnfinishedGroup[]> = refine(
  record({ groups: optional(list(group), []) }, [], (_given, place) =>
    reportTaken(place.find('groups'), 'name', new Set(), (name, item) =>
      item.at('name').report(`a group has this name already: ${name}`),
    ),
  ),
  ({ groups }) => groups,
);

/**
 * Parses a rule file.
 *
 * Errors: ConfigError with all mistakes.
 */
export function parseRuleFile(
  content: string,
  file: string,
  defaults: GroupDefaults,
): readonly RuleGroupConfig[] {
  const document = new ConfigDocument(content, file, ruleFile, []);
  return document.content().map((finish) => finish(defaults));
}

/**
 * Reads rule files.
 *
 * Errors: ConfigError with the mistakes of all files; AppError 'not-found' for a file that cannot
 * be read, 'resource-exhausted' for too many rules or a file that is too large.
 */
export async function readRuleFiles(
  paths: readonly string[],
  defaults: GroupDefaults,
  files: Pick<Files, 'read'>,
): Promise<readonly RuleGroupConfig[]> {
  const groups: RuleGroupConfig[] = [];
  const problems: ConfigProblem[] = [];
  let count = 0;
  for (const path of paths) {
    const content = await readConfigText(path, 'rule file', files);
    if (content.length > ruleFileBytesMax) {
      const why = `it has ${content.length} bytes, the limit is ${ruleFileBytesMax}`;
      throw new AppError('resource-exhausted', `cannot read rule file ${path}: ${why}`);
    }
    try {
      const read = parseRuleFile(content, path, defaults);
      groups.push(...read);
      count += read.reduce((sum, { rules }) => sum + rules.length, 0);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
    }
    if (count > rulesMax) {
      const why = `they have more than ${rulesMax} rules`;
      throw new AppError('resource-exhausted', `cannot use rule files: ${why}`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return groups;
}
