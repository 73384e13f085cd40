// Deploys as marks on a graph over time: a click compares a version with the one before.
import type { Explore } from '../answers/use-explore.ts';
import { compareValues } from '../language/comparison.ts';
import { clockText } from '../metrics/series-legend.tsx';
import { useApp, usePlace } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import '../styles/deploys.css';
import { deploysOf, findVersions, shortVersion, versionStep } from './versions.ts';

interface DeployMarkersProps {
  readonly explore: Explore;
  /** Whether there is room for the names of versions. */
  readonly isTall: boolean;
  readonly onQuery: (query: string) => void;
}

/** Stands over the lines of the graph; without versions there is nothing. */
export function DeployMarkers({ explore, isTall, onQuery }: DeployMarkersProps) {
  const { api } = useApp();
  const { utc } = usePlace().state;
  const { query, profileType, span } = explore;
  const versions = useResource(
    JSON.stringify(['deploys', query, span]),
    (asking) => findVersions(api, { query, profileType, span }, asking),
    { topic: `deploys ${query}`, isQuiet: true },
  ).value;
  if (versions === undefined) return null;
  const { label } = versions;
  return (
    <div className={`deploys ${isTall ? 'tall' : ''}`} role="group" aria-label="Deploys">
      {deploysOf(versions, versionStep(span)).map(({ value, before, since }) => {
        const what = `${label} ${value} came at ${clockText(since, utc)}: compare it with ${before}`;
        return (
          <button
            type="button"
            key={value}
            className="deploy"
            style={{ left: `${((since - span.from) / (span.to - span.from)) * 100}%` }}
            aria-label={what}
            title={what}
            onClick={() => onQuery(compareValues(query, label, before, value))}
          >
            <span aria-hidden="true">▾</span>
            {isTall && <span className="deploy-name">{shortVersion(value)}</span>}
          </button>
        );
      })}
    </div>
  );
}
