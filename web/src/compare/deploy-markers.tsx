// Shows deploys as marks on a graph over time; a click compares a version with the previous
// version, and a menu can also compare times.
import type { Explore } from '../answers/use-explore.ts';
import { compareValues } from '../language/comparison.ts';
import { clockText } from '../metrics/series-legend.tsx';
import { useApp, usePlace } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import type { UrlState } from '../url/url-state.ts';
import { FindingMarks } from './finding-marks.tsx';
import { MarkGroup } from './mark-group.tsx';
import { OwnMarks } from './own-marks.tsx';
import { StoredMarks } from './stored-marks.tsx';
import { shareOfSpan, timeEntries } from './time-mark.tsx';
import { findVersions, shortVersion } from './versions.ts';

interface DeployMarkersProps {
  readonly explore: Explore;
  /** True if there is space for version names. */
  readonly isTall: boolean;
  readonly onQuery: (query: string, patch?: Partial<UrlState>) => void;
}

/** Marks of deploys, marks stored on the server, findings, and the user's own marks. */
export function Markers(props: DeployMarkersProps) {
  return (
    <>
      <DeployMarkers {...props} />
      <StoredMarks {...props} />
      <FindingMarks {...props} />
      <OwnMarks {...props} />
    </>
  );
}

/** Marks over the lines of the graph; nothing if there are no versions. */
function DeployMarkers({ explore, isTall, onQuery }: DeployMarkersProps) {
  const { api } = useApp();
  const { query, labelType: profileType, span } = explore;
  const { from, to, utc } = usePlace().state;
  const versions = useResource(
    JSON.stringify(['deploys', query, span]),
    (asking) => findVersions(api, { query, profileType, span }, asking),
    { topic: JSON.stringify(['deploys', query, from, to]), isQuiet: true },
  ).value;
  if (versions === undefined) return null;
  const { label } = versions;
  const marks = versions.deploys.map(({ value, before, since }) => {
    const came = `${label} ${value} came at ${clockText(since, utc)}`;
    const compareVersions = () => onQuery(compareValues(query, label, before, value));
    return {
      key: value,
      title: came,
      label: `${came}: compare it with ${before}`,
      name: shortVersion(value),
      glyph: '▾',
      left: shareOfSpan(since, span),
      entries: [
        { key: 'Enter', label: `Compare ${value} with ${before}`, run: compareVersions },
        ...timeEntries(query, since, span, onQuery),
      ],
      onClick: compareVersions,
    };
  });
  return <MarkGroup label="Deploys" isTall={isTall} marks={marks} />;
}
