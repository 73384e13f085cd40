// Lists labels that explain a change: in a comparison, in a selection, or since the preceding time.
import type { Explore } from '../answers/use-explore.ts';
import { columnUnit } from '../format/column-unit.ts';
import { formatPerSecond, type Measure } from '../format/measure.ts';
import { formatNanos, formatPercent } from '../format/numbers.ts';
import { compareWithRest, readSides, withOffset } from '../language/comparison.ts';
import { searchStage } from '../language/gestures.ts';
import { addMatcher, listMatchers } from '../language/matchers.ts';
import { isDiff } from '../language/query-text.ts';
import { baseName } from '../language/side-words.ts';
import { appendStage, listStages } from '../language/stages.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import type { Api, Span } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { Incomplete } from '../states/incomplete.tsx';
import { PanelState } from '../states/panel-state.tsx';
import type { UrlState } from '../url/url-state.ts';
import { ChangeSentence } from './change-sentence.tsx';
import {
  emptySide,
  type LabelChange,
  type LabelValuesOf,
  rankLabelChanges,
} from './label-changes.ts';
import '../styles/changes.css';

/** Maximum number of labels that are checked; each needs one query per side. */
const labelsMax = 16;
/**
 * Options with which the sentence compares amounts, too: the shares of labels are shares of a
 * change in amounts.
 */
const amounts = { normalize: 'time' } as const;

interface LabelsPanelProps {
  readonly explore: Explore;
  readonly onQuery: (query: string) => void;
  /** Zooms to a function in the sentence. */
  readonly onZoom: (name: string) => void;
}

/** One side: a query that is not a comparison, and a time. */
interface Side {
  readonly query: string;
  readonly span: Span;
}

/** Lists the labels. A click filters both sides by a value. */
export function LabelsPanel({ explore: shown, onQuery, onZoom }: LabelsPanelProps) {
  const { api } = useApp();
  const { selection, search, searchMode } = usePlace().state;
  const explore = withSearch(shown, search, searchMode);
  const { query, labelType, measure, isEmpty } = explore;
  const { before, now, against } = sidesToCompare(explore, selection !== undefined);
  const asks = query !== '' && !isEmpty;
  const key = asks ? JSON.stringify(['labels', before, now]) : undefined;
  const answer = useResource(key, async (asking) => {
    const names = await api.labelNames(labelType, asking.signal);
    // Labels in the query distinguish the sides, so they explain nothing.
    const fixed = new Set(
      listMatchers(query).flatMap(({ name, operator }) => (operator === '=' ? [name] : [])),
    );
    const tried = names.filter((name) => !fixed.has(name)).slice(0, labelsMax);
    const warnings: string[] = [];
    const values = await Promise.all(
      tried.map(async (name) => {
        const [a, b] = await Promise.all(
          [before, now].map((side) => askValues(api, side, name, measure, warnings, asking)),
        );
        return [name, { before: a, now: b }] as const;
      }),
    );
    const labels = new Map(values);
    return { ranked: rankLabelChanges(labels), empty: emptySide(labels), tried, warnings };
  });
  const { value } = answer;
  const isSelected = selection !== undefined;
  return (
    <section
      className="panel list-panel changes-panel"
      aria-label="Labels that explain the change"
      aria-busy={answer.pending !== undefined}
      data-query={answer.valueKey}
    >
      {/* A comparison has its sentence above all panels. */}
      {!isDiff(query) && (
        <ChangeSentence
          explore={isSelected ? againstRest(explore) : explore}
          scaled={amounts}
          onZoom={onZoom}
        />
      )}
      {value !== undefined && (
        <>
          <Incomplete warnings={value.warnings} told={explore.warnings} />
          <div className="changes-head">
            <p className="changes-summary">
              {search !== '' && (
                <>
                  Stacks with <code>{search}</code>, against
                </>
              )}
              {search === '' && 'Against'} {against}: {formatSentence(value.ranked[0], value.empty)}
            </p>
          </div>
          <div className="list-body changes-body" tabIndex={0} role="region" aria-label="Labels">
            {value.ranked.length > 0 && value.empty !== 'now' && (
              <LabelTable
                isCompared={value.empty === undefined}
                rows={value.ranked}
                measure={measure}
                onChoose={({ label, value: text }) =>
                  onQuery(addMatcher(shown.query, label, '=', text))
                }
              />
            )}
          </div>
          <div className="list-foot hint">
            {value.tried.length === 0 ? 'No labels to try' : `Tried ${value.tried.join(', ')}`}
          </div>
        </>
      )}
      <PanelState resource={answer} what="the labels" />
    </section>
  );
}

/** Limits the profiles to the stacks with what the page searches. */
function withSearch(explore: Explore, search: string, mode: UrlState['searchMode']): Explore {
  if (search === '' || explore.query === '') return explore;
  return { ...explore, query: appendStage(explore.query, searchStage(search, mode, 'keep')) };
}

