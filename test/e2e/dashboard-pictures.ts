// Takes the pictures of docs/grafana.md: the dashboards of deploy/grafana with data of a fictitious
// shop and a busy server. Run by hand: `node test/e2e/dashboard-pictures.ts FOLDER [MINUTES]`;
// TEST_PROMTOOL must be in the same folder as Prometheus.
//
// Queries are sent as Grafana sends them, and panels are drawn with the page's graphs.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';
import type { ShownDashboard } from '../../web/testing/dashboard/dashboard.tsx';
import { launchBrowser, newPage } from '../support/browser.ts';
import { type Dashboard, readDashboards } from '../support/dashboards.ts';
import { askTarget, type PanelRange, type PanelSources } from '../support/panel-answers.ts';
import { shopProfiles, shownService } from '../support/profiles/shop.ts';
import { keepBusy, pushStacks, selfJob, startWatchedServer } from '../support/watched-server.ts';

const folder = process.argv[2] ?? 'test/output/screenshots';
const minutes = Number(process.argv[3] ?? 5);
const widthPixels = 1_200;
/** Average pause between two pieces of work of the server. */
const pauseMillis = 700;
/** Milliseconds within which a page has redrawn its graphs after a change of size. */
const settledMillis = 1_000;

const watched = await startWatchedServer();
const web = await createServer({
  root: new URL('../../web/', import.meta.url).pathname,
  configFile: false,
  plugins: [react()],
  server: { host: '127.0.0.1', port: 0, hmr: false },
  logLevel: 'error',
});
const browser = await launchBrowser();
try {
  await web.listen();
  const start = Date.now();
  const end = start + minutes * 60_000;
  for (let turn = 1; Date.now() < end; turn += 1) {
    await keepBusy(watched, turn);
    await sleep(pauseMillis * (1 + Math.sin(turn / 20)));
  }
  const range = { start, end: Date.now(), stepSeconds: 5 };
  await pushStacks(watched.server.url, shopProfiles(range.start, range.end));
  const { page, problems } = await newPage(browser);
  for (const dashboard of readDashboards()) {
    if (dashboard.uid === 'profiles-agent') continue;
    const shown = await answersOf(dashboard, range);
    // The page is at least as high as the window, so the window is low at first.
    await page.setViewportSize({ width: widthPixels, height: 100 });
    await page.goto(`${web.resolvedUrls?.local[0] ?? ''}testing/dashboard/index.html`);
    await page.waitForFunction(() => 'showDashboard' in window);
    await page.evaluate((given) => window.showDashboard(given), shown);
    const height = await page.evaluate(() => document.querySelector('main')?.scrollHeight ?? 0);
    await page.setViewportSize({ width: widthPixels, height });
    await page.waitForTimeout(settledMillis);
    const name = dashboard.uid.replace('profiles-', 'grafana-');
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
} finally {
  await browser.close();
  await web.close();
  await watched.stop();
}

async function answersOf({ title, panels }: Dashboard, range: PanelRange): Promise<ShownDashboard> {
  const sources: PanelSources = {
    profiles: watched.server.url,
    metrics: watched.prometheusUrl,
    variables: { service: shownService, job: selfJob, __rate_interval: '20s' },
  };
  const shown = [];
  for (const panel of panels) {
    const answers = await Promise.all(
      panel.targets.map((target) => askTarget(target, sources, range)),
    );
    shown.push({ panel, answers });
  }
  return { title, panels: shown, span: { from: range.start, to: range.end } };
}
