// Plants four changes in six days of profiles: a slower deploy, a change without a deploy, a slow
// drift, and memory that grew with a deploy. Each must appear on the page in a real browser, with a
// picture. The test is slow, because the server pauses between queries.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Random, seededRandom } from '../../../src/base/random.ts';
import {
  axeViolations,
  closePage,
  launchBrowser,
  openPage,
  screenshot,
  waitForLayout,
} from '../../support/browser.ts';
import {
  cpuProfile,
  gzippedPprof,
  type TestProfile,
} from '../../support/profiles/pprof-builder.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../../support/server.ts';
import { until } from '../../support/until.ts';

const hourMillis = 3_600_000;
const hours = 144;

/** A service whose function becomes more expensive; times are numbers of hours ago. */
interface Planted {
  readonly job: string;
  readonly kind: string;
  readonly resource: 'cpu' | 'memory';
  readonly function: string;
  /** Returns the factor of the function's cost. */
  readonly factor: (hoursAgo: number) => number;
  /** Hours ago at which the version changed; 0 = never. */
  readonly deployed: number;
}

const plants: readonly Planted[] = [
  {
    job: 'shop',
    kind: 'deploy',
    resource: 'cpu',
    function: 'parseCart',
    factor: (ago) => (ago < 9 ? 3 : 1),
    deployed: 9,
  },
  {
    job: 'stock',
    kind: 'unexplained',
    resource: 'cpu',
    function: 'queryStock',
    factor: (ago) => (ago < 14 ? 3 : 1),
    deployed: 0,
  },
  {
    job: 'search',
    kind: 'drift',
    resource: 'cpu',
    function: 'rankHits',
    factor: (ago) => 1 + (2 * (hours - ago)) / hours,
    deployed: 0,
  },
  {
    job: 'basket',
    kind: 'deploy',
    resource: 'memory',
    function: 'keepSession',
    factor: (ago) => (ago < 12 ? 3 : 1),
    deployed: 12,
  },
];
const others = ['renderPage', 'encodeAnswer', 'sortLines', 'readRequest', 'checkPrice', 'writeLog'];

let scratch: ScratchDirectory;
let server: TestServer;
let browser: Browser;

before(async () => {
  scratch = await scratchDirectory();
  const config = 'scrape_configs: []\n';
  server = await startServer({ storagePath: `${scratch.path}/data`, config });
  await pushHistory();
  browser = await launchBrowser();
});

after(async () => {
  await browser.close();
  await server.stop();
  await scratch.remove();
});

async function pushHistory(): Promise<void> {
  const random = seededRandom(11);
  const nowHour = Math.floor(Date.now() / hourMillis);
  for (let ago = hours; ago > 0; ago -= 1) {
    const series = plants.map((plant) => {
      const timeNanos = BigInt((nowHour - ago) * hourMillis + 60_000) * 1_000_000n;
      const { job, deployed, resource } = plant;
      const labels = {
        __name__: resource === 'cpu' ? 'process_cpu' : 'memory',
        job,
        version: deployed > 0 && ago <= deployed ? '2.0' : '1.9',
      };
      return {
        labels: { labels: Object.entries(labels).map(([name, value]) => ({ name, value })) },
        samples: [
          {
            rawProfile: gzippedPprof(makeProfile(plant, ago, timeNanos, random)).toString('base64'),
          },
        ],
      };
    });
    const response = await fetch(`${server.url}/api/profiles/writeraw`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ series, normalized: true }),
    });
    assert.equal(response.status, 200, await response.text());
  }
}

function makeProfile(plant: Planted, ago: number, timeNanos: bigint, random: Random): TestProfile {
  const samples = [plant.function, ...others].map((name): [string, bigint] => {
    const noise = 0.95 + (0.1 * random.uint32()) / 2 ** 32;
    const factor = name === plant.function ? plant.factor(ago - 1) : 1;
    return [`main;handle;${name}`, BigInt(Math.round(200 * noise * factor))];
  });
  if (plant.resource === 'cpu') {
    return cpuProfile({ timeNanos, samples, durationNanos: 60_000_000_000n });
  }
  const period = 524_288n;
  return {
    sampleTypes: [
      ['inuse_objects', 'count'],
      ['inuse_space', 'bytes'],
    ],
    periodType: ['space', 'bytes'],
    period,
    timeNanos,
    durationNanos: 0n,
    samples: samples.map(([stack, count]) => [stack, count, count * period]),
  };
}

interface FoundFinding {
  readonly id: string;
  readonly kind: string;
  readonly resource: string;
  readonly query: string;
  readonly service: { readonly name: string };
  readonly functions: readonly { readonly name: string }[];
}

async function list(): Promise<readonly FoundFinding[]> {
  const response = await fetch(`${server.url}/api/v1/findings`);
  return ((await response.json()) as { readonly findings: readonly FoundFinding[] }).findings;
}

test('a change of each kind is found, on the page, and marked in its graph', async () => {
  await until(async () => (await list()).length >= plants.length);
  const found = await list();
  const shown = found.map(
    ({ service, kind, resource, functions: [first] }) =>
      `${service.name} ${kind} ${resource} ${first.name}`,
  );
  assert.deepEqual(
    shown.toSorted(),
    plants.map((one) => `${one.job} ${one.kind} ${one.resource} ${one.function}`).toSorted(),
  );
  const opened = await openPage(browser, `${server.url}/findings`);
  const { page } = opened;
  await page.setViewportSize({ width: 1_366, height: 1_500 });
  await page.getByText('keepSession').first().waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'findings-of-each-kind');
  await page.setViewportSize({ width: 1_366, height: 900 });
  for (const { service, kind, resource, query, functions } of found) {
    const place = new URLSearchParams({ q: query, from: 'now-7d', to: 'now' });
    await page.goto(`${server.url}/explore?${place}`);
    const marks = page.getByRole('group', { name: 'Findings' });
    await marks.getByRole('button', { name: `${service.name}: ${functions[0].name}` }).waitFor();
    assert.equal(await marks.getByRole('button').count(), 1, 'only the finding of the service');
    await waitForLayout(page);
    await screenshot(page, `finding-${resource}-${kind}`);
  }
  await closePage(opened);
});
