// Bar with both sides of a comparison: labels, time, value and line, with one row per side.
import { versionLabels } from '../../../src/model/service-labels.ts';
import type { ReactNode } from 'react';
import { type MetricsData, metricsData } from '../answers/metrics-data.ts';
import type { Explore } from '../answers/use-explore.ts';
import { formatRate, formatSamples, formatTotal, perSecondFactor } from '../format/measure.ts';
import {
  editSide,
  moveSpan,
  type SideName,
  readSides,
  type SideText,
  listSpans,
  withOffset,
  withoutTimes,
} from '../language/comparison.ts';
import { addMatcher, listMatchers, removeMatcher, withoutLabels } from '../language/matchers.ts';
import { sideLetters } from '../language/side-letters.ts';
import { sideWords } from '../language/side-words.ts';
import { listStages } from '../language/stages.ts';
import { clockText } from '../metrics/series-legend.tsx';
import { useApp, usePlace } from '../page/app-context.ts';
import { now } from '../page/clock.ts';
import { useResource } from '../page/use-resource.ts';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';
import { AddLabel, ConditionChip } from '../query/label-chips.tsx';
import type { Span } from '../rpc/api.ts';
import type { AnswerSide } from '../tree/tree-messages.ts';
import {
  chooseStep,
  describeRange,
  fixedRange,
  fromInputText,
  toInputText,
} from '../url/time-range.ts';
import type { UrlState } from '../url/url-state.ts';
import { titleOfMark } from './own-marks.tsx';
import { titleOfStored, useStoredMarks } from './stored-marks.tsx';
import { SideStrip } from './side-strip.tsx';
import { type Deploy, findVersions } from './versions.ts';
import '../styles/compare.css';

const stripPoints = 120;

interface CompareBarProps {
  readonly explore: Explore;
  readonly onQuery: (query: string, patch?: Partial<UrlState>) => void;
}

/**
 * The bar, which is visible if the query is a comparison. All changes to a side change the query
 * string.
 */
export function CompareBar({ explore, onQuery }: CompareBarProps) {
  const { query, selectedSpan, icicle } = explore;
  const sides = readSides(query);
  const tree = icicle.value;
  const before = useSideLines(explore, 'before');
  const now = useSideLines(explore, 'now');
  if (sides === undefined) return null;
  const max = 1.1 * Math.max(0, ...[before, now].flatMap((lines) => findMax(lines)));
  const move = (name: SideName, wished: number) => {
    const { offsetMillis, within } = sides[name];
    const millis = within === undefined ? wished : limitMove(within, wished, selectedSpan);
    if (within !== undefined) return onQuery(moveSpan(query, within, millis));
    const moved = editSide(query, name, (text) => withOffset(text, offsetMillis - millis));
    if (name === 'before' || offsetMillis !== 0) return onQuery(moved);
    // Side B is the time shown on the page; side A stays unchanged.
    const selection = { from: selectedSpan.from + millis, to: selectedSpan.to + millis };
    const kept = sides.before.offsetMillis + millis;
    onQuery(
      editSide(query, 'before', (text) => withOffset(text, kept)),
      { selection },
    );
  };
  const renderRow = (
    name: SideName,
    lines: MetricsData | undefined,
    total: AnswerSide | undefined,
  ) => (
    <SideRow
      explore={explore}
      name={name}
      side={sides[name]}
      lines={lines}
      max={max}
      total={total}
      onEdit={(edit) => onQuery(editSide(query, name, edit))}
      onMove={(millis) => move(name, millis)}
    />
  );
  return (
    <div className="compare-bar">
      {renderRow('before', before, tree?.baseSide)}
      {renderRow('now', now, tree?.baseSide && tree)}
    </div>
  );
}

/** Returns how far a time can be moved within a range. */
function limitMove({ from, to }: Span, millis: number, range: Span): number {
  return Math.max(range.from - from, Math.min(range.to - to, millis));
}

