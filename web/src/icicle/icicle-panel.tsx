// The graph with trail, search, ruler, details, legend and states.
import { type RefObject, useRef, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import type { IcicleHandle } from '../canvas/icicle.tsx';
import { formatPercent } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { searchStage } from '../language/gestures.ts';
import { usePlace } from '../page/app-context.ts';
import { useLoaded } from '../page/hooks.ts';
import type { StageEdits } from '../query/use-stage-edits.ts';
import { PanelState } from '../states/panel-state.tsx';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { depthCount, type Tree } from '../tree/tree.ts';
import { ColourLegend } from './colour-legend.tsx';
import { DetailLine } from './frame-detail.tsx';
import { FrameOverlays } from './frame-overlays.tsx';
import { IcicleToolbar } from './icicle-toolbar.tsx';
import { LoadedNoData } from './loaded-parts.tsx';
import { MainGraph } from './main-graph.tsx';
import type { DetailedFrame } from './side-graph.tsx';
import { useIcicleActions } from './use-icicle-actions.ts';
import { type IcicleModel, useIcicle } from './use-icicle.ts';
import { usePointing } from './use-pointing.ts';

interface IciclePanelProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
  readonly searchInput: RefObject<HTMLInputElement | null>;
  readonly onQuery: (query: string) => void;
}

/** The panel. Before the first answer, it only shows its state. */
export function IciclePanel(props: IciclePanelProps) {
  const { icicle } = props.explore;
  return (
    <section
      className="panel icicle-panel"
      aria-label="Icicle graph"
      aria-busy={icicle.pending !== undefined}
      data-quiet={icicle.pending?.isQuiet === true ? '' : undefined}
      data-query={icicle.valueKey}
    >
      {icicle.value === undefined ? (
        <div className="icicle-empty" />
      ) : (
        <AnsweredIcicle {...props} tree={icicle.value} />
      )}
      <PanelState resource={icicle} what="the graph" />
    </section>
  );
}

function AnsweredIcicle(props: IciclePanelProps & { readonly tree: AnsweredTree }) {
  const { explore, edits, tree, searchInput, onQuery } = props;
  const { state } = usePlace();
  const icicle = useIcicle(explore, tree);
  const { texts, whole, callers, callee, scene, search, context, cursor } = icicle;
  const pointing = usePointing(tree, texts);
  const handle = useRef<IcicleHandle>(null);
  const callersHandle = useRef<IcicleHandle>(null);
  const actions = useIcicleActions(icicle, pointing, edits, handle);
  /** Frame under the pointer in another graph: callers, or a lane. */
  const [aside, setAside] = useState<DetailedFrame>();
  const detailed = aside ?? { context, row: pointing.hover?.row ?? cursor };
  const callersGraph = callers && callee !== undefined && (
    <callers.CallersGraph
      explore={explore}
      edits={edits}
      callee={callee}
      grouping={whole}
      handle={callersHandle}
      onDetail={setAside}
      onLeave={() => handle.current?.focus()}
    />
  );
  return (
    <>
      <IcicleToolbar
        measure={explore.measure}
        tree={tree}
        texts={texts}
        zoomRow={scene.zoomRow}
        missing={icicle.missing}
        search={search}
        isCut={whole.trimmed > 0n}
        found={explore.found}
        matchIndex={actions.matchIndex}
        onZoom={actions.zoomTo}
        onReset={actions.reset}
        onMatch={actions.goToMatch}
        searchInput={searchInput}
        onFilter={(text, action) => {
          const stage = searchStage(text, state.searchMode, action);
          edits.apply((query, { appendStage }) => appendStage(query, stage), { search: '' });
        }}
      />
      {!scene.isFlipped && callersGraph}
      <MainGraph
        icicle={icicle}
        pointing={pointing}
        actions={actions}
        edits={edits}
        handle={handle}
        callersHandle={callersHandle}
        onDetail={setAside}
      />
      {scene.isFlipped && callersGraph}
      {tree.total === 0n && <LoadedNoData explore={explore} tree={tree} onQuery={onQuery} />}
      <DetailLine {...detailed} />
      <IcicleFoot icicle={icicle} edits={edits} />
      <FrameOverlays icicle={icicle} pointing={pointing} actions={actions} handle={handle} />
      <div className="visually-hidden" aria-live="polite">
        {actions.spoken}
      </div>
    </>
  );
}

interface IcicleFootProps {
  readonly icicle: IcicleModel;
  readonly edits: StageEdits;
}

/** Legend of colours, and size of the answer. */
function IcicleFoot({ icicle, edits }: IcicleFootProps) {
  const { explore, tree, scene, context, shares, mode, setHighlightedGroup } = icicle;
  const { palette } = scene;
  const legend = useLoaded(() => import('./diff-legend.tsx'));
  return (
    <div className="icicle-foot">
      {scene.steps === undefined ? (
        <ColourLegend
          query={explore.query}
          shares={shares}
          mode={mode}
          palette={palette}
          edits={edits}
          onHighlight={setHighlightedGroup}
        />
      ) : (
        legend && <legend.DiffLegend palette={palette} baseWord={context.baseWord} tree={tree} />
      )}
      <StatusLine tree={tree} millis={explore.icicle.millis} />
    </div>
  );
}

function StatusLine({ tree, millis }: { readonly tree: Tree; readonly millis: number }) {
  const share = tree.total > 0n ? Number(tree.trimmed) / Number(tree.total) : 0;
  return (
    <span className="status-line hint">
      {share > 0 && <span>{formatPercent(share)} cut: frames too narrow to see</span>}
      <span className="wide-only">
        {plural(tree.count - 1, 'frame')}, {depthCount(tree) - 1} deep
      </span>
      <span className="wide-only">
        {Math.round(millis)}
        {'\u202f'}ms
      </span>
    </span>
  );
}
