// A naive evaluation of who calls whom over text stacks, to compare tables and call graphs with.
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
