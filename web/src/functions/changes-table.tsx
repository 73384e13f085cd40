// Table of changed functions: both values, the change and its error, and samples.
import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { fitNames } from '../format/fit-names.ts';
import { columnUnit, perSecond, shareUnit } from '../format/column-unit.ts';
import { type Coverage, formatRate, formatTotal, type Measure } from '../format/measure.ts';
import { formatCount, formatSignificant } from '../format/numbers.ts';
import { opensMenu, useMenuPress } from '../parts/context-menu.tsx';
import { FunctionName, useRoom } from '../parts/function-name.tsx';
import type { ChangesAnswer, ChangesSide, MeasureChange } from '../rpc/changes.ts';
import { isSmallChange } from '../tree/diff.ts';
import type { FunctionMenu } from './function-menu.tsx';

/** Context menu of a row. */
export interface RowMenu extends Pick<FunctionMenu, 'run'> {
  /** Opens the menu; the focus returns to `button` afterwards. */
  open(name: string, button: HTMLElement, x: number, y: number): void;
}

interface ChangesTableProps {
  readonly answer: ChangesAnswer;
  /** The compared value. */
  readonly value: 'flat' | 'cumulative';
  readonly measure: Measure;
  readonly highlighted: string;
  readonly onHighlight: (name: string) => void;
  readonly onZoom: (name: string) => void;
  readonly menu: RowMenu;
}

export function ChangesTable(props: ChangesTableProps) {
  const { answer, value, measure, highlighted, onHighlight, onZoom, menu } = props;
  const [before, now] = [toCoverage(answer.base), toCoverage(answer.compared)];
  const { by } = answer.scale;
  const areShares = by === 'total';
  const isByLoad = by === 'load';
  const toNumber = (value: string | number, side: ChangesSide, coverage: Coverage): number =>
    areShares
      ? Number(value) / (Number(side.total) || 1)
      : perSecond(BigInt(value), measure, coverage);
  const toValues = ({ base, compared, difference, low, high }: MeasureChange): ChangeValues => ({
    // The value is scaled to the load of side B, so that a row adds up.
    before: isByLoad
      ? toNumber(String(BigInt(compared) - BigInt(difference)), answer.compared, now)
      : toNumber(base, answer.base, before),
    now: toNumber(compared, answer.compared, now),
    difference: toNumber(difference, answer.compared, now),
    error: toNumber(Math.round((high - low) / 2), answer.compared, now),
  });
  const all = answer.functions.map((row) => toValues(row[value]));
  const max = Math.max(0, ...all.flatMap((one) => [one.before, one.now]));
  const { unit, text } = areShares ? shareUnit(max) : columnUnit(max, measure);
  // A change from 20 % to 37 % is 17 percentage points here; the graph shows +85 %.
  const differenceUnit = areShares ? 'pp' : unit;
  const ruler = useRef<HTMLTableCellElement>(null);
  const room = useRoom(ruler, 40);
  const texts = fitNames(
    answer.functions.map(({ name }) => name),
    room,
  );
  return (
    <table className="changes-table">
      <caption className="visually-hidden">
        {value === 'flat' ? 'Own' : 'Total'} values of functions that changed beyond chance, the
        largest change first
      </caption>
      <thead>
        <tr>
          <th scope="col" title={`A${isByLoad ? ' at the load of B' : ''}, in ${unit}`}>
            A{isByLoad && '\u202f×'}
          </th>
          <th scope="col" title={`B, in ${unit}`}>
            B
          </th>
          <th scope="col" title="B less A">
            Change, {differenceUnit}
          </th>
          <th scope="col" title={`With 95 % confidence, in ${differenceUnit}`}>
            ±
          </th>
          <th scope="col" title="Number of samples of A and of B">
            n
          </th>
          <th scope="col">Function</th>
        </tr>
      </thead>
      <tbody>
        {answer.functions.map((row, i) => (
          <ChangeRow
            key={row.name}
            ruler={i === 0 ? ruler : undefined}
            name={row.name}
            change={row[value]}
            shown={texts.get(row.name)}
            values={all[i]}
            text={text}
            isHighlighted={row.name === highlighted}
            onHighlight={onHighlight}
            onZoom={onZoom}
            menu={menu}
          />
        ))}
      </tbody>
    </table>
  );
}

/** Numbers of a row in the unit of `perSecond`. */
interface ChangeValues {
  readonly before: number;
  readonly now: number;
  readonly difference: number;
  readonly error: number;
}

interface ChangeRowProps {
  readonly name: string;
  readonly change: MeasureChange;
  /** Ref to the cell of a name, which determines the width of names. */
  readonly ruler: RefObject<HTMLTableCellElement | null> | undefined;
  /** Name shortened to the width. */
  readonly shown: string | undefined;
  readonly values: ChangeValues;
  readonly text: (value: number) => string;
  readonly isHighlighted: boolean;
  readonly onHighlight: (name: string) => void;
  readonly onZoom: (name: string) => void;
  readonly menu: RowMenu;
}

function ChangeRow({
  name,
  change,
  ruler,
  shown,
  values,
  text,
  isHighlighted,
  onHighlight,
  onZoom,
  menu,
}: ChangeRowProps) {
  const button = useRef<HTMLButtonElement>(null);
  const press = useMenuPress((x, y) => {
    if (button.current !== null) menu.open(name, button.current, x, y);
  });
  const pressed = (event: KeyboardEvent<HTMLButtonElement>) => {
    const isPress = event.key === 'Enter' || event.key === ' ';
    if (isPress || event.ctrlKey || event.metaKey || event.altKey) return;
    if (opensMenu(event)) {
      const { left, bottom } = event.currentTarget.getBoundingClientRect();
      menu.open(name, event.currentTarget, left, bottom);
    } else if (!menu.run(name, event.key)) return;
    event.preventDefault();
  };
  const { before, now, difference, error } = values;
  // The graph uses the same signs.
  const isSmall = change.ratio !== null && isSmallChange(change.ratio);
  return (
    <tr
      className={isHighlighted ? 'highlighted' : ''}
      onClick={() => onHighlight(name)}
      onDoubleClick={() => onZoom(name)}
      {...press}
    >
      <td>{change.ratio === null ? 'new' : text(before)}</td>
      <td>{now === 0 ? 'gone' : text(now)}</td>
      <td
        className={difference > 0 ? 'grew' : 'shrank'}
        title={
          change.ratio === null
            ? ''
            : `${formatSignificant(change.ratio)} times${isSmall ? ', real but small' : ''}`
        }
      >
        {difference > 0 ? `${isSmall ? '▵' : '▲'}+` : `${isSmall ? '▿' : '▼'}\u2212`}
        {text(Math.abs(difference))}
      </td>
      <td>{text(error)}</td>
      <td>
        {formatCount(change.baseSamples)}, {formatCount(change.comparedSamples)}
      </td>
      <th scope="row" ref={ruler}>
        <button type="button" ref={button} aria-pressed={isHighlighted} onKeyDown={pressed}>
          <FunctionName name={name} text={shown} />
        </button>
      </th>
    </tr>
  );
}

export function formatValue(value: bigint, measure: Measure, coverage: Coverage): string {
  return formatRate(value, measure, coverage) ?? formatTotal(value, measure);
}

export function toCoverage({ coveredNanos, snapshots }: ChangesSide): Coverage {
  return { seconds: Number(coveredNanos) / 1e9, snapshots, samples: 0, period: 0 };
}