function findMax(lines: MetricsData | undefined): readonly number[] {
  return (lines?.series ?? []).map(({ max }) => max);
}

/**
 * Returns the range of a side's graph. If only this side has a time, the range includes the same
 * duration before and after it, but not the future. Otherwise returns the complete range.
 */
function sideWindow({ from, to }: Span, side: SideText): Span {
  if (hasTimes(side)) return { from, to };
  const length = to - from;
  return { from: from - length, to: Math.max(to, Math.min(to + length, now())) };
}

function hasTimes({ within, except }: SideText): boolean {
  return within !== undefined || except !== undefined;
}

function sideSpan({ selectedSpan: { from, to } }: Explore, { offsetMillis }: SideText): Span {
  return { from: from - offsetMillis, to: to - offsetMillis };
}

/** Returns the total of all series of a side over time. */
function useSideLines(explore: Explore, name: SideName): MetricsData | undefined {
  const { api } = useApp();
  const { query, profileType, measure } = explore;
  const side = readSides(query)?.[name];
  const stages = listStages(query).filter((stage) => stage.side === undefined);
  const text = side && [withoutTimes(side.text), ...stages.map((stage) => stage.text)].join(' | ');
  const window = side && sideWindow(sideSpan(explore, side), side);
  const stepMillis = window === undefined ? 0 : chooseStep(window, stripPoints);
  const span = window && { from: window.from, to: window.to };
  const key =
    text === undefined ? undefined : JSON.stringify(['side', text, side, explore.selectedSpan]);
  const { value } = useResource(key, (asking) =>
    api.queryRange(
      { query: text ?? '', span: span ?? explore.span, stepMillis, sumBy: [] },
      asking,
    ),
  );
  return value && metricsData(value.series, stepMillis, perSecondFactor(profileType, measure));
}

/** Returns the deploys of a side's programs, including versions that the side does not select. */
function useSideDeploys(explore: Explore, name: SideName): readonly Deploy[] {
  const { api } = useApp();
  const { query, labelType: profileType } = explore;
  const side = readSides(query)?.[name];
  const [first] = side === undefined ? [] : listStages(side.text);
  const bare = side && withoutTimes(side.text.slice(0, first?.from)).replace(/\s*\|\s*$/, '');
  const asked = bare === undefined ? undefined : withoutLabels(bare, versionLabels);
  const span = side && sideWindow(sideSpan(explore, side), side);
  // The key does not contain the window, because a window that ends now would cause a query in each
  // render.
  const key =
    asked === undefined
      ? undefined
      : JSON.stringify(['side deploys', asked, side, explore.selectedSpan]);
  const versions = useResource(
    key,
    (asking) =>
      findVersions(api, { query: asked ?? '', profileType, span: span ?? explore.span }, asking),
    { topic: `side deploys ${asked}`, isQuiet: true },
  ).value;
  return versions === undefined || span === undefined
    ? []
    : versions.deploys.filter(({ since }) => since > span.from && since < span.to);
}

interface SideRowProps {
  readonly explore: Explore;
  readonly name: SideName;
  readonly side: SideText;
  readonly lines: MetricsData | undefined;
  readonly max: number;
  readonly total: AnswerSide | undefined;
  readonly onEdit: (edit: (text: string) => string) => void;
  readonly onMove: (millis: number) => void;
}

