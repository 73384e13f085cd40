// A naive evaluation of who calls whom over text stacks, to compare tables and call graphs with.
import { oracleTop, sumOf } from './oracle.ts';
import type { OracleStack } from './oracle.ts';

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

/** The functions that a call graph leaves out: rare ones that only pass calls on, by Parca's rule. */
export function oracleHidden(stacks: readonly OracleStack[]): Set<string> {
  const total = Number(sumOf(stacks));
  const pairs = [...oracleCalls(stacks).keys()]
    .map((pair) => pair.split(' > '))
    .filter(([caller, callee]) => caller !== callee);
  const small = oracleTop(stacks).filter((line) => {
    const [name, values] = line.split(' ');
    const isCalled = pairs.filter(([, callee]) => callee === name).length === 1;
    const calls = pairs.some(([caller]) => caller === name);
    return isCalled && calls && Number(values.split('/')[1]) < total * 0.005;
  });
  return new Set(small.map((line) => line.split(' ')[0]));
}
