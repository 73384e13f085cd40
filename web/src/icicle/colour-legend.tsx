// Legend of colours: kinds, binaries or packages.
import { ownCode } from '../../../src/model/group-names.ts';
import { hashHue, type Palette } from '../canvas/colours.ts';
import { fitPaths } from '../format/fit-names.ts';
import { formatPercent } from '../format/numbers.ts';
import { groupGestures } from '../language/gestures.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useOwnPrefixes } from '../page/own-code.ts';
import { type MenuAction, useButtonMenu } from '../parts/context-menu.tsx';
import type { StageEdits } from '../query/use-stage-edits.ts';
import { dimmedGroup } from '../tree/dimming.ts';
import type { GroupMode } from '../tree/tree.ts';
import type { GroupShares } from './self-shares.ts';

interface ColourLegendProps {
  readonly query: string;
  /** Shares of the groups; undefined until they are known. */
  readonly shares: GroupShares | undefined;
  readonly mode: GroupMode;
  readonly palette: Palette;
  readonly edits: StageEdits;
  readonly onHighlight: (group: string | undefined) => void;
}

/** Stage for *Mine only*. */
const mineOnly = `frame keep kind equals "${ownCode}"`;

/** Largest number of characters in an entry. */
const entryRoom = 26;

/** Lists kinds, binaries or packages with the self share of their functions, largest first. */
export function ColourLegend(props: ColourLegendProps) {
  const { query, shares, mode, palette, edits, onHighlight } = props;
  const { url } = useApp();
  const { colour, dimmed } = usePlace().state;
  const own = useOwnPrefixes(query);
  const isMineOnly = query.includes(`| ${mineOnly}`);
  const dimEntry = (text: string): MenuAction => {
    const group = dimmedGroup(mode, text);
    const rest = dimmed.filter((one) => one !== group);
    const isDim = rest.length < dimmed.length;
    return {
      key: 'm',
      label: isDim ? `Dim ${text} no longer` : `Dim ${text} in the graph and the list`,
      run: () => url.change({ dimmed: isDim ? rest : [...dimmed, group] }, 'step'),
    };
  };
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
        aria-pressed={isMineOnly}
        title="Shows only the user's own code: the rest counts for its callers"
        onClick={() =>
          edits.apply((query, { togglePreset }) => togglePreset(query, [mineOnly], own))
        }
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
          isDim={dimmed.includes(dimmedGroup(mode, text))}
          actions={[dimEntry(text), ...groupGestures(mode, text, own).map(edits.toEntry)]}
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
  /** Complete name of the binary or package. */
  readonly group: string;
  readonly text: string;
  readonly share: number;
  readonly fill: string;
  readonly isDim: boolean;
  /** Menu entries. */
  readonly actions: readonly MenuAction[];
  readonly onHighlight: (group: string | undefined) => void;
}

function GroupEntry(props: GroupEntryProps) {
  const { group, text, share, fill, isDim, actions, onHighlight } = props;
  const { button, handlers, press, element } = useButtonMenu(group, actions);
  return (
    <>
      <button
        type="button"
        ref={button}
        className={`legend-entry ${isDim ? 'dim' : ''}`}
        title={`${isDim ? 'Dimmed. ' : ''}${group}: its functions have a self share of ${formatPercent(share)}`}
        onPointerEnter={() => onHighlight(group)}
        onPointerLeave={() => onHighlight(undefined)}
        onFocus={() => onHighlight(group)}
        onBlur={() => onHighlight(undefined)}
        {...handlers}
        {...press}
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
