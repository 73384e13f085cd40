// Alerts page: firing and pending alerts, and the rules of each group with their states.
import { useState } from 'react';
import { formatNanos, formatSignificant } from '../format/numbers.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import * as clock from '../page/clock.ts';
import { useRepeat } from '../page/hooks.ts';
import { useResource } from '../page/use-resource.ts';
import { Icon } from '../parts/icon.tsx';
import {
  type AlertAnswer,
  askFindingAlerts,
  askRules,
  type RuleAnswer,
  type RuleGroupAnswer,
} from '../rpc/alerts.ts';
import { PanelState } from '../states/panel-state.tsx';
import '../styles/health.css';
import '../styles/pages.css';

const refreshMillis = 5_000;

/**
 * Alerts page, which refreshes every five seconds while it is visible. Firing rules come first in
 * their group.
 */
export function AlertsPage() {
  const { base } = useApp();
  const [now, setNow] = useState(clock.now);
  clock.useClockChange(() => setNow(clock.now()));
  const groups = useResource(`rules ${now}`, ({ signal }) => askRules(base, signal), {
    topic: 'rules',
    isQuiet: true,
  });
  const found = useResource(`alerts ${now}`, ({ signal }) => askFindingAlerts(base, signal), {
    topic: 'alerts',
    isQuiet: true,
  });
  useRepeat(refreshMillis, () => setNow(clock.now()));
  return (
    <div className="plain-page" data-query={groups.valueKey}>
      <h1>Alerts</h1>
      <PanelState resource={groups} what="the alerts" />
      {groups.value?.length === 0 && found.value?.length === 0 && (
        <p>
          No rules are configured. <code>rule_files</code> of <code>parca.yaml</code> names files
          with rules, such as a service that uses more CPU than last week (
          <code>docs/alerts.md</code>
          ).
        </p>
      )}
      <FindingAlerts alerts={found.value ?? []} now={now} />
      {groups.value?.map((group) => (
        <Group key={`${group.file} ${group.name}`} group={group} now={now} />
      ))}
    </div>
  );
}

interface FindingAlertsProps {
  readonly alerts: readonly AlertAnswer[];
  readonly now: number;
}

/** Shows alerts for findings; nothing if there are none. */
function FindingAlerts({ alerts, now }: FindingAlertsProps) {
  const { url } = useApp();
  if (alerts.length === 0) return null;
  return (
    <section aria-label="Alerts of findings">
      <h2>
        <a href={url.formatHref('findings')}>Findings</a>
      </h2>
      <p className="hint">
        Regressions that were found without rules, until somebody acknowledges them
      </p>
      <ul className="agents">
        {alerts.map((alert) => (
          <Alert key={alert.labels.finding} alert={alert} now={now} />
        ))}
      </ul>
    </section>
  );
}

interface GroupProps {
  readonly group: RuleGroupAnswer;
  readonly now: number;
}

function Group({ group, now }: GroupProps) {
  const rules = group.rules.toSorted((a, b) => rank(a) - rank(b));
  return (
    <section aria-label={`Rules of ${group.name}`}>
      <h2>{group.name}</h2>
      <p className="hint">
        Every {formatNanos(group.interval * 1e9)}, from <code>{group.file}</code>
      </p>
      <ul className="agents">
        {rules.map((rule, i) => (
          <Rule key={`${rule.name} ${i}`} rule={rule} now={now} />
        ))}
      </ul>
    </section>
  );
}

/** Returns the state of a rule, or its health if it cannot be evaluated. */
function shownState({ state, health }: RuleAnswer): keyof typeof looks {
  return health === 'err' && state === 'inactive' ? 'failing' : state;
}

function rank(rule: RuleAnswer): number {
  return ['firing', 'failing', 'pending', 'inactive'].indexOf(shownState(rule));
}

const looks = {
  firing: { icon: 'warning', health: 'down' },
  failing: { icon: 'warning', health: 'down' },
  pending: { icon: 'clock', health: 'unknown' },
  inactive: { icon: 'check', health: 'up' },
} as const;

interface RuleProps {
  readonly rule: RuleAnswer;
  readonly now: number;
}

function Rule({ rule, now }: RuleProps) {
  const { url } = useApp();
  const { state: place } = usePlace();
  const state = shownState(rule);
  const look = looks[state];
  return (
    <li>
      <span className={`health ${look.health}`}>
        <Icon name={look.icon} />
        {state}
      </span>
      {rule.firstQuery === '' ? (
        <b>{rule.name}</b>
      ) : (
        <a href={url.formatHref('explore', { ...place, query: rule.firstQuery })}>
          <b>{rule.name}</b>
        </a>
      )}
      <code>{rule.query}</code>
      {rule.duration > 0 && <span className="hint">for {formatNanos(rule.duration * 1e9)}</span>}
      {rule.lastError !== undefined && <span className="field-error">{rule.lastError}</span>}
      {rule.alerts.length > 0 && (
        <ul className="agents">
          {rule.alerts.map((alert) => (
            <Alert key={JSON.stringify(alert.labels)} alert={alert} now={now} />
          ))}
        </ul>
      )}
    </li>
  );
}

interface AlertProps {
  readonly alert: AlertAnswer;
  readonly now: number;
}

function Alert({ alert, now }: AlertProps) {
  const { labels, annotations, state, activeAt, value } = alert;
  const shown = Object.entries(labels).filter(([name]) => name !== 'alertname');
  const summary = annotations.summary ?? annotations.description;
  const look = looks[state];
  return (
    <li>
      <span className={`health ${look.health}`}>
        <Icon name={look.icon} />
        {state}
      </span>
      {summary !== undefined && <span>{summary}</span>}
      <span className="mono hint">
        {shown.map(([name, text]) => `${name}=${JSON.stringify(text)}`).join(', ')}
      </span>
      <span>
        {formatSignificant(Number(value))}, since{' '}
        {formatNanos(Math.max(0, now - Date.parse(activeAt)) * 1e6)}
      </span>
    </li>
  );
}
