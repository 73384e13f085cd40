// Tests the first clicks of people who do not know the menus: what changed, and who uses a
// function. Slow answers do not undo what these clicks started.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  axeViolations,
  closePage,
  launchBrowser,
  openPage,
  screenshot,
  sidewaysElements,
} from '../support/browser.ts';
import { type FilledServer, startFilledServer } from '../support/filled-server.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const now = Math.floor(Date.now() / 1_000) * 1_000;
const sides = ['v1', 'v2'].map((version) => `${cpu}{job="shop", version="${version}"}`);
const deployQuery = `diff(${sides.join(', ')})`;

let server: FilledServer;
let browser: Browser;

/** Stacks of a program in which v2 has a faster `parse` and a slower `encode`. */
const stacks = (version: string): readonly (readonly [string, bigint])[] => [
  ...['a', 'b', 'c', 'd', 'e'].map((name) => [`main;${name}`, 250n] as const),
  ['main;serve;shop/text.parse', version === 'v1' ? 450n : 100n],
  ['main;serve;shop/text.encode', version === 'v1' ? 150n : 280n],
];

before(async () => {
  [server, browser] = await Promise.all([
    startFilledServer([], async (push) => {
      for (const minutesAgo of [12, 10, 5, 3]) {
        const timeNanos = BigInt(now - minutesAgo * 60_000) * 1_000_000n;
        const version = minutesAgo > 6 ? 'v1' : 'v2';
        const samples = stacks(version);
        const labels = { __name__: 'process_cpu', job: 'shop', pod: `p${minutesAgo % 2}`, version };
        await push(labels, gzippedPprof(cpuProfile({ timeNanos, samples })));
      }
      for (const minutesAgo of [20, 3]) {
        const timeNanos = BigInt(now - minutesAgo * 60_000) * 1_000_000n;
        const samples = [['main;shop/text.encode', minutesAgo === 3 ? 90n : 30n]] as const;
        const profile = gzippedPprof(cpuProfile({ timeNanos, samples }));
        await push({ __name__: 'process_cpu', job: 'mail' }, profile);
      }
    }),
    launchBrowser(),
  ]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const waitForQuery = (page: Page, query: string) =>
  page.waitForURL((url) => url.searchParams.get('q') === query);

test('a change on Services opens its comparison, and names what became slower', async () => {
  const opened = await openPage(browser, `${server.url}/services`, { isNew: true });
  const { page } = opened;
  const cell = page.getByRole('row', { name: /^shop/ }).locator('td.change');
  await cell.getByText('more in shop/text.encode').waitFor();
  assert.match(
    (await cell.innerText()).replaceAll('\u202f', ' '),
    /^▼ −\d+\.\d % since v2\s+▲ more in shop\/text\.encode$/,
  );
  assert.deepEqual(await axeViolations(page), []);
  await cell.getByRole('link').hover();
  const tip = page.getByRole('tooltip');
  await tip.getByText(/^v2 uses .*less.*; 0\.13 ± .*cores more in shop\/text\.encode/).waitFor();
  await screenshot(page, 'services-change');
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 700 });
    await cell.getByRole('link').hover();
    await tip.waitFor();
    assert.deepEqual(await sidewaysElements(page), [], `${width}`);
    const { x, width: wide } = (await tip.boundingBox()) ?? { x: -1, width: 0 };
    assert.ok(x >= 0 && x + wide <= width, `${x} + ${wide} at ${width}`);
  }
  await page.setViewportSize({ width: 1366, height: 650 });
  // A click next to the text counts, too.
  await cell.click({ position: { x: 4, y: 4 } });
  await waitForQuery(page, deployQuery);
  await page.goBack();
  // Without a deploy, the change is measured against the time before.
  await page.getByRole('row', { name: /^mail/ }).getByText('▲ +200').click();
  await waitForQuery(page, `diff(${cpu}{job="mail"} offset 15m, ${cpu}{job="mail"})`);
  await page.goBack();
  await page.getByRole('button', { name: 'Graphs' }).click();
  const card = page.getByRole('listitem').filter({ hasText: 'shop job' });
  await card.getByText('more in shop/text.encode').waitFor();
  await card.getByText('since v2').click();
  await waitForQuery(page, deployQuery);
  await closePage(opened);
});
