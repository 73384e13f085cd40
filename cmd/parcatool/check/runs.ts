// Runs of both sides of a check, with values of functions and packages.
import type { Scaling } from '../shared/check-options.ts';
import type { Measure, RuleKind } from './budget.ts';
import type { Measured } from './compare-runs.ts';
import type { RunValues } from './run-values.ts';

/** A complete run of a program, or a part of its running time. */
export interface Run extends RunValues {
  readonly name: string;
  /** Number of samples in the total. */
  readonly samples: number;
  /** Time that the profiles cover; 0 = unknown. */
  readonly coveredNanos: number;
}

export interface Side {
  /** File names or the query, as given. */
  readonly title: string;
  readonly runs: readonly Run[];
}

/** Both sides, and the meaning of their values. */
export interface Sides {
  readonly base: Side;
  readonly compared: Side;
  readonly profileType: string;
  readonly unit: string;
  readonly scaling: Scaling;
  /** True if the runs are pairs: two runs with the same index were recorded one after the other. */
  readonly isPaired: boolean;
}

/** An item that a rule can apply to, with its values in the runs of both sides. */
export interface Item {
  readonly kind: RuleKind;
  /** Name of the item; "" for the total. */
  readonly name: string;
  readonly measure: Measure;
  readonly base: Measured;
  readonly compared: Measured;
}

/** Source position of a function. */
export interface SourcePlace {
  /** Path that the compiler wrote into the program. */
  readonly file: string;
  /** First line of the function; 0 = unknown. */
  readonly line: number;
  /** Path relative to the working directory; "" = not found. */
  readonly path: string;
}

/** Returns the divisor for scaling the values of a run. */
function divisorOf({ total, coveredNanos }: Run, scaling: Scaling): number {
  if (scaling === 'none') return 1;
  return (scaling === 'total' ? total : coveredNanos / 1e9) || 1;
}

/** Returns the scaled values of a side, given the value in each run. */
function measure(side: Side, scaling: Scaling, valueOf: (run: Run) => number): Measured {
  const values = side.runs.map((run) => valueOf(run) / divisorOf(run, scaling));
  const totals = side.runs.map((run) => run.total / divisorOf(run, scaling));
  const samples = sum(side.runs.map((run) => run.samples));
  const sampleValue = samples > 0 ? Math.abs(sum(totals)) / samples : 0;
  const own = sampleValue > 0 ? Math.abs(sum(values)) / sampleValue : 0;
  return { values, samples: own, allSamples: samples, sampleValue };
}

/** Returns the total of both sides. */
export function totalItem({ base, compared, scaling }: Sides): Item {
  return {
    kind: 'total',
    name: '',
    measure: 'cumulative',
    base: measure(base, scaling, ({ total }) => total),
    compared: measure(compared, scaling, ({ total }) => total),
  };
}

/** Returns the items of a kind, sorted by name. */
export function itemsOf(sides: Sides, kind: 'package' | 'function', by: Measure): Item[] {
  const { base, compared, scaling } = sides;
  const sums = new Map<Run, ReadonlyMap<string, number>>();
  const names = new Set<string>();
  for (const run of [...base.runs, ...compared.runs]) {
    const functions = [...run.functions.values()].map((one) => [one.name, one[by]] as const);
    // Cumulative values of packages would count calls within a package twice.
    const values: ReadonlyMap<string, number> =
      kind === 'function' ? new Map(functions) : run.packages;
    for (const name of values.keys()) names.add(name);
    sums.set(run, values);
  }
  const valueOf = (name: string) => (run: Run) => sums.get(run)?.get(name) ?? 0;
  return [...names].sort().map((name) => ({
    kind,
    name,
    measure: kind === 'function' ? by : 'flat',
    base: measure(base, scaling, valueOf(name)),
    compared: measure(compared, scaling, valueOf(name)),
  }));
}

/** Returns the item with each value replaced with its share of the run's total. */
export function sharesOf({ base, compared, scaling }: Sides, item: Item): Item {
  const shares = ({ runs }: Side, { values, samples, allSamples }: Measured): Measured => ({
    values: values.map((value, i) => value / (runs[i].total / divisorOf(runs[i], scaling) || 1)),
    samples,
    allSamples,
    sampleValue: runs.length / Math.max(1, allSamples),
  });
  return { ...item, base: shares(base, item.base), compared: shares(compared, item.compared) };
}

/** Finds the source position of a function in the runs. */
export function findPlace({ base, compared }: Sides, name: string): SourcePlace | undefined {
  for (const run of [...compared.runs, ...base.runs]) {
    const found = run.functions.get(name);
    if (found !== undefined && found.file !== '')
      return { file: found.file, line: found.line, path: '' };
  }
  return undefined;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
