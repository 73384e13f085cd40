// A naive evaluation of sums: maps from texts, each stack looked at by itself.
import type { TrimRules } from '../../report/trim.ts';

/** What is compared, and its base; 0 without one. */
export type Pair = readonly [own: bigint, base: bigint];

/** Frames from the root, as texts, and a value. */
export interface OracleStack {
  readonly frames: readonly string[];
  readonly values: Pair;
}

export interface OracleSum {
  readonly flat: Pair;
  readonly cumulative: Pair;
}

/** What a base is multiplied by: `numerator / denominator`. */
export interface OracleRatio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const none: OracleSum = { flat: [0n, 0n], cumulative: [0n, 0n] };

/** Sums by key. A stack counts once for each of its keys, and is flat for the last of them. */
export function sumBy<T extends { readonly values: Pair }>(
  stacks: readonly T[],
  keysOf: (stack: T) => readonly string[],
): Map<string, OracleSum> {
  const sums = new Map<string, OracleSum>();
  for (const stack of stacks) {
    const keys = keysOf(stack);
    for (const key of new Set(keys)) {
      const { flat, cumulative } = sums.get(key) ?? none;
      sums.set(key, {
        flat: key === keys.at(-1) ? plus(flat, stack.values) : flat,
        cumulative: plus(cumulative, stack.values),
      });
    }
  }
  return sums;
}

export function plus([a, b]: Pair, [c, d]: Pair): Pair {
  return [a + c, b + d];
}

export function total(stacks: readonly { readonly values: Pair }[]): Pair {
  return stacks.reduce<Pair>((sum, { values }) => plus(sum, values), [0n, 0n]);
}

/** Own less the base, which is scaled to the nearest integer; values of tests are not below 0. */
export function difference([own, base]: Pair, { numerator, denominator }: OracleRatio): bigint {
  const product = base * numerator;
  const isRoundedUp = (product % denominator) * 2n >= denominator;
  return own - product / denominator - (isRoundedUp ? 1n : 0n);
}

/** `name flat/cumulative`, of a diff with the differences of the cumulative and the flat value. */
export function sumTexts(
  of: Iterable<readonly [name: string, sum: OracleSum]>,
  ratio?: OracleRatio,
): string[] {
  return Array.from(of, ([name, { flat, cumulative }]) => {
    const values = `${name} ${flat[0]}/${cumulative[0]}`;
    if (ratio === undefined) return values;
    return `${values} ${difference(cumulative, ratio)} (${difference(flat, ratio)})`;
  });
}

/** By name, recursion counted once: in the order of top tables. */
export function oracleTop(stacks: readonly OracleStack[]): [name: string, sum: OracleSum][] {
  return [...sumBy(stacks, ({ frames }) => frames)].toSorted(([a, x], [b, y]) => {
    if (x.flat[0] !== y.flat[0]) return x.flat[0] > y.flat[0] ? -1 : 1;
    return a < b ? -1 : 1;
  });
}

/** Sums by `caller > callee`; calls that are never direct, but through hidden frames, end in " ...". */
export function oracleCalls(
  stacks: readonly OracleStack[],
  isHidden: (frame: string) => boolean = () => false,
): Map<string, OracleSum> {
  const direct = new Set<string>();
  const sums = sumBy(stacks, ({ frames }) => {
    const shown = frames.flatMap((name, depth) => (isHidden(name) ? [] : [{ name, depth }]));
    return shown.slice(1).map(({ name, depth }, i) => {
      const pair = `${shown[i].name} > ${name}`;
      if (depth === shown[i].depth + 1) direct.add(pair);
      return pair;
    });
  });
  return new Map([...sums].map(([pair, sum]) => [direct.has(pair) ? pair : `${pair} ...`, sum]));
}

/**
 * The functions that a call graph leaves out, by Parca's rule: rare ones, on both sides of a diff,
 * that only pass calls on.
 */
export function oracleHidden(stacks: readonly OracleStack[]): Set<string> {
  const whole = total(stacks);
  const calls = [...oracleCalls(stacks).keys()]
    .map((pair) => pair.split(' > '))
    .filter(([caller, callee]) => caller !== callee);
  const hidden = oracleTop(stacks).filter(([name, { cumulative }]) => {
    const isSmall = cumulative.every((value, i) => value === 0n || value * 200n < whole[i]);
    const callers = calls.filter(([, callee]) => callee === name);
    return isSmall && callers.length === 1 && calls.some(([caller]) => caller === name);
  });
  return new Set(hidden.map(([name]) => name));
}

/** Sums by path from the root, whose own is []. */
export type OracleTree = ReadonlyMap<string, OracleSum>;

export function pathOf(frames: readonly string[]): string {
  return frames.map((frame) => separator + frame).join('');
}

/** Sorts what is below a frame right behind it. */
export const separator = '\u0000';

/** The tree of calls, before trimming. */
export function oracleTree(stacks: readonly OracleStack[]): OracleTree {
  const sums = sumBy(stacks, ({ frames }) =>
    ['', ...frames].map((_, depth) => pathOf(frames.slice(0, depth))),
  );
  return sums.size === 0 ? new Map([['', none]]) : sums;
}

/**
 * Keeps the frames that `zoom` leads to, and of those behind them what passes both rules. Tells the
 * sum of what was cut, and how many frames of `zoom` there are.
 */
export function oracleTrim(
  tree: OracleTree,
  { nodeTrimFraction, rootTrimFraction }: TrimRules,
  zoom: readonly string[] = [],
): { tree: OracleTree; trimmed: bigint; zoomed: number } {
  const steps = zoom.map((_, i) => pathOf(zoom.slice(0, i + 1))).filter((path) => tree.has(path));
  const root = steps.at(-1) ?? '';
  const sumOf = (path: string): OracleSum => tree.get(path) ?? none;
  const kept = new Map(['', ...steps].map((path) => [path, sumOf(path)]));
  const part = (path: string, i: number, fraction: number): bigint =>
    BigInt(Math.trunc(Number(sumOf(path).cumulative[i]) * fraction));
  let trimmed = 0n;
  for (const path of [...tree.keys()].sort()) {
    const parent = path.slice(0, path.lastIndexOf(separator));
    if (kept.has(path) || !path.startsWith(root + separator) || !kept.has(parent)) continue;
    const { cumulative } = sumOf(path);
    const isAbove = (value: bigint, i: number): boolean =>
      value > part(parent, i, nodeTrimFraction) && value > part(root, i, rootTrimFraction);
    if (cumulative.some(isAbove)) kept.set(path, sumOf(path));
    else trimmed += cumulative[0];
  }
  // The root is what is left of it.
  const { flat } = sumOf('');
  const calls = [...kept].filter(([path]) => path.lastIndexOf(separator) === 0);
  const cumulative = calls.reduce((sum, [, call]) => plus(sum, call.cumulative), flat);
  return { tree: kept.set('', { flat, cumulative }), trimmed, zoomed: steps.length };
}
