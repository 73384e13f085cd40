// Accessible version of the graph for screen readers: the frames around the cursor as tree items.
import { formatPercent } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { changeWords, isDiffTree } from '../tree/diff.ts';
import type { TreeTexts } from '../tree/tree-texts.ts';
import { findDepth, noRow, pathTo, type Tree } from '../tree/tree.ts';

const aroundMax = 50;

interface TwinProps extends FrameSpeech {
  /** Prefix of the items' ids, followed by the row. */
  readonly id: string;
  readonly cursor: number;
  readonly zoomRow: number;
}

/** Tree items for the path to the cursor, its siblings and its children: up to about 200 items. */
export function Twin({ id, cursor, zoomRow, ...speech }: TwinProps) {
  const { tree } = speech;
  return (
    <div className="visually-hidden" role="group">
      {twinRows(tree, cursor).map((row) => {
        const parent = tree.parent[row];
        const siblings = parent === noRow ? 1 : tree.childCount[parent];
        const position = parent === noRow ? 1 : row - tree.firstChild[parent] + 1;
        const children = tree.childCount[row];
        return (
          <div
            key={row}
            id={id + row}
            role="treeitem"
            aria-level={findDepth(tree, row) + 1}
            aria-posinset={position}
            aria-setsize={siblings}
            aria-expanded={children > 0 ? true : undefined}
            aria-selected={row === zoomRow}
            aria-label={frameSentence(speech, row)}
          />
        );
      })}
    </div>
  );
}

/** Returns the rows in reading order: callers before callees, siblings together. */
function twinRows(tree: Tree, cursor: number): number[] {
  const path = pathTo(tree, cursor);
  const children = window(tree.firstChild[cursor], tree.childCount[cursor], 0);
  const parent = tree.parent[cursor];
  if (parent === noRow) return [...path, ...children];
  const first = tree.firstChild[parent];
  const siblings = window(first, tree.childCount[parent], cursor - first);
  const before = siblings.filter((row) => row < cursor);
  const after = siblings.filter((row) => row > cursor);
  return [...path.slice(-100, -1), ...before, cursor, ...children, ...after];
}

function window(first: number, count: number, around: number): number[] {
  const start = Math.max(0, Math.min(count - aroundMax, around - aroundMax / 2));
  return Array.from({ length: Math.min(aroundMax, count - start) }, (_, i) => first + start + i);
}

/** Data for describing frames in sentences. */
interface FrameSpeech {
  readonly tree: Tree;
  readonly texts: TreeTexts;
  /** Formats a rate, such as "1.84 cores"; undefined while unknown. */
  readonly formatRate: (value: bigint) => string | undefined;
  /** Word for a frame's value without the frames below it. */
  readonly selfWord: string;
  /** Colour steps of a diff by row. */
  readonly steps: Int8Array | undefined;
}

/** Describes a frame: "json.Marshal, total 12.4 %, 0.23 cores, self 11.8 %, 3 children". */
export function frameSentence(
  { tree, texts, formatRate: rateOf, selfWord, steps }: FrameSpeech,
  row: number,
): string {
  const self = tree.total > 0n ? Number(tree.flat[row]) / Number(tree.total) : 0;
  const count = tree.childCount[row];
  return [
    texts.name(tree.name[row]),
    `total ${formatPercent(tree.share[row])}`,
    isDiffTree(tree) ? changeWords(tree, row, steps) : undefined,
    rateOf(tree.cumulative[row]),
    `${selfWord} ${formatPercent(self)}`,
    count === 0 ? undefined : plural(count, 'child', 'children'),
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}
