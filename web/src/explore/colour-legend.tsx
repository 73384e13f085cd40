// Which colour is which module or package; pointing at an entry lights its frames.
import { useApp, usePlace } from '../app-context.ts';
import { formatPercent } from '../format/numbers.ts';
import { heaviestGroups, otherHue } from '../icicle/colours.ts';
import type { Palette } from '../icicle/colours.ts';
import type { Grouping } from '../icicle/tree.ts';

interface ColourLegendProps {
  readonly grouping: Grouping;
  readonly mode: 'module' | 'package';
  readonly hues: Int32Array;
  readonly palette: Palette;
  readonly onLight: (group: number | undefined) => void;
}

const entriesMax = 11;

/** Heaviest first, with the share its frames have themselves. */
export function ColourLegend({ grouping, mode, hues, palette, onLight }: ColourLegendProps) {
  const { url } = useApp();
  const { colour } = usePlace().state;
  const entries = heaviestGroups(grouping)
    .filter((group) => hues[group] !== otherHue)
    .slice(0, entriesMax);
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
      {entries.map((group) => (
        <button
          type="button"
          key={grouping.texts[group]}
          className="legend-entry"
          title={`${grouping.texts[group]}: ${formatPercent(grouping.selfShare[group])} self`}
          onPointerEnter={() => onLight(group)}
          onPointerLeave={() => onLight(undefined)}
          onFocus={() => onLight(group)}
          onBlur={() => onLight(undefined)}
        >
          <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
            <rect width="10" height="10" rx="2" fill={palette.hues[hues[group]]} />
          </svg>
          <span className="legend-text">{grouping.texts[group]}</span>
          {grouping.selfShare[group] > 0 && (
            <span className="legend-share">{formatPercent(grouping.selfShare[group])}</span>
          )}
        </button>
      ))}
    </div>
  );
}
