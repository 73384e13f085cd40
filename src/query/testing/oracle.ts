// A second, naive evaluation of reports over text stacks, to compare the engine with.

export interface OracleNode {
  readonly name: string;
  flat: bigint;
  cumulative: bigint;
  readonly children: Map<string, OracleNode>;
}

/** Frames from the root, and a value. */
export interface OracleStack {
  readonly frames: readonly string[];
  readonly value: bigint;
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

/** The tree of calls, before trimming. */
export function oracleTree(stacks: readonly OracleStack[]): OracleNode {
  const root = node('root');
  for (const { frames, value } of stacks) {
    let at = root;
    at.cumulative += value;
    for (const frame of frames) {
      const child = at.children.get(frame) ?? node(frame);
      at.children.set(frame, child);
      child.cumulative += value;
      at = child;
    }
    at.flat += value;
  }
  return root;
}

function node(name: string): OracleNode {
  return { name, flat: 0n, cumulative: 0n, children: new Map() };
}

/** Applies both trimming rules to a tree in place; returns the sum of what was cut. */
export function oracleTrim(root: OracleNode, ofParent: number, ofRoot: number): bigint {
  const rootLimit = BigInt(Math.trunc(Number(root.cumulative) * ofRoot));
  const cut = (at: OracleNode): bigint => {
    const limit = BigInt(Math.trunc(Number(at.cumulative) * ofParent));
    let trimmed = 0n;
    for (const [name, child] of at.children) {
      if (child.cumulative > limit && child.cumulative > rootLimit) {
        trimmed += cut(child);
      } else {
        trimmed += child.cumulative;
        at.children.delete(name);
      }
    }
    return trimmed;
  };
  const trimmed = cut(root);
  root.cumulative = root.flat;
  for (const child of root.children.values()) root.cumulative += child.cumulative;
  return trimmed;
}

/** A tree as text, children sorted by name; equal trees have equal texts. */
export function printTree({ name, flat, cumulative, children }: OracleNode, depth = 0): string {
  const own = `${' '.repeat(depth)}${name} ${flat}/${cumulative}\n`;
  const sorted = [...children.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return own + sorted.map((child) => printTree(child, depth + 1)).join('');
}

/** Flat and cumulative by name, recursion counted once, as sorted lines of text. */
export function oracleTop(stacks: readonly OracleStack[]): string[] {
  const sums = new Map<string, { flat: bigint; cumulative: bigint }>();
  for (const { frames, value } of stacks) {
    for (const frame of new Set(frames)) {
      const sum = sums.get(frame) ?? { flat: 0n, cumulative: 0n };
      sums.set(frame, sum);
      sum.cumulative += value;
      if (frames.at(-1) === frame) sum.flat += value;
    }
  }
  return [...sums]
    .filter(([, { flat, cumulative }]) => flat !== 0n || cumulative !== 0n)
    .toSorted(([a, x], [b, y]) => (x.flat === y.flat ? (a < b ? -1 : 1) : x.flat > y.flat ? -1 : 1))
    .map(([name, { flat, cumulative }]) => `${name} ${flat}/${cumulative}`);
}
