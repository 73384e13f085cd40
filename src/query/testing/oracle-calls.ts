// A naive evaluation of tables, calls and trees of calls.
import type { TrimRules } from '../../report/trim.ts';
import { none, pathOf, plus, separator, sumBy, total } from './text-sums.ts';
import type { TextStack, TextSum, TextTree } from './text-sums.ts';

/** By name, recursion counted once: in the order of top tables. */
export function oracleTop(stacks: readonly TextStack[]): [name: string, sum: TextSum][] {
  return [...sumBy(stacks, ({ frames }) => frames)].toSorted(([a, x], [b, y]) => {
    if (x.flat[0] !== y.flat[0]) return x.flat[0] > y.flat[0] ? -1 : 1;
    return a < b ? -1 : 1;
  });
}

/** Sums by `caller > callee`; calls that are never direct, but through hidden frames, end in " ...". */
export function oracleCalls(
  stacks: readonly TextStack[],
  isHidden: (frame: string) => boolean = () => false,
): Map<string, TextSum> {
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
export function oracleHidden(stacks: readonly TextStack[]): Set<string> {
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

/** The tree of calls, before trimming. */
export function oracleTree(stacks: readonly TextStack[]): TextTree {
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
  tree: TextTree,
  { nodeTrimFraction, rootTrimFraction }: TrimRules,
  zoom: readonly string[] = [],
): { tree: TextTree; trimmed: bigint; zoomed: number } {
  const steps = zoom.map((_, i) => pathOf(zoom.slice(0, i + 1))).filter((path) => tree.has(path));
  const root = steps.at(-1) ?? '';
  const sumOf = (path: string): TextSum => tree.get(path) ?? none;
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
