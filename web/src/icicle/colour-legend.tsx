// The legend of colours: binaries or packages, or the steps of a comparison.
import { chosenScale } from '../answers/scale.ts';
import { hashHue, type Palette } from '../canvas/colours.ts';
import { fitPaths } from '../format/fit-names.ts';
import { formatPercent, formatSignificant } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { binaryGestures } from '../language/gestures.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { type MenuAction, useButtonMenu } from '../parts/context-menu.tsx';
import type { StageEdits } from '../query/use-stage-edits.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import type { GroupMode } from '../tree/tree.ts';
import type { GroupShares } from './self-shares.ts';

interface ColourLegendProps {
  /** Shares of the groups; undefined until they are known. */
  readonly shares: GroupShares | undefined;
  readonly mode: GroupMode;
  readonly palette: Palette;
  readonly edits: StageEdits;
  readonly onHighlight: (group: string | undefined) => void;
}

/** Characters of an entry. */
const entryRoom = 26;

/**
 * Lists kinds, binaries or packages, each with the self share of its functions, the largest first.
 */
export function ColourLegend(props: ColourLegendProps) {
  const { shares, mode, palette, edits, onHighlight } = props;
  const { url } = useApp();
  const { colour, mine: isMine } = usePlace().state;
  const shown = shares?.shown ?? [];
  const texts = fitPaths(
    shown.map(({ text }) => text),
    entryRoom,
  );
  return (
    <div className="colour-legend" role="group" aria-label={`Colours by ${mode}`}>
      <select
        className="select small"
        aria-label="Colour by"
        value={colour === 'auto' ? mode : colour}
        onChange={(event) => {
          const chosen = (['kind', 'binary'] as const).find((one) => one === event.target.value);
          url.change({ colour: chosen ?? 'package' }, 'adjust');
        }}
      >
        <option value="kind">Colour by kind</option>
        <option value="binary">Colour by binary</option>
        <option value="package">Colour by package</option>
      </select>
      <button
        type="button"
        className="button quiet small"
        aria-pressed={isMine}
        title="Dims all that is not the user's own code"
        onClick={() => url.change({ mine: !isMine }, 'adjust')}
      >
        Mine only
      </button>
      <span className="hint">self, % of all</span>
      {shown.map(({ text, share }) => (
        <GroupEntry
          key={text}
          group={text}
          text={texts.get(text) ?? text}
          share={share}
          fill={palette.hues[hashHue(text, palette.hues.length)]}
          actions={mode === 'binary' ? binaryGestures(text).map(edits.toEntry) : []}
          onHighlight={onHighlight}
        />
      ))}
      {shares !== undefined && shares.rest > 0 && (
        <span className="legend-entry">
          <span className="legend-text">others</span>
          <span className="legend-share">{formatPercent(shares.rest)}</span>
        </span>
      )}
    </div>
  );
}

interface GroupEntryProps {
  /** The whole name of the binary or package. */
  readonly group: string;
  readonly text: string;
  readonly share: number;
  readonly fill: string;
  /** Entries of its menu; none if it has no menu. */
  readonly actions: readonly MenuAction[];
  readonly onHighlight: (group: string | undefined) => void;
}

function GroupEntry({ group, text, share, fill, actions, onHighlight }: GroupEntryProps) {
  const { button, handlers, press, element } = useButtonMenu(group, actions);
  return (
    <>
      <button
        type="button"
        ref={button}
        className="legend-entry"
        title={`${group}: its functions have a self share of ${formatPercent(share)}`}
        onPointerEnter={() => onHighlight(group)}
        onPointerLeave={() => onHighlight(undefined)}
        onFocus={() => onHighlight(group)}
        onBlur={() => onHighlight(undefined)}
        {...(actions.length > 0 ? { ...handlers, ...press } : {})}
      >
        <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
          <rect width="10" height="10" rx="2" fill={fill} />
        </svg>
        <span className="legend-text">{text}</span>
        <span className="legend-share">{formatPercent(share)}</span>
      </button>
      {element}
    </>
  );
}

interface DiffLegendProps {
  readonly palette: Palette;
  /** The word for the side that is the base. */
  readonly baseWord: string;
  readonly tree: AnsweredTree;
}

/**
 * Shows the steps from gone to new, and what they compare. Colours follow the ratio of the values,
 * so they mean the same in every diff. Grey means no change; stripes say that it may be chance.
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

/** Returns the description of the comparison: "before × 1.23 (scaled by load):". */
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
