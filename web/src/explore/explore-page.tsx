// The explore page: one question, seen over time, as an icicle and as a list of functions.
import { QueryError } from '../query/query-error.tsx';
import { useEffect, useRef } from 'react';
import { useApp, usePlace } from '../page/app-context.ts';
import { formatRate, formatTotal, type Measure } from '../format/measure.ts';
import { isDiff } from '../language/query-text.ts';
import type { AnswerSide } from '../tree/tree-messages.ts';
import { printPath } from '../tree/zoom-path.ts';
import { TreeTexts, widestFrame } from '../tree/tree-texts.ts';
import { isTyping } from '../page/keys.ts';
import { useLoaded, useMatchers, useMedia } from '../page/hooks.ts';
import * as ranges from '../url/time-range.ts';
import type { UrlState } from '../url/url-state.ts';
import { ChangesPanel } from '../functions/changes-panel.tsx';
import { FirstRun } from '../states/first-run.tsx';
import { FunctionList } from '../functions/function-list.tsx';
import { GraphPanel } from '../icicle/icicle-panel.tsx';
import { Incomplete } from '../states/panel-state.tsx';
import { LabelChips } from '../query/label-chips.tsx';
import { MetricsPanel } from '../metrics/metrics-panel.tsx';
import { QueryBar } from '../query/query-bar.tsx';
import { type Explore, useExplore } from '../answers/use-explore.ts';

type Panel = UrlState['panel'];

const wideQuery = '(min-width: 1200px)';

/** Graph and list side by side where there is room, else one of them at a time. */
export function ExplorePage() {
  const { url } = useApp();
  const { state, bad } = usePlace();
  const wide = useMedia(wideQuery);
  const seen = seenPanel(state.panel, wide, isDiff(state.query));
  const withChanges = seen === 'changes';
  const withTop = seen === 'table';
  const explore = useExplore(withTop);
  const searchInput = useRef<HTMLInputElement>(null);
  const matchers = useMatchers();
  const comparison = useLoaded(() => import('../language/comparison.ts'));
  useTitle(explore);

  const setQuery = (query: string) => url.change({ query }, 'step');
  const compare = () => {
    const { from, to } = explore.graphSpan;
    const query = comparison?.toggleComparison(explore.query, to - from) ?? explore.query;
    if (query !== explore.query) setQuery(query);
  };
  const addMatchers = (labels: ReadonlyMap<string, string>) => {
    if (matchers === undefined) return;
    let { query } = explore;
    for (const [name, value] of labels) query = matchers.addMatcher(query, name, '=', value);
    setQuery(query);
  };
  usePageKeys(explore, searchInput, compare);
  const zoomToName = (name: string) => {
    const tree = explore.flame.value;
    if (tree === undefined) return;
    const texts = new TreeTexts(tree);
    const index = texts.indexOf(name);
    const row = index === undefined ? undefined : widestFrame(tree, index);
    if (row === undefined) return;
    const panel = wide ? state.panel : 'icicle';
    url.change({ zoom: printPath(tree, row, texts), view: undefined, panel }, 'step');
  };

  return (
    <div className="explore">
      <h1 className="visually-hidden">Explore profiles</h1>
      <div className="explore-top">
        <QueryBar explore={explore} />
        {!explore.isEmpty && (
          <LabelChips query={explore.query} profileType={explore.profileType} onQuery={setQuery} />
        )}
        <QueryError explore={explore} onQuery={setQuery} />
        <Incomplete warnings={explore.warnings} />
        {bad.length > 0 && (
          <p className="notice">
            This link has values that cannot be read and were left out: {bad.join(', ')}.
          </p>
        )}
      </div>
      {explore.isEmpty || (explore.query === '' && explore.serverError !== undefined) ? (
        <FirstRun error={explore.serverError} />
      ) : (
        <>
          <MetricsPanel
            explore={explore}
            headline={headlineOf(explore)}
            onAddMatcher={addMatchers}
            onCompare={compare}
          />
          <PanelTabs wide={wide} seen={seen} />
          <div className="explore-main">
            {(wide || seen === 'icicle') && (
              <GraphPanel explore={explore} searchInput={searchInput} onQuery={setQuery} />
            )}
            {withTop && <FunctionList explore={explore} onZoom={zoomToName} />}
            {withChanges && <ChangesPanel explore={explore} onZoom={zoomToName} />}
          </div>
        </>
      )}
    </div>
  );
}

/** The panel that was chosen; where the icicle always is, the one beside it. */
function seenPanel(panel: Panel, wide: boolean, compares: boolean): Panel {
  if (!wide || panel !== 'icicle') return panel;
  return compares ? 'changes' : 'table';
}

function PanelTabs({ wide, seen }: { readonly wide: boolean; readonly seen: Panel }) {
  const { url } = useApp();
  const lists = [
    ['table', 'Functions'],
    ['changes', 'Changes'],
  ] as const;
  const tabs = wide ? lists : ([['icicle', 'Icicle'], ...lists] as const);
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

/** "1.84 cores" of the selection, "1.84 cores → 2.01 cores" of a diff; a dash until it is known. */
function headlineOf({ flame, coverage, measure }: Explore): string {
  const tree = flame.value;
  if (tree === undefined) return '–';
  const sides = [...(tree.baseSide === undefined ? [] : [tree.baseSide]), { ...tree, coverage }];
  const nothing = sides.length > 1 ? 'no profiles' : '–';
  return sides.map((side) => sideText(side, measure) ?? nothing).join(' → ');
}

/** Undefined when there are no profiles. */
function sideText({ total, coverage }: AnswerSide, measure: Measure): string | undefined {
  if (total === 0n && coverage.seconds <= 0 && coverage.snapshots <= 0) return undefined;
  const rate = formatRate(total, measure, coverage);
  if (rate === undefined) return formatTotal(total, measure);
  return measure.delta ? rate : `avg ${rate}`;
}

function useTitle({ query }: Explore): void {
  useEffect(() => {
    document.title = query === '' ? 'Parca' : `${query} – Parca`;
  }, [query]);
}

/** Keys of the whole page that change its question. */
function usePageKeys(
  explore: Explore,
  searchInput: { readonly current: HTMLInputElement | null },
  compare: () => void,
): void {
  const { url } = useApp();
  const { state } = usePlace();
  const units = ['percent', 'rate', 'total'] as const;
  const range = { from: state.from, to: state.to };
  const setRange = (next: ranges.TimeRange) => {
    url.change({ from: next.from, to: next.to, selection: undefined }, 'step');
    explore.run();
  };
  const now = () => Date.now();
  const actions = new Map<string, () => void>([
    ['/', () => searchInput.current?.focus()],
    ['v', compare],
    ['[', () => setRange(ranges.moveRange(range, now(), -1))],
    [']', () => setRange(ranges.moveRange(range, now(), 1))],
    ['-', () => setRange(ranges.scaleRange(range, now(), 2))],
    ['=', () => setRange(ranges.scaleRange(range, now(), 0.5))],
    [
      'u',
      () => {
        const next = units[(units.indexOf(state.unit) + 1) % units.length];
        url.change({ unit: next }, 'adjust');
      },
    ],
  ]);
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const action = latest.current.get(event.key);
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}
