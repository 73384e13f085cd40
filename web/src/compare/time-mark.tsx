// A mark at one time of a graph: a button with a menu, whose entries have keys.
import type { MouseEvent } from 'react';
import { type MenuAction, useButtonMenu } from '../parts/context-menu.tsx';
import type { Span } from '../rpc/api.ts';
import type { UrlState } from '../url/url-state.ts';
import { beforeAndAfter } from './before-after.ts';
import '../styles/deploys.css';

/** Position from which a name stands to the left of its glyph: to the right it would be cut off. */
const nameToTheLeftFrom = 0.7;

interface TimeMarkProps {
  /** Name of its menu. */
  readonly title: string;
  /** Name of the button. */
  readonly label: string;
  /** Text next to the glyph, if there is space. */
  readonly text: string | undefined;
  readonly glyph: string;
  /** Position from the left, 0 .. 1. */
  readonly left: number;
  readonly entries: readonly MenuAction[];
  /** Called by a click; without it a click opens the menu. */
  readonly onClick?: () => void;
}

export function TimeMark(props: TimeMarkProps) {
  const { title, label, text, glyph, left, entries, onClick } = props;
  const { button, handlers, press, element } = useButtonMenu(title, entries);
  return (
    <>
      <button
        type="button"
        ref={button}
        className={`deploy ${left > nameToTheLeftFrom ? 'at-end' : ''}`}
        style={{ left: `${left * 100}%` }}
        aria-label={label}
        title={`${label} (more with .)`}
        {...handlers}
        {...press}
        {...(onClick && {
          onClick: (event: MouseEvent) => {
            event.preventDefault();
            onClick();
          },
        })}
      >
        <span aria-hidden="true">{glyph}</span>
        {text !== undefined && <span className="deploy-name">{text}</span>}
      </button>
      {element}
    </>
  );
}

/** Returns the position of a time in a range, 0 .. 1. */
export function shareOfSpan(millis: number, { from, to }: Span): number {
  return (millis - from) / (to - from);
}

/** Share of a graph that a name takes. */
const nameRoom = 0.14;

/** Returns true for each mark whose name has room: of near ones, the later. */
export function spacedNames(lefts: readonly number[]): readonly boolean[] {
  let next = Infinity;
  return lefts
    .toReversed()
    .map((left) => {
      const hasRoom = next - left >= nameRoom;
      if (hasRoom) next = left;
      return hasRoom;
    })
    .toReversed();
}

/** Entries of every mark: actions on the time after it. */
export function timeEntries(
  query: string,
  moment: number,
  span: Span,
  onQuery: (query: string, patch?: Partial<UrlState>) => void,
): readonly MenuAction[] {
  return [
    {
      key: 'b',
      label: 'Compare the time after it with the time before',
      run: () => {
        const { query: compared, selection } = beforeAndAfter(query, moment, span);
        onQuery(compared, { selection });
      },
    },
    {
      key: 's',
      label: 'Select the time after it',
      run: () => onQuery(query, { selection: { from: moment, to: span.to } }),
    },
  ];
}
