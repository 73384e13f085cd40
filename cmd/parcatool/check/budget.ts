// A budget: how much more a program, its packages and its functions may use.

/** Things that a rule may be about. */
export const ruleKinds = ['total', 'package', 'function'] as const;

export type RuleKind = (typeof ruleKinds)[number];

export type Measure = 'flat' | 'cumulative';

/** One rule; all numbers are shares, 0.03 for 3 %. */
export interface BudgetRule {
  readonly kind: RuleKind;
  /** Returns true for the names that the rule is about. */
  matches(name: string): boolean;
  /** Pattern as written; "" = all names. */
  readonly pattern: string;
  readonly measure: Measure;
  /** Largest allowed increase, relative to the base; undefined = any. */
  readonly increaseMax: number | undefined;
  /**
   * Increases below this share of the total of the base are allowed, and what uses less than it on
   * both sides is not looked at.
   */
  readonly costMin: number;
  /** Largest allowed share of the total of the compared side; undefined = any. */
  readonly shareMax: number | undefined;
}

export interface Budget {
  /** Rules; the first of a kind that matches a name decides. */
  readonly rules: readonly BudgetRule[];
  /** Path of the file that the budget is from; "" = flags only. */
  readonly file: string;
  /** Chance that a check without any change fails. */
  readonly alpha: number;
  /** Standard deviation between runs, relative to a value, where there are too few to see it. */
  readonly runNoise: number;
}
