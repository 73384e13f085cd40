// Explore page: one query, shown over time, as a flame graph and as a list of functions.
import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react';
import { type Explore, useExplore } from '../answers/use-explore.ts';
import type { FunctionListProps } from '../functions/function-list.tsx';
import { formatHeadline } from '../icicle/headline.ts';
import { IciclePanel } from '../icicle/icicle-panel.tsx';
import { isDiff } from '../language/query-text.ts';
import { CompareMenu } from '../compare/compare-menu.tsx';
import { MetricsPanel } from '../metrics/metrics-panel.tsx';
import { SelectedSpan } from '../metrics/selected-span.tsx';
import { useApp, usePlace } from '../page/app-context.ts';
import { expectFirstGraph, noteFirstGraph } from '../page/first-graph.ts';
import { useLoaded, useMedia } from '../page/hooks.ts';
import { Popover } from '../parts/popover.tsx';
import { QueryBar } from '../query/query-bar.tsx';
import { type StageEdits, useStageEdits } from '../query/use-stage-edits.ts';
import type { UrlState } from '../url/url-state.ts';
import { usePageKeys } from './page-keys.ts';
import { useGraphShare } from './graph-share.ts';
import { useExploreActions } from './use-explore-actions.ts';

type Panel = UrlState['panel'];

const wideQuery = '(min-width: 1200px)';

/** Shows the graph and the list side by side if there is space, and otherwise one of them. */
export function ExplorePage() {
  const { state } = usePlace();
  const wide = useMedia(wideQuery);
  const { seen, list } = useSeen(wide);
  const explore = useExplore(list === 'table');
  const searchInput = useRef<HTMLInputElement>(null);
  const splitButton = useRef<HTMLButtonElement>(null);
  const edits = useStageEdits(explore, splitButton);
  const parts = useLaterParts();
  useFirstGraph(explore);
  useTitle(explore);
  const [graphShare, setGraphShare] = useGraphShare();
  const { setQuery, compare, addMatchers, zoomToName } = useExploreActions(explore, wide);
  usePageKeys(explore, searchInput, () => void compare());
  const isCompared = isDiff(explore.query);
  const { bar, deploys, firstRun } = parts;
  const tabs = <PanelTabs wide={wide} seen={seen} hasLines={state.file !== ''} />;
  return (
    <div className="explore">
      <h1 className="visually-hidden">Explore profiles</h1>
      <ExploreTop
        explore={explore}
        edits={edits}
        parts={parts}
        splitButton={splitButton}
        onQuery={setQuery}
      />
      {parts.commands && !explore.isEmpty && (
        <parts.commands.ExploreCommands
          explore={explore}
          edits={edits}
          onCompare={() => void compare()}
        />
      )}
      {explore.isEmpty || (explore.query === '' && explore.serverError !== undefined) ? (
        firstRun && <firstRun.FirstRun error={explore.serverError} />
      ) : (
        <>
          <MetricsPanel
            explore={explore}
            headline={formatHeadline(explore)}
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
          <Sentence explore={explore} list={list} part={parts.sentence} onZoom={zoomToName} />
          {state.times !== '' && <Times explore={explore} edits={edits} />}
          {!wide && tabs}
          <div
            className="explore-main"
            style={{ '--graph-share': `${graphShare}%` } as CSSProperties}
          >
            {wide && parts.splitter && (
              <parts.splitter.Splitter share={graphShare} onChange={setGraphShare} />
            )}
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
                {list === 'table' && (
                  <Functions explore={explore} edits={edits} onZoom={zoomToName} />
                )}
                {seen === 'labels' && parts.labels && (
                  <parts.labels.LabelsPanel
                    explore={explore}
                    onQuery={setQuery}
                    onZoom={zoomToName}
                  />
                )}
                {list === 'changes' && parts.changes && (
                  <parts.changes.ChangesPanel explore={explore} edits={edits} onZoom={zoomToName} />
                )}
                {seen === 'lines' && state.file !== '' && <Lines explore={explore} />}
              </div>
            )}
          </div>
        </>
      )}
    </div>
  );
}

