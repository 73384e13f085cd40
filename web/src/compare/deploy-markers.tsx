// Deploys as marks on a graph over time: a click compares a version with the one before.
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { compareValues } from '../language/comparison.ts';
import { clockText } from '../metrics/series-legend.tsx';
import { useApp, usePlace } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import { ContextMenu, type MenuAction, opensMenu, useMenuPress } from '../parts/context-menu.tsx';
import type { UrlState } from '../url/url-state.ts';
import '../styles/deploys.css';
import { beforeAndAfter } from './before-after.ts';
import { type Deploy, deploysOf, findVersions, shortVersion, versionStep } from './versions.ts';

interface DeployMarkersProps {
  readonly explore: Explore;
  /** Whether there is room for the names of versions. */
  readonly isTall: boolean;
  readonly onQuery: (query: string, patch?: Partial<UrlState>) => void;
}

/** Stands over the lines of the graph; without versions there is nothing. */
export function DeployMarkers({ explore, isTall, onQuery }: DeployMarkersProps) {
  const { api } = useApp();
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
      {deploysOf(versions, versionStep(span)).map((deploy) => (
        <DeployMark key={deploy.value} {...{ explore, isTall, onQuery, deploy, label }} />
      ))}
    </div>
  );
}

interface DeployMarkProps extends DeployMarkersProps {
  readonly deploy: Deploy;
  readonly label: string;
}

/** A press compares versions; the menu also compares times. */
function DeployMark({ explore, isTall, onQuery, deploy, label }: DeployMarkProps) {
  const { utc } = usePlace().state;
  const [menu, setMenu] = useState<{ readonly x: number; readonly y: number }>();
  const button = useRef<HTMLButtonElement>(null);
  const press = useMenuPress((x, y) => setMenu({ x, y }));
  const { query, span } = explore;
  const { value, before, since } = deploy;
  const came = `${label} ${value} came at ${clockText(since, utc)}`;
  const what = `${came}: compare it with ${before}`;
  const compareVersions = () => onQuery(compareValues(query, label, before, value));
  const entries: readonly MenuAction[] = [
    { key: 'Enter', label: `Compare ${value} with ${before}`, run: compareVersions },
    {
      key: 'b',
      label: 'Compare the time after it with the time before',
      run: () => {
        const { query: compared, selection } = beforeAndAfter(query, since, span);
        onQuery(compared, { selection });
      },
    },
    {
      key: 's',
      label: 'Select the time after it',
      run: () => onQuery(query, { selection: { from: since, to: span.to } }),
    },
  ];
  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const entry = entries.find(({ key }) => key === event.key && key !== 'Enter');
    if (opensMenu(event)) {
      const box = button.current?.getBoundingClientRect();
      setMenu({ x: box?.left ?? 0, y: box?.bottom ?? 0 });
    } else if (entry === undefined) return;
    else entry.run();
    event.preventDefault();
  };
  return (
    <>
      <button
        type="button"
        ref={button}
        className="deploy"
        style={{ left: `${((since - span.from) / (span.to - span.from)) * 100}%` }}
        aria-label={what}
        title={`${what} (more with .)`}
        onClick={compareVersions}
        onKeyDown={pressed}
        {...press}
      >
        <span aria-hidden="true">▾</span>
        {isTall && <span className="deploy-name">{shortVersion(value)}</span>}
      </button>
      {menu !== undefined && (
        <ContextMenu
          title={came}
          heading={came}
          groups={[entries]}
          x={menu.x}
          y={menu.y}
          onClose={() => {
            setMenu(undefined);
            button.current?.focus();
          }}
        />
      )}
    </>
  );
}
