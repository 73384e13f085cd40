// Rules, their config and their state, as shown by the API and sent to receivers.
import type { Label, LabelSet } from '../model/labels.ts';
import type { QueryCaller } from '../query/interface.ts';
import type { TimeRange } from '../storage/interface.ts';
import type { Expression } from '../promql-like/expression.ts';
import type { Vector } from './evaluate.ts';
import type { Template } from './template.ts';

/** A label or annotation with a template as its value. */
export interface TemplateLabel {
  readonly name: string;
  readonly template: Template;
}

/** Fields that alerting rules and recording rules have in common. */
interface RuleConfigBase {
  /** Name of the alert, or of the recorded series. */
  readonly name: string;
  /** Expression as written in the file. */
  readonly text: string;
  readonly expression: Expression;
  /** First query of the expression, as written; "" if it has no query. */
  readonly firstQuery: string;
  readonly labels: readonly TemplateLabel[];
}

/** A rule whose samples are alerts. */
export interface AlertRuleConfig extends RuleConfigBase {
  readonly kind: 'alert';
  /** Time for which the expression must be true before the alert fires. */
  readonly forMillis: number;
  /** Time for which the alert continues after its expression was last true. */
  readonly keepFiringMillis: number;
  readonly annotations: readonly TemplateLabel[];
}

/** A rule whose samples are stored as values of a series. */
export interface RecordRuleConfig extends RuleConfigBase {
  readonly kind: 'record';
}

export type RuleConfig = AlertRuleConfig | RecordRuleConfig;

/** A group of rules in one file. Its rules are evaluated in order, for the same time. */
export interface RuleGroupConfig {
  readonly file: string;
  readonly name: string;
  readonly intervalMillis: number;
  /** Milliseconds by which the evaluated time lies in the past, so that late profiles count. */
  readonly offsetMillis: number;
  /** Largest number of alerts or samples per rule; 0 = the limit of the server. */
  readonly limit: number;
  readonly labels: readonly Label[];
  readonly rules: readonly RuleConfig[];
}

export type AlertState = 'pending' | 'firing' | 'inactive';

/** An alert: a sample of the rule's expression. Times are in milliseconds since the epoch. */
export interface Alert {
  /** Labels with `alertname`. */
  readonly labels: LabelSet;
  readonly annotations: LabelSet;
  /** Inactive after the alert is resolved. */
  readonly state: AlertState;
  readonly activeMillis: number;
  /** Value of the latest sample. */
  readonly value: number;
  /**
   * Time since which the alert keeps firing only because of `keep_firing_for`; undefined while its
   * expression is true.
   */
  readonly keptSinceMillis: number | undefined;
  /** Time at which the alert fired; undefined before. */
  readonly firedMillis: number | undefined;
  /** Time at which the alert was resolved; undefined while it is active. */
  readonly resolvedMillis: number | undefined;
}

/** A rule and the result of its last evaluation. */
export interface RuleStatus {
  readonly config: RuleConfig;
  /** Alerts of the rule; empty for a recording rule. */
  readonly alerts: readonly Alert[];
  readonly health: 'unknown' | 'ok' | 'err';
  /** Error of the last evaluation; "" = none. */
  readonly lastError: string;
  /** 0 before the first evaluation. */
  readonly lastEvaluationMillis: number;
  readonly evaluationSeconds: number;
}

export interface RuleGroupStatus {
  readonly config: RuleGroupConfig;
  readonly rules: readonly RuleStatus[];
  readonly lastEvaluationMillis: number;
  readonly evaluationSeconds: number;
}

/** Result of an expression at one time. */
export interface NumbersNow {
  /** True if the expression is a number without labels. */
  readonly isScalar: boolean;
  readonly samples: Vector;
}

/** Times from `fromNanos` to `toNanos`. The range must not end before it starts. */
export interface StepRange {
  readonly fromNanos: bigint;
  readonly toNanos: bigint;
  /** Step, greater than 0. */
  readonly stepNanos: bigint;
}

/** Values with one label set, as columns in order of time; steps without a value are omitted. */
export interface NumberSeries {
  readonly labels: LabelSet;
  readonly timeNanos: readonly bigint[];
  readonly values: readonly number[];
}

/**
 * Answers expressions, and lists series. A list has the series that any selector in `match`
 * selects; without a selector, all recorded series.
 *
 * Errors: QueryError for mistakes in an expression; errors of the engine.
 */
export interface NumberQueries {
  /** Names of the function series, and the query function that computes the values of each. */
  readonly functionSeries: ReadonlyMap<string, string>;
  at(text: string, timeNanos: bigint, caller: QueryCaller): Promise<NumbersNow>;
  over(text: string, range: StepRange, caller: QueryCaller): Promise<readonly NumberSeries[]>;
  series(match: readonly string[], range: MaybeRange, caller: QueryCaller): Promise<LabelSet[]>;
  labelNames(match: readonly string[], range: MaybeRange, caller: QueryCaller): Promise<string[]>;
  labelValues(
    name: string,
    match: readonly string[],
    range: MaybeRange,
    caller: QueryCaller,
  ): Promise<string[]>;
}

/** Time range; undefined = all times. */
type MaybeRange = TimeRange | undefined;

/** Rules, as shown by the API and the page. */
export interface RulesStatus {
  readonly numbers: NumberQueries;
  /** Groups in the order of their files and positions. */
  groups(): readonly RuleGroupStatus[];
  /** Alerts that do not come from rules, such as alerts for findings. */
  otherAlerts(): readonly Alert[];
  /** Addresses of Alertmanagers that get alerts, and addresses dropped by relabeling. */
  alertmanagers(): { readonly active: readonly string[]; readonly dropped: readonly string[] };
}
