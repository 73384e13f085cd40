// The legend of colours: binaries or packages, or the steps of a comparison.
import { hueOf, type Palette } from '../canvas/colours.ts';
import { fitPaths } from '../format/fit-names.ts';
import { formatPercent } from '../format/numbers.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import type { GroupShares } from './self-shares.ts';

interface ColourLegendProps {
  /** Undefined until they are known. */
  readonly shares: GroupShares | undefined;
  readonly mode: 'binary' | 'package';
  readonly palette: Palette;
  readonly onHighlight: (group: string | undefined) => void;
}

/** Characters of an entry. */
const entryRoom = 26;

/** Lists binaries or packages by name, each with the self share of its functions. */
export function ColourLegend({ shares, mode, palette, onHighlight }: ColourLegendProps) {
  const { url } = useApp();
  const { colour } = usePlace().state;
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
          url.change({ colour: event.target.value === 'binary' ? 'binary' : 'package' }, 'adjust');
        }}
      >
        <option value="binary">Colour by binary</option>
        <option value="package">Colour by package</option>
      </select>
      <span className="hint">self, % of all</span>
      {shown.map(({ text, share }) => (
        <button
          type="button"
          key={text}
          className="legend-entry"
          title={`${text}: its functions have ${formatPercent(share)} of all themselves`}
          onPointerEnter={() => onHighlight(text)}
          onPointerLeave={() => onHighlight(undefined)}
          onFocus={() => onHighlight(text)}
          onBlur={() => onHighlight(undefined)}
        >
          <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
            <rect
              width="10"
              height="10"
              rx="2"
              fill={palette.hues[hueOf(text, palette.hues.length)]}
            />
          </svg>
          <span className="legend-text">{texts.get(text)}</span>
          <span className="legend-share">{formatPercent(share)}</span>
        </button>
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

/** From gone to new; colour goes by the ratio of shares, so it means the same in every diff. */
export function DiffLegend({ palette }: { readonly palette: Palette }) {
  const { diff, background, goneOutline } = palette;
  const middle = (diff.length - 1) / 2;
  return (
    <div className="colour-legend" role="group" aria-label="Colours of the comparison">
      <span className="hint">share of its side&apos;s total:</span>
      <Entry text="gone" fills={[background]} outline={goneOutline} />
      <Entry text="less than before" fills={diff.slice(0, middle)} />
      <Entry text="may be chance" fills={[diff[middle]]} />
      <Entry text="more than before" fills={diff.slice(middle + 1)} />
      <Entry text="new" fills={[diff[diff.length - 1]]} stripe={palette.newStripe} />
    </div>
  );
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
