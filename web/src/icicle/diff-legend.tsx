// Legend of a comparison's colours, which is loaded for the first comparison.
import { chosenScale } from '../answers/scale.ts';
import type { Palette } from '../canvas/colours.ts';
import { formatPercent, formatSignificant } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { usePlace } from '../page/app-context.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';

interface DiffLegendProps {
  readonly palette: Palette;
  /** Word for the base. */
  readonly baseWord: string;
  readonly tree: AnsweredTree;
}

/**
 * Shows the colours from removed to new, and what is compared. Colours depend on the ratio of the
 * values, so they mean the same in all diffs. Grey is no change; striped changes may be chance.
 */
export function DiffLegend({ palette, baseWord, tree }: DiffLegendProps) {
  const { diff, background, goneOutline, smallChange } = palette;
  const middle = (diff.length - 1) / 2;
  const isUnknown =
    chosenScale(usePlace().state.scale, { delta: tree.coverage.seconds > 0 }) === 'load';
  return (
    <div className="colour-legend" role="group" aria-label="Colours of the comparison">
      <span className="hint" title={scaleTitle(tree, isUnknown)}>
        {scaleText(tree, baseWord)}
      </span>
      <Entry text="gone" fills={[background]} outline={goneOutline} />
      <Entry text={`less than ${baseWord}`} fills={diff.slice(0, middle)} />
      <Entry text="real but small" fills={smallChange} />
      <Entry text="no change" fills={[diff[middle]]} />
      <Entry text="may be chance" fills={[diff[middle]]} stripe={palette.chanceStripe} />
      <Entry text={`more than ${baseWord}`} fills={diff.slice(middle + 1)} />
      <Entry text="new" fills={[diff[diff.length - 1]]} stripe={palette.newStripe} />
    </div>
  );
}

/** Returns the description of the scale: "before × 1.23 (scaled by load):". */
function scaleText({ scale, load }: AnsweredTree, baseWord: string): string {
  if (scale === 'load' && load !== undefined) {
    return `scaled by load, ${baseWord} ×\u202f${formatSignificant(load.perTime)}:`;
  }
  return scale === 'total' ? 'share of its side’s total:' : 'amounts:';
}

function scaleTitle({ scale, load }: AnsweredTree, isUnknown: boolean): string {
  if (scale === 'load' && load !== undefined) {
    const error = formatPercent(load.relativeError);
    return `Half of ${plural(load.functionCount, 'function')} grew by more than this factor, ±${error}, and half by less: so much more was done`;
  }
  return scale === 'total' && isUnknown
    ? 'Too few functions of both sides have enough samples to tell the load'
    : '';
}

interface EntryProps {
  readonly text: string;
  readonly fills: readonly string[];
  readonly outline?: string;
  readonly stripe?: string;
}

function Entry({ text, fills, outline, stripe }: EntryProps) {
  const width = 10 * fills.length;
  return (
    <span className="legend-entry">
      <svg viewBox={`0 0 ${width} 10`} width={width} height="10" aria-hidden="true">
        {fills.map((fill, i) => (
          <rect key={fill} x={10 * i} width="10" height="10" fill={fill} />
        ))}
        {outline !== undefined && (
          <path d="M.5 .5h9v9h-9z" fill="none" stroke={outline} strokeDasharray="2" />
        )}
        {stripe !== undefined && <path d="M0 4l6 6h4L0 0z" fill={stripe} />}
      </svg>
      <span className="legend-text">{text}</span>
    </span>
  );
}