/** Returns the query for the changes of the selected time against the rest of the range. */
function againstRest(explore: Explore): Explore {
  const { query, selectedSpan, span } = explore;
  return { ...explore, query: compareWithRest(query, selectedSpan), selectedSpan: span };
}

function sidesToCompare(
  { query, selectedSpan, span }: Explore,
  isSelected: boolean,
): { readonly before: Side; readonly now: Side; readonly against: string } {
  const sides = readSides(query);
  if (sides !== undefined) {
    const stages = listStages(query).filter(({ side }) => side === undefined);
    const [before, now] = [sides.before, sides.now].map(({ text }) => ({
      query: [text, ...stages.map((stage) => stage.text)].join(' | '),
      span: selectedSpan,
    }));
    return { before, now, against: baseName(query) };
  }
  const now = { query, span: selectedSpan };
  const rest = isSelected ? readSides(compareWithRest(query, selectedSpan))?.before : undefined;
  if (rest !== undefined) {
    const stages = listStages(query).map(({ text }) => text);
    const before = { query: [rest.text, ...stages].join(' | '), span };
    return { before, now, against: 'the rest of the range' };
  }
  if (isSelected) return { before: { query, span }, now, against: 'the whole range' };
  const length = selectedSpan.to - selectedSpan.from;
  return {
    before: { query: withOffset(query, length), span: selectedSpan },
    now,
    against: `the ${formatNanos(length * 1e6)} before`,
  };
}

/** Requests the values of a label on one side; appends the server's warnings to `warnings`. */
async function askValues(
  api: Api,
  { query, span }: Side,
  name: string,
  { kind, delta }: Measure,
  warnings: string[],
  asking: Asking,
): Promise<LabelValuesOf> {
  const stepMillis = span.to - span.from + 1;
  const question = { query, span, stepMillis, sumBy: [name] };
  const { series, warnings: said } = await api.queryRange(question, { signal: asking.signal });
  warnings.push(...said);
  // The server returns averages per nanosecond.
  const factor = delta && (kind === 'bytes' || kind === 'count') ? 1e9 : 1;
  return new Map(
    series.map(({ labelset, average }) => [
      labelset?.labels.find((label) => label.name === name)?.value ?? '',
      average * factor,
    ]),
  );
}

/** Returns a sentence: "pod=api-7 has 92.0 % of the rise." */
function formatSentence(first: LabelChange | undefined, empty: 'before' | 'now' | undefined) {
  const nothing = 'there is nothing then, so there is nothing to compare with.';
  if (empty === 'now') return 'there is nothing now.';
  if (first === undefined) return empty === undefined ? 'no label explains a change.' : nothing;
  const { label, value, before, now, share } = first;
  const name = `${label}=${value === '' ? '""' : value}`;
  if (empty === 'before') return `${nothing} Now ${name} has ${formatPercent(share)} of all.`;
  const word = now > before ? 'rise' : 'fall';
  const part = share > 1 ? `more than the whole ${word}` : `${formatPercent(share)} of the ${word}`;
  return `${name} has ${part}.`;
}

interface LabelTableProps {
  /** True if there is something to compare with; otherwise shares are those of the total. */
  readonly isCompared: boolean;
  readonly rows: readonly LabelChange[];
  readonly measure: Measure;
  readonly onChoose: (row: LabelChange) => void;
}

function LabelTable({ isCompared, rows, measure, onChoose }: LabelTableProps) {
  const { unit, text } = columnUnit(
    Math.max(...rows.flatMap(({ before, now }) => [before, now])),
    measure,
  );
  return (
    <table className="changes-table">
      <caption className="visually-hidden">
        Values of labels, the one with most of the change first
      </caption>
      <thead>
        <tr>
          {isCompared && <th scope="col">A</th>}
          <th scope="col">{isCompared ? 'B' : `Now, ${unit}`}</th>
          {isCompared && <th scope="col">Change, {unit}</th>}
          <th scope="col">{isCompared ? 'of it' : 'of all'}</th>
          <th scope="col">Label</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const difference = row.now - row.before;
          const name = `${row.label}=${row.value === '' ? '""' : row.value}`;
          return (
            <tr key={`${row.label} ${row.value}`} onClick={() => onChoose(row)}>
              {isCompared && <td>{text(row.before)}</td>}
              <td>{text(row.now)}</td>
              {isCompared && (
                <td
                  className={difference > 0 ? 'grew' : 'shrank'}
                  title={formatPerSecond(Math.abs(difference), measure)}
                >
                  {difference > 0 ? '▲+' : '▼\u2212'}
                  {text(Math.abs(difference))}
                </td>
              )}
              <td>{(row.share * 100).toFixed(0)}&#x202f;%</td>
              <th scope="row">
                <button type="button" title={`Show only ${name}`}>
                  {name}
                </button>
              </th>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
