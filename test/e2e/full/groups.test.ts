// Tests that the legend and the presets can dim, hide, fold or show alone the frames of a kind.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import {
  axeViolations,
  closePage,
  eventually,
  launchBrowser,
  openPage,
  screenshot,
} from '../../support/browser.ts';
import { type FilledServer, startFilledServer } from '../../support/filled-server.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';

let server: FilledServer;
let browser: Browser;

before(async () => {
  [server, browser] = await Promise.all([
    startFilledServer([], async (push) => {
      const timeNanos = BigInt(Date.now() - 60_000) * 1_000_000n;
      const samples = [
        ['main.main;svc.Serve', 101n],
        ['main.main;svc.Serve;encoding/json.Marshal', 300n],
        ['main.main;svc.Serve;database/sql.Query', 200n],
        ['runtime.gcBgMarkWorker', 399n],
      ] as const;
      const profile = cpuProfile({ timeNanos, samples });
      await push({ __name__: 'process_cpu', job: 't' }, gzippedPprof(profile));
    }),
    launchBrowser(),
  ]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test('a kind is dimmed, hidden, folded or left over, and presets do so', async () => {
  const selector = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="t"}';
  const path = `/explore?q=${encodeURIComponent(selector)}&col=kind`;
  const opened = await openPage(browser, server.url + path);
  const { page } = opened;
  const legend = page.getByRole('group', { name: 'Colours by kind' });
  const text = async () => (await legend.innerText()).replace(/\s+/g, ' ');
  const query = async () => new URL(page.url()).searchParams.get('q') ?? '';
  await legend.getByText('garbage collection').waitFor();
  // Chooses an entry of a kind's menu in the legend.
  const choose = async (kind: string, entry: RegExp) => {
    await legend.getByRole('button', { name: kind }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  await choose('libraries', /^Dim/);
  const dimmed = page.locator('.list-row.dim');
  await eventually(async () => assert.ok((await dimmed.count()) > 0));
  assert.match(await dimmed.first().innerText(), /sql|json/);
  assert.deepEqual(await axeViolations(page), []);
  await page.goBack();
  await eventually(async () => assert.equal(await dimmed.count(), 0));
  const total = page.locator('.shown-share');
  for (const [entry, stage, share] of [
    [/^Hide/, 'not leaf kind equals "libraries"', '50.0'],
    [/^Only/, 'leaf kind equals "libraries"', '50.0'],
    [/^Fold/, 'frame drop kind equals "libraries"', '100'],
  ] as const) {
    await choose('libraries', entry);
    await eventually(async () => assert.ok((await query()).endsWith(`| ${stage}`)));
    await eventually(async () => assert.ok((await total.innerText()).startsWith(share)));
    await page.goBack();
    await legend.getByText('libraries').waitFor();
  }

  // Tests the presets, and the definition of own code.
  await page.getByRole('button', { name: 'Hide, fold or show only' }).click();
  const presets = page.getByRole('dialog', { name: 'Hide, fold or show only' });
  await presets.getByLabel('Garbage collection').click();
  await eventually(async () => assert.ok((await total.innerText()).startsWith('60.1')));
  await presets.getByLabel('My code begins with').fill('encoding/json');
  await presets.getByRole('button', { name: 'Save for this service' }).click();
  await eventually(async () => assert.match(await query(), /\| own \("encoding\/json"\) \| not/));
  await eventually(async () => assert.match(await text(), /own code 49.9 %/));
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'ui-presets');
  await closePage(opened);
});
