// Which colour is which module or package; pointing at an entry lights its frames.
import { useApp, usePlace } from '../page/app-context.ts';
import { fitPaths } from '../format/fit-names.ts';
import { formatPercent } from '../format/numbers.ts';
import { hueOf } from '../canvas/colours.ts';
import type { Palette } from '../canvas/colours.ts';
import type { GroupShares } from './self-shares.ts';

interface ColourLegendProps {
  /** Undefined until they are known. */
  readonly shares: GroupShares | undefined;
  readonly mode: 'module' | 'package';
  readonly palette: Palette;
  readonly onLight: (group: string | undefined) => void;
}

/** Characters of an entry. */
const entryRoom = 26;

/** By name, with the share of all that their functions have themselves. */
export function ColourLegend({ shares, mode, palette, onLight }: ColourLegendProps) {
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
          url.change({ colour: event.target.value === 'module' ? 'module' : 'package' }, 'adjust');
        }}
      >
        <option value="module">Colour by module</option>
        <option value="package">Colour by package</option>
      </select>
      <span className="hint">self, % of all</span>
      {shown.map(({ text, share }) => (
        <button
          type="button"
          key={text}
          className="legend-entry"
          title={`${text}: its functions have ${formatPercent(share)} of all themselves`}
          onPointerEnter={() => onLight(text)}
          onPointerLeave={() => onLight(undefined)}
          onFocus={() => onLight(text)}
          onBlur={() => onLight(undefined)}
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
