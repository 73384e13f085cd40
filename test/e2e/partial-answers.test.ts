// Tests how the page shows incomplete answers: what is missing and why.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { AppError } from '../../src/base/errors.ts';
import { parseProfileType } from '../../src/model/profile-type.ts';
import { cpuText } from '../../src/query/testing/ask.ts';
import { damagedStore } from '../../src/query/testing/damaged-store.ts';
import { TestStore } from '../../src/query/testing/test-store.ts';
import { closePage, eventually, launchBrowser, openPage, screenshot } from '../support/browser.ts';
import { startHeldApi, type HeldApi } from '../support/held-queries.ts';

const dist = new URL('../../web/dist/', import.meta.url).pathname;
const now = Date.now();

let browser: Browser;
let server: HeldApi;

before(async () => {
  browser = await launchBrowser();
  const part = { id: '17', dictionary };
  const stores = [makeStore(['whole', 'cut']), makeStore(['cut', 'lost'])];
  server = await startHeldApi(damagedStore(stores, { 1: { part } }).querier, 0, dist);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** Makes a store with a profile of one core for each job, a minute ago. */
function makeStore(jobs: readonly string[]): TestStore {
  const store = new TestStore();
  for (const job of jobs) {
    store.add({
      type: parseProfileType(cpuText),
      labels: { job },
      timeNanos: BigInt(now - 60_000) * 1_000_000n,
      durationNanos: 10_000_000_000n,
      rows: 'main;work 10000000000',
    });
  }
  return store;
}

/** Fails as a block with damaged symbols does. */
async function dictionary(): Promise<never> {
  throw new AppError('data-loss', 'cannot read symbols of block 17: wrong checksum');
}

const explorePath = (job: string): string =>
  `/explore?ar=0&q=${encodeURIComponent(`${cpuText}{job="${job}"}`)}`;

test('what is missing is said above what there is', async () => {
  const opened = await openPage(browser, server.url + explorePath('cut'));
  const { page } = opened;
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  const notice = page.getByRole('status').filter({ hasText: 'Some profiles are missing here' });
  await eventually(async () =>
    assert.equal(
      (await notice.innerText()).trim(),
      'Some profiles are missing here: cannot read symbols of block 17: wrong checksum.',
    ),
  );
  await screenshot(page, 'ui-partial');
  await page.getByRole('button', { name: 'Changes', exact: true }).click();
  const changes = page.getByRole('region', { name: 'Changes' }).first();
  await changes.getByText('cannot read symbols of block 17').waitFor();
  await closePage(opened);
});

test('when nothing can be read that is said, not that there is nothing', async () => {
  const opened = await openPage(browser, server.url + explorePath('lost'));
  const { page } = opened;
  await page
    .getByText(/This query selects 1 CPU time profile in .*, none of which can be read\./)
    .waitFor();
  await page.getByText('Some profiles are missing here').waitFor();
  await closePage(opened);
});

test('whole answers say nothing', async () => {
  const opened = await openPage(browser, server.url + explorePath('whole'));
  const { page } = opened;
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await eventually(async () =>
    assert.equal(await page.getByText('Some profiles are missing here').count(), 0),
  );
  await closePage(opened);
});

test('a part of the page that was not to be had is loaded when the server is back', async () => {
  const opened = await openPage(browser, server.url + explorePath('whole'), { isNew: true });
  const { page, problems } = opened;
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  const parts = /targets-page|\/$/;
  await page.route(parts, (route) => route.abort());
  await page.getByRole('link', { name: 'Targets' }).click();
  await page.getByRole('alert').filter({ hasText: 'This cannot be loaded now.' }).waitFor();
  await page.unroute(parts);
  await page.getByRole('heading', { name: 'Targets' }).waitFor();
  const expected = /^Failed to load resource: net::ERR_FAILED$/;
  assert.deepEqual(
    problems.splice(0).filter((one) => !expected.test(one)),
    [],
  );
  await closePage(opened);
});
