// Tests the alerts page in a real browser with a finding's alert. The alert is made up, because a
// real one would take hours to arise.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeViolations, closePage, launchBrowser, openPage } from '../../support/browser.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

const alert = {
  labels: { alertname: 'RegressionFound', finding: '00112233aabbccdd', job: 'shop' },
  annotations: { summary: 'shop: parse costs 120 cores more' },
  state: 'firing',
  activeAt: '2026-01-01T00:00:00Z',
  value: '6.3e-02',
};

test('alerts of findings are on the alerts page, and lead to the findings', async () => {
  const scratch = await scratchDirectory();
  const config = 'scrape_configs: []\n';
  const server = await startServer({ storagePath: `${scratch.path}/data`, config });
  const browser = await launchBrowser();
  const opened = await openPage(browser, `${server.url}/services`);
  const { page } = opened;
  const rule = { ...alert, labels: { alertname: 'OfARule' }, annotations: { summary: 'a rule' } };
  const json = { status: 'success', data: { alerts: [alert, rule] } };
  await page.route('**/api/v1/alerts*', (route) => route.fulfill({ json }));
  await page.goto(`${server.url}/alerts`);
  const section = page.getByRole('region', { name: 'Alerts of findings' });
  const item = section.getByRole('listitem');
  await item.getByText('shop: parse costs 120 cores more').waitFor();
  assert.equal(await item.count(), 1, 'alerts of rules are those of their groups');
  assert.deepEqual(await axeViolations(page), []);
  await section.getByRole('link', { name: 'Findings' }).click();
  await page.getByRole('heading', { name: 'Findings' }).waitFor();
  await closePage(opened);
  await browser.close();
  await server.stop();
  await scratch.remove();
});
