// Mark at one time in a graph: a button with a menu, whose entries have shortcuts.
import type { MouseEvent } from 'react';
import { type MenuAction, useButtonMenu } from '../parts/context-menu.tsx';
import type { Span } from '../rpc/api.ts';
import type { UrlState } from '../url/url-state.ts';
import { beforeAndAfter } from './before-after.ts';
import { isAtEnd } from './mark-names.ts';
import '../styles/deploys.css';

export interface TimeMarkProps {
  /** Title of the menu. */
  readonly title: string;
  /** Accessible name of the button. */
  readonly label: string;
  /** Text next to the glyph if there is space. */
  readonly text: string | undefined;
  readonly glyph: string;
  /** Position in the graph, 0 (left) .. 1 (right). */
  readonly left: number;
  readonly entries: readonly MenuAction[];
  /** Called by a click; without it, a click opens the menu. */
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
        className={`deploy ${isAtEnd(left) ? 'at-end' : ''}`}
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

/** Menu entries of all marks: actions for the time after the mark. */
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
