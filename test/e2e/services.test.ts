// The start page in a real browser: services by cores, what changed, and the way to their profiles.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import {
  axeViolations,
  closePage,
  launchBrowser,
  openPage,
  screenshot,
} from '../support/browser.ts';
import { type FilledServer, startFilledServer } from '../support/filled-server.ts';
import { cpuProfile, gzippedPprof } from '../support/pprof-builder.ts';

const minute = 60_000;
let server: FilledServer;
let browser: Browser;

before(async () => {
  const now = Date.now();
  server = await startFilledServer(['--share-url=https://profiles.test'], async (push) => {
    const pushCpu = (labels: Record<string, string>, minutesAgo: number, samples: bigint) => {
      const timeNanos = BigInt(now - minutesAgo * minute) * 1_000_000n;
      const profile = cpuProfile({ timeNanos, samples: [['main.main;work', samples]] });
      return push({ __name__: 'process_cpu', ...labels }, gzippedPprof(profile));
    };
    await pushCpu({ job: 'api', pod: 'a' }, 20, 1_000n);
    await pushCpu({ job: 'api', pod: 'a' }, 2, 1_000n);
    await pushCpu({ job: 'api', pod: 'b' }, 2, 500n);
    await pushCpu({ comm: 'sshd' }, 2, 10n);
    await pushCpu({ app: 'gone' }, 20, 2_000n);
  });
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Texts of the rows' cells, narrow spaces made plain. */
async function rows(page: Page): Promise<string[][]> {
  await page.locator('tbody tr').first().waitFor();
  const texts = await page
    .locator('tbody tr')
    .evaluateAll((found) =>
      found.map((row) => [...row.children].slice(0, 3).map((cell) => cell.textContent ?? '')),
    );
  return texts.map((cells) => cells.map((text) => text.replaceAll('\u202f', ' ')));
}

test('the start page has a row a service, and a click shows its profiles', async () => {
  const opened = await openPage(browser, server.url, { width: 1366, height: 650 });
  const { page } = opened;
  assert.deepEqual(await rows(page), [
    ['apijob', '1.50 cores', '▲ +50.0 %'],
    ['sshdcomm', '10.0 mcores', 'new'],
    ['goneapp', '0 cores', '▼ −100 %'],
  ]);
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'services');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  assert.deepEqual(
    (await rows(page)).map(([name]) => name),
    ['goneapp', 'apijob', 'sshdcomm'],
  );
  await page.getByLabel('Search services').fill('SSH');
  assert.equal((await rows(page)).length, 1);
  await page.getByRole('link', { name: 'sshd' }).click();
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  const { pathname, searchParams } = new URL(page.url());
  assert.equal(pathname, '/explore');
  assert.equal(
    searchParams.get('q'),
    'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{comm="sshd"}',
  );
  await page.goBack();
  assert.equal((await rows(page)).length, 1, 'the search is still there');
  await closePage(opened);
});

test('a phone shows names, cores and changes without scrolling sideways', async () => {
  const opened = await openPage(browser, `${server.url}/services`, { width: 360, height: 700 });
  const { page } = opened;
  assert.equal((await rows(page)).length, 3);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  assert.equal(await page.getByText('▲ +50.0').isVisible(), true);
  await screenshot(page, 'services-360');
  await closePage(opened);
});

test('the button Share makes a link to a copy of what is in view', async () => {
  const opened = await openPage(browser, `${server.url}/explore`);
  const { page } = opened;
  await page.getByRole('button', { name: 'Share a copy of this profile' }).click();
  const link = page.getByLabel('Link to the copy');
  await link.waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const { origin, pathname } = new URL(await link.inputValue());
  assert.equal(origin, 'https://profiles.test');
  const copy = await fetch(server.url + pathname);
  assert.equal(copy.status, 200);
  assert.match(gunzipSync(await copy.arrayBuffer()).toString('latin1'), /main\.main/);
  await closePage(opened);
});
