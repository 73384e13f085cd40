// Checks both sides against the rules of a budget.
import type { Budget, BudgetRule, Measure, RuleKind } from './budget.ts';
import { compareRuns, type Difference, mean, type NoiseSource } from './compare-runs.ts';
import { type Comparison, judgeAll, type Outcome } from './judge.ts';
import {
  findPlace,
  type Item,
  itemsOf,
  sharesOf,
  type Sides,
  type SourcePlace,
  sum,
  totalItem,
} from './runs.ts';

/** Limit for an item. */
export interface Limit {
  /**
   * Limited quantity: the increase relative to the base, the increase as a share of the total, or
   * the share of the total.
   */
  readonly kind: 'increase' | 'cost' | 'share';
  /** Limit as a share: 0.03 is 3 %. */
  readonly share: number;
}

/** Result of comparing an item. */
export interface Finding {
  readonly kind: RuleKind;
  /** Name of the item; "" for the total. */
  readonly name: string;
  readonly measure: Measure;
  /** Source position of a function; undefined if unknown. */
  readonly place: SourcePlace | undefined;
  readonly limit: Limit;
  /** Values of an average run; for a limit of kind `share`, shares of the total. */
  readonly base: number;
  readonly compared: number;
  /** Half the width of the 95 % interval of the difference. */
  readonly halfWidth: number;
  /** Totals of an average run. */
  readonly baseTotal: number;
  readonly comparedTotal: number;
  readonly outcome: Outcome;
  /**
   * True if the finding decides the result of the check. It is false for an unclear function or
   * package that is not suspect and has no rule of its own, because small items never have enough
   * samples.
   */
  readonly isDecisive: boolean;
  readonly probability: number;
  readonly needed: NeededMore | undefined;
}

/** Additional runs or samples that are needed on each side; Infinity if no number is enough. */
export interface NeededMore {
  readonly runs: number;
  readonly samples: number;
  /** True if there are too few runs to measure the noise between runs. */
  readonly lacksRuns: boolean;
}

export interface CheckResult {
  readonly outcome: Outcome;
  /**
   * Findings in the order exceeded, unclear (decisive findings first), kept. Each group is sorted
   * by the size of the change.
   */
  readonly findings: readonly Finding[];
  /** Rules whose pattern matches no name. */
  readonly unmatched: readonly BudgetRule[];
  readonly source: NoiseSource;
  readonly sides: Sides;
  readonly budget: Budget;
}

/** An item to compare, and its rule. */
interface Compared {
  readonly item: Item;
  readonly rule: BudgetRule;
  readonly limit: Limit;
  readonly difference: Difference;
  readonly comparison: Comparison;
}

/** Order of outcomes in a list. */
const outcomes: readonly Outcome[] = ['exceeded', 'unclear', 'kept'];

/** Compares all items that have rules. */
export function checkSides(sides: Sides, budget: Budget): CheckResult {
  const total = totalItem(sides);
  const [baseTotal, comparedTotal] = [mean(total.base.values), mean(total.compared.values)];
  const compared = budget.rules.length === 0 ? [] : listCompared(sides, total, budget);
  const judgements = judgeAll(
    compared.map(({ comparison }) => comparison),
    budget.alpha,
  );
  const findings = compared.map(({ item, rule, limit, difference }, i): Finding => {
    const { outcome, halfWidth, probability, isSuspect, needed } = judgements[i];
    const hasOwnRule = item.kind === 'total' || rule.pattern !== '';
    return {
      kind: item.kind,
      name: item.name,
      measure: item.measure,
      place: item.kind === 'function' ? findPlace(sides, item.name) : undefined,
      limit,
      base: difference.base,
      compared: difference.compared,
      halfWidth,
      baseTotal: limit.kind === 'share' ? 1 : baseTotal,
      comparedTotal: limit.kind === 'share' ? 1 : comparedTotal,
      outcome,
      isDecisive: outcome !== 'unclear' || hasOwnRule || isSuspect,
      probability,
      needed: needed === undefined ? undefined : countNeeded(needed, sides, difference.source),
    };
  });
  findings.sort(
    (a, b) =>
      outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome) ||
      Number(b.isDecisive) - Number(a.isDecisive) ||
      Number(b.kind === 'total') - Number(a.kind === 'total') ||
      sizeOf(b) - sizeOf(a),
  );
  const { source } = compareRuns(total.base, total.compared, budget.runNoise, sides.isPaired);
  const outcome =
    outcomes.find((one) => findings.some((each) => each.isDecisive && each.outcome === one)) ??
    'kept';
  return { outcome, findings, unmatched: findUnmatched(sides, budget), source, sides, budget };
}

