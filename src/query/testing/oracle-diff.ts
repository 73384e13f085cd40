// A second, naive evaluation of diffs over text stacks.
import { oracleTree } from './oracle.ts';
import type { OracleNode, OracleStack } from './oracle.ts';

/** A path from the root as text, with the value compared and its difference. */
export type DiffLines = string[];

/** What the base is multiplied by: `numerator / denominator`. */
export interface OracleRatio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Every path that has a value on either side: `a;b flat/cumulative diff`, sorted. */
export function oracleDiff(
  base: readonly OracleStack[],
  compared: readonly OracleStack[],
  ratio: OracleRatio,
): DiffLines {
  const a = pathsOf(oracleTree(base));
  const b = pathsOf(oracleTree(compared));
  const lines: string[] = [];
  for (const path of new Set([...a.keys(), ...b.keys()])) {
    const own = b.get(path);
    const cumulative = own?.cumulative ?? 0n;
    const baseValue = a.get(path)?.cumulative ?? 0n;
    const diff = cumulative - rounded(baseValue * ratio.numerator, ratio.denominator);
    lines.push(`${path} ${own?.flat ?? 0n}/${cumulative} ${diff}`);
  }
  return lines.toSorted();
}

/** To the nearest integer; values of the tests are not below 0. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const rest = numerator % denominator;
  return numerator / denominator + (rest * 2n >= denominator ? 1n : 0n);
}

function pathsOf(root: OracleNode): Map<string, OracleNode> {
  const paths = new Map<string, OracleNode>();
  const walk = (node: OracleNode, path: string): void => {
    paths.set(path, node);
    for (const child of node.children.values()) walk(child, `${path};${child.name}`);
  };
  walk(root, 'root');
  return paths;
}
