// A budget: how much more a program, its packages and its functions may use.

/** Kinds of items that a rule can apply to. */
export const ruleKinds = ['total', 'package', 'function'] as const;

export type RuleKind = (typeof ruleKinds)[number];

export type Measure = 'flat' | 'cumulative';

/** A rule; numbers are shares, 0.03 for 3 %. */
export interface BudgetRule {
  readonly kind: RuleKind;
  /** Returns true if the rule applies to a name. */
  matches(name: string): boolean;
  /** Pattern as written; "" = all names. */
  readonly pattern: string;
  readonly measure: Measure;
  /** Largest allowed increase, relative to the base; undefined = any. */
  readonly increaseMax: number | undefined;
  /**
   * Share of the base's total below which increases are allowed. Items that are smaller on both
   * sides are ignored.
   */
  readonly costMin: number;
  /** Largest allowed share of the total of the compared side; undefined = any. */
  readonly shareMax: number | undefined;
}

export interface Budget {
  /** Rules; for each kind, the first rule that matches a name is used. */
  readonly rules: readonly BudgetRule[];
  /** Path of the budget file; "" = only flags. */
  readonly file: string;
  /** Probability that a check without any change fails. */
  readonly alpha: number;
  /**
   * Assumed standard deviation between runs, relative to a value, if there are too few runs to
   * measure it.
   */
  readonly runNoise: number;
}
