// Tests slow queries in the page: their progress, how they are cancelled, and what stays on the
// screen.
import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { parseProfileType } from '../../../src/model/profile-type.ts';
import { cpuText } from '../../../src/query/testing/ask.ts';
import { TestStore } from '../../../src/query/testing/test-store.ts';
import {
  axeViolations,
  closePage,
  eventually,
  launchBrowser,
  openPage,
  screenshot,
  type OpenedPage,
} from '../../support/browser.ts';
import { startFilledServer } from '../../support/filled-server.ts';
import { startHeldApi, type HeldApi } from '../../support/held-queries.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';

const dist = new URL('../../../web/dist/', import.meta.url).pathname;
const queryA = `${cpuText}{job="a"}`;
const pathOfA = `/explore?ar=0&q=${encodeURIComponent(queryA)}`;

let browser: Browser;

before(async () => {
  browser = await launchBrowser();
});

after(() => browser?.close());

/** Starts a server with a profile of job a, which uses one core for ten seconds. */
async function startServer(t: TestContext, runningMax = 0): Promise<HeldApi> {
  const store = new TestStore();
  store.add({
    type: parseProfileType(cpuText),
    labels: { job: 'a' },
    timeNanos: BigInt(Date.now() - 60_000) * 1_000_000n,
    durationNanos: 10_000_000_000n,
    rows: 'main;work 7000000000\nmain;idle 3000000000',
  });
  const server = await startHeldApi(store, runningMax, dist);
  t.after(() => server.close());
  return server;
}

const findGraph = (page: Page): Locator => page.getByRole('region', { name: 'Icicle graph' });
const findWords = (panel: Locator): Locator => panel.locator('.loading-words');
const plain = (text: string): string => text.replaceAll('\u202f', ' ');

/** Opens job a and waits for its answer, then holds all later queries, and sends one. */
async function openAndAsk(server: HeldApi, extra = '', options = {}): Promise<OpenedPage> {
  const opened = await openPage(browser, server.url + pathOfA + extra, options);
  const { page } = opened;
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await page.locator('.list-body').getByRole('option').first().waitFor();
  await page.waitForLoadState('networkidle');
  server.queries.hold();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('.loading-words').nth(2).waitFor();
  return opened;
}

const waitMillisMax = 30_000;

/** Waits until `count` queries (with `text`, if given) are running, and returns them. */
async function underWay(
  server: { readonly url: string },
  count: number,
  text?: string,
): Promise<string[]> {
  const signal = AbortSignal.timeout(waitMillisMax);
  for (;;) {
    const response = await fetch(`${server.url}/api/v1/queries`, { signal });
    const { queries } = (await response.json()) as { queries: { query: string }[] };
    const texts = queries.map(({ query }) => query);
    const found = texts.filter((query) => text === undefined || query === text);
    if (found.length === count) return found;
  }
}

test('a query that takes long says how far it is', async (t) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const server = await startServer(t);
    server.queries.hold();
    const opened = await openPage(browser, server.url + pathOfA, { colorScheme });
    const { page } = opened;
    const graph = findGraph(page);
    await findWords(graph).waitFor();
    await eventually(async () =>
      assert.match(
        plain(await findWords(graph).innerText()),
        /^Loading the graph, \d+\.\d s\s+Cancel$/,
      ),
    );
    const bar = graph.getByRole('progressbar', { name: 'Loading the graph' });
    await eventually(async () => assert.equal(await bar.getAttribute('aria-valuenow'), null));

    await underWay(server, 3);
    const budget = server.queries.held.get('flame-graph')?.budget;
    assert.ok(budget);
    budget.selectRows(52_000_000);
    budget.rowsDone = 13_000_000;
    await graph.getByText('13.0').waitFor();
    const words = plain(await findWords(graph).innerText());
    assert.match(words, /^Loading the graph, 13\.0 M of 52\.0 M rows, \d+\.\d s\s+Cancel$/);
    await eventually(async () => assert.equal(await bar.getAttribute('aria-valuenow'), '25'));
    await screenshot(page, `ui-progress-${colorScheme}`);
    assert.deepEqual(await axeViolations(page), []);

    budget.rowsDone = 52_000_000;
    await graph.getByText('rows are summed').waitFor();
    await eventually(async () =>
      assert.equal(await bar.getAttribute('aria-valuenow'), null, 'the report has no known end'),
    );
    server.queries.release();
    await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
    await findWords(graph).waitFor({ state: 'detached' });
    await eventually(async () => assert.equal(await bar.count(), 0));
    await closePage(opened);
  }
});

test('a query that waits for others says so', async (t) => {
  const server = await startServer(t, 2);
  server.queries.hold();
  const opened = await openPage(browser, server.url + pathOfA);
  const { page } = opened;
  await page.getByText('Waiting for other queries').waitFor();
  await eventually(async () =>
    assert.equal(await page.getByText('Waiting for other queries').count(), 1),
  );
  server.queries.release();
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await closePage(opened);
});

