// Tests the targets page in a real browser, on a server that can scrape itself but not another
// target.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import {
  axeViolations,
  closePage,
  eventually,
  launchBrowser,
  openPage,
  screenshot,
} from '../support/browser.ts';
import { startTargetServer, type TargetServer } from '../../src/scrape/fake/target-server.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const config = (address: string): string => `
scrape_configs:
  - job_name: api
    scrape_interval: 500ms
    profiling_config:
      pprof_config:
        {memory: &off {enabled: false}, block: *off, goroutine: *off, mutex: *off,
         process_cpu: *off, p: {enabled: true, path: /p}}
    static_configs: [{targets: ["${address}"]}]
    relabel_configs: [{target_label: zone, replacement: b}]
  - job_name: shop
    profiling_config:
      pprof_config: {memory: *off, block: *off, goroutine: *off, mutex: *off}
    static_configs: [{targets: ["shop:80"], labels: {port: "70000"}}]
    relabel_configs: [{source_labels: [port], target_label: __address__, replacement: "shop:$1"}]
  - job_name: hidden
    static_configs: [{targets: ["hidden:80"], labels: {zone: b}}]
    relabel_configs: [{source_labels: [zone], regex: a, action: keep}]
`;

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
let browser: Browser;
let target: TargetServer;
let isTargetDown = false;

before(async () => {
  target = await startTargetServer({
    '/p': (_request, response) => {
      const timeNanos = BigInt(Date.now()) * 1_000_000n;
      if (isTargetDown) response.writeHead(503).end('busy');
      else response.end(gzippedPprof(cpuProfile({ timeNanos, samples: [['main', 1n]] })));
    },
  });
  scratch = await scratchDirectory();
  const storagePath = join(scratch.path, 'data');
  server = await startServer({
    storagePath,
    config: config(target.address),
    selfScrape: true,
    scrapeResults: true,
  });
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
  await target?.close();
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
  await eventually(async () =>
    assert.equal(await page.getByRole('region', { name: 'hidden' }).count(), 0),
  );
  await page.getByRole('button', { name: /^Dropped/ }).click();
  const hidden = page.getByRole('region', { name: 'hidden' });
  await hidden.getByText('dropped by relabel_configs[0] (keep)').first().waitFor();
  await eventually(async () =>
    assert.match(await hidden.innerText(), /5 dropped[^]*__address__=\s*hidden:80[^]*zone=\s*b/),
  );
  await eventually(async () => assert.equal(await shop.count(), 0));
  await screenshot(page, 'targets-dropped');
  await closePage(opened);
});

test('the last scrapes of a target are bars, and its health is a graph over time', async () => {
  const opened = await openPage(browser, `${server.url}/targets?ts=api`);
  const { page } = opened;
  const api = page.getByRole('region', { name: 'api' });
  await api.getByRole('img', { name: /^none of the last \d+ scrapes failed$/ }).waitFor();
  await eventually(async () =>
    assert.match(
      await api.innerText(),
      /1 of 1 up, every 500ms[^]*\bup for\b[^]*\d\sB\b[^]*0 of \d/,
    ),
  );
  isTargetDown = true;
  await api.getByRole('img', { name: /failed, the last one at/ }).waitFor();
  await api.getByText('it answers 503, expected 200').waitFor();
  await screenshot(page, 'targets');
  assert.deepEqual(await axeViolations(page), []);
  await api.getByRole('link', { name: 'Health' }).click();
  const values = page.getByRole('table', { name: 'Profiles over time' });
  const zero = values.getByRole('cell', { name: '0', exact: true });
  // This step contains the first scrape, so the first whole step of failures is still to come.
  for (let left = 60; left > 0 && (await zero.count()) === 0; left -= 1) {
    await page.getByRole('button', { name: 'Run' }).click();
    await delay(500);
  }
  await eventually(async () => assert.ok((await zero.count()) > 0));
  await screenshot(page, 'targets-health');
  isTargetDown = false;
  await closePage(opened);
});

test('rules are tested on the labels of a target', async () => {
  const opened = await openPage(browser, `${server.url}/targets?ts=api`);
  const { page } = opened;
  await page.getByRole('region', { name: 'api' }).getByRole('button', { name: 'Rules' }).click();
  const dialog = page.getByRole('dialog', { name: 'Test relabeling' });
  await dialog.getByText('zone: none to b').waitFor();
  const rules = dialog.getByLabel('relabel_configs');
  await eventually(async () =>
    assert.equal(await rules.inputValue(), '- target_label: zone\n  replacement: b\n'),
  );
  await rules.fill('- {source_labels: [job], regex: a.*, action: drop}');
  await dialog.getByText('drops the target').waitFor();
  await screenshot(page, 'targets-rules');
  assert.deepEqual(await axeViolations(page), []);
  await rules.fill('- {source_labels: [job], regex: "(", action: drop}');
  await dialog.getByText(/relabel_configs:1:\d+: \[0\]\.regex: cannot compile/).waitFor();
  assert.match(opened.problems.splice(0).join('\n'), /status of 400/);
  await rules.fill('[]');
  await dialog.getByLabel('Labels of the target').fill('__address__=other:1\npod=x');
  await dialog.getByText('http://other:1/p').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await closePage(opened);
});
