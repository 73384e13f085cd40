// Tests the first clicks of people who do not know the menus: what changed, and who uses a
// function. Slow answers do not undo what these clicks started.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  axeViolations,
  closePage,
  eventually,
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

const explore = (query: string, extra = ''): string =>
  `/explore?q=${encodeURIComponent(query)}&ar=0${extra}`;
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

test('Services has the open findings of each service', async () => {
  const opened = await openPage(browser, 'about:blank', { isNew: true });
  const { page } = opened;
  const finding = {
    kind: 'unexplained',
    isRegression: true,
    resource: 'cpu',
    query: `${cpu}{job="shop"}`,
    service: { label: 'job', name: 'shop' },
    time: new Date(now).toISOString(),
    found: new Date(now).toISOString(),
    version: '',
    versionBefore: '',
    versionLabel: '',
    sentence: 'encode costs 0.13 cores more',
    functions: [],
  };
  const findings = [
    { ...finding, id: '1', state: 'open' },
    { ...finding, id: '2', state: 'open' },
    { ...finding, id: '3', state: 'resolved' },
  ];
  await page.route(/\/api\/v1\/findings/, (route) => route.fulfill({ json: { findings } }));
  await page.goto(`${server.url}/services`);
  const link = page.getByRole('row', { name: /^shop/ }).getByRole('link', { name: '2 findings' });
  assert.match((await link.getAttribute('title')) ?? '', /such as: encode costs/);
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(new URL((await link.getAttribute('href')) ?? '', server.url).hash, '#1');
  await page.getByRole('button', { name: 'Graphs' }).click();
  await page.getByRole('listitem').getByRole('link', { name: '2 findings' }).waitFor();
  await closePage(opened);
});

test('Changes and Labels point to the deploy in the range', async () => {
  const shop = `${cpu}{job="shop"}`;
  for (const panel of ['changes', 'labels']) {
    const opened = await openPage(browser, `${server.url}${explore(shop, `&v=${panel}`)}`);
    const { page } = opened;
    await page.getByText('v2 came in this time.').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await screenshot(page, `deploy-hint-${panel}`);
    await page.getByRole('button', { name: 'Compare it with v1', exact: true }).click();
    await waitForQuery(page, deployQuery);
    await page.getByText('v2 came in this time.').waitFor({ state: 'detached' });
    await page.context().close();
  }
});

test('Labels follow the search, and know no rise without an earlier profile', async () => {
  const labels = (query: string, extra = '') =>
    `${server.url}${explore(query, `&v=labels${extra}`)}`;
  const opened = await openPage(browser, labels(`${cpu}{job="shop"}`), { isNew: true });
  const { page } = opened;
  const panel = page.getByRole('region', { name: 'Labels that explain the change' });
  await panel.getByText('Against the 15 min before: there is nothing then').waitFor();
  assert.equal(await panel.getByText('of the rise').count(), 0);
  assert.equal(await panel.getByText('▲').count(), 0);
  await panel.getByText(/Now (version|pod)=\S+ has [\d.]+\s%\s?of all/).waitFor();
  await page.goto(labels(deployQuery, '&s=encode'));
  await panel.getByText('Stacks with encode, against').waitFor();
  await eventually(async () => {
    const text = await panel.locator('tbody').innerText();
    assert.match(text.trim().replaceAll(/\s+/g, ' '), /^0\.000 0\.280 ▲\+0\.280 \d+ % pod=p1$/);
  });
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'labels-search');
  await closePage(opened);
});

test('a search offers the services that use what it finds', async () => {
  const opened = await openPage(browser, `${server.url}${explore(`${cpu}{job="shop"}`)}`);
  const { page } = opened;
  await page.getByLabel('Search functions').fill('text.enc');
  const offer = page.getByRole('link', { name: 'Who uses text.enc: all services' });
  await offer.waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'users-offer');
  await offer.click();
  const rows = page.locator('.users tbody tr');
  await rows.filter({ hasText: 'mail' }).waitFor();
  await rows.filter({ hasText: 'shop' }).first().waitFor();
  assert.equal(
    await page.getByLabel('Function, package or expression').inputValue(),
    '(?i)text\\.enc',
  );
  await page.goto(`${server.url}/services`);
  await page.getByLabel('Search services').fill('shop/text');
  await page.getByRole('link', { name: 'Who uses shop/text: all services' }).click();
  await rows.filter({ hasText: 'mail' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('who uses');
  await page.getByRole('option', { name: 'Go to Who uses' }).waitFor();
  await page.context().close();
});

test('the Compare menu opens before its module is there, and waits for slow versions', async () => {
  const opened = await openPage(browser, 'about:blank', { isNew: true });
  const { page } = opened;
  const [loading, answering] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/\/presets-(?!panel)[^/]*\.js$/, async (route) => {
    await loading.promise;
    await route.continue();
  });
  const refreshed = Promise.withResolvers<void>();
  let refreshesWanted = Infinity;
  const ended: string[] = [];
  page.on('requestfailed', (request) => ended.push(request.url()));
  await page.route(/QueryService.QueryRange$/, async (route) => {
    if (route.request().postDataBuffer()?.includes('version') === true) await answering.promise;
    else if (--refreshesWanted <= 0) refreshed.resolve();
    await route.continue();
  });
  const path = `/explore?q=${encodeURIComponent(`${cpu}{job="shop"}`)}&ar=1`;
  await page.goto(server.url + path);
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: /^Compare with/ }).click();
  const menu = page.getByRole('dialog', { name: /^Compare with/ });
  await menu.getByText('Loading').waitFor();
  loading.resolve();
  await menu.getByText('Looking for versions').waitFor();
  // Each refresh moves the range; the questions of the open menu go on.
  refreshesWanted = 3;
  await refreshed.promise;
  assert.deepEqual(ended, []);
  answering.resolve();
  await menu.getByRole('button', { name: 'version: v1 and v2' }).waitFor();
  await menu.getByText('Looking for versions').waitFor({ state: 'detached' });
  await page.getByRole('group', { name: 'Deploys' }).getByRole('button').waitFor();
  await menu.getByRole('button', { name: 'version: v1 and v2' }).click();
  await waitForQuery(page, deployQuery);
  await closePage(opened);
});

test('a menu that is too high for a small window scrolls', async () => {
  const opened = await openPage(browser, `${server.url}${explore(`${cpu}{job="shop"}`)}`, {
    width: 320,
    height: 480,
  });
  const { page } = opened;
  await page.locator('.query-time .narrow-only').first().click();
  await page.getByRole('button', { name: 'Hide, fold or show only' }).click();
  const menu = page.getByRole('dialog', { name: 'Hide, fold or show only' });
  await menu.getByRole('checkbox').first().waitFor();
  await eventually(async () => {
    const { x, y, width, height } = (await menu.boundingBox()) ?? {
      x: -1,
      y: 0,
      width: 0,
      height: 0,
    };
    assert.ok(x >= 0 && x + width <= 320 && y >= 0 && y + height <= 480, `${y} + ${height}`);
  });
  await menu.getByRole('button').last().click();
  await page.context().close();
});
