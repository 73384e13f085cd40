// What the colours of a diff mean.
import type { Palette } from '../canvas/colours.ts';

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
