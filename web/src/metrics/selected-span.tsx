// Shows the selected time as a chip. In a wide window, the chip is next to the labels, because next
// to the graph it would make the graph narrower while the pointer is selecting.
import { useApp, usePlace } from '../page/app-context.ts';
import { useMedia } from '../page/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { describeRange, fixedRange } from '../url/time-range.ts';

/** The chip; nothing if this window shows it in the other place. */
export function SelectedSpan({ place }: { readonly place: 'labels' | 'graph' }) {
  const { url } = useApp();
  const { selection, utc } = usePlace().state;
  const isWide = useMedia('(min-width: 720px)');
  if (selection === undefined || isWide !== (place === 'labels')) return null;
  return (
    <span className="chip selected-span">
      <span className="chip-text">
        {describeRange(fixedRange(selection.from, selection.to), utc)}
      </span>
      <button
        type="button"
        className="explain-button"
        title="Which function and which label have most of the change against the rest of the range"
        onClick={() => url.change({ panel: 'labels' }, 'step')}
      >
        Explain
      </button>
      <button
        type="button"
        aria-label="Clear the selection"
        onClick={() => url.change({ selection: undefined }, 'step')}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}
