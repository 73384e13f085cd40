// Main graph of the panel: flame graph, call tree, or flame chart.
import type { RefObject } from 'react';
import { Icicle, type IcicleHandle } from '../canvas/icicle.tsx';
import { equalViews, wholeView } from '../canvas/view.ts';
import { plural } from '../format/plural.ts';
import { usePlace } from '../page/app-context.ts';
import type { StageEdits } from '../query/use-stage-edits.ts';
import { selfWord } from './frame-facts.ts';
import { HitRuler } from './hit-ruler.tsx';
import { findHighlightedName } from './icicle-state.ts';
import { LoadedCallTree, LoadedFlameChart, LoadedMinimap } from './loaded-parts.tsx';
import type { DetailedFrame } from './side-graph.tsx';
import type { IcicleActions } from './use-icicle-actions.ts';
import type { IcicleModel } from './use-icicle.ts';
import type { Pointing } from './use-pointing.ts';

/** Model of the panel, and handles of its graphs. */
export interface MainGraphProps {
  readonly icicle: IcicleModel;
  readonly pointing: Pointing;
  readonly actions: IcicleActions;
  readonly edits: StageEdits;
  readonly handle: RefObject<IcicleHandle | null>;
  readonly callersHandle: RefObject<IcicleHandle | null>;
  /** Called with the frame under the pointer in a lane of the flame chart. */
  readonly onDetail: (frame: DetailedFrame | undefined) => void;
}

/** The graph selected in the URL. */
export function MainGraph(props: MainGraphProps) {
  const { icicle, actions, edits, handle, onDetail } = props;
  const { explore, tree, texts, whole, scene, search, context, cursor, setCursor } = icicle;
  const { state } = usePlace();
  if (state.graph === 'chart') {
    return (
      <LoadedFlameChart explore={explore} edits={edits} grouping={whole} onDetail={onDetail} />
    );
  }
  if (state.graph !== 'tree') return <FrameGraph {...props} />;
  return (
    <LoadedCallTree
      context={context}
      palette={scene.palette}
      cursor={cursor}
      hit={search.result?.hit}
      handle={handle}
      onKey={actions.onKey}
      query={explore.query}
      label={`Call tree of ${shownIn(icicle)}`}
      highlighted={findHighlightedName(texts, state.highlighted, undefined, tree)}
      isPercent={state.unit === 'percent'}
      onCursor={setCursor}
      onZoom={actions.zoomTo}
      onMenu={(row, x, y) => actions.openMenu({ tree, texts, row, x, y })}
    />
  );
}

/** The flame graph, with the ruler of matches and the minimap. */
function FrameGraph({ icicle, pointing, actions, handle, callersHandle }: MainGraphProps) {
  const { tree, texts, scene, search, context, cursor, setCursor, callee, rateOf } = icicle;
  const { pointed, hover } = pointing;
  const { zoomTo, zoomOut, openMenu, showView } = actions;
  const { view, palette } = scene;
  const { state } = usePlace();
  return (
    <>
      <HitRuler tree={tree} result={search.result} view={view} colour={palette.cursor} />
      <Icicle
        scene={scene}
        texts={texts}
        label={`${scene.isFlipped ? 'Flame graph' : 'Icicle'} of ${shownIn(icicle)}`}
        cursor={cursor}
        hover={hover?.row}
        highlighted={findHighlightedName(texts, state.highlighted, hover, tree)}
        formatRate={rateOf}
        selfWord={selfWord(context)}
        handle={handle}
        onCursor={(row) => {
          // The row above the callee is in the graph of its callers.
          if (callee !== undefined && row === 0) callersHandle.current?.focus();
          else setCursor(row);
        }}
        onHover={(found, x) =>
          pointed.set(found && { tree, texts, row: found.row, hit: found, x, y: 0 })
        }
        onClick={({ row }, isTouch) => {
          setCursor(row);
          // The first tap describes a frame; the second tap zooms to it.
          if (isTouch && row !== cursor) return;
          if (row === scene.zoomRow && state.view === undefined) zoomOut();
          else zoomTo(row);
        }}
        onMenu={({ row }, x, y) => openMenu({ tree, texts, row, x, y })}
        onView={showView}
        onKey={actions.onKey}
      />
      {!equalViews(view, wholeView) && (
        <LoadedMinimap scene={scene} whole={icicle.whole} onView={showView} />
      )}
    </>
  );
}

/** Returns the label of a graph without its kind: "cpu, 1.84 cores, 90 frames". */
function shownIn({ explore, tree, rateOf }: IcicleModel): string {
  return `${explore.profileType}, ${rateOf(tree.total) ?? ''}, ${plural(tree.count, 'frame')}`;
}
