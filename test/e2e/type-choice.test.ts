// A short profile type that means several, in the page: the candidates are offered.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { parseProfileType } from '../../src/model/profile-type.ts';
import { TestStore } from '../../src/query/testing/test-store.ts';
import { closePage, eventually, launchBrowser, openPage, screenshot } from '../support/browser.ts';
import { startHeldApi, type HeldApi } from '../support/held-queries.ts';

const dist = new URL('../../web/dist/', import.meta.url).pathname;
const types = ['memory:cached_space:bytes:space:bytes', 'memory:mapped_space:bytes:space:bytes'];

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
