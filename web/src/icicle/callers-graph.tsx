// Callers in a sandwich view: all paths to the function, as an inverted graph.
import { type RefObject, useMemo, useState } from 'react';
import { describeRefresh } from '../answers/refreshing.ts';
import { useDetail } from '../answers/use-detail.ts';
import { findScale } from '../answers/scale.ts';
import { type Explore, trimPercent } from '../answers/use-explore.ts';
import type { IcicleHandle } from '../canvas/icicle.tsx';
import { rowHeightCss } from '../canvas/frame-painter.ts';
import { equalViews, type View, wholeView } from '../canvas/view.ts';
import { formatPercent } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { callersQuery, editCallers, findSandwich, withoutSandwich } from '../language/stages.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useOwnPrefixes } from '../page/own-code.ts';
import { useResource } from '../page/use-resource.ts';
import type { StageEdits } from '../query/use-stage-edits.ts';
import '../styles/side-graph.css';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { TreeTexts } from '../tree/tree-texts.ts';
import { depthCount, findDepth, type Tree } from '../tree/tree.ts';
import { printPath, resolvePath } from '../tree/zoom-path.ts';
import { useDiffSteps, makeView } from './icicle-state.ts';
import { type DetailedFrame, SideGraph } from './side-graph.tsx';
import { useSearch } from './use-search.ts';

interface CallersGraphProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
  /** Function whose callers are shown. */
  readonly callee: string;
  /** Tree of the callees, which determines the colours. */
  readonly grouping: Tree;
  readonly handle: RefObject<IcicleHandle | null>;
  /** Called with the frame under the pointer, or with the focused frame. */
  readonly onDetail: (frame: DetailedFrame | undefined) => void;
  /** Called when the cursor leaves the graph toward the callee. */
  readonly onLeave: () => void;
}

/** Returns the function of a `sandwich` at the end of the query. */
export function findCallee(query: string): string | undefined {
  return findSandwich(query);
}

/** Graph of callers, next to the root; requests all callers, and details of zoomed frames. */
export function CallersGraph(props: CallersGraphProps) {
  const { explore, callee } = props;
  const { base, trees } = useApp();
  const { state } = usePlace();
  const { selectedSpan: span, measure } = explore;
  const query = callersQuery(explore.query) ?? explore.query;
  const { order, callersZoom } = state;
  const scale = findScale(query, state.scale, measure);
  const refreshing = describeRefresh({ ...explore, query }, state, explore.isQuiet);
  const own = useOwnPrefixes(query);
  const asked = { base, query, span, order, scale, own };
  const load = (zoomPath: readonly string[], asking: Parameters<typeof trees.load>[1]) =>
    trees.load({ ...asked, rootTrimPercent: trimPercent(), zoomPath }, asking);
  const whole = useResource(
    JSON.stringify(['callers', query, span, order, scale, ...own]),
    (asking) => load([], asking),
    refreshing(order, scale),
  );
  const { value: tree, pending } = useDetail(
    whole,
    callersZoom,
    load,
    refreshing(order, scale, callersZoom),
  );
  const depths = tree === undefined ? 0 : depthCount(tree) - hiddenDepths(tree);
  return (
    <section
      className="callers-graph"
      aria-label={`Callers of ${callee}`}
      aria-busy={pending !== undefined}
      style={{ flex: `0 0 ${Math.max(1, depths) * rowHeightCss}px` }}
    >
      {tree !== undefined && depths === 0 && (
        <p className="hint">Nothing calls {callee}: its stacks begin with it.</p>
      )}
      {tree !== undefined && depths > 0 && <AnsweredCallers {...props} tree={tree} />}
    </section>
  );
}

/**
 * Returns the number of levels of the root and the callee, which the other graph shows. Label rows
 * are not hidden.
 */
function hiddenDepths(tree: Tree): number {
  return tree.childCount[0] === 1 ? 2 : 1;
}

function AnsweredCallers(props: CallersGraphProps & { readonly tree: AnsweredTree }) {
  const { explore, edits, callee, grouping, handle, onDetail, onLeave, tree } = props;
  const { url } = useApp();
  const { state } = usePlace();
  const texts = useMemo(() => new TreeTexts(tree), [tree]);
  const hidden = hiddenDepths(tree);
  const [free, setFree] = useState<{ readonly zoom: string; readonly view: View }>();
  const { row: zoomRow } = useMemo(
    () => resolvePath(tree, state.callersZoom, texts),
    [tree, texts, state.callersZoom],
  );
  const steps = useDiffSteps(tree, explore.measure);
  const { result } = useSearch(tree, state.search, state.searchMode);
  const isFree = free?.zoom === state.callersZoom;
  const zoomedView = useMemo(() => makeView(tree, zoomRow, undefined), [tree, zoomRow]);
  const zoomTo = (row: number) => {
    setFree(undefined);
    const callersZoom = findDepth(tree, row) < hidden ? '' : printPath(tree, row, texts);
    url.change({ callersZoom }, 'step');
  };
  const cut = tree.total > 0n ? Number(tree.trimmed) / Number(tree.total) : 0;
  const cutText = cut > 0 ? `, ${formatPercent(cut)} cut` : '';
  return (
    <SideGraph
      // The sandwich removes callers, so this query is for the stacks before it.
      explore={{ ...explore, query: withoutSandwich(explore.query), coverage: tree.coverage }}
      tree={tree}
      texts={texts}
      grouping={grouping}
      steps={steps}
      zoomRow={zoomRow}
      handle={handle}
      onDetail={onDetail}
      onLeave={onLeave}
      label={`Callers of ${callee}, ${plural(tree.count - 1, 'frame')}${cutText}`}
      hit={result?.hit}
      baseSide={tree.baseSide}
      view={isFree ? free.view : zoomedView}
      // Callers are on the opposite side of callees.
      isFlipped={state.graph !== 'flame'}
      isInverted
      hiddenDepths={hidden}
      toEntry={({ edit, ...gesture }) =>
        edits.toEntry({
          ...gesture,
          edit: (query, stages) => editCallers(query, (rest) => edit(rest, stages)),
        })
      }
      onZoom={zoomTo}
      onZoomOut={() => {
        if (isFree) setFree(undefined);
        else if (zoomRow > 0) zoomTo(tree.parent[zoomRow]);
      }}
      onView={(view) =>
        setFree(equalViews(view, wholeView) ? undefined : { zoom: state.callersZoom, view })
      }
    />
  );
}
