// Tests the dashboards in deploy/grafana: each query is sent as Grafana's data sources send it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { push as pushMessages } from '../../proto/gen/push.js';
import {
  checkMetricQuery,
  isProfiles,
  metricQueries,
  readDashboards,
  listTargets,
} from '../support/dashboards.ts';
import { fillVariables } from '../support/panel-answers.ts';
import { gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer } from '../support/server.ts';

const { PushRequest } = pushMessages.v1;
const scratch = await scratchDirectory();
// Some metrics exist only with a bucket.
const bucket = { type: 'FILESYSTEM', config: { directory: join(scratch.path, 'bucket') } };
const server = await startServer({
  storagePath: join(scratch.path, 'data'),
  config: `object_storage: ${JSON.stringify({ bucket })}\n`,
});
after(async () => {
  await server.stop();
  await scratch.remove();
});

const dashboards = readDashboards();
/** Dashboards of the server; `test/agent/dashboard.test.ts` tests those of the agent. */
const ofServer = dashboards.filter(({ uid }) => uid !== 'profiles-agent');
const end = Date.now();
const start = end - 600_000;
/** Values of dashboard variables; for data sources, their names. */
const variables: Readonly<Record<string, string>> = {
  service: 'shop',
  job: 'shop',
  __rate_interval: '1m',
};

async function ask(method: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${server.url}/querier.v1.QuerierService/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Pushes stacks of a profile type, as Pyroscope's SDKs do. */
async function push(profileType: string): Promise<void> {
  const [name, type, unit, periodType, periodUnit] = profileType.split(':');
  const rawProfile = gzippedPprof({
    sampleTypes: [[type, unit]],
    periodType: [periodType, periodUnit],
    period: 1n,
    timeNanos: BigInt(end - 60_000) * 1_000_000n,
    durationNanos: 10_000_000_000n,
    samples: [
      ['main;serve', 5_000n],
      ['main', 1_000n],
    ],
  });
  const all = { __name__: name, service_name: 'shop', instance: 'one', __delta__: 'false' };
  const labels = Object.entries(all).map(([label, value]) => ({ name: label, value }));
  const body = PushRequest.encode({ series: [{ labels, samples: [{ rawProfile }] }] }).finish();
  const response = await fetch(`${server.url}/push.v1.PusherService/Push`, {
    method: 'POST',
    headers: { 'content-type': 'application/proto' },
    body: Buffer.from(body),
  });
  assert.equal(response.status, 200, await response.text());
}

test('dashboards have what Grafana needs: ids, places that do not overlap, known variables', () => {
  assert.deepEqual(dashboards.map(({ uid }) => uid).sort(), [
    'profiles-agent',
    'profiles-fleet',
    'profiles-server',
    'profiles-service',
  ]);
  for (const { title, schemaVersion, panels, templating } of dashboards) {
    assert.equal(schemaVersion, 39, title);
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length, title);
    const cells = new Set<string>();
    for (const { gridPos, type, datasource, targets, title: name } of panels) {
      assert.ok(['timeseries', 'flamegraph'].includes(type), `${title}: ${type}`);
      assert.ok(gridPos.x + gridPos.w <= 24, name);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          assert.ok(!cells.has(`${x} ${y}`), `${name} overlaps`);
          cells.add(`${x} ${y}`);
        }
      }
      const known = templating.list.map(({ name: variable }) => `\${${variable}}`);
      assert.ok(known.includes(datasource.uid), `${name}: ${datasource.uid}`);
      for (const target of targets) {
        assert.deepEqual(target.datasource, datasource, name);
        const asksProfile = target.queryType === 'profile';
        assert.equal(asksProfile, type === 'flamegraph', name);
        const used = `${target.labelSelector ?? ''}${target.expr ?? ''}`;
        for (const [, variable] of used.matchAll(/\$([a-z]\w*)/g)) {
          assert.ok(known.includes(`\${${variable}}`), `${name}: ${variable}`);
        }
      }
    }
  }
});

test('each query about profiles is answered, and names a type that pushes can have', async () => {
  const asked = dashboards.flatMap(listTargets).filter(isProfiles);
  assert.ok(asked.length >= 8);
  for (const type of new Set(asked.map(({ profileTypeId = '' }) => profileTypeId)))
    await push(type);
  for (const { profileTypeId, labelSelector = '', queryType, groupBy, limit } of asked) {
    const selected = {
      profileTypeID: profileTypeId,
      labelSelector: fillVariables(labelSelector, { variables }),
    };
    const range = { start: String(start), end: String(end) };
    const what = `${profileTypeId}${selected.labelSelector}`;
    if (queryType === 'profile') {
      const answer = await ask('SelectMergeStacktraces', { ...selected, ...range });
      assert.match(JSON.stringify(answer), /"names":\["total","main","serve"\]/, what);
      continue;
    }
    const line = { ...selected, ...range, step: 15, groupBy, limit: String(limit) };
    const { series = [] } = (await ask('SelectSeries', line)) as {
      series?: { labels: object[] }[];
    };
    assert.equal(series.length, 1, what);
    assert.deepEqual(
      series[0].labels,
      groupBy?.map((name) => ({ name, value: name === 'instance' ? 'one' : 'shop' })),
    );
  }
});

test('each variable has values', async () => {
  for (const { templating } of dashboards) {
    for (const { type, query } of templating.list) {
      if (type !== 'query' || typeof query === 'string') continue;
      const { labelName, profileTypeId } = query;
      const matchers = [`{__profile_type__="${profileTypeId}"}`];
      const range = { start: String(start), end: String(end) };
      const { names } = await ask('LabelValues', { name: labelName, matchers, ...range });
      assert.deepEqual(names, ['shop']);
    }
  }
});

test('each metric is one of the server, of the kind that its query needs', async () => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const queries = ofServer.flatMap(metricQueries);
  assert.ok(queries.length >= 40);
  for (const query of queries) checkMetricQuery(query, text);
});
