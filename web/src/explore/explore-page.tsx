// The explore page: one question, seen over time, as an icicle and as a list of functions.
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { type Explore, useExplore } from '../answers/use-explore.ts';
import type { FunctionListProps } from '../functions/function-list.tsx';
import { IciclePanel } from '../icicle/icicle-panel.tsx';
import { isDiff } from '../language/query-text.ts';
import { CompareMenu } from '../compare/compare-menu.tsx';
import { MetricsPanel } from '../metrics/metrics-panel.tsx';
import { useApp, usePlace } from '../page/app-context.ts';
import { expectFirstGraph, noteFirstGraph } from '../page/first-graph.ts';
import { useLoaded, useMatchers, useMedia } from '../page/hooks.ts';
import { QueryBar } from '../query/query-bar.tsx';
import { useStageEdits } from '../query/use-stage-edits.ts';
import { TreeTexts, widestFrame } from '../tree/tree-texts.ts';
import { printPath } from '../tree/zoom-path.ts';
import type { UrlState } from '../url/url-state.ts';
import { headlineOf } from './headline.ts';
import { usePageKeys } from './page-keys.ts';
import { Splitter, useGraphShare } from './splitter.tsx';

type Panel = UrlState['panel'];

const wideQuery = '(min-width: 1200px)';

/** Shows graph and list side by side if there is room, else one of them at a time. */
export function ExplorePage() {
  const { url, api } = useApp();
  const { state, bad } = usePlace();
  const wide = useMedia(wideQuery);
  const seen = seenPanel(state.panel, wide, isDiff(state.query));
  const withLines = seen === 'lines' && state.file !== '';
  // If there is room, the lines are below the list from which they were opened, or next to it.
  const list = withLines && wide ? seenPanel('icicle', wide, isDiff(state.query)) : seen;
  const withChanges = list === 'changes';
  const withTop = list === 'table';
  const explore = useExplore(withTop);
  const searchInput = useRef<HTMLInputElement>(null);
  const splitButton = useRef<HTMLButtonElement>(null);
  const edits = useStageEdits(explore, splitButton);
  const chips = useLoaded(() => import('../query/label-chips.tsx'));
  const mistakes = useLoaded(() => import('../query/query-error.tsx'));
  const trail = useLoaded(() => import('../query/stage-trail.tsx'));
  const matchers = useMatchers();
  const changes = useLoaded(() => import('../functions/changes-panel.tsx'));
  const labels = useLoaded(() => import('../compare/labels-panel.tsx'));
  const incomplete = useLoaded(() => import('../states/incomplete.tsx'));
  const firstRun = useLoaded(() => import('../states/first-run.tsx'));
  useFirstGraph(explore);
  useTitle(explore);

  const deploys = useLoaded(() => import('../compare/deploy-markers.tsx'));
  const bar = useLoaded(() => import('../compare/compare-bar.tsx'));
  const [isUnfolded, setUnfolded] = useState(false);
  const [graphShare, setGraphShare] = useGraphShare();
  const isCompared = isDiff(explore.query);
  const setQuery = (query: string, patch: Partial<UrlState> = {}) =>
    url.change({ query, ...patch }, 'step');
  const compare = async () => {
    // It is loaded here, so that a key that is pressed early is not lost.
    const { toggled } = await import('../compare/toggle.ts');
    const { query, ...patch } = await toggled(explore, api);
    if (query !== explore.query) setQuery(query, patch);
  };
  const addMatchers = (labels: ReadonlyMap<string, string>, operator: '=' | '!=') => {
    if (matchers === undefined) return;
    let { query } = explore;
    for (const [name, value] of labels) query = matchers.addMatcher(query, name, operator, value);
    setQuery(query);
  };
  usePageKeys(explore, searchInput, () => void compare());
  const zoomToName = (name: string) => {
    const tree = explore.icicle.value;
    if (tree === undefined) return;
    const texts = new TreeTexts(tree);
    const index = texts.indexOf(name);
    const row = index === undefined ? undefined : widestFrame(tree, index);
    if (row === undefined) return;
    const panel = wide ? state.panel : 'icicle';
    url.change({ zoom: printPath(tree, row, texts), view: undefined, panel }, 'step');
  };

  const tabs = <PanelTabs wide={wide} seen={seen} hasLines={state.file !== ''} />;
  return (
    <div className="explore">
      <h1 className="visually-hidden">Explore profiles</h1>
      <div className={`explore-top ${isUnfolded ? '' : 'folded'}`}>
        <QueryBar
          explore={explore}
          isUnfolded={isUnfolded}
          onUnfold={() => setUnfolded(!isUnfolded)}
        />
        {!explore.isEmpty && (
          <div className="chips-line">
            {chips && (
              <chips.LabelChips
                query={explore.query}
                profileType={explore.labelType}
                isCompared={isCompared}
                onQuery={setQuery}
              />
            )}
            {trail && (
              <trail.StageTrail explore={explore} edits={edits} splitButton={splitButton} />
            )}
          </div>
        )}
        {mistakes && <mistakes.QueryError explore={explore} onQuery={setQuery} />}
        {incomplete && <incomplete.Incomplete warnings={explore.warnings} />}
        {bad.length > 0 && (
          <p className="notice">
            This link has values that cannot be read and were left out: {bad.join(', ')}.
          </p>
        )}
      </div>
      {explore.isEmpty || (explore.query === '' && explore.serverError !== undefined) ? (
        firstRun && <firstRun.FirstRun error={explore.serverError} />
      ) : (
        <>
          <MetricsPanel
            explore={explore}
            headline={headlineOf(explore)}
            onAddMatcher={addMatchers}
            compareMenu={<CompareMenu {...explore} onQuery={setQuery} />}
            sides={bar && <bar.CompareBar explore={explore} onQuery={setQuery} />}
            markers={
              deploys &&
              !isCompared && (
                <deploys.Markers explore={explore} isTall={state.tallMetrics} onQuery={setQuery} />
              )
            }
            onStopComparing={() => void compare()}
          />
          {!wide && tabs}
          <div
            className="explore-main"
            style={{ '--graph-share': `${graphShare}%` } as CSSProperties}
          >
            {wide && <Splitter share={graphShare} onChange={setGraphShare} />}
            {(wide || seen === 'icicle') && (
              <IciclePanel
                explore={explore}
                edits={edits}
                searchInput={searchInput}
                onQuery={setQuery}
              />
            )}
            {seen !== 'icicle' && (
              <div className="side-column">
                {wide && tabs}
                {withTop && <Functions explore={explore} edits={edits} onZoom={zoomToName} />}
                {seen === 'labels' && labels && (
                  <labels.LabelsPanel explore={explore} onQuery={setQuery} />
                )}
                {withChanges && changes && (
                  <changes.ChangesPanel explore={explore} edits={edits} onZoom={zoomToName} />
                )}
                {withLines && <Lines explore={explore} />}
              </div>
            )}
          </div>
        </>
      )}
    </div>
  );
}

