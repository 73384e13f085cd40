// Tests the dashboard and the alert rules for the agent in deploy/ with the metrics of a real
// agent.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { checkMetricQuery, metricQueries, readDashboards } from '../support/dashboards.ts';
import { scratchDirectory, startServer } from '../support/server.ts';
import { agentFlags, cleaner, startAgent, waitForRequests } from './support.ts';

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string };
}

test('the dashboard and the alerts of the agent are about metrics that it has', async () => {
  const cleanLater = cleaner();
  const scratch = await scratchDirectory();
  cleanLater(() => scratch.remove());
  const server = await startServer({ storagePath: join(scratch.path, 'data') });
  cleanLater(() => server.stop());
  const agent = await startAgent(agentFlags(server, join(scratch.path, 'queue'), 19));
  cleanLater(() => agent.stop());
  await waitForRequests(agent, 1);
  const metrics = await agent.metrics();
  assert.match(metrics, /^parca_agent_samples_total [1-9]/m);
  const dashboard = readDashboards().find(({ uid }) => uid === 'profiles-agent');
  assert.ok(dashboard !== undefined);
  const queries = metricQueries(dashboard);
  assert.ok(queries.length >= 12, String(queries.length));
  for (const query of queries) checkMetricQuery(query, metrics);

  const file = new URL('../../deploy/agent-alerts.yaml', import.meta.url);
  const { groups } = parse(readFileSync(file, 'utf8'));
  const rules: AlertRule[] = groups.flatMap(({ rules: some }: { rules: AlertRule[] }) => some);
  assert.ok(rules.length >= 6);
  for (const { alert, expr, annotations } of rules) {
    assert.ok(annotations.summary.includes('{{ $labels.instance }}'), alert);
    if (expr !== 'up{job="parca-agent"} == 0') checkMetricQuery(expr, metrics);
  }
});
