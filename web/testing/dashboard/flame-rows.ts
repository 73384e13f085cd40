// Converts Pyroscope's flame graph to rows of the page's tree; the bar above a bar is its parent.
import type { PanelGraph } from '../../../test/support/panel-answers.ts';
import type { ArrowRows } from '../../src/tree/read-arrow.ts';
import { packStrings } from '../../src/tree/strings.ts';
import { noRow, noString } from '../../src/tree/tree.ts';

/** A bar in a level: left edge, width, self value, name, and parent row. */
interface Bar {
  readonly left: number;
  readonly total: number;
  readonly self: number;
  readonly name: number;
  readonly parent: number;
}

/** Number of values per bar. */
const barSize = 4;

export function rowsOfGraph({ names, levels }: PanelGraph): ArrowRows {
  const bars: Bar[] = [];
  let above = 0;
  for (const level of levels) {
    const first = bars.length;
    let left = 0;
    for (let i = 0; i < level.length; i += barSize) {
      const [offset, total, self, name] = level.slice(i, i + barSize);
      left += offset;
      const inside = (bar: Bar): boolean =>
        bar.left <= left && left + total <= bar.left + bar.total;
      const parent =
        first === 0
          ? noRow
          : bars.slice(0, first).findIndex((bar, row) => row >= above && inside(bar));
      bars.push({ left, total, self, name, parent });
      left += total;
    }
    above = first;
  }
  const count = bars.length;
  const none = new Uint32Array(count).fill(noString);
  const rows = {
    count,
    parent: Int32Array.from(bars, ({ parent }) => parent),
    cumulative: BigInt64Array.from(bars, ({ total }) => BigInt(total)),
    flat: BigInt64Array.from(bars, ({ self }) => BigInt(self)),
    base: undefined,
    name: Uint32Array.from(bars, ({ name }) => name),
    flags: new Uint8Array(count),
    file: none,
    binary: none,
    buildId: none,
    line: new Uint32Array(count),
  };
  return { rows, names, strings: packStrings([]) };
}
