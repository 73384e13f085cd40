// A budget: how much more a program, its packages and its functions may use.

/** Kinds of items that a rule can apply to. */
export const ruleKinds = ['total', 'package', 'function'] as const;

export type RuleKind = (typeof ruleKinds)[number];

export type Measure = 'flat' | 'cumulative';

/** A rule. Its numbers are shares: 0.03 is 3 %. */
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
  /** Rules. For each kind of item, the first rule that matches the item's name is used. */
  readonly rules: readonly BudgetRule[];
  /** Path of the budget file; "" if the budget comes only from flags. */
  readonly file: string;
  /** Probability that a check fails although nothing has changed. */
  readonly alpha: number;
  /**
   * Standard deviation between runs, relative to a value. It is assumed if there are too few runs
   * to measure it.
   */
  readonly runNoise: number;
}
