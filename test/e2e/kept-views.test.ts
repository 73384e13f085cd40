// Tests saved views, favourites and own code, which the server stores for a team. Also tests the
// palette's commands, the server's clock, and that the graph keeps its width.
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
  waitForLayout,
} from '../support/browser.ts';
import { type FilledServer, startFilledServer } from '../support/filled-server.ts';
import { cpuProfile, gzippedPprof, type TestProfile } from '../support/profiles/pprof-builder.ts';
import { doTask } from '../support/visit.ts';

const minute = 60_000;
const now = Math.floor(Date.now() / 1_000) * 1_000;
const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const memory = 'memory:inuse_space:bytes:space:bytes';
const shop = `${cpu}{job="shop"}`;
const explore = (query: string, extra = '') => `/explore?q=${encodeURIComponent(query)}${extra}`;

let server: FilledServer;
let browser: Browser;

before(async () => {
  [server, browser] = await Promise.all([
    startFilledServer([], async (push) => {
      for (const [minutesAgo, version] of [
        [12, 'v1'],
        [9, 'v1'],
        [5, 'v2'],
        [2, 'v2'],
      ] as const) {
        const timeNanos = BigInt(now - minutesAgo * minute) * 1_000_000n;
        const samples: [string, bigint][] = [
          ['main.main;shop/cart.Total', version === 'v1' ? 300n : 600n],
          ['main.main;other/json.Marshal', 200n],
        ];
        const labels = { __name__: 'process_cpu', job: 'shop', version };
        await push(labels, gzippedPprof(cpuProfile({ timeNanos, samples })));
        const heap: TestProfile = {
          sampleTypes: [['inuse_space', 'bytes']],
          periodType: ['space', 'bytes'],
          period: 524_288n,
          timeNanos,
          durationNanos: 0n,
          samples: [['main.main;shop/cart.Total', 8_388_608n]],
        };
        await push({ __name__: 'memory', job: 'shop', version }, gzippedPprof(heap));
      }
      const mail = cpuProfile({
        timeNanos: BigInt(now - 2 * minute) * 1_000_000n,
        samples: [['main.main', 50n]],
      });
      await push({ __name__: 'process_cpu', job: 'mail' }, gzippedPprof(mail));
    }),
    launchBrowser(),
  ]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Opens the palette, types a search, and runs the command found. */
async function command(page: Page, typed: string, name: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  const input = page.getByRole('combobox', { name: 'Go to, do, find' });
  await input.fill(typed);
  await page.getByRole('option', { name }).first().click();
}

const queryOf = (page: Page) => new URL(page.url()).searchParams.get('q');

test('a view is saved for everybody, opened, renamed, starred and removed', async () => {
  const opened = await openPage(browser, server.url + explore(shop, '&g=tree'), { isNew: true });
  const { page } = opened;
  await page.getByRole('treegrid').waitFor();
  await page.getByRole('button', { name: 'Saved views' }).click();
  const dialog = page.getByRole('dialog', { name: 'Saved views' });
  await dialog.getByText('No view is saved.').waitFor();
  await dialog.getByLabel('Name of this view').fill('Shop as a tree');
  await dialog.getByRole('button', { name: 'Save this view' }).click();
  await dialog.getByText('Saved on the server, for everybody').waitFor();
  await dialog.getByRole('link', { name: 'Shop as a tree' }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'ui-saved-views');
  await closePage(opened);

  const other = await openPage(browser, `${server.url}/services`, { isNew: true });
  await other.page.getByRole('link', { name: 'shop', exact: true }).waitFor();
  await command(other.page, 'shop as', /^View Shop as a tree/);
  await other.page.getByRole('treegrid').waitFor();
  assert.equal(queryOf(other.page), shop);
  await command(other.page, 'rename views', /rename or delete views/);
  await other.page.getByRole('button', { name: 'Rename Shop as a tree' }).click();
  await other.page.getByLabel('New name of Shop as a tree').fill('Tree of the shop');
  await other.page.keyboard.press('Enter');
  await other.page.getByText('Renamed to Tree of the shop').waitFor();
  await other.page.getByRole('button', { name: 'Favourite: Tree of the shop' }).click();
  await other.page.getByText('Changed Tree of the shop').waitFor();
  await other.page.keyboard.press('Escape');
  await other.page.goto(`${server.url}/services`);
  const star = other.page
    .getByRole('list', { name: 'Favourites' })
    .getByRole('link', { name: 'Tree of the shop' });
  await star.waitFor();
  assert.deepEqual(await axeViolations(other.page), []);
  await star.click();
  await other.page.getByRole('treegrid').waitFor();
  await other.page.getByRole('button', { name: 'Saved views' }).click();
  await other.page.getByRole('button', { name: 'Remove Tree of the shop' }).click();
  await other.page.getByText('No view is saved.').waitFor();
  const { views } = (await (await fetch(`${server.url}/api/v1/views`)).json()) as {
    views: unknown[];
  };
  assert.deepEqual(views, []);
  await closePage(other);
});

test('own code that one person sets is own code for the next', async () => {
  const opened = await openPage(browser, server.url + explore(shop), { isNew: true });
  const { page } = opened;
  await waitForLayout(page);
  await page.getByRole('button', { name: /^Hide/ }).click();
  await page.getByLabel('My code begins with').fill('shop/');
  await page.getByRole('button', { name: 'Save for this service' }).click();
  await eventually(() => assert.equal(queryOf(page), `${shop} | own ("shop/")`));
  await closePage(opened);
  const other = await openPage(browser, server.url + explore(shop), { isNew: true });
  await waitForLayout(other.page);
  await other.page.getByRole('button', { name: /^Hide/ }).click();
  const field = other.page.getByLabel('My code begins with');
  await eventually(async () => assert.equal(await field.inputValue(), 'shop/'));
  await closePage(other);
});

test('the palette does what the page does', async () => {
  await doTask(browser, `${server.url}/services`, 0, async ({ page }) => {
    await command(page, 'memory shop', 'Memory of shop');
    await eventually(() => assert.equal(queryOf(page), `${memory}{job="shop"}`));
    await command(page, 'cpu time', /^Profile type CPU/);
    await eventually(() => assert.equal(queryOf(page), shop));
    await command(page, 'deploy', /^Compare With the version before/);
    const compared = `diff(${cpu}{job="shop", version="v1"}, ${cpu}{job="shop", version="v2"})`;
    await eventually(() => assert.equal(queryOf(page), compared));
    await command(page, 'stop comp', /^Compare Stop comparing/);
    await eventually(() => assert.equal(queryOf(page)?.startsWith('diff'), false));
    await command(page, 'call tree', 'Show Call tree');
    await page.getByRole('treegrid').waitFor();
    await command(page, 'garbage', 'Leave out Garbage collection');
    await eventually(() => assert.match(queryOf(page) ?? '', /not stack kind equals "garbage/));
    const download = page.waitForEvent('download');
    await command(page, 'offline', 'Save Offline page');
    assert.match((await download).suggestedFilename(), /^shop-.*\.html$/);
    await page.getByText(/^Saved shop-.*\.html$/).waitFor();
    await page.goto(`${server.url}/services`);
    await page.getByRole('link', { name: 'mail', exact: true }).waitFor();
    await command(page, 'deploy shop', 'Last deploy of shop');
    await eventually(() => assert.equal(queryOf(page), compared));
  });
});

test('selecting a time leaves the graph as wide as it was', async () => {
  const opened = await openPage(browser, server.url + explore(shop, '&ar=0'), { isNew: true });
  const { page } = opened;
  await waitForLayout(page);
  const graph = page.locator('.u-over');
  const before = await graph.boundingBox();
  assert.ok(before);
  await page.mouse.move(before.x + before.width * 0.3, before.y + 20);
  await page.mouse.down();
  await page.mouse.move(before.x + before.width * 0.8, before.y + 20, { steps: 4 });
  await page.mouse.up();
  await page.locator('.selected-span').waitFor();
  await page.locator('.panel[aria-busy="true"]').first().waitFor({ state: 'detached' });
  assert.deepEqual(await graph.boundingBox(), before);
  await closePage(opened);
});

test("a computer's wrong clock is noticed, and ranges end now by the server's", async () => {
  const { page } = await openPage(browser, 'about:blank', { isNew: true });
  await page.clock.install({ time: Date.now() + 30 * minute });
  await page.goto(server.url + explore(shop));
  await page.getByText(/clock is (29|30)\s*min.* fast: ranges end now/).waitFor();
  const functions = page.getByRole('listbox', { name: 'Functions' }).getByRole('option');
  await functions.first().waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.goto(`${server.url}/services`);
  await page.getByRole('link', { name: 'shop', exact: true }).waitFor();
  await page.context().close();
});
