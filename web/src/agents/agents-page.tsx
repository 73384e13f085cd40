// Agents page: agents that recently pushed profiles, with times and errors.
import { useState } from 'react';
import { formatNanos } from '../format/numbers.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import * as clock from '../page/clock.ts';
import { useRepeat } from '../page/hooks.ts';
import { useResource } from '../page/use-resource.ts';
import { Icon } from '../parts/icon.tsx';
import { toNanos } from '../rpc/timestamp.ts';
import type { AgentMessage } from '../rpc/agents.gen.ts';
import { askAgents } from '../rpc/status.ts';
import { PanelState } from '../states/panel-state.tsx';
import '../styles/health.css';
import '../styles/pages.css';

const refreshMillis = 5_000;
/**
 * Silence in milliseconds after which an agent counts as gone: agents push at least every ten
 * seconds, so it has stopped or lost its connection.
 */
const silentMillisMin = 120_000;

/** Type of the profiles that agents push: CPU time of all programs. */
const agentType = 'parca_agent:samples:count:cpu:nanoseconds:delta';

/**
 * Agents page, which refreshes every five seconds while it is visible. Agents with a problem come
 * first.
 */
export function AgentsPage() {
  const { base } = useApp();
  const [now, setNow] = useState(clock.now);
  clock.useClockChange(() => setNow(clock.now()));
  const agents = useResource(`agents ${now}`, ({ signal }) => askAgents(base, signal), {
    topic: 'agents',
    isQuiet: true,
  });
  useRepeat(refreshMillis, () => setNow(clock.now()));
  const rows = (agents.value ?? []).toSorted(
    (a, b) => rank(b, now) - rank(a, now) || (a.id < b.id ? -1 : 1),
  );
  return (
    <div className="plain-page" data-query={agents.valueKey}>
      <h1>Agents</h1>
      <PanelState resource={agents} what="the agents" />
      {agents.value !== undefined && rows.length === 0 && (
        <p>
          Nobody has pushed profiles since this server started. <code>npm run agent</code> profiles
          all programs of a Linux host.
        </p>
      )}
      {rows.length > 0 && (
        <ul className="agents">
          {rows.map((agent) => (
            <Agent key={agent.id} agent={agent} now={now} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Returns a query for all programs of a host. */
function nodeQuery(node: string): string {
  return `${agentType}{node=${JSON.stringify(node)}}`;
}

function describeState({ lastError, lastPush }: AgentMessage, now: number) {
  if (lastError !== '') return 'failing';
  return now - toMillis(lastPush) > silentMillisMin ? 'silent' : 'pushing';
}

function rank(agent: AgentMessage, now: number): number {
  return ['pushing', 'silent', 'failing'].indexOf(describeState(agent, now));
}

function toMillis(time: AgentMessage['lastPush']): number {
  return Number(toNanos(time) / 1_000_000n);
}

const looks = {
  pushing: { icon: 'check', health: 'up' },
  silent: { icon: 'clock', health: 'unknown' },
  failing: { icon: 'warning', health: 'down' },
} as const;

function Agent({ agent, now }: { readonly agent: AgentMessage; readonly now: number }) {
  const { node, address, lastError, lastPush, lastPushDuration } = agent;
  const { url } = useApp();
  const { state: place } = usePlace();
  const state = describeState(agent, now);
  const seconds = Math.max(0, Math.round((now - toMillis(lastPush)) / 1_000));
  return (
    <li>
      <span className={`health ${looks[state].health}`}>
        <Icon name={looks[state].icon} />
        {state}
      </span>
      {node === '' ? (
        <b className="mono">{address}</b>
      ) : (
        <>
          <a
            className="mono"
            href={url.formatHref('explore', { ...place, query: nodeQuery(node) })}
          >
            <b>{node}</b>
          </a>
          <span className="mono hint">{address}</span>
        </>
      )}
      <span>
        last push {formatNanos(seconds * 1e9)} ago, took {formatNanos(toNanos(lastPushDuration))}
      </span>
      {lastError !== '' && <span className="field-error">{lastError}</span>}
    </li>
  );
}
