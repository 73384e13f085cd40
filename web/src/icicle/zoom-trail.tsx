// The zoom trail: the frames from the root to the zoomed one, each a button that zooms out to it.
import { fitNames } from '../format/fit-names.ts';
import { plural } from '../format/plural.ts';
import { usePlace } from '../page/app-context.ts';
import { FunctionName } from '../parts/function-name.tsx';
import type { TreeTexts } from '../tree/tree-texts.ts';
import { pathTo, type Tree } from '../tree/tree.ts';

/** Most frames that are named; those between them are counted. */
const trailStepsMax = 4;

/** Most characters of a name. */
const trailRoom = 28;

export interface ZoomTrailProps {
  readonly tree: Tree;
  readonly texts: TreeTexts;
  readonly zoomRow: number;
  /** Number of levels of the zoom path that this answer does not have. */
  readonly missing: number;
  readonly onZoom: (row: number) => void;
  readonly onReset: () => void;
}

/** The trail: the first frame and the last ones are named, the others counted. */
export function ZoomTrail(props: ZoomTrailProps) {
  const { tree, texts, zoomRow, missing, onZoom, onReset } = props;
  const { state } = usePlace();
  const zoomed = zoomRow > 0 || state.view !== undefined;
  const steps = pathTo(tree, zoomRow).slice(1);
  const shown =
    steps.length <= trailStepsMax ? steps : [steps[0], ...steps.slice(-trailStepsMax + 1)];
  const frameName = (row: number) => texts.name(tree.name[row]);
  const names = fitNames(shown.map(frameName), trailRoom);
  return (
    <nav className="trail" aria-label="Zoom">
      <button type="button" className="trail-step" disabled={!zoomed} onClick={onReset}>
        All
      </button>
      {shown.map((row, i) => (
        <span key={row} className="trail-part">
          <span aria-hidden="true">›</span>
          {i === 1 && shown.length < steps.length && (
            <span title={`${steps.length - shown.length} more`}>… ›</span>
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
      {zoomed && (
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