function SideRow(props: SideRowProps) {
  const { explore, name, side, lines, max, total, onEdit, onMove } = props;
  const { utc, marks } = usePlace().state;
  const whole = sideSpan(explore, side);
  const window = sideWindow(whole, side);
  const spans = listSpans(side, explore.selectedSpan);
  const span = side.within === undefined ? whole : (spans.at(0) ?? whole);
  const isRest = side.except !== undefined;
  const rangeText = describeRange(fixedRange(span.from, span.to), utc);
  const spanText = isRest ? `the rest of ${rangeText}` : rangeText;
  const letter = sideLetters[name];
  const word = sideWords(explore.query)[name];
  const title = word === letter ? letter : `${letter} ${word}`;
  const deploys = useSideDeploys(explore, name).map(({ value, since }) => {
    return { at: since, title: `${value} came at ${clockText(since, utc)}`, glyph: '▾' };
  });
  const stored = useStoredMarks(side.text, window).map((mark) => {
    return { at: mark.at, title: titleOfStored(mark, utc), glyph: '⚑' };
  });
  const own = marks
    .filter(({ at }) => at > window.from && at < window.to)
    .map((mark) => ({ at: mark.at, title: titleOfMark(mark, utc), glyph: '◆' }));
  return (
    <div className="side-row" role="group" aria-label={title}>
      <b className="side-letter">{letter}</b>
      <SideChips explore={explore} name={name} side={side} onEdit={onEdit} />
      {isRest ? (
        <span className="side-rest" title="It follows the other side's time">
          {spanText}
        </span>
      ) : (
        <SideTime spanText={spanText} span={span} title={title} onMove={onMove} />
      )}
      <SideValue explore={explore} total={total} />
      <SideStrip
        title={title}
        marks={[...deploys, ...stored, ...own]}
        lines={lines}
        window={window}
        spans={spans}
        isMovable={!isRest && spans.length === 1}
        max={max}
        spanText={spanText}
        onMove={onMove}
      />
    </div>
  );
}

function SideChips({
  explore,
  name,
  side,
  onEdit,
}: Pick<SideRowProps, 'explore' | 'name' | 'side' | 'onEdit'>) {
  const conditions = listMatchers(side.text);
  return (
    <span className="chips">
      {conditions.map((condition) => (
        <ConditionChip
          key={`${condition.from} ${condition.name}`}
          condition={condition}
          side={name}
          onRemove={() => onEdit((text) => removeMatcher(text, condition))}
        />
      ))}
      {conditions.length === 0 && <span className="hint">all</span>}
      <Popover
        title={`Add a label to ${sideLetters[name]}`}
        className="chip-add"
        label={<Icon name="plus" />}
      >
        {(close) => (
          <AddLabel
            profileType={explore.labelType}
            onAdd={(label, operator, value) => {
              close();
              onEdit((text) => addMatcher(text, label, operator, value));
            }}
          />
        )}
      </Popover>
    </span>
  );
}

interface SideTimeProps {
  readonly title: string;
  readonly spanText: string;
  readonly span: Span;
  readonly onMove: (millis: number) => void;
}

/** Input for the start time of the side; its duration equals the other side's duration. */
function SideTime({ title, spanText, span, onMove }: SideTimeProps): ReactNode {
  const { utc } = usePlace().state;
  return (
    <Popover className="side-time" title={`Time of ${title}: ${spanText}`} label={spanText}>
      {(close) => (
        <label className="side-start">
          Begins at
          <input
            className="input"
            type="datetime-local"
            step="1"
            autoFocus
            defaultValue={toInputText(span.from, utc)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              const start = fromInputText(event.currentTarget.value, utc);
              if (start === undefined) return;
              close();
              onMove(start - Math.floor(span.from / 1_000) * 1_000);
            }}
          />
        </label>
      )}
    </Popover>
  );
}

/** Shows "1.84 cores 66 k samples", or that there is no data. */
function SideValue({
  explore: { measure },
  total: side,
}: {
  readonly explore: Explore;
  readonly total: AnswerSide | undefined;
}) {
  if (side === undefined) return <span className="side-value">–</span>;
  const { total, coverage } = side;
  if (total === 0n && coverage.seconds <= 0 && coverage.snapshots <= 0) {
    return <span className="side-value">no profiles</span>;
  }
  return (
    <span className="side-value">
      {formatRate(total, measure, coverage) ?? formatTotal(total, measure)}{' '}
      <span className="hint">{formatSamples(coverage, measure)}</span>
    </span>
  );
}
