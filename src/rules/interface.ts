// Rules, their configuration and their state: what the API shows, and what receivers get.
import type { Label, LabelSet } from '../model/labels.ts';
import type { QueryCaller } from '../query/interface.ts';
import type { TimeRange } from '../storage/interface.ts';
import type { Expression } from '../promql-like/expression.ts';
import type { Vector } from './evaluate.ts';
import type { Template } from './template.ts';

/** A label or an annotation whose value is a template. */
export interface TemplateLabel {
  readonly name: string;
  readonly template: Template;
}

/** Fields that alerting and recording rules have in common. */
interface RuleConfigBase {
  /** Name of the alert, or of the recorded series. */
  readonly name: string;
  /** Expression as written. */
  readonly text: string;
  readonly expression: Expression;
  /** First query of the expression, as written; "" if it has none. */
  readonly firstQuery: string;
  readonly labels: readonly TemplateLabel[];
}

/** A rule whose samples are alerts. */
export interface AlertRuleConfig extends RuleConfigBase {
  readonly kind: 'alert';
  /** Time for which the expression has to hold. */
  readonly forMillis: number;
  /** Time for which the alert stays after its expression last held. */
  readonly keepFiringMillis: number;
  readonly annotations: readonly TemplateLabel[];
}

/** A rule whose samples are stored as values of a series. */
export interface RecordRuleConfig extends RuleConfigBase {
  readonly kind: 'record';
}

export type RuleConfig = AlertRuleConfig | RecordRuleConfig;

/** Rules of one file that are evaluated in order, at the same moment. */
export interface RuleGroupConfig {
  readonly file: string;
  readonly name: string;
  readonly intervalMillis: number;
  /**
   * Milliseconds by which the time of an evaluation is earlier than the current time, so that late
   * profiles count.
   */
  readonly offsetMillis: number;
  /** Largest number of alerts or samples of one rule; 0 = the limit of the server. */
  readonly limit: number;
  readonly labels: readonly Label[];
  readonly rules: readonly RuleConfig[];
}

export type AlertState = 'pending' | 'firing' | 'inactive';

/** One alert: a sample of the rule's expression. Times are milliseconds since the epoch. */
export interface Alert {
  /** Labels with `alertname`. */
  readonly labels: LabelSet;
  readonly annotations: LabelSet;
  /** Inactive once it is resolved. */
  readonly state: AlertState;
  readonly activeMillis: number;
  /** Value of the sample when the rule was last evaluated with it. */
  readonly value: number;
  /**
   * Start of the time in which only `keep_firing_for` keeps the alert; undefined while its
   * expression holds.
   */
  readonly keptSinceMillis: number | undefined;
  /** Time when the alert fired; undefined before. */
  readonly firedMillis: number | undefined;
  /** Time when the alert was resolved; undefined while it is active. */
  readonly resolvedMillis: number | undefined;
}

/** A rule and the result of its last evaluation. */
export interface RuleStatus {
  readonly config: RuleConfig;
  /** Alerts of the rule; a recording rule has none. */
  readonly alerts: readonly Alert[];
  readonly health: 'unknown' | 'ok' | 'err';
  /** "" if there was none. */
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

/** Numbers at one moment. */
export interface NumbersNow {
  /** True if the expression is one number, without labels. */
  readonly isScalar: boolean;
  readonly samples: Vector;
}

/** Moments from `fromNanos` up to `toNanos`, which is not earlier. */
export interface StepRange {
  readonly fromNanos: bigint;
  readonly toNanos: bigint;
  /** Above 0. */
  readonly stepNanos: bigint;
}

/**
 * Numbers of one label set, in columns in the order of time; steps without a number are left out.
 */
export interface NumberSeries {
  readonly labels: LabelSet;
  readonly timeNanos: readonly bigint[];
  readonly values: readonly number[];
}

/**
 * Answers expressions, and lists series: those that one of the selectors in `match` selects, all
 * recorded ones without a selector.
 *
 * Errors: QueryError for mistakes of an expression; those of the engine.
 */
export interface NumberQueries {
  /** Names of the series of functions, and the functions of queries that give their values. */
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

/** Range of time; undefined = all of history. */
type MaybeRange = TimeRange | undefined;

/** Rules for the API and the page. */
export interface RulesStatus {
  readonly numbers: NumberQueries;
  /** Groups in the order of their files and of their positions in the files. */
  groups(): readonly RuleGroupStatus[];
  /** Alerts that no rule has, such as those about findings. */
  otherAlerts(): readonly Alert[];
  /** Addresses of the Alertmanagers that get alerts, and of those that relabeling drops. */
  alertmanagers(): { readonly active: readonly string[]; readonly dropped: readonly string[] };
}
