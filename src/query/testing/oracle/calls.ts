// Naive evaluation of tables, calls, call trees, and charts of profiles along time.
import type { TrimRules } from '../../../report/tree/trim.ts';
import type { PlainProfile } from './plain-data.ts';
import {
  newName,
  none,
  joinPath,
  plus,
  separator,
  sumBy,
  total,
  type TextStack,
  type TextSum,
  type TextTree,
} from './text-sums.ts';

/** Returns sums by name, with recursion counted once, in the order of top tables. */
export function oracleTop(stacks: readonly TextStack[]): [name: string, sum: TextSum][] {
  const byName = [...sumBy(stacks, ({ frames }) => frames)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byName.toSorted(([, a], [, b]) => Number(b.flat[0] - a.flat[0]));
}

/** Returns sums by `caller > callee`. Calls that only lead through hidden frames end in " ...". */
export function oracleCalls(
  stacks: readonly TextStack[],
  isShown: (frame: string) => boolean = () => true,
): Map<string, TextSum> {
  const direct = new Set<string>();
  const sums = sumBy(stacks, ({ frames }) => {
    const shown = frames.flatMap((name, depth) => (isShown(name) ? [{ name, depth }] : []));
    return shown.slice(1).map(({ name, depth }, i) => {
      const pair = `${shown[i].name} > ${name}`;
      if (depth === shown[i].depth + 1) direct.add(pair);
      return pair;
    });
  });
  return new Map([...sums].map(([pair, sum]) => [direct.has(pair) ? pair : `${pair} ...`, sum]));
}

/**
 * Returns the functions of a call graph. By Parca's rule, the graph leaves out functions that are
 * rare on both sides of a diff and only pass calls on.
 */
export function oracleNodes(stacks: readonly TextStack[]): [name: string, sum: TextSum][] {
  const whole = total(stacks);
  const pairs = [...oracleCalls(stacks).keys()].map((pair) => pair.split(' > '));
  const calls = pairs.filter(([caller, callee]) => caller !== callee);
  return oracleTop(stacks).filter(([name, { cumulative }]) => {
    const isLarge = cumulative.some((value, i) => value !== 0n && value * 200n >= whole[i]);
    const callers = calls.filter(([, callee]) => callee === name);
    return isLarge || callers.length !== 1 || !calls.some(([caller]) => caller === name);
  });
}

/** Returns the tree of calls, before trimming. */
export function oracleTree(stacks: readonly TextStack[]): TextTree {
  return sumBy(stacks, ({ frames }) =>
    ['', ...frames].map((_, depth) => joinPath(frames.slice(0, depth))),
  );
}

/**
 * Keeps the frames of `zoom`, and the frames below them that pass both rules. Also returns the sum
 * of the frames that were cut, and the number of frames of `zoom` that exist.
 */
export function oracleTrim(
  tree: TextTree,
  { nodeTrimFraction, rootTrimFraction }: TrimRules,
  zoom: readonly string[] = [],
): { tree: TextTree; trimmed: bigint; zoomed: number } {
  const findSum = (path: string): TextSum => tree.get(path) ?? none;
  const steps = zoom.map((_, i) => joinPath(zoom.slice(0, i + 1))).filter((path) => tree.has(path));
  const root = steps.at(-1) ?? '';
  const parentPath = (path: string): string => path.slice(0, path.lastIndexOf(separator));
  const isOver = (path: string, than: string, fraction: number, i: number): boolean =>
    findSum(path).cumulative[i] >
    BigInt(Math.trunc(Number(findSum(than).cumulative[i]) * fraction));
  const isLarge = (path: string, parent: string): boolean =>
    [0, 1].some(
      (i) => isOver(path, parent, nodeTrimFraction, i) && isOver(path, root, rootTrimFraction, i),
    );
  const isKept = (path: string): boolean =>
    path === root || (isKept(parentPath(path)) && isLarge(path, parentPath(path)));
  const below = [...tree.keys()].filter((path) => path.startsWith(root + separator));
  const cut = below.filter((path) => !isKept(path) && isKept(parentPath(path)));
  const kept = new Map([...steps, ...below.filter(isKept)].map((path) => [path, findSum(path)]));
  // The root keeps its own flat value and the calls that remain.
  const { flat } = findSum('');
  const calls = [...kept].filter(([path]) => parentPath(path) === '');
  const cumulative = calls.reduce((sum, [, call]) => plus(sum, call.cumulative), flat);
  const trimmed = cut.reduce((sum, path) => sum + findSum(path).cumulative[0], 0n);
  return { tree: kept.set('', { flat, cumulative }), trimmed, zoomed: steps.length };
}

/** A stack of one profile, with its lane: its label values as a string. */
type TimedStack = TextStack & Record<'lane' | 'labels', string[]> & { profile: PlainProfile };

/**
 * Returns the stacks, with frame names that include the start of the call, as in `main@1000`. Calls
 * of one frame are joined if they are at most `gapNanosMax` apart. With `isTime`, values are
 * nanoseconds.
 */
export function oracleChart(
  stacks: readonly TimedStack[],
  isTime: boolean,
  gapNanosMax: number,
): TextStack[] {
  const byMoment = Map.groupBy(stacks, ({ lane, profile: { timeNanos, durationNanos } }) =>
    JSON.stringify([lane, ...[timeNanos, durationNanos].map((nanos) => `${nanos}`.padStart(20))]),
  );
  const moments = [...byMoment].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, all]) => all);
  const firstNanos = moments.at(0)?.[0].profile.timeNanos ?? 0n;
  const drawn: TextStack[] = [];
  const drawnPaths = new Set<string>();
  /** The last call of each path; `end` is in nanoseconds since the first profile. */
  const lastByStack = new Map<string, { name: string; text: string; end: number }>();
  for (const moment of moments) {
    const [{ labels, profile }] = moment;
    const [width, lasts] = [Number(total(moment)[0]), Number(profile.durationNanos)];
    const stretch = isTime && (lasts === 0 || width <= lasts) ? 1 : lasts / width;
    const begin = Number(profile.timeNanos - firstNanos);
    const draw = (above: readonly string[], inside: readonly TextStack[], from: number): void => {
      let at = from;
      const calls = Map.groupBy(inside, ({ frames }) => frames.at(0) ?? '');
      for (const { values } of calls.get('') ?? []) drawn.push({ frames: above, values });
      for (const name of [...calls.keys()].filter(Boolean).sort()) {
        const called = calls.get(name) ?? [];
        const [start, value] = [begin + at * stretch, Number(total(called)[0])];
        const last = lastByStack.get(joinPath(above));
        const goesOn = last?.name === name && start - last.end <= gapNanosMax;
        const startText = `${name}@${firstNanos + BigInt(Math.round(start))}`;
        const text = goesOn ? last.text : newName(drawnPaths, above, startText);
        lastByStack.set(joinPath(above), { name, text, end: start + value * stretch });
        const rest = called.map(({ frames, values }) => ({ frames: frames.slice(1), values }));
        draw([...above, text], rest, at);
        at += value;
      }
    };
    const lane = labels.map((text) => `${text}@0`);
    draw(lane, moment, 0);
  }
  return drawn;
}
