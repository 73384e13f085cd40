// Formats all data about a frame.
import { baseName } from '../../../src/model/file-path.ts';
import {
  type Coverage,
  formatRate,
  formatSamplesPart,
  formatTotal,
  type Measure,
} from '../format/measure.ts';
import { formatPercent } from '../format/numbers.ts';
import { baseShare, changeWords, isDiffTree } from '../tree/diff.ts';
import type { AnswerSide } from '../tree/tree-messages.ts';
import type { TreeTexts } from '../tree/tree-texts.ts';
import { inlinedFlag, type Tree } from '../tree/tree.ts';

/** Tree, and number format for its values. */
export interface FrameContext {
  readonly tree: Tree;
  readonly texts: TreeTexts;
  readonly measure: Measure;
  readonly coverage: Coverage;
  /** The base of a diff, if any. */
  readonly baseSide: AnswerSide | undefined;
  readonly baseWord: string;
  /** Colour steps of a diff by row. */
  readonly steps: Int8Array | undefined;
  readonly zoomRow: number;
  /** True if callers are below callees; self values then belong to outermost callers. */
  readonly isInverted: boolean;
}

/** All strings that describe a frame. */
export interface FrameFacts {
  readonly name: string;
  readonly total: string;
  readonly totalValue: string;
  readonly self: string;
  readonly selfValue: string;
  /** Number of samples, such as "812 samples, ±3.5 %"; undefined if values do not count samples. */
  readonly samples: string | undefined;
  readonly selfSamples: string | undefined;
  /** Share of the zoomed frame; undefined if no frame is zoomed. */
  readonly ofZoom: string | undefined;
  readonly ofParent: string | undefined;
  /** Base of a diff and change from it; undefined without a diff. */
  readonly base:
    | { readonly total: string; readonly value: string; readonly change: string }
    | undefined;
  readonly place: string;
  readonly binary: string;
  readonly inlined: boolean;
}

export function collectFacts(context: FrameContext, row: number): FrameFacts {
  const { tree, texts, zoomRow, coverage, measure } = context;
  const binary = texts.string(tree.binary[row]);
  const file = texts.string(tree.file[row]);
  const line = tree.line[row];
  const parent = tree.parent[row];
  const total = Number(tree.total);
  return {
    name: texts.name(tree.name[row]),
    total: formatPercent(tree.share[row]),
    totalValue: valueText(context, tree.cumulative[row]),
    self: formatPercent(total > 0 ? Number(tree.flat[row]) / total : 0),
    selfValue: valueText(context, tree.flat[row]),
    samples: formatSamplesPart(tree.cumulative[row], coverage, measure),
    selfSamples: formatSamplesPart(tree.flat[row], coverage, measure),
    ofZoom:
      zoomRow > 0 && isInside(tree, row, zoomRow)
        ? formatPercent(computeShare(tree, row, zoomRow))
        : undefined,
    ofParent: parent > 0 ? formatPercent(computeShare(tree, row, parent)) : undefined,
    base: baseFacts(context, row),
    place: file === '' ? '' : `${baseName(file)}${line > 0 ? `:${line}` : ''}`,
    binary: baseName(binary),
    inlined: (tree.flags[row] & inlinedFlag) !== 0,
  };
}

function baseFacts(
  { tree, baseSide, measure, steps }: FrameContext,
  row: number,
): FrameFacts['base'] {
  if (!isDiffTree(tree) || baseSide === undefined) return undefined;
  const share = baseShare(tree, row);
  const value = BigInt(Math.round(share * Number(baseSide.total)));
  return {
    total: formatPercent(share),
    value: formatRate(value, measure, baseSide.coverage) ?? formatTotal(value, measure),
    change: changeWords(tree, row, steps),
  };
}

function isInside({ x, width }: Tree, row: number, whole: number): boolean {
  const middle = x[row] + width[row] / 2;
  return width[row] <= width[whole] && middle >= x[whole] && middle <= x[whole] + width[whole];
}

function computeShare(tree: Tree, row: number, whole: number): number {
  return tree.share[whole] > 0 ? tree.share[row] / tree.share[whole] : 0;
}

/** Returns "1.84 cores", or the total while the profiled time is unknown. */
function valueText({ measure, coverage }: FrameContext, value: bigint): string {
  return formatRate(value, measure, coverage) ?? formatTotal(value, measure);
}

/** Returns the word for a frame's value without the frames below it. */
export function selfWord({ isInverted }: Pick<FrameContext, 'isInverted'>): string {
  return isInverted ? 'outermost' : 'self';
}
