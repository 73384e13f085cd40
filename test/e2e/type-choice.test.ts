// Tests short profile types in the page: their meaning, and the choices if a short type is
// ambiguous.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { parseProfileType } from '../../src/model/profile-type.ts';
import { TestStore } from '../../src/query/testing/test-store.ts';
import { closePage, eventually, launchBrowser, openPage, screenshot } from '../support/browser.ts';
import { startHeldApi, type HeldApi } from '../support/held-queries.ts';

const dist = new URL('../../web/dist/', import.meta.url).pathname;
const types = ['memory:cached_space:bytes:space:bytes', 'memory:mapped_space:bytes:space:bytes'];

/** CPU profiles of Go and Python, with 2 and 3 s of CPU time in 10 s, and a wall-time profile. */
const cpuProfiles = [
  ['process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta', 'shop', 2_000_000_000],
  ['process_cpu:CPU:nanoseconds:CPU:nanoseconds:delta', 'etl', 3_000_000_000],
  ['process_cpu:wall:nanoseconds:wall:nanoseconds:delta', 'feed', 9_000_000_000],
] as const;

let browser: Browser;
let server: HeldApi;

before(async () => {
  browser = await launchBrowser();
  const store = new TestStore();
  for (const type of types) {
    store.add({
      type: parseProfileType(type),
      labels: { job: 'heap' },
      timeNanos: BigInt(Date.now() - 60_000) * 1_000_000n,
      rows: 'main;cache.Put 3',
    });
  }
  const [timeNanos, durationNanos] = [BigInt(Date.now() - 60_000) * 1_000_000n, 10n * 10n ** 9n];
  for (const [type, job, value] of cpuProfiles) {
    store.add({
      timeNanos,
      durationNanos,
      labels: { job },
      type: parseProfileType(type),
      rows: `main;work ${value}`,
    });
  }
  server = await startHeldApi(store, 0, dist);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

test('of an ambiguous profile type one is chosen by a click', async () => {
  const query = encodeURIComponent('memory{job="heap"} | invert');
  const opened = await openPage(browser, `${server.url}/explore?ar=0&q=${query}`);
  const { page } = opened;
  const alert = page.getByRole('alert');
  await alert.getByText('"memory" is ambiguous').waitFor();
  const choices = alert.getByRole('button');
  await choices.nth(1).waitFor();
  await eventually(async () => assert.deepEqual(await choices.allInnerTexts(), types));
  await screenshot(page, 'ui-ambiguous-type');
  await choices.nth(1).click();
  const want = `${types[1]}{job="heap"} | invert`;
  await page.waitForURL((url) => url.searchParams.get('q') === want);
  await page.getByRole('treeitem', { name: 'cache.Put' }).waitFor({ state: 'attached' });
  await alert.waitFor({ state: 'detached' });
  await closePage(opened);
});

test('process_cpu is CPU time in cores, of one language and of all', async () => {
  const opened = await openPage(browser, `${server.url}/explore?ar=0`);
  const { page } = opened;
  const menu = page.getByLabel('Profile type');
  const headline = page.locator('.headline');
  // The page opens with the CPU time of all programs.
  await headline.getByText('0.500\u202fcores').waitFor();
  for (const [query, cores] of [
    ['process_cpu{job="etl"}', '0.3'],
    ['process_cpu:CPU:nanoseconds:CPU:nanoseconds:delta{job="etl"}', '0.3'],
    ['process_cpu', '0.5'],
  ] as const) {
    await page.goto(`${server.url}/explore?ar=0&q=${encodeURIComponent(query)}`);
    await headline.getByText(`${cores}00\u202fcores`).waitFor();
    await headline.getByText('CPU time').waitFor();
    assert.equal(await menu.locator('option:checked').innerText(), 'CPU time');
  }
  const labels = await menu.locator('option').allInnerTexts();
  assert.equal(labels.filter((label) => label === 'CPU time').length, 1, labels.join());
  await closePage(opened);
});
