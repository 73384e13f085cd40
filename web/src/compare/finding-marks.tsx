// Shows findings of the selected services as marks on the graph over time.
import type { Explore } from '../answers/use-explore.ts';
import { clockText } from '../metrics/series-legend.tsx';
import { useApp, usePlace } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import type { Span } from '../rpc/api.ts';
import { askFindings, type FindingAnswer } from '../rpc/findings.ts';
import { localServer } from '../rpc/local.ts';
import type { UrlState } from '../url/url-state.ts';
import { chooseFitting } from './fitting-marks.ts';
import { MarkGroup } from './mark-group.tsx';
import { shareOfSpan, timeEntries } from './time-mark.tsx';

const minuteMillis = 60_000;

interface FindingMarksProps {
  readonly explore: Explore;
  readonly isTall: boolean;
  readonly onQuery: (query: string, patch?: Partial<UrlState>) => void;
}

/** Marks over the lines of the graph; their menus link to the findings page. */
export function FindingMarks({ explore, isTall, onQuery }: FindingMarksProps) {
  const { url } = useApp();
  const { utc } = usePlace().state;
  const { query, span } = explore;
  const findings = useFindings(query, span);
  if (findings.length === 0) return null;
  const marks = findings.map((finding) => {
    const at = Date.parse(finding.time);
    const title = `${finding.sentence}, found at ${clockText(Date.parse(finding.found), utc)}`;
    const show = () => url.goTo(`${url.formatHref('findings')}#${finding.id}`);
    return {
      key: finding.id,
      title,
      label: title,
      name: finding.functions[0].name,
      glyph: '!',
      left: shareOfSpan(at, span),
      entries: [
        { key: 'o', label: 'Show the finding', run: show },
        ...timeEntries(query, at, span, onQuery),
      ],
    };
  });
  return <MarkGroup label="Findings" isTall={isTall} marks={marks} />;
}

/** Returns the findings in a range that apply to a query, without resolved findings. */
function useFindings(query: string, span: Span): readonly FindingAnswer[] {
  const { base } = useApp();
  // The request is in whole minutes, because a range that ends now changes with each render.
  const from = Math.floor(span.from / minuteMillis) * minuteMillis;
  const to = Math.ceil(span.to / minuteMillis) * minuteMillis;
  const key = localServer(base) === undefined ? `finding marks ${from} ${to}` : undefined;
  const { value } = useResource(key, (asking) => askFindings(base, asking, { from, to }), {
    topic: 'finding marks',
    isQuiet: true,
  });
  const open = value?.findings.filter(({ state }) => state !== 'resolved') ?? [];
  const labelled = open.map((finding) => ({
    finding,
    labels: { [finding.service.label]: finding.service.name },
  }));
  return chooseFitting(labelled, query)
    .map(({ finding }) => finding)
    .filter(({ time }) => Date.parse(time) >= span.from && Date.parse(time) <= span.to);
}
