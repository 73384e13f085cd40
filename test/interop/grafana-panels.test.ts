// Tests that Grafana's queries for each panel of the dashboards in deploy/grafana return data. A
// real Prometheus scrapes the server, and answers the queries for metrics.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readDashboards } from '../support/dashboards.ts';
import { askTarget, type PanelRange, type PanelSources } from '../support/panel-answers.ts';
import { shopProfiles, shownService } from '../support/profiles/shop.ts';
import { until } from '../support/until.ts';
import { keepBusy, pushStacks, selfJob, startWatchedServer } from '../support/watched-server.ts';

const watched = await startWatchedServer();
after(() => watched.stop());

/** All dashboards except that of the agent, which `test/agent/dashboard.test.ts` tests. */
const dashboards = readDashboards().filter(({ uid }) => uid !== 'profiles-agent');
const start = Date.now() - 600_000;
const sources: PanelSources = {
  profiles: watched.server.url,
  metrics: watched.prometheusUrl,
  variables: { service: shownService, job: selfJob, __rate_interval: '5s' },
};

/** Lists the panels without data; a failing query fails the test. */
async function panelsWithoutData(range: PanelRange): Promise<string[]> {
  const empty: string[] = [];
  for (const { title, panels } of dashboards) {
    for (const panel of panels) {
      const answers = await Promise.all(
        panel.targets.map((target) => askTarget(target, sources, range)),
      );
      const hasData = answers.some(
        ({ lines, graph }) => lines.length > 0 || (graph !== undefined && graph.levels.length > 1),
      );
      if (!hasData) empty.push(`${title}: ${panel.title}`);
    }
  }
  return empty;
}

test('each panel has data while the server is busy', async () => {
  await pushStacks(sources.profiles, shopProfiles(start, Date.now()));
  await until(() =>
    fetch(`${sources.metrics}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  let empty: string[] = [];
  let turn = 0;
  await until(
    async () => {
      await keepBusy(watched, (turn += 1));
      empty = await panelsWithoutData({ start, end: Date.now(), stepSeconds: 1 });
      return empty.length === 0;
    },
    { millis: 120_000, failure: () => empty.join('\n') },
  );
  assert.ok(dashboards.length === 3 && turn > 0);
});
