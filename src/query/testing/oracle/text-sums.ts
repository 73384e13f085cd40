// Sums by string: maps from names or paths to values. Each stack is evaluated separately.

/** Values of the compared side and of the base; the base is 0 if there is none. */
export type Pair = readonly [own: bigint, base: bigint];

/** Frames from the root, as strings, and a value. */
export interface TextStack {
  readonly frames: readonly string[];
  readonly values: Pair;
}

export interface TextSum {
  readonly flat: Pair;
  readonly cumulative: Pair;
}

/** Factor of a base, as numerator and denominator. */
export type TextRatio = readonly [numerator: bigint, denominator: bigint];

export const none: TextSum = { flat: [0n, 0n], cumulative: [0n, 0n] };

/**
 * Sums by key. A stack adds to the cumulative value of each of its keys once, and to the flat value
 * of the last key.
 */
export function sumBy<T extends { readonly values: Pair }>(
  stacks: readonly T[],
  keysOf: (stack: T) => readonly string[],
): Map<string, TextSum> {
  const sums = new Map<string, TextSum>();
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

/**
 * Returns the own value minus the base. The base is scaled and rounded to the nearest integer.
 * Values must not be negative.
 */
export function difference([own, base]: Pair, [numerator, denominator]: TextRatio): bigint {
  const product = base * numerator;
  const isRoundedUp = (product % denominator) * 2n >= denominator;
  return own - product / denominator - (isRoundedUp ? 1n : 0n);
}

/**
 * Formats `name flat/cumulative`; for a diff, also the differences between the cumulative values
 * and between the flat values.
 */
export function sumTexts(
  of: Iterable<readonly [name: string, sum: TextSum]>,
  ratio?: TextRatio,
): string[] {
  return Array.from(of, ([name, { flat, cumulative }]) => {
    const values = `${name} ${flat[0]}/${cumulative[0]}`;
    if (ratio === undefined) return values;
    return `${values} ${difference(cumulative, ratio)} (${difference(flat, ratio)})`;
  });
}

/** Sums by path from the root. The root's own path is []. */
export type TextTree = ReadonlyMap<string, TextSum>;

export function joinPath(frames: readonly string[]): string {
  return frames.map((frame) => separator + frame).join('');
}

/** Suffix for the name of a call that must stay separate from another call with the same name. */
export const again = '\u0001';

/**
 * Returns a name that no other call below `above` has, and adds it to `paths`. In overlapping
 * profiles, calls with the same name may start at the same time.
 */
export function newName(paths: Set<string>, above: readonly string[], name: string): string {
  const path = joinPath([...above, name]);
  if (paths.has(path)) return newName(paths, above, name + again);
  paths.add(path);
  return name;
}

/** Separator that sorts the callees of a frame right after it. */
export const separator = '\u0000';

/** Returns the distinct nonempty strings, in order. */
export function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter(Boolean).sort();
}

export function ascending(values: readonly bigint[]): bigint[] {
  return values.toSorted((a, b) => (a < b ? -1 : 1));
}
