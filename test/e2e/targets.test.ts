// The targets page in a real browser, of a server that scrapes itself and cannot scrape another.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { closePage, launchBrowser, openPage, screenshot } from '../support/browser.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const config = `
scrape_configs:
  - job_name: shop
    profiling_config:
      pprof_config: {memory: &off {enabled: false}, block: *off, goroutine: *off, mutex: *off}
    static_configs: [{targets: ["shop:80"], labels: {port: "70000"}}]
    relabel_configs: [{source_labels: [port], target_label: __address__, replacement: "shop:$1"}]
  - job_name: hidden
    static_configs: [{targets: ["hidden:80"], labels: {zone: b}}]
    relabel_configs: [{source_labels: [zone], regex: a, action: keep}]
`;

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
let browser: Browser;

before(async () => {
  scratch = await scratchDirectory();
  const storagePath = join(scratch.path, 'data');
  server = await startServer({ storagePath, config, selfScrape: true });
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
  await scratch.remove();
});

test('a target that cannot be scraped is down, with the reason; the server itself is there', async () => {
  const opened = await openPage(browser, `${server.url}/targets`);
  const { page } = opened;
  const shop = page.getByRole('region', { name: 'shop' });
  await shop.getByText('http://shop:70000/debug/pprof/profile').waitFor();
  const text = await shop.innerText();
  assert.match(text, /\bdown\b/);
  assert.match(text, /target "shop:70000" has port 70000, expected 1 to 65535/);
  assert.match(text, /never scraped/);
  const own = page.getByRole('region', { name: 'parca' });
  for (const path of ['heap', 'profile?seconds=10']) {
    await own.getByText(`${server.url}/debug/pprof/${path}`, { exact: true }).waitFor();
  }
  assert.equal(await page.getByRole('region', { name: 'hidden' }).count(), 0);
  await page.getByRole('button', { name: /^Dropped/ }).click();
  const hidden = page.getByRole('region', { name: 'hidden' });
  await hidden.getByText('dropped by relabel_configs[0] (keep)').first().waitFor();
  assert.match(await hidden.innerText(), /5 dropped[^]*__address__=\s*hidden:80[^]*zone=\s*b/);
  assert.equal(await shop.count(), 0);
  await screenshot(page, 'targets-dropped');
  await closePage(opened);
});
