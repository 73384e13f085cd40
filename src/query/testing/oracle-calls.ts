// A naive evaluation of who calls whom over text stacks, to compare tables and call graphs with.
import { oracleSums, scaled, sumOf } from './oracle.ts';
import type { OracleRatio, OracleStack } from './oracle.ts';

/** Values by `caller > callee`, each stack once; calls through hidden frames end in " ...". */
export function oracleCalls(
  stacks: readonly OracleStack[],
  isHidden: (frame: string) => boolean = () => false,
): Map<string, bigint> {
  const calls = new Map<string, bigint>();
  const direct = new Set<string>();
  for (const { frames, value } of stacks) {
    const shown = frames
      .map((name, depth) => ({ name, depth }))
      .filter(({ name }) => !isHidden(name));
    const pairs = new Set<string>();
    shown.slice(1).forEach(({ name, depth }, i) => {
      const pair = `${shown[i].name} > ${name}`;
      pairs.add(pair);
      if (depth === shown[i].depth + 1) direct.add(pair);
    });
    for (const pair of pairs) calls.set(pair, (calls.get(pair) ?? 0n) + value);
  }
  return new Map([...calls].map(([pair, sum]) => [direct.has(pair) ? pair : `${pair} ...`, sum]));
}

/** Every call of both sides with its value, less the scaled base's where there is one; sorted. */
export function oracleEdges(
  stacks: readonly OracleStack[],
  base: readonly OracleStack[] | undefined,
  ratio: OracleRatio,
  hidden: ReadonlySet<string>,
): string[] {
  const isHidden = (name: string): boolean => hidden.has(name);
  const callsOf = (side: readonly OracleStack[]): Map<string, bigint> =>
    new Map([...oracleCalls(side, isHidden)].map(([pair, sum]) => [pair.replace(' ...', ''), sum]));
  const own = callsOf(stacks);
  const other = callsOf(base ?? []);
  return [...oracleCalls([...stacks, ...(base ?? [])], isHidden).keys()]
    .map((pair) => {
      const key = pair.replace(' ...', '');
      const value = own.get(key) ?? 0n;
      const difference = base && value - scaled(other.get(key) ?? 0n, ratio);
      return `${pair} ${value}${difference === undefined ? '' : ` ${difference}`}`;
    })
    .sort();
}

/**
 * The functions that a call graph leaves out, by Parca's rule: rare ones, on both sides of a diff,
 * that only pass calls on.
 */
export function oracleHidden(
  stacks: readonly OracleStack[],
  base: readonly OracleStack[] = [],
): Set<string> {
  const isSmallIn = (side: readonly OracleStack[]): ((name: string) => boolean) => {
    const total = Number(sumOf(side));
    const sums = oracleSums(side);
    return (name) => {
      const value = Number(sums.get(name)?.cumulative ?? 0);
      return value === 0 || value < total * 0.005;
    };
  };
  const sides = [isSmallIn(stacks), isSmallIn(base)];
  const pairs = [...oracleCalls([...stacks, ...base]).keys()]
    .map((pair) => pair.split(' > '))
    .filter(([caller, callee]) => caller !== callee);
  const names = new Set([...stacks, ...base].flatMap(({ frames }) => frames));
  const small = [...names].filter((name) => {
    const isCalled = pairs.filter(([, callee]) => callee === name).length === 1;
    const calls = pairs.some(([caller]) => caller === name);
    return isCalled && calls && sides.every((isSmall) => isSmall(name));
  });
  return new Set(small);
}
