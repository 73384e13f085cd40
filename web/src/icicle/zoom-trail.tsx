// Zoom trail: the frames from the root to the zoomed frame, as buttons that zoom out to them.
import { useRef } from 'react';
import { fitNames } from '../format/fit-names.ts';
import { plural } from '../format/plural.ts';
import { usePlace } from '../page/app-context.ts';
import { FunctionName, useRoom } from '../parts/function-name.tsx';
import type { TreeTexts } from '../tree/tree-texts.ts';
import { pathTo, type Tree } from '../tree/tree.ts';
import { arrangeTrail } from './trail-steps.ts';

/** Assumed number of characters in the line before its width is known. */
const roomExpected = 60;

export interface ZoomTrailProps {
  readonly tree: Tree;
  readonly texts: TreeTexts;
  readonly zoomRow: number;
  /** Number of levels in the zoom path that the answer does not contain. */
  readonly missing: number;
  readonly onZoom: (row: number) => void;
  readonly onReset: () => void;
}

/**
 * The trail. Names the first frame and as many of the last frames as fit, and counts the others.
 */
export function ZoomTrail(props: ZoomTrailProps) {
  const { tree, texts, zoomRow, missing, onZoom, onReset } = props;
  const { state } = usePlace();
  const zoomed = zoomRow > 0 || state.view !== undefined;
  const steps = pathTo(tree, zoomRow).slice(1);
  const nav = useRef<HTMLElement>(null);
  const fitting = arrangeTrail(steps.length, useRoom(nav, roomExpected));
  const last = steps.slice(steps.length - fitting.last);
  const shown = fitting.hasFirst ? [steps[0], ...last] : last;
  const left = steps.length - shown.length;
  const frameName = (row: number) => texts.name(tree.name[row]);
  const names = fitNames(shown.map(frameName), fitting.nameRoom);
  return (
    <nav className="trail" aria-label="Zoom" ref={nav}>
      <button type="button" className="trail-step" disabled={!zoomed} onClick={onReset}>
        All
      </button>
      {shown.map((row, i) => (
        <span key={row} className="trail-part">
          <span aria-hidden="true">›</span>
          {left > 0 && i === (fitting.hasFirst ? 1 : 0) && (
            <span title={`${left} more`}>…{'\u00a0'}›</span>
          )}
          <button
            type="button"
            className="trail-step mono"
            aria-current={row === zoomRow ? 'true' : undefined}
            onClick={() => onZoom(row)}
          >
            <FunctionName name={frameName(row)} text={names.get(frameName(row))} />
          </button>
        </span>
      ))}
      {zoomed && fitting.hasReset && (
        <button type="button" className="button quiet" onClick={onReset} title="Reset zoom (0)">
          Reset
        </button>
      )}
      {missing > 0 && (
        <span className="hint">
          {plural(missing, 'frame')} of this zoom {missing === 1 ? 'is' : 'are'} not in this range
        </span>
      )}
    </nav>
  );
}
