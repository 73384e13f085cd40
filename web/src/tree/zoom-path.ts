// Writes a zoomed frame as a string, finds it again in new data, and lays a detailed answer out
// there.
import { noRow, noString, pathTo, type Tree } from './tree.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const charactersPerLevel = 5;
/** Most levels of a path; for deeper frames, it ends here. */
export const levelsMax = 127;

/** Reads names and binaries by index. */
export interface PathTexts {
  name(index: number): string;
  binary(index: number): string;
}

/** The frame that a path leads to. */
export interface ResolvedPath {
  readonly row: number;
  /** Number of levels of the path that are not in this tree. */
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
 * Follows a path from the root as far as it exists; of children with the same hash, the wider one
 * wins.
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

/** Returns 30 bits of FNV-1a over name and binary. */
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

/** Returns the names of the frames from below the root to the zoomed one; empty without zoom. */
export function zoomNames(tree: Tree, zoom: string, texts: PathTexts): string[] {
  const { row } = resolvePath(tree, zoom, texts);
  return pathTo(tree, row)
    .slice(1)
    .map((step) => texts.name(tree.name[step]));
}

/**
 * A tree of the frames `names` and all below the last of them, moved to the position of that frame
 * in `whole`, so that a view of one is a view of the other. Undefined if a frame is not in both.
 *
 * `zoomedFrames`: how many of the names the tree has; they are its first rows below the root.
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
