// A second, naive evaluation of reports over text stacks, to compare the engine with.

interface Sums {
  flat: bigint;
  cumulative: bigint;
}

export interface OracleNode extends Sums {
  readonly name: string;
  /** What of a diff's base is at the node, before scaling. */
  readonly base: Sums | undefined;
  /** Of a diff: cumulative less the scaled base. */
  diff: bigint | undefined;
  readonly children: Map<string, OracleNode>;
}

/** Frames from the root, and a value. */
export interface OracleStack {
  readonly frames: readonly string[];
  readonly value: bigint;
}

/** What the base is multiplied by: `numerator / denominator`. */
export interface OracleRatio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Reads rows as TestStore does; labels of samples are left out. */
export function parseRows(rows: string): OracleStack[] {
  return rows
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [stack, value] = line.split(' ');
      return { frames: stack === '-' ? [] : stack.split(/[;>]/), value: BigInt(value) };
    });
}

export function sumOf(stacks: readonly { readonly value: bigint }[]): bigint {
  return stacks.reduce((sum, { value }) => sum + value, 0n);
}

/** The tree of calls, before trimming; of a diff, of both sides. */
export function oracleTree(
  stacks: readonly OracleStack[],
  base?: readonly OracleStack[],
): OracleNode {
  const node = (name: string): OracleNode => ({
    ...{ name, flat: 0n, cumulative: 0n, children: new Map() },
    ...{ base: base && { ...none }, diff: undefined },
  });
  const root = node('root');
  const add = (side: readonly OracleStack[], of: (at: OracleNode) => Sums): void => {
    for (const { frames, value } of side) {
      let at = root;
      of(at).cumulative += value;
      for (const frame of frames) {
        const child = at.children.get(frame) ?? node(frame);
        at.children.set(frame, child);
        of(child).cumulative += value;
        at = child;
      }
      of(at).flat += value;
    }
  };
  add(stacks, (at) => at);
  if (base !== undefined) add(base, (at) => at.base ?? at);
  return root;
}

const none: Sums = { flat: 0n, cumulative: 0n };

/** Applies both trimming rules to a tree in place; returns the sum of what was cut. */
export function oracleTrim(root: OracleNode, ofParent: number, ofRoot: number): bigint {
  const whole = { cumulative: root.cumulative, base: { ...(root.base ?? none) } };
  const isAbove = (value: bigint, parent: bigint, all: bigint): boolean =>
    value > part(parent, ofParent) && value > part(all, ofRoot);
  const cut = (at: OracleNode): bigint => {
    let trimmed = 0n;
    for (const [name, child] of at.children) {
      const [base, ofBase] = [child.base ?? none, at.base ?? none];
      const isKept =
        isAbove(child.cumulative, at.cumulative, whole.cumulative) ||
        isAbove(base.cumulative, ofBase.cumulative, whole.base.cumulative);
      if (!isKept) at.children.delete(name);
      trimmed += isKept ? cut(child) : child.cumulative;
    }
    return trimmed;
  };
  const trimmed = cut(root);
  const children = [...root.children.values()];
  root.cumulative = children.reduce((sum, child) => sum + child.cumulative, root.flat);
  if (root.base !== undefined) {
    const left = children.reduce((sum, child) => sum + (child.base ?? none).cumulative, 0n);
    root.base.cumulative = left + root.base.flat;
  }
  return trimmed;
}

function part(value: bigint, fraction: number): bigint {
  return BigInt(Math.trunc(Number(value) * fraction));
}

/** Notes at every node of a tree of two sides by how much they differ. */
export function oracleDiff(root: OracleNode, ratio: OracleRatio): void {
  root.diff = root.cumulative - scaled(root.base?.cumulative ?? 0n, ratio);
  for (const child of root.children.values()) oracleDiff(child, ratio);
}

/** To the nearest integer; values of the tests are not below 0. */
export function scaled(value: bigint, { numerator, denominator }: OracleRatio): bigint {
  const product = value * numerator;
  return product / denominator + ((product % denominator) * 2n >= denominator ? 1n : 0n);
}

/** A tree as text, children sorted by name; equal trees have equal texts. */
export function printTree(node: OracleNode, depth = 0): string {
  const { name, flat, cumulative, diff, children } = node;
  const difference = diff === undefined ? '' : ` ${diff}`;
  const own = `${' '.repeat(depth)}${name} ${flat}/${cumulative}${difference}\n`;
  const sorted = [...children.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return own + sorted.map((child) => printTree(child, depth + 1)).join('');
}

/** Flat and cumulative by name, recursion counted once, by flat value and then by name. */
export function oracleTop(stacks: readonly OracleStack[]): string[] {
  return [...oracleSums(stacks)]
    .filter(([, { flat, cumulative }]) => flat !== 0n || cumulative !== 0n)
    .toSorted(([a, x], [b, y]) => (x.flat === y.flat ? (a < b ? -1 : 1) : x.flat > y.flat ? -1 : 1))
    .map(([name, { flat, cumulative }]) => `${name} ${flat}/${cumulative}`);
}

/** By names of both sides: `flat/cumulative`, then by how much both are above the scaled base. */
export function oracleDiffTop(
  stacks: readonly OracleStack[],
  base: readonly OracleStack[],
  ratio: OracleRatio,
): { name: string; values: string; cumulativeDiff: bigint; flatDiff: bigint }[] {
  const [own, other] = [oracleSums(stacks), oracleSums(base)];
  return [...new Set([...own.keys(), ...other.keys()])].map((name) => {
    const { flat, cumulative } = own.get(name) ?? none;
    const before = other.get(name) ?? none;
    return {
      ...{ name, values: `${flat}/${cumulative}` },
      cumulativeDiff: cumulative - scaled(before.cumulative, ratio),
      flatDiff: flat - scaled(before.flat, ratio),
    };
  });
}

/** By name, recursion counted once. */
export function oracleSums(stacks: readonly OracleStack[]): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const { frames, value } of stacks) {
    for (const frame of new Set(frames)) {
      const sum = sums.get(frame) ?? { ...none };
      sums.set(frame, sum);
      sum.cumulative += value;
      if (frames.at(-1) === frame) sum.flat += value;
    }
  }
  return sums;
}
