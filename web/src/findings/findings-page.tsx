// Findings page: changes of services that the server detected by itself.
import { useEffect, useState } from 'react';
import { plural } from '../format/plural.ts';
import { useApp } from '../page/app-context.ts';
import * as clock from '../page/clock.ts';
import { useRepeat } from '../page/hooks.ts';
import { useResource } from '../page/use-resource.ts';
import { askFindings, type FindingAnswer, type FindingState } from '../rpc/findings.ts';
import { PanelState } from '../states/panel-state.tsx';
import { Finding } from './finding.tsx';
import { findingsChanged } from './findings-changed.ts';
import '../styles/findings.css';
import '../styles/health.css';
import '../styles/pages.css';

const refreshMillis = 30_000;

const sections: readonly (readonly [state: FindingState, title: string])[] = [
  ['open', 'Open'],
  ['acknowledged', 'Acknowledged'],
  ['resolved', 'Resolved by themselves'],
];
/** Maximum number of resolved findings that are shown initially. */
const resolvedMax = 20;

/** Findings page, which refreshes while it is visible. */
export function FindingsPage() {
  const { base } = useApp();
  const [now, setNow] = useState(clock.now);
  clock.useClockChange(() => setNow(clock.now()));
  const [changes, setChanges] = useState(0);
  const findings = useResource(
    `findings ${now} ${changes}`,
    (asking) => askFindings(base, asking),
    { topic: 'findings', isQuiet: true },
  );
  useRepeat(refreshMillis, () => setNow(clock.now()));
  useShownFinding(findings.value !== undefined);
  const all = findings.value?.findings;
  const notSearched = findings.value?.notSearched;
  return (
    <div className="plain-page findings" data-query={findings.valueKey}>
      <h1>Findings</h1>
      <p className="hint">
        Functions whose cost changed beyond noise, found without being asked for (
        <code>docs/alerts.md</code>). <a href={`${base}api/v1/findings/feed`}>Atom feed</a>
      </p>
      <PanelState resource={findings} what="the findings" />
      {notSearched !== undefined && <p>Nothing is searched: {notSearched}.</p>}
      {all?.length === 0 && notSearched === undefined && (
        <p>
          Nothing was found. A service needs half a day of profiles of CPU time or memory before a
          change, and two hours after it.
        </p>
      )}
      {sections.map(([state, title]) => (
        <Section
          key={state}
          title={title}
          findings={rank(all?.filter((one) => one.state === state) ?? [])}
          shownMax={state === 'resolved' ? resolvedMax : Infinity}
          now={now}
          onChanged={() => {
            setChanges(changes + 1);
            dispatchEvent(new Event(findingsChanged));
          }}
        />
      ))}
    </div>
  );
}

const resources = ['cpu', 'memory', 'allocations'];

/** Sorts by resource and cost, regressions first. */
function rank(findings: readonly FindingAnswer[]): readonly FindingAnswer[] {
  return findings.toSorted(
    (a, b) =>
      resources.indexOf(a.resource) - resources.indexOf(b.resource) ||
      b.functions[0].amount - a.functions[0].amount,
  );
}

/** Scrolls to the finding in the URL when it has been loaded. */
function useShownFinding(isThere: boolean): void {
  useEffect(() => {
    if (!isThere || location.hash.length < 2) return;
    document.getElementById(location.hash.slice(1))?.scrollIntoView({ block: 'center' });
  }, [isThere]);
}

interface SectionProps {
  readonly title: string;
  readonly findings: readonly FindingAnswer[];
  readonly shownMax: number;
  readonly now: number;
  readonly onChanged: () => void;
}

function Section({ title, findings, shownMax, now, onChanged }: SectionProps) {
  const [isWhole, setWhole] = useState(false);
  if (findings.length === 0) return null;
  const shown = isWhole ? findings : findings.slice(0, shownMax);
  const left = findings.length - shown.length;
  return (
    <section aria-label={title}>
      <h2>
        {title} <span className="hint">{findings.length}</span>
      </h2>
      <ul className="finding-list">
        {shown.map((finding) => (
          <Finding key={finding.id} finding={finding} now={now} onChanged={onChanged} />
        ))}
      </ul>
      {left > 0 && (
        <button type="button" className="button" onClick={() => setWhole(true)}>
          Show {plural(left, 'more finding')}
        </button>
      )}
    </section>
  );
}
