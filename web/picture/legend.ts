// Draws the legend below a comparison, which says what the colours of frames mean.
import { lightPalette } from '../src/canvas/colours.ts';
import type { PixelContext } from './pixel-context.ts';

/** Height with the gap below it, in CSS pixels. */
export const legendHeightCss = 28;
const boxCss = 12;
const gapCss = 6;
const entryGapCss = 18;
const fontCss = 12;

/** An entry, with the sign that frames of its colour have next to their names. */
interface Entry {
  readonly text: string;
  readonly fill: string;
  readonly stripes?: string;
  readonly isDashed?: boolean;
}

const { diff, smallChange, newStripe, chanceStripe, background, goneOutline } = lightPalette;

const entries: readonly Entry[] = [
  { text: '▼ less', fill: diff[1] },
  { text: '▿ a little less', fill: smallChange[0] },
  { text: 'same', fill: diff[4] },
  { text: '▵ a little more', fill: smallChange[1] },
  { text: '▲ more', fill: diff[7] },
  { text: '▲ new', fill: diff[8], stripes: newStripe },
  { text: '▼ gone', fill: background, isDashed: true },
  { text: '~ may be chance', fill: diff[4], stripes: chanceStripe },
];

/** Draws the legend. `left` and `top` are in CSS pixels. */
export function paintLegend(
  context: PixelContext,
  { left, top }: { readonly left: number; readonly top: number },
  ratio: number,
): void {
  context.font = `normal ${fontCss * ratio}px monospace`;
  const box = boxCss * ratio;
  const y = top * ratio;
  let x = left * ratio;
  for (const { text, fill, stripes, isDashed = false } of entries) {
    context.fillStyle = fill;
    context.fillRect(x, y, box, box);
    if (stripes !== undefined) {
      context.fillStyle = { colour: stripes, width: 3 * ratio };
      context.fillRect(x, y, box, box);
    }
    if (isDashed) {
      context.strokeStyle = goneOutline;
      context.lineWidth = ratio;
      context.setLineDash([3 * ratio, 3 * ratio]);
      context.strokeRect(x + ratio / 2, y + ratio / 2, box - ratio, box - ratio);
    }
    context.fillStyle = lightPalette.scopeText;
    context.fillText(text, x + box + gapCss * ratio, y + box / 2);
    x += box + (gapCss + entryGapCss) * ratio + context.measureText(text).width;
  }
}