function listCompared(sides: Sides, total: Item, budget: Budget): Compared[] {
  const [baseTotal, comparedTotal] = [mean(total.base.values), mean(total.compared.values)];
  const kinds = ['total', 'package', 'function'] as const;
  return kinds.flatMap((kind) => {
    const rules = budget.rules.filter((rule) => rule.kind === kind);
    if (rules.length === 0) return [];
    const byMeasure = new Map<Measure, readonly Item[]>();
    const items = (measure: Measure): readonly Item[] => {
      if (kind === 'total') return [total];
      const known = byMeasure.get(measure) ?? itemsOf(sides, kind, measure);
      byMeasure.set(measure, known);
      return known;
    };
    return rules.flatMap((rule, i) =>
      items(rule.measure)
        .filter(({ name }) => rule.matches(name))
        .filter(({ name }) => !rules.slice(0, i).some((earlier) => earlier.matches(name)))
        .filter((item) => isLarge(item, rule, baseTotal, comparedTotal))
        .flatMap((item) => compareItem(item, rule, sides, budget, baseTotal)),
    );
  });
}

function findUnmatched(sides: Sides, { rules }: Budget): BudgetRule[] {
  const patterns = rules.filter(({ pattern }) => pattern !== '');
  return (['package', 'function'] as const).flatMap((kind) => {
    const own = patterns.filter((rule) => rule.kind === kind);
    const items = own.length === 0 ? [] : itemsOf(sides, kind, 'flat');
    return own.filter((rule) => !items.some(({ name }) => rule.matches(name)));
  });
}

function isLarge(
  item: Item,
  { costMin, shareMax = Infinity }: BudgetRule,
  baseTotal: number,
  comparedTotal: number,
) {
  if (item.kind === 'total') return true;
  const shares = [
    mean(item.base.values) / (baseTotal || 1),
    mean(item.compared.values) / (comparedTotal || 1),
  ];
  return shares.some((share) => share > 0 && share >= Math.min(costMin, shareMax));
}

function compareItem(
  item: Item,
  rule: BudgetRule,
  sides: Sides,
  { runNoise }: Budget,
  baseTotal: number,
): Compared[] {
  const found: Compared[] = [];
  const { increaseMax, costMin, shareMax, kind } = rule;
  // The increase of the total is meaningless if values are scaled to the total, because the totals
  // of both sides are then equal.
  if (increaseMax !== undefined && !(kind === 'total' && sides.scaling === 'total')) {
    const difference = compareRuns(item.base, item.compared, runNoise, sides.isPaired);
    const [increase, cost] = [increaseMax * difference.base, costMin * baseTotal];
    const isCost = kind !== 'total' && cost > increase;
    const limit: Limit = isCost
      ? { kind: 'cost', share: costMin }
      : { kind: 'increase', share: increaseMax };
    const allowed = kind === 'total' ? increase : Math.max(increase, cost);
    const comparison = { difference, limit: allowed, reference: 0, family: kind };
    found.push({ item, rule, limit, difference, comparison });
  }
  if (shareMax !== undefined) {
    const shares = sharesOf(sides, item);
    const none = {
      ...shares.compared,
      values: shares.compared.values.map(() => 0),
      sampleValue: 0,
    };
    // The base is only displayed. A limit for the share does not depend on it.
    const ownShare = compareRuns(none, shares.compared, runNoise);
    const difference = { ...ownShare, base: mean(shares.base.values) };
    const comparison = { difference, limit: shareMax, reference: shareMax, family: 'share' };
    found.push({ item, rule, limit: { kind: 'share', share: shareMax }, difference, comparison });
  }
  return found;
}

function countNeeded(
  { factor, needsRuns }: { readonly factor: number; readonly needsRuns: boolean },
  { base, compared }: Sides,
  source: NoiseSource,
): NeededMore {
  const runs = Math.min(base.runs.length, compared.runs.length);
  const samples = Math.min(
    ...[base, compared].map((side) => sum(side.runs.map((run) => run.samples))),
  );
  if (source !== 'samples') {
    const more = Math.max(1, Math.ceil((factor - 1) * runs));
    return { runs: more, samples: roundUp((more * samples) / runs), lacksRuns: false };
  }
  return {
    runs: 0,
    samples: needsRuns ? Infinity : roundUp(Math.max(1, (factor - 1) * samples)),
    lacksRuns: needsRuns,
  };
}

/** Rounds up to two significant digits, because the number is an estimate. */
function roundUp(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.ceil(count / unit) * unit;
}

function sizeOf({ base, compared, baseTotal }: Finding): number {
  return Math.abs(compared - base) / (baseTotal || 1);
}
