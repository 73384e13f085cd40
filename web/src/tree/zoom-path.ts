// Converts a zoomed frame to a string, finds it in new data, and places details at its position.
import { noRow, noString, pathTo, type Tree } from './tree.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const charactersPerLevel = 5;
/** Maximum number of levels in a path; deeper levels are omitted. */
export const levelsMax = 127;

/** Reads names and binaries by index. */
export interface PathTexts {
  name(index: number): string;
  binary(index: number): string;
}

/** Frame at the end of a path. */
export interface ResolvedPath {
  readonly row: number;
  /** Number of levels in the path that do not exist in this tree. */
  readonly missing: number;
}

/** Returns the path of a row; "" for the root. */
export function printPath(tree: Tree, row: number, texts: PathTexts): string {
  return pathTo(tree, row)
    .slice(1, levelsMax + 1)
    .map((step) => printHash(hashRow(tree, step, texts)))
    .join('');
}

/**
 * Follows a path from the root as far as it exists. If several children have equal hashes, follows
 * the widest.
 */
export function resolvePath(tree: Tree, path: string, texts: PathTexts): ResolvedPath {
  let row = 0;
  const levels = Math.floor(path.length / charactersPerLevel);
  for (let level = 0; level < levels; level++) {
    const wanted = path.slice(level * charactersPerLevel, (level + 1) * charactersPerLevel);
    const child = findChild(tree, row, wanted, texts);
    if (child === noRow) return { row, missing: levels - level };
    row = child;
  }
  return { row, missing: 0 };
}

function findChild(tree: Tree, row: number, wanted: string, texts: PathTexts): number {
  let found = noRow;
  const first = tree.firstChild[row];
  for (let child = first; child < first + tree.childCount[row]; child++) {
    const wider = found === noRow || tree.width[child] > tree.width[found];
    if (wider && printHash(hashRow(tree, child, texts)) === wanted) found = child;
  }
  return found;
}

/** Returns 30 bits of an FNV-1a hash of name and binary. */
function hashRow(tree: Tree, row: number, texts: PathTexts): number {
  const binary = tree.binary[row];
  const text = `${texts.name(tree.name[row])}\n${binary === noString ? '' : texts.binary(binary)}`;
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash ^ (hash >>> 30)) & 0x3fffffff;
}

function printHash(hash: number): string {
  let out = '';
  for (let shift = 24; shift >= 0; shift -= 6) out += alphabet[(hash >>> shift) & 63];
  return out;
}

/** Returns the names on the path from below the root to the zoomed frame; empty without zoom. */
export function zoomNames(tree: Tree, zoom: string, texts: PathTexts): string[] {
  const { row } = resolvePath(tree, zoom, texts);
  return pathTo(tree, row)
    .slice(1)
    .map((step) => texts.name(tree.name[step]));
}

/**
 * Returns a tree with the frames `names` and all frames below the last of them, moved to the
 * position of that frame in `whole`, so that both have the same view. Returns undefined if a frame
 * is missing in either tree.
 *
 * `zoomedFrames` is the number of names that the tree contains, as its first rows below the root.
 */
export function placeDetail<T extends Tree>(
  detail: T,
  zoomedFrames: number,
  whole: Tree,
  zoom: string,
  texts: PathTexts,
): T | undefined {
  const path = pathTo(whole, resolvePath(whole, zoom, texts).row);
  const last = path.length - 1;
  if (zoomedFrames !== last || detail.count <= last) return undefined;
  const x = detail.x.map((at, row) =>
    row <= last ? whole.x[path[row]] : at + whole.x[path[last]],
  );
  return { ...detail, x };
}