test('Escape cancels what is asked: on the server, too, and the last answer stays', async (t) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const server = await startServer(t);
    const opened = await openAndAsk(server, '&s=work', { colorScheme });
    const { page } = opened;
    await underWay(server, 3);
    await page.keyboard.press('Escape');
    const notes = page.getByRole('status').filter({ hasText: 'Cancelled' });
    await notes.nth(2).waitFor();
    await eventually(async () =>
      assert.match(
        plain(await notes.and(findGraph(page).getByRole('status')).innerText()),
        /^Cancelled after \d+\.\d s\. What you see is the last result\.\s+Ask again$/,
      ),
    );
    await eventually(async () =>
      assert.equal(await page.getByRole('treeitem').count(), 2, 'root and main'),
    );
    await eventually(async () => assert.equal(await page.getByRole('alert').count(), 0));
    await eventually(async () => assert.equal(await page.locator('[aria-busy="true"]').count(), 0));
    await underWay(server, 0);
    await screenshot(page, `ui-cancelled-${colorScheme}`);
    assert.deepEqual(await axeViolations(page), []);
    await eventually(() =>
      assert.match(page.url(), /[?&]s=work/, 'the first Escape cancelled only'),
    );
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.searchParams.has('s'));

    server.queries.release();
    await findGraph(page).getByRole('button', { name: 'Ask again' }).click();
    await notes.nth(2).waitFor({ state: 'detached' });
    await eventually(async () => assert.equal(await notes.count(), 2));
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await notes.first().waitFor({ state: 'detached' });
    await closePage(opened);
  }
});

test('Cancel ends one of them; without an earlier answer the note says so', async (t) => {
  const server = await startServer(t);
  server.queries.hold();
  const opened = await openPage(browser, server.url + pathOfA);
  const { page } = opened;
  const graph = findGraph(page);
  await underWay(server, 3);
  await graph.getByRole('button', { name: 'Cancel' }).click();
  await graph.getByText('There is no earlier result to show.').waitFor();
  await screenshot(page, 'ui-cancelled-first');
  await underWay(server, 2);
  server.queries.release();
  await page.locator('.list-body').getByRole('option').first().waitFor();
  await graph.getByRole('button', { name: 'Ask again' }).click();
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await closePage(opened);
});

test('refreshing waits for the answer', async (t) => {
  const server = await startServer(t);
  server.queries.hold();
  const opened = await openPage(browser, server.url + pathOfA.replace('ar=0', 'ar=1'));
  const { page } = opened;
  await underWay(server, 3);
  const context = server.queries.held.get('flame-graph');
  await findWords(findGraph(page))
    .getByText(/, [2-9]\.\d/)
    .waitFor();
  assert.equal(server.queries.held.get('flame-graph'), context);
  assert.equal(context?.signal.aborted, false);
  server.queries.release();
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await closePage(opened);
});

test('a new question ends the one before', async (t) => {
  const server = await startServer(t);
  const opened = await openAndAsk(server, '', { isNew: true });
  const { page } = opened;
  await underWay(server, 3, queryA);
  await page.getByRole('button', { name: 'Remove job=a' }).click();
  await page.waitForURL((url) => url.searchParams.get('q') === `${cpuText}{}`);
  await underWay(server, 3, `${cpuText}{}`);
  await underWay(server, 0, queryA);
  server.queries.release();
  await page.locator('.loading-words').first().waitFor({ state: 'detached' });
  await page.close();
  await underWay(server, 0);
  await closePage(opened);
});

test('what a server that hangs was asked is cancelled, too', async (t) => {
  const timeNanos = BigInt(Date.now() - 60_000) * 1_000_000n;
  const server = await startFilledServer([], async (push) => {
    const profile = cpuProfile({ timeNanos, samples: [['main', 1_000n]] });
    await push({ __name__: 'process_cpu', job: 'a' }, gzippedPprof(profile));
  });
  const goOn = (): void => void process.kill(server.pid, 'SIGCONT');
  t.after(async () => {
    goOn();
    await server.stop();
  });
  const opened = await openPage(browser, server.url + pathOfA);
  const { page } = opened;
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await page.locator('.list-body').getByRole('option').first().waitFor();
  process.kill(server.pid, 'SIGSTOP');
  await page.getByRole('button', { name: 'Remove job=a' }).click();
  await page.locator('.loading-words').nth(2).waitFor();
  await page.keyboard.press('Escape');
  await findGraph(page).getByText('Cancelled').waitFor();
  await eventually(async () =>
    assert.equal(await page.getByRole('treeitem').count(), 2, 'root and main of the last answer'),
  );
  goOn();
  await underWay(server, 0);
  await findGraph(page).getByRole('button', { name: 'Ask again' }).click();
  await findGraph(page).getByText('Cancelled').waitFor({ state: 'detached' });
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await eventually(async () => assert.equal(await page.getByRole('alert').count(), 0));
  await closePage(opened);
});

test('the status page lists what runs, and ends it', async (t) => {
  const server = await startServer(t);
  server.queries.hold();
  const asked = `/api/profiles/query_range?${new URLSearchParams({
    query: queryA,
    start: new Date(Date.now() - 60_000).toISOString(),
    end: new Date().toISOString(),
    step: '10s',
  })}`;
  const answer = fetch(server.url + asked);
  await underWay(server, 1, queryA);
  const opened = await openPage(browser, `${server.url}/status`);
  const { page } = opened;
  const row = page.getByRole('row').filter({ hasText: queryA });
  await row.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await answer).status, 499);
  await row.waitFor({ state: 'detached' });
  server.queries.release();
  await closePage(opened);
});
