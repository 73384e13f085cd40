// The table of changed functions: the change of the self value, its error, and the ratio.
import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { fitNames } from '../format/fit-names.ts';
import { type Coverage, formatRate, formatTotal, type Measure } from '../format/measure.ts';
import { formatSignificant } from '../format/numbers.ts';
import { opensMenu, useMenuPress } from '../parts/context-menu.tsx';
import { FunctionName, useRoom } from '../parts/function-name.tsx';
import type { ChangesAnswer, ChangesSide, FunctionChange } from '../rpc/changes.ts';
import type { FunctionMenu } from './function-menu.tsx';

/** The menu of a row. */
export interface RowMenu extends Pick<FunctionMenu, 'run'> {
  /** Opens the menu; the focus returns to `button`. */
  open(name: string, button: HTMLElement, x: number, y: number): void;
}

interface ChangesTableProps {
  readonly answer: ChangesAnswer;
  readonly measure: Measure;
  readonly highlighted: string;
  readonly onHighlight: (name: string) => void;
  readonly onZoom: (name: string) => void;
  readonly menu: RowMenu;
}

export function ChangesTable(props: ChangesTableProps) {
  const { answer, measure, highlighted, onHighlight, onZoom, menu } = props;
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
            menu={menu}
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
  readonly menu: RowMenu;
}

function ChangeRow({
  row: { name, flat },
  ruler,
  shown,
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
  const difference = BigInt(flat.difference);
  const size = difference < 0n ? -difference : difference;
  const halfWidth = BigInt(Math.round((flat.high - flat.low) / 2));
  return (
    <tr
      className={isHighlighted ? 'highlighted' : ''}
      onClick={() => onHighlight(name)}
      onDoubleClick={() => onZoom(name)}
      {...press}
    >
      <td className={difference > 0n ? 'grew' : 'shrank'}>
        {signOf(Number(difference))}
        {text(size)}
      </td>
      <td>{text(halfWidth)}</td>
      <td>{flat.ratio === null ? 'new' : `${formatSignificant(flat.ratio)}×`}</td>
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

export function coverageOf({ coveredNanos, snapshots }: ChangesSide): Coverage {
  return { seconds: Number(coveredNanos) / 1e9, snapshots, samples: 0, period: 0 };
}

function signOf(value: number): string {
  return value > 0 ? '+' : value < 0 ? '\u2212' : '';
}
