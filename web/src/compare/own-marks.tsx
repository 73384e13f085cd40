// The user's own marks on the graph over time, with names. They are stored in the URL; a menu
// removes them.
import { useEffect, useRef, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { clockText } from '../metrics/series-legend.tsx';
import { useApp, usePlace } from '../page/app-context.ts';
import type { MenuAction } from '../parts/context-menu.tsx';
import { cleanName, type Mark, named, without } from '../url/marks.ts';
import type { UrlState } from '../url/url-state.ts';
import { MarkGroup } from './mark-group.tsx';
import { shareOfSpan, timeEntries } from './time-mark.tsx';

interface OwnMarksProps {
  readonly explore: Explore;
  readonly isTall: boolean;
  readonly onQuery: (query: string, patch?: Partial<UrlState>) => void;
}

/** Marks over the lines of the graph; a new mark opens an input for its name. */
export function OwnMarks({ explore, isTall, onQuery }: OwnMarksProps) {
  const { url } = useApp();
  const { marks, utc } = usePlace().state;
  const [naming, setNaming] = useState<number>();
  const known = useRef(marks);
  useEffect(() => {
    const added = marks.find((mark) => !known.current.some(({ at }) => at === mark.at));
    if (added?.name === '') setNaming(added.at);
    known.current = marks;
  }, [marks]);
  const { query, span } = explore;
  const seen = marks.filter(({ at }) => at >= span.from && at <= span.to);
  if (seen.length === 0) return null;
  const menuEntries = ({ at }: Mark): readonly MenuAction[] => [
    ...timeEntries(query, at, span, onQuery),
    { key: 'n', label: 'Name it', run: () => setNaming(at) },
    {
      key: 'Delete',
      label: 'Remove it',
      run: () => url.change({ marks: without(marks, at) }, 'step'),
    },
  ];
  const drawn = seen
    .filter(({ at }) => at !== naming)
    .map((mark) => ({
      key: String(mark.at),
      title: titleOfMark(mark, utc),
      label: titleOfMark(mark, utc),
      name: mark.name,
      glyph: '◆',
      left: shareOfSpan(mark.at, span),
      entries: menuEntries(mark),
    }));
  const mark = seen.find(({ at }) => at === naming);
  return (
    <MarkGroup label="Own marks" isTall={isTall} marks={drawn}>
      {mark && (
        <NameInput
          key={mark.at}
          mark={mark}
          left={shareOfSpan(mark.at, span)}
          onName={(text) => {
            setNaming(undefined);
            if (text !== undefined) url.change({ marks: named(marks, mark.at, text) }, 'adjust');
          }}
        />
      )}
    </MarkGroup>
  );
}

/** Returns "rollout at 10:00:00". */
export function titleOfMark({ at, name }: Mark, utc: boolean): string {
  return `${name === '' ? 'Mark' : name} at ${clockText(at, utc)}`;
}

interface NameInputProps {
  readonly mark: Mark;
  /** Position in the graph, 0 (left) .. 1 (right). */
  readonly left: number;
  /** Called with the name; undefined leaves the mark unchanged. */
  readonly onName: (name: string | undefined) => void;
}

function NameInput({ mark, left, onName }: NameInputProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  // Near the right edge, the label is to the left of the mark.
  const place = left > 0.5 ? { right: `${(1 - left) * 100}%` } : { left: `${left * 100}%` };
  return (
    <input
      ref={input}
      className="input mark-name"
      aria-label="Name of the mark"
      placeholder="Name"
      defaultValue={mark.name}
      style={place}
      onBlur={(event) => onName(cleanName(event.target.value))}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onName(cleanName(event.currentTarget.value));
        else if (event.key === 'Escape') onName(undefined);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
