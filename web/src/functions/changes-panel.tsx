// Functions by the size of their change against the time before; noise is counted separately.
import { type RefObject, useRef } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { fitNames } from '../format/fit-names.ts';
import { type Coverage, formatRate, formatTotal, type Measure } from '../format/measure.ts';
import { formatChange, formatNanos, formatSignificant } from '../format/numbers.ts';
import { isDiff } from '../language/query-text.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import { FunctionName, useRoom } from '../parts/function-name.tsx';
import {
  askChanges,
  type ChangesAnswer,
  type ChangesSide,
  type FunctionChange,
} from '../rpc/changes.ts';
import { Incomplete, PanelState } from '../states/panel-state.tsx';

interface ChangesPanelProps {
  readonly explore: Explore;
  readonly onZoom: (name: string) => void;
}

/** A click highlights a function in the graph, a double click zooms to its widest frame. */
export function ChangesPanel({ explore, onZoom }: ChangesPanelProps) {
  const { base, url } = useApp();
  const { highlighted } = usePlace().state;
  const { query, selectedSpan, isEmpty } = explore;
  const asks = query !== '' && !isEmpty;
  const key = asks ? JSON.stringify(['changes', query, selectedSpan]) : undefined;
  const changes = useResource(key, (asking) => askChanges(base, query, selectedSpan, asking));
  const highlight = (name: string) =>
    url.change({ highlighted: highlighted === name ? '' : name }, 'adjust');
  const answer = changes.value;
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
          <Summary answer={answer} explore={explore} />
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
                measure={explore.measure}
                highlighted={highlighted}
                onHighlight={highlight}
                onZoom={onZoom}
              />
            )}
          </div>
        </>
      )}
      <PanelState resource={changes} what="the changes" />
      <div className="list-foot hint">
        {answer !== undefined && hasProfiles(answer.base) && footOf(answer)}
      </div>
    </section>
  );
}

interface SummaryProps {
  readonly answer: ChangesAnswer;
  readonly explore: Explore;
}

/** "Against the 15 min before: 1.84 cores → 2.01 cores (+9.2 %)." */
function Summary({ answer, explore: { query, selectedSpan, measure } }: SummaryProps) {
  const [before, now] = [answer.base, answer.compared].map((side) =>
    hasProfiles(side) ? formatValue(BigInt(side.total), measure, coverageOf(side)) : 'no profiles',
  );
  const scaledBase = Number(BigInt(answer.compared.total) - BigInt(answer.difference));
  const share = scaledBase === 0 ? undefined : Number(answer.difference) / scaledBase;
  return (
    <p className="changes-summary">
      {isDiff(query)
        ? 'Against the first query: '
        : `Against the ${formatNanos((selectedSpan.to - selectedSpan.from) * 1e6)} before: `}
      <b>
        {before} → {now}
      </b>
      {share !== undefined && ` (${formatChange(share)})`}
    </p>
  );
}

/** Says that the base has no profiles, so nothing can be compared. */
function NothingBefore({ explore: { query } }: { readonly explore: Explore }) {
  return (
    <p className="panel-message static">
      {isDiff(query)
        ? 'The first query has no profiles in this range, so there is nothing to compare with.'
        : 'There are no profiles in the time before, so there is nothing to compare with.'}
    </p>
  );
}

function hasProfiles({ profiles }: ChangesSide): boolean {
  return profiles > 0;
}

interface ChangesTableProps {
  readonly answer: ChangesAnswer;
  readonly measure: Measure;
  readonly highlighted: string;
  readonly onHighlight: (name: string) => void;
  readonly onZoom: (name: string) => void;
}

function ChangesTable({ answer, measure, highlighted, onHighlight, onZoom }: ChangesTableProps) {
  const coverage = coverageOf(answer.compared);
  const ruler = useRef<HTMLTableCellElement>(null);
  const room = useRoom(ruler, 40);
  const texts = fitNames(
    answer.functions.map(({ name }) => name),
    room,
  );
  return (
    <table className="changes-table">
      <caption className="visually-hidden">
        Own values of functions that changed beyond chance, the largest change first
      </caption>
      <thead>
        <tr>
          <th scope="col" title="Of what a function has itself: now less before">
            Self, change
          </th>
          <th scope="col" title="With 95 % confidence">
            ±
          </th>
          <th scope="col">Times</th>
          <th scope="col">Function</th>
        </tr>
      </thead>
      <tbody>
        {answer.functions.map((row, i) => (
          <ChangeRow
            key={row.name}
            ruler={i === 0 ? ruler : undefined}
            row={row}
            shown={texts.get(row.name)}
            text={(value) => formatValue(value, measure, coverage)}
            isHighlighted={row.name === highlighted}
            onHighlight={onHighlight}
            onZoom={onZoom}
          />
        ))}
      </tbody>
    </table>
  );
}

interface ChangeRowProps {
  readonly row: FunctionChange;
  /** Takes the cell of the name, which the room for names is measured by. */
  readonly ruler: RefObject<HTMLTableCellElement | null> | undefined;
  /** The name, shortened to the room. */
  readonly shown: string | undefined;
  readonly text: (value: bigint) => string;
  readonly isHighlighted: boolean;
  readonly onHighlight: (name: string) => void;
  readonly onZoom: (name: string) => void;
}

function ChangeRow({
  row: { name, flat },
  ruler,
  shown,
  text,
  isHighlighted,
  onHighlight,
  onZoom,
}: ChangeRowProps) {
  const difference = BigInt(flat.difference);
  const size = difference < 0n ? -difference : difference;
  const halfWidth = BigInt(Math.round((flat.high - flat.low) / 2));
  return (
    <tr
      className={isHighlighted ? 'highlighted' : ''}
      onClick={() => onHighlight(name)}
      onDoubleClick={() => onZoom(name)}
    >
      <td className={difference > 0n ? 'grew' : 'shrank'}>
        {signOf(Number(difference))}
        {text(size)}
      </td>
      <td>{text(halfWidth)}</td>
      <td>{flat.ratio === null ? 'new' : `${formatSignificant(flat.ratio)}×`}</td>
      <th scope="row" ref={ruler}>
        <button type="button" aria-pressed={isHighlighted}>
          <FunctionName name={name} text={shown} />
        </button>
      </th>
    </tr>
  );
}

function footOf({ functions, more, noise }: ChangesAnswer): string {
  const count = functions.length + more.functions;
  const changed = count === 0 ? 'Nothing changed beyond chance' : `${count} functions changed`;
  const beyond = more.functions > 0 ? `, ${more.functions} of them are not shown` : '';
  return `${changed}${beyond}; of ${noise.functions} it may be chance`;
}

function formatValue(value: bigint, measure: Measure, coverage: Coverage): string {
  return formatRate(value, measure, coverage) ?? formatTotal(value, measure);
}

function coverageOf({ coveredNanos, snapshots }: ChangesSide): Coverage {
  return { seconds: Number(coveredNanos) / 1e9, snapshots, samples: 0, period: 0 };
}

function signOf(value: number): string {
  return value > 0 ? '+' : value < 0 ? '\u2212' : '';
}