/** Returns the components that are loaded after the first graph; undefined until then. */
function useLaterParts() {
  const chips = useLoaded(() => import('../query/label-chips.tsx'));
  const mistakes = useLoaded(() => import('../query/query-error.tsx'));
  const trail = useLoaded(() => import('../query/stage-trail.tsx'));
  const changes = useLoaded(() => import('../functions/changes-panel.tsx'));
  const labels = useLoaded(() => import('../compare/labels-panel.tsx'));
  const incomplete = useLoaded(() => import('../states/incomplete.tsx'));
  const firstRun = useLoaded(() => import('../states/first-run.tsx'));
  const deploys = useLoaded(() => import('../compare/deploy-markers.tsx'));
  const bar = useLoaded(() => import('../compare/compare-bar.tsx'));
  const share = useLoaded(() => import('../share/share-panel.tsx'));
  const sentence = useLoaded(() => import('../compare/change-sentence.tsx'));
  const commands = useLoaded(() => import('./explore-commands.tsx'));
  const splitter = useLoaded(() => import('./splitter.tsx'));
  const sides = { changes, labels, deploys, bar, sentence, commands, splitter };
  return { chips, mistakes, trail, incomplete, firstRun, share, ...sides };
}

interface ExploreTopProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
  readonly parts: ReturnType<typeof useLaterParts>;
  readonly splitButton: RefObject<HTMLButtonElement | null>;
  readonly onQuery: (query: string) => void;
}

/** The query with its chips, stages and errors. */
function ExploreTop({ explore, edits, parts, splitButton, onQuery }: ExploreTopProps) {
  const { bad } = usePlace();
  const [isUnfolded, setUnfolded] = useState(false);
  const { chips, trail, mistakes, incomplete, share } = parts;
  return (
    <div className={`explore-top ${isUnfolded ? '' : 'folded'}`}>
      <QueryBar explore={explore} isUnfolded={isUnfolded} onUnfold={() => setUnfolded(!isUnfolded)}>
        {!explore.isEmpty && (
          <Popover label="Share" title="Share or save this view" align="end">
            {() => share && <share.SharePanel explore={explore} />}
          </Popover>
        )}
      </QueryBar>
      {!explore.isEmpty && (
        <div className="chips-line">
          {chips && (
            <chips.LabelChips
              query={explore.query}
              profileType={explore.labelType}
              isCompared={isDiff(explore.query)}
              onQuery={onQuery}
            />
          )}
          <SelectedSpan place="labels" />
          {trail && <trail.StageTrail explore={explore} edits={edits} splitButton={splitButton} />}
        </div>
      )}
      {mistakes && <mistakes.QueryError explore={explore} onQuery={onQuery} />}
      {incomplete && <incomplete.Incomplete warnings={explore.warnings} />}
      {bad.length > 0 && (
        <p className="notice">
          This link has values that cannot be read and were left out: {bad.join(', ')}.
        </p>
      )}
    </div>
  );
}

/**
 * Returns the visible panel, and the list in the side column. If there is space, the panel of
 * source lines is below or next to the list that opened it.
 */
function useSeen(wide: boolean): { readonly seen: Panel; readonly list: Panel } {
  const { panel, file, query } = usePlace().state;
  const seen = seenPanel(panel, wide, isDiff(query));
  const isBelowList = seen === 'lines' && file !== '' && wide;
  return { seen, list: isBelowList ? seenPanel('icicle', wide, isDiff(query)) : seen };
}

/** Returns the chosen panel; in a wide window, the panel next to the graph. */
function seenPanel(panel: Panel, wide: boolean, compares: boolean): Panel {
  if (!wide || panel !== 'icicle') return panel;
  return compares ? 'changes' : 'table';
}

/** List of functions, which is loaded after the first graph; its data is requested earlier. */
function Functions(props: FunctionListProps) {
  const panel = useLoaded(() => import('../functions/function-list.tsx'));
  return panel === undefined ? (
    <section className="panel list-panel" aria-label="Functions" aria-busy="true" />
  ) : (
    <panel.FunctionList {...props} />
  );
}

interface SentenceProps {
  readonly explore: Explore;
  readonly list: Panel;
  readonly part: ReturnType<typeof useLaterParts>['sentence'];
  readonly onZoom: (name: string) => void;
}

/** Sentence about a comparison, or about the list of changes. */
function Sentence({ explore, list, part, onZoom }: SentenceProps) {
  const isShown = isDiff(explore.query) || list === 'changes';
  return isShown && part && <part.ChangeSentence explore={explore} onZoom={onZoom} />;
}

/** Strip of sample times, which is loaded when it is first shown. */
function Times(props: { readonly explore: Explore; readonly edits: StageEdits }) {
  const strip = useLoaded(() => import('../icicle/times-strip.tsx'));
  return strip && <strip.TimesStrip {...props} />;
}

/** Panel of source lines, which is loaded when it is first shown. */
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

/** Detects that the first graph was drawn, or that there will be no graph. */
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