/** Returns the chosen panel; in a wide window, the panel next to the icicle. */
function seenPanel(panel: Panel, wide: boolean, compares: boolean): Panel {
  if (!wide || panel !== 'icicle') return panel;
  return compares ? 'changes' : 'table';
}

/**
 * The list of functions, which is loaded after the first graph; its answer is asked for earlier.
 */
function Functions(props: FunctionListProps) {
  const panel = useLoaded(() => import('../functions/function-list.tsx'));
  return panel === undefined ? (
    <section className="panel list-panel" aria-label="Functions" aria-busy="true" />
  ) : (
    <panel.FunctionList {...props} />
  );
}

/** The panel of lines, which is loaded when it is first shown. */
function Lines({ explore }: { readonly explore: Explore }) {
  const panel = useLoaded(() => import('../lines/lines-panel.tsx'));
  return panel === undefined ? (
    <section className="panel list-panel" aria-label="Lines" aria-busy="true" />
  ) : (
    <panel.LinesPanel explore={explore} />
  );
}

interface PanelTabsProps {
  readonly wide: boolean;
  readonly seen: Panel;
  /** True if a file was chosen. */
  readonly hasLines: boolean;
}

function PanelTabs({ wide, seen, hasLines }: PanelTabsProps) {
  const { url } = useApp();
  const lists = [
    ['table', 'Functions'],
    ['changes', 'Changes'],
    ['labels', 'Labels'],
    ...(hasLines ? ([['lines', 'Lines']] as const) : []),
  ] as const;
  const tabs = wide ? lists : ([['icicle', 'Graph'], ...lists] as const);
  return (
    <div className="tabs" role="group" aria-label="View">
      {tabs.map(([value, label]) => (
        <button
          type="button"
          key={value}
          aria-pressed={seen === value}
          onClick={() => url.change({ panel: value }, 'step')}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** Notes when the first graph is there, or that there will be none. */
function useFirstGraph({ icicle, isEmpty, serverError }: Explore): void {
  const isSettled =
    isEmpty || [icicle.value, icicle.error, serverError].some((one) => one !== undefined);
  useEffect(expectFirstGraph, []);
  useEffect(() => {
    if (isSettled) noteFirstGraph();
  }, [isSettled]);
}

function useTitle({ query }: Explore): void {
  useEffect(() => {
    document.title = query === '' ? 'Parca' : `${query} – Parca`;
  }, [query]);
}
