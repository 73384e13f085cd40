// Search: finds matching names, their frames, and their share in the total.
import { noRow, type Tree } from './tree.ts';

export type SearchMode = 'text' | 'regex' | 'case';

/** A search, or the error in it. */
export type Matcher =
  | { readonly ok: true; readonly matches: (name: string) => boolean }
  | { readonly ok: false; readonly message: string };

/** Creates the test for a name. */
export function createNameMatcher(text: string, mode: SearchMode): Matcher {
  if (mode === 'case') return { ok: true, matches: (name) => name.includes(text) };
  if (mode === 'text') {
    const lower = text.toLowerCase();
    return { ok: true, matches: (name) => name.toLowerCase().includes(lower) };
  }
  try {
    const expression = new RegExp(text, 'iu');
    return { ok: true, matches: (name) => expression.test(name) };
  } catch (error) {
    return { ok: false, message: readableRegexError(error) };
  }
}

function readableRegexError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.slice(message.lastIndexOf(': ') + 1).trim() || message;
}

/** Returns one byte per name: 1 if it matches. */
export function matchNames(
  names: readonly string[],
  matches: (name: string) => boolean,
): Uint8Array {
  return Uint8Array.from(names, (name) => (matches(name) ? 1 : 0));
}

/** Matches of a search in a tree. */
export interface SearchResult {
  /** 1 for each matching name. */
  readonly hit: Uint8Array;
  /** Number of different functions. */
  readonly functions: number;
  /** Matching frames in order of depth and x. */
  readonly rows: Uint32Array;
  /** Share of all stacks with a match, each counted once. */
  readonly share: number;
  /** Share of the matching frames' self values. */
  readonly selfShare: number;
}

/**
 * Finds the frames of matching names in two passes over the rows. The root's name never matches;
 * its `hit` is cleared.
 */
export function searchTree(
  tree: Pick<Tree, 'count' | 'name' | 'parent' | 'share' | 'flat' | 'total'>,
  hit: Uint8Array,
): SearchResult {
  const { count, name, parent, flat } = tree;
  hit[0] = 0;
  const inside = new Uint8Array(count);
  const rows: number[] = [];
  let share = 0;
  let self = 0n;
  for (let row = 0; row < count; row++) {
    const above = parent[row] === noRow ? 0 : inside[parent[row]];
    const hits = hit[name[row]];
    inside[row] = above | hits;
    if (hits === 0) continue;
    rows.push(row);
    self += flat[row];
    if (above === 0) share += tree.share[row];
  }
  let functions = 0;
  const seen = new Uint8Array(hit.length);
  for (const row of rows) {
    functions += 1 - seen[name[row]];
    seen[name[row]] = 1;
  }
  const total = Number(tree.total);
  return {
    hit,
    functions,
    rows: Uint32Array.from(rows),
    share,
    selfShare: total > 0 ? Number(self) / total : 0,
  };
}

/** Returns one byte per pixel column: 1 if it contains a matching frame, however narrow. */
export function hitColumns(
  tree: Pick<Tree, 'x' | 'width'>,
  rows: Uint32Array,
  view: { readonly from: number; readonly to: number },
  columns: number,
): Uint8Array {
  const highlighted = new Uint8Array(columns);
  const scale = columns / (view.to - view.from);
  for (const row of rows) {
    const left = (tree.x[row] - view.from) * scale;
    const right = left + tree.width[row] * scale;
    if (right < 0 || left >= columns) continue;
    const first = Math.max(0, Math.floor(left));
    highlighted.fill(1, first, Math.max(first + 1, Math.min(columns, Math.round(right))));
  }
  return highlighted;
}
