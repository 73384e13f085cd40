// Shows the marks that pipelines and users have stored on the server on the graph over time.
import type { Explore } from '../answers/use-explore.ts';
import { clockText } from '../metrics/series-legend.tsx';
import { useApp, usePlace } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import type { Span } from '../rpc/api.ts';
import { localServer } from '../rpc/local.ts';
import { askMarks, type StoredMark } from '../rpc/marks.ts';
import type { UrlState } from '../url/url-state.ts';
import { chooseFitting } from './fitting-marks.ts';
import { MarkGroup } from './mark-group.tsx';
import { shareOfSpan, timeEntries } from './time-mark.tsx';

const minuteMillis = 60_000;

interface StoredMarksProps {
  readonly explore: Explore;
  readonly isTall: boolean;
  readonly onQuery: (query: string, patch?: Partial<UrlState>) => void;
}

/** Marks over the lines of the graph; the menu of a mark opens its link. */
export function StoredMarks({ explore, isTall, onQuery }: StoredMarksProps) {
  const { utc } = usePlace().state;
  const { query, span } = explore;
  const marks = useStoredMarks(query, span);
  if (marks.length === 0) return null;
  const drawn = marks.map((mark) => ({
    key: mark.id,
    title: titleOfStored(mark, utc),
    label: titleOfStored(mark, utc),
    name: mark.text,
    glyph: '⚑',
    left: shareOfSpan(mark.at, span),
    entries: [...linkEntry(mark), ...timeEntries(query, mark.at, span, onQuery)],
  }));
  return <MarkGroup label="Marks" isTall={isTall} marks={drawn} />;
}

/** Returns the stored marks in a range that apply to a query; none until they are loaded. */
export function useStoredMarks(query: string, span: Span): readonly StoredMark[] {
  const { base } = useApp();
  // The request is in whole minutes, because a range that ends now changes with each render.
  const from = Math.floor(span.from / minuteMillis) * minuteMillis;
  const to = Math.ceil(span.to / minuteMillis) * minuteMillis;
  const key = localServer(base) === undefined ? `marks ${from} ${to}` : undefined;
  const { value } = useResource(key, (asking) => askMarks(base, { from, to }, asking), {
    topic: 'marks',
    isQuiet: true,
  });
  return value === undefined
    ? []
    : chooseFitting(value, query).filter(({ at }) => at >= span.from && at <= span.to);
}

/** Returns "rollout at 10:00:00". */
export function titleOfStored({ text, at }: StoredMark, utc: boolean): string {
  return `${text} at ${clockText(at, utc)}`;
}

function linkEntry({ link }: StoredMark) {
  if (link === '') return [];
  const open = () => void window.open(link, '_blank', 'noopener,noreferrer');
  return [{ key: 'o', label: 'Open its link', run: open }];
}
