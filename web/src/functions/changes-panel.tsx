// Lists functions by their change since the preceding time; insignificant changes are only counted.
import { useRef } from 'react';
import { useChanges, useChangesOptions } from '../answers/use-changes.ts';
import type { Explore } from '../answers/use-explore.ts';
import type { Measure } from '../format/measure.ts';
import { formatChange, formatNanos } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { baseName } from '../language/side-words.ts';
import { hasTimes, isDiff } from '../language/query-text.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import type { StageEdits } from '../query/use-stage-edits.ts';
import type { ChangesAnswer, ChangesSide } from '../rpc/changes.ts';
import { Incomplete } from '../states/incomplete.tsx';
import { PanelState } from '../states/panel-state.tsx';
import { ChangesTable, toCoverage, formatValue, type RowMenu } from './changes-table.tsx';
import { useFunctionMenu } from './function-menu.tsx';
import '../styles/changes.css';

interface ChangesPanelProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
  readonly onZoom: (name: string) => void;
}

/**
 * The panel. A click highlights a function in the graph; a double click zooms to its widest frame.
 */
export function ChangesPanel({ explore, edits, onZoom }: ChangesPanelProps) {
  const { url } = useApp();
  const { highlighted } = usePlace().state;
  const options = useChangesOptions(explore);
  const changes = useChanges(explore);
  const highlight = (name: string) =>
    url.change({ highlighted: highlighted === name ? '' : name }, 'adjust');
  const answer = changes.value;
  const opener = useRef<HTMLElement>(undefined);
  const menu = useFunctionMenu({
    explore,
    edits,
    onHighlight: highlight,
    onZoom,
    onClose: () => opener.current?.focus(),
  });
  const menuActions: RowMenu = {
    open: (name, button, x, y) => {
      opener.current = button;
      menu.open(name, x, y);
    },
    run: menu.run,
  };
  return (
    <section
      className="panel list-panel changes-panel"
      aria-label="Changes"
      aria-busy={changes.pending !== undefined}
      data-quiet={changes.pending?.isQuiet === true ? '' : undefined}
      data-query={changes.valueKey}
    >
      {answer !== undefined && (
        <>
          <Incomplete warnings={answer.warnings} />
          <div className="changes-head">
            <Summary answer={answer} explore={explore} />
            <ValueSwitch value={options.sort} />
          </div>
          <div
            className="list-body changes-body"
            tabIndex={0}
            role="region"
            aria-label="Changed functions"
          >
            {!hasProfiles(answer.base) && <NothingBefore explore={explore} />}
            {hasProfiles(answer.base) && answer.functions.length > 0 && (
              <ChangesTable
                answer={answer}
                value={options.sort}
                measure={explore.measure}
                highlighted={highlighted}
                onHighlight={highlight}
                onZoom={onZoom}
                menu={menuActions}
              />
            )}
          </div>
        </>
      )}
      <PanelState resource={changes} what="the changes" />
      <div className="list-foot hint">
        {answer !== undefined && hasProfiles(answer.base) && formatFoot(answer)}
      </div>
      {menu.element}
    </section>
  );
}

interface SummaryProps {
  readonly answer: ChangesAnswer;
  readonly explore: Explore;
}

/** Shows "Against the 15 min before: 1.84 cores → 2.01 cores (+9.2 %)." */
function Summary({ answer, explore: { query, selectedSpan, measure } }: SummaryProps) {
  const [before, now] = [answer.base, answer.compared].map((side) =>
    hasProfiles(side) ? formatValue(BigInt(side.total), measure, toCoverage(side)) : 'no profiles',
  );
  const [rateBefore, rateNow] = [answer.base, answer.compared].map((side) =>
    computeRate(side, measure),
  );
  const share = rateBefore === 0 ? undefined : rateNow / rateBefore - 1;
  const length = formatNanos((selectedSpan.to - selectedSpan.from) * 1e6);
  const timeBefore = `the ${hasTimes(query) ? 'time' : length} before`;
  return (
    <p className="changes-summary">
      Against {isDiff(query) ? baseName(query) : timeBefore}:{' '}
      <b>
        {before} → {now}
      </b>
      {share !== undefined && ` (${formatChange(share)})`}
    </p>
  );
}

/** Returns a side's total per second or snapshot. */
function computeRate(side: ChangesSide, { delta }: Measure): number {
  const { seconds, snapshots } = toCoverage(side);
  return Number(side.total) / ((delta ? seconds : snapshots) || 1);
}

/** Switches the value by which functions are compared and ranked. */
function ValueSwitch({ value }: { readonly value: 'flat' | 'cumulative' }) {
  const { url } = useApp();
  return (
    <span className="tabs" role="group" aria-label="Value of a function">
      {(['flat', 'cumulative'] as const).map((one) => (
        <button
          type="button"
          key={one}
          aria-pressed={value === one}
          onClick={() => url.change({ sort: one === 'flat' ? 'self' : 'total' }, 'adjust')}
        >
          {one === 'flat' ? 'Self' : 'Total'}
        </button>
      ))}
    </span>
  );
}

/** Shows that the base has no profiles to compare with. */
function NothingBefore({ explore: { query } }: { readonly explore: Explore }) {
  return (
    <p className="panel-message static">
      {isDiff(query)
        ? `There are no profiles of ${baseName(query)}, so there is nothing to compare with.`
        : 'There are no profiles in the time before, so there is nothing to compare with.'}
    </p>
  );
}

function hasProfiles({ profiles }: ChangesSide): boolean {
  return profiles > 0;
}

/**
 * Returns "3 functions changed, 1 of them is not shown; 9 did not change; 8 may have changed by
 * chance".
 */
function formatFoot({ functions, more, noise }: ChangesAnswer): string {
  const count = functions.length + more.functions;
  const changed =
    count === 0 ? 'Nothing changed beyond chance' : `${plural(count, 'function')} changed`;
  const hidden = `${more.functions} of them ${more.functions === 1 ? 'is' : 'are'} not shown`;
  const unsure = noise.functions - noise.unchanged;
  return [
    more.functions > 0 ? `${changed}, ${hidden}` : changed,
    noise.unchanged > 0 && `${noise.unchanged} did not change`,
    unsure > 0 && `${unsure} may have changed by chance`,
  ]
    .filter((part) => part !== false)
    .join('; ');
}
