// Tests the web page in a real browser against the real server, with a profile of known numbers.
//
// Profile T: 1,000 samples of 10 ms in 10 s, so exactly one core:
// main.main 600 > Serve 600 [own 100, db.Query 200, json.Marshal 300]; gcBgMark 399; tiny.one 1.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  closePage,
  eventually,
  launchBrowser,
  openPage,
  readPicture,
  screenshot,
  sidewaysElements,
  treeItems,
  type OpenedPage,
  waitForLayout,
} from '../support/browser.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const dist = new URL('../../web/dist/', import.meta.url).pathname;
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const hostileName = '<img src=x onerror="document.title=1">';

const samplesT: readonly (readonly [string, bigint])[] = [
  ['main.main;svc.(*H).Serve', 100n],
  ['main.main;svc.(*H).Serve;encoding/json.Marshal', 300n],
  ['main.main;svc.(*H).Serve;db.Query', 200n],
  ['runtime.gcBgMark', 399n],
  ['tiny.one', 1n],
];

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
let browser: Browser;
/** Start of profile T. */
const startMillis = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;

before(async () => {
  assert.ok(existsSync(join(dist, 'index.html')), 'the web page is not built: npm start builds it');
  scratch = await scratchDirectory();
  server = await startServer({ storagePath: join(scratch.path, 'data') });
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
  await scratch?.remove();
});

async function push(
  job: string,
  samples: readonly (readonly [string, bigint])[],
  atMillis: number,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const profile = cpuProfile({ timeNanos: BigInt(atMillis) * 1_000_000n, samples });
  const rawProfile = gzippedPprof(profile).toString('base64');
  const labels = { __name__: 'process_cpu', job, ...more };
  const response = await fetch(`${server.url}/api/profiles/writeraw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      series: [
        {
          labels: { labels: Object.entries(labels).map(([name, value]) => ({ name, value })) },
          samples: [{ rawProfile }],
        },
      ],
      normalized: true,
    }),
  });
  assert.equal(response.status, 200, await response.text());
}

const open = (path: string, options = {}): Promise<OpenedPage> =>
  openPage(browser, server.url + path, options);

const pathOfT = `/explore?q=${encodeURIComponent(`${cpuType}{job="t"}`)}&ar=0`;

// The server stores a repeated profile only once, so each test pushes its own and can run alone.
const pushT = (): Promise<void> => push('t', samplesT, startMillis);
const pushSpans = (): Promise<void> => push('spans', [['a', 100n]], startMillis);

/** Opens profile T and waits until it is shown. */
async function openT(extra = '', options = {}): Promise<OpenedPage> {
  await pushT();
  const opened = await open(pathOfT + extra, options);
  await waitForLayout(opened.page);
  return opened;
}

async function selected(page: Page): Promise<string> {
  const item = page.locator('[role="treeitem"][aria-selected="true"]');
  return (await item.getAttribute('aria-label'))?.replaceAll('\u202f', ' ') ?? '';
}

async function detail(page: Page): Promise<string> {
  return (await page.getByTestId('detail').innerText()).replaceAll('\u202f', ' ');
}

/** Clicks the icicle at a fraction of its width and at a depth. */
async function clickAt(page: Page, x: number, depth: number): Promise<void> {
  const box = await page.getByRole('tree').boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + x * box.width, box.y + depth * 20 + 10);
}

test('an empty server explains itself and the page fills without a click', async () => {
  const opened = await open('/');
  await opened.page.getByRole('heading', { name: 'No profiles yet' }).waitFor();
  await opened.page.getByText('This server scrapes no targets.').waitFor();
  const push = `curl --data-binary @cpu.pb.gz '${server.url}/api/v1/push?job=NAME'`;
  await opened.page.getByText(push, { exact: true }).waitFor();
  await pushT();
  const root = opened.page.getByRole('treeitem').first();
  await root.waitFor({ state: 'attached', timeout: 15_000 });
  await opened.page.waitForFunction(() =>
    document.querySelector('[role="treeitem"]')?.getAttribute('aria-label')?.includes('cores'),
  );
  const [first] = await treeItems(opened.page);
  assert.match(first, /^root, total 100 %, 1\.00 cores/);
  // With a single service, the start page shows its profile.
  await opened.page.goto(server.url);
  await opened.page
    .getByRole('treeitem', { name: /^root, total 100\s%, 1\.00\scores/ })
    .waitFor({ state: 'attached' });
  await closePage(opened);
});

test('shares are those of the profile', async () => {
  const opened = await openT();
  const { page } = opened;
  const names = (await treeItems(page)).map((label) => label.split(', ').slice(0, 2).join(' '));
  assert.deepEqual(names, [
    'root total 100 %',
    'main.main total 60.0 %',
    'runtime.gcBgMark total 39.9 %',
    'tiny.one total 0.10 %',
  ]);
  await screenshot(page, 'ui-explore');
  await closePage(opened);
});

test('cores are those of all processes together, and n says how sure they are', async () => {
  // Two processes take turns: each uses half a core in 10 s of every 20 s.
  for (const [offset, pod] of ['p1', 'p2'].entries()) {
    for (const at of [0, 20_000]) {
      await push(`turns-${pod}`, [['work', 500n]], startMillis + offset * 10_000 + at);
    }
  }
  const query = encodeURIComponent(`${cpuType}{job=~"turns-.*"}`);
  const opened = await open(`/explore?q=${query}&ar=0`);
  const { page } = opened;
  const headline = page.locator('.headline');
  await headline.getByText('1.00').waitFor();
  const text = (await headline.innerText()).replaceAll('\u202f', ' ').replace(/\s+/g, ' ');
  assert.match(text, /^1\.00 cores CPU time 2 000 samples, ±2\.2 %/);
  await closePage(opened);
});

test('a click zooms, Back and forward and a reload keep up', async () => {
  const opened = await openT();
  const { page } = opened;
  await clickAt(page, 0.35, 3);
  await page.waitForURL(/[?&]z=/);
  await eventually(async () =>
    assert.match(await selected(page), /^encoding\/json\.Marshal, total 30\.0 %/),
  );
  await eventually(async () => assert.match(await detail(page), /100 % of zoom/));
  const zoomed = page.url();

  await page.goBack();
  await eventually(async () => assert.match(await selected(page), /^root/));
  await page.goForward();
  await eventually(async () => assert.match(await selected(page), /^encoding\/json\.Marshal/));
  await page.reload();
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  await page.locator('.trail-step[aria-current]').waitFor();
  await eventually(() => assert.equal(page.url(), zoomed));
  // Another person's browser draws the same picture.
  const other = await openPage(browser, zoomed);
  await waitForLayout(other.page);
  await page.mouse.move(0, 0);
  await eventually(async () =>
    assert.equal(await readPicture(other.page), await readPicture(page)),
  );
  await closePage(other);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await eventually(async () => assert.match(await selected(page), /^root/));
  await closePage(opened);
});

test('search highlights and counts each stack once', async () => {
  const opened = await openT();
  const { page } = opened;
  const count = page.locator('.search-count');
  await page.keyboard.press('/');
  await page.keyboard.type('/json');
  await count.getByText('30.0').waitFor();
  await eventually(async () =>
    assert.match((await count.innerText()).replaceAll('\u202f', ' '), /^1\s+30\.0 % of all$/),
  );
  await screenshot(page, 'ui-search');

  const input = page.getByLabel('Search functions');
  await page.getByLabel('Regular expression').click();
  await input.fill('Serve|json');
  await count.getByText('60.0').waitFor();
  await eventually(async () => assert.match(await count.innerText(), /^2\s/));
  await input.fill('(');
  await page.locator('.search-error').waitFor();
  await eventually(async () =>
    assert.match(await count.innerText(), /60\.0/, 'the last hits stay'),
  );

  await input.fill('tiny');
  await count.getByText('0.10').waitFor();
  await eventually(() => assert.match(page.url(), /[?&]s=tiny/));
  await input.press('Escape');
  await count.waitFor({ state: 'detached' });
  await closePage(opened);
});

test('what is too narrow for the graph is searched, and shown when it is zoomed to', async () => {
  const narrow = Array.from({ length: 1_500 }, (_, i) => [`main.run;narrow;leaf${i}`, 1n] as const);
  await push('cut', [['main.run;wide', 28_500n], ...narrow], startMillis);
  const path = `/explore?q=${encodeURIComponent(`${cpuType}{job="cut"}`)}&ar=0`;
  // The button that goes back is next to the search.
  const opened = await open(`${path}&s=leaf`, { width: 1280, height: 800 });
  const { page } = opened;
  const count = page.locator('.search-count');
  // No leaf is shown, because each has a share of 1/30,000. Together, the leaves have 5 %.
  await count.getByText('5.0').waitFor();
  await eventually(async () =>
    assert.match((await count.innerText()).replaceAll('\u202f', ' '), /^1500\s+5\.0 % of all$/),
  );
  await eventually(async () =>
    assert.match((await count.getAttribute('title')) ?? '', /^1\s500 functions, 0 frames of them/),
  );
  await screenshot(page, 'ui-search-cut');

  await page.getByRole('tree').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft', 'Enter'])
    await page.keyboard.press(key);
  await page.getByRole('treeitem', { name: /^leaf0\b/ }).waitFor({ state: 'attached' });
  await eventually(async () =>
    assert.match((await count.innerText()).replaceAll('\u202f', ' '), /^1500\s+5\.0 % of all$/),
  );
  // The list of frames appears before the number of matches.
  const title = '1\u202f500 functions, 1\u202f500 frames of them';
  await page.locator(`.search-count[title^="${title}"]`).waitFor();
  await screenshot(page, 'ui-zoom-detail');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByRole('treeitem', { name: /^leaf0\b/ }).waitFor({ state: 'detached' });
  await closePage(opened);
});

test('everything works from the keyboard', async () => {
  const opened = await openT();
  const { page } = opened;
  await page.getByRole('tree').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await eventually(async () => assert.match(await detail(page), /^encoding\/json\.Marshal/));
  await page.keyboard.press('ArrowLeft');
  await eventually(async () => assert.match(await detail(page), /^db\.Query/));
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(await selected(page), /^db\.Query, total 20\.0 %/));
  await page.keyboard.press('y');
  await page.getByText('Copied name').waitFor({ state: 'attached' });
  await eventually(async () =>
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'db.Query'),
  );
  await page.keyboard.press('Y');
  await page.getByText('Copied stack').waitFor({ state: 'attached' });
  const stack = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(stack, 'main.main\nsvc.(*H).Serve\ndb.Query');
  await page.keyboard.press('Backspace');
  await eventually(async () => assert.match(await selected(page), /^svc\.\(\*H\)\.Serve/));
  await page.keyboard.press('0');
  await eventually(async () => assert.match(await selected(page), /^root/));
  const focused = await page.evaluate(() => document.activeElement?.getAttribute('role'));
  assert.equal(focused, 'tree');
  await closePage(opened);
});

test('a frame has a menu, by right click and by keys', async () => {
  const opened = await openT();
  const { page } = opened;
  const box = await page.getByRole('tree').boundingBox();
  assert.ok(box);
  const at = { x: box.x + 0.35 * box.width, y: box.y + 3 * 20 + 10 };
  const menu = page.getByRole('menu');
  await page.mouse.click(at.x, at.y, { button: 'right' });
  await menu.waitFor();
  await eventually(async () =>
    assert.equal(await menu.getAttribute('aria-label'), 'Menu of encoding/json.Marshal'),
  );
  assert.equal(new URL(page.url()).searchParams.get('z'), null, 'a right click does not zoom');
  await screenshot(page, 'ui-menu');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/[?&]hl=encoding/);
  await eventually(async () => assert.equal(await menu.count(), 0));
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('role'));
  await eventually(async () => assert.equal(await focused(), 'tree', 'the focus comes back'));

  await page.keyboard.press('Shift+F10');
  await menu.waitFor();
  await page.keyboard.press('L');
  await page.getByText('Copied link').waitFor({ state: 'attached' });
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /^http:.*[?&]z=/);
  const frozen = new URL(link).searchParams;
  assert.equal(frozen.get('q'), `${cpuType}{job="t"}`);
  const [from, to] = ['from', 'to'].map((name) => Number(frozen.get(name)));
  assert.ok(to - from === 899_999 && Math.abs(to - Date.now()) < 60_000, 'the time that is seen');
  await page.keyboard.press('ContextMenu');
  await menu.waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await eventually(async () => assert.equal(await focused(), 'tree'));
  assert.match(page.url(), /hl=/, 'Escape closed the menu only');
  await page.keyboard.press('*');
  await page.locator('.search-count').getByText('30.0').waitFor();

  await page.goto(link);
  await page.locator('.trail-step[aria-current]').waitFor();
  await eventually(async () =>
    assert.match(await selected(page), /^encoding\/json\.Marshal, total 30\.0 %/),
  );
  await closePage(opened);
});

test('details stay when they are pinned', async () => {
  const opened = await openT();
  const { page } = opened;
  await page.getByRole('tree').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('t');
  const note = page.getByRole('complementary', { name: 'Pinned details' });
  await note.waitFor();
  await clickAt(page, 0.9, 1);
  const text = (await note.innerText()).replaceAll('\u202f', ' ').replaceAll('\u200b', '');
  assert.match(text, /^main\.main/);
  assert.match(text, /60\.0 %\s+0\.600 cores\s+600 samples, ±4\.1 %/);
  await screenshot(page, 'ui-pinned');
  await page.keyboard.press('Escape');
  await note.waitFor({ state: 'detached' });
  await closePage(opened);
});

test('the list shows own and total shares and lights its function', async () => {
  const opened = await openT();
  const { page } = opened;
  const first = page.locator('.list-body').getByRole('option').first();
  await first.waitFor();
  const text = (await first.innerText()).replaceAll('\u202f', ' ').replace(/\s+/g, ' ');
  assert.equal(text, '39.9 % 39.9 % runtime.gcBgMark');
  await page.keyboard.press('u');
  await page.locator('.list-body').getByRole('option').first().getByText('0.399').first().waitFor();
  await first.click();
  await eventually(() => assert.match(page.url(), /[?&]hl=runtime\.gcBgMark/));
  await page
    .locator('.list-body')
    .getByRole('option', { name: /json\.Marshal/ })
    .dblclick();
  await eventually(async () => assert.match(await selected(page), /^encoding\/json\.Marshal/));
  await closePage(opened);
});

test('what changed against the time before is ranked, chance apart', async () => {
  const hour = 3_600_000;
  const end = startMillis - 2 * hour;
  await push(
    'changes',
    [
      ['main;slow', 100n],
      ['main;same', 50n],
      ['main;gone', 40n],
    ],
    end - hour,
  );
  await push(
    'changes',
    [
      ['main;slow', 300n],
      ['main;same', 52n],
      ['main;new', 20n],
    ],
    end,
  );
  const q = encodeURIComponent(`${cpuType}{job="changes"}`);
  const opened = await open(
    `/explore?q=${q}&from=${end - 60_000}&to=${end + hour - 120_000}&v=changes`,
  );
  const { page } = opened;
  const panel = page.getByRole('region', { name: 'Changes' }).first();
  await panel.getByRole('row').nth(1).waitFor();
  const text = (await panel.innerText()).replaceAll('\u202f', ' ');
  // The values are 190 samples of 10 ms in 10 s, then 372 samples.
  assert.match(text, /Against the 59 min before: 0\.190 cores → 0\.372 cores \(\+95\.8 %\)/);
  const rows = await panel.getByRole('row').allInnerTexts();
  // Chance may change `slow` by 1.96 sqrt(300 + 100 + 2) samples of 10 ms in 10 s: 39 of 1,000.
  assert.deepEqual(
    rows.map((row) => row.replaceAll('\u202f', ' ').split(/\s*\t\s*/)),
    [
      ['A', 'B', 'Change, cores', '±', 'n', 'Function'],
      ['0.100', '0.300', '▲+0.200', '0.039', '100, 300', 'slow'],
      ['0.040', 'gone', '▼\u22120.040', '0.013', '40, 0', 'gone'],
      ['new', '0.020', '▲+0.020', '0.009', '0, 20', 'new'],
    ],
  );
  assert.match(text, /3 functions changed; 1 did not change; 1 may have changed by chance/);
  await screenshot(page, 'ui-changes');
  await panel.getByRole('button', { name: 'slow' }).click();
  await page.waitForURL(/[?&]hl=slow/);
  await eventually(async () =>
    assert.equal(
      await panel.getByRole('button', { name: 'slow' }).getAttribute('aria-pressed'),
      'true',
    ),
  );
  await closePage(opened);
});

test('my code or the runtime: one choice tells', async () => {
  const opened = await openT();
  const { page } = opened;
  await page.getByLabel('Colour by').selectOption('kind');
  const legend = page.getByRole('group', { name: 'Colours by kind' });
  const text = async () => (await legend.innerText()).replace(/\s+/g, ' ');
  await legend.getByText('garbage collection').waitFor();
  await eventually(async () =>
    assert.match(await text(), /garbage collection 39\.9 % own code 30\.1 % libraries 30\.0 %/),
  );
  await screenshot(page, 'ui-kinds');
  await page.getByRole('button', { name: 'Mine only' }).click();
  await eventually(async () => assert.match(await text(), /own code 60.1 % others 39.9 %/));
  await screenshot(page, 'ui-mine-only');
  await closePage(opened);
});

test('refreshing keeps zoom and search while new profiles arrive', async () => {
  const opened = await openT();
  const { page } = opened;
  await clickAt(page, 0.1, 2);
  await page.keyboard.press('/');
  await page.keyboard.type('json');
  await page.locator('.search-count').getByText('30.0').waitFor();
  await push('t', [['new.arrival', 1_000n]], startMillis + 10_000);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('.search-count').getByText('15.0').waitFor();
  await eventually(async () =>
    assert.match(await selected(page), /^svc\.\(\*H\)\.Serve, total 30\.0 %/),
  );
  await closePage(opened);
});

test('the editor completes, marks mistakes and leaves letters alone', async () => {
  await pushSpans();
  const opened = await open(`/explore?q=${cpuType}`);
  const { page } = opened;
  await page.locator('.query-input').click();
  await page.locator('.query-field[data-ready="true"]').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.type(`{job=`, { delay: 5 });
  await page.locator('.cm-tooltip-autocomplete').getByText('spans').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.cm-lintRange-error').first().waitFor({ state: 'attached' });
  await page.keyboard.type('"spans"');
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/spans/);
  await page.getByRole('button', { name: 'Remove job=spans' }).waitFor();
  assert.doesNotMatch(page.url(), /[?&]u=/, 'u in a text is no shortcut');
  await closePage(opened);
});

test('stages are completed, applied everywhere and kept in the URL', async () => {
  await pushT();
  const opened = await open(`/explore?q=${encodeURIComponent(`${cpuType}{job="t"}`)}`);
  const { page } = opened;
  await page.locator('.query-input').click();
  await page.locator('.query-field[data-ready="true"]').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.type(' | ', { delay: 5 });
  const offered = page.locator('.cm-tooltip-autocomplete');
  await offered.getByText('sandwich', { exact: true }).waitFor();
  await page.keyboard.type('fo', { delay: 5 });
  await offered.getByText('sandwich', { exact: true }).waitFor({ state: 'detached' });
  await offered.getByText('focus', { exact: true }).waitFor();
  // The list ignores keys in the first moment after it opens.
  await eventually(async () => {
    await page.keyboard.press('Tab');
    assert.match(await page.locator('.cm-content').innerText(), /\| focus\s*$/);
  });
  await page.keyboard.type(' "Serve$" | by (', { delay: 5 });
  await offered.getByText('address', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  // The editor has closed the bracket itself; a long query scrolls in its field.
  await page.keyboard.type(`job) | frame drop ${'"main.main" | frame drop '.repeat(6)}"main.main"`);
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/focus/);
  const rows = page.locator('.list-body').getByRole('option');
  await rows.nth(3).waitFor({ state: 'detached' });
  const names = ['encoding/json.Marshal', 'db.Query', 'svc.(*H).Serve'];
  for (const [i, name] of names.entries()) await rows.nth(i).getByText(name).waitFor();
  assert.deepEqual(await sidewaysElements(page), []);
  await screenshot(page, 'stages');
  await page.reload();
  await page.getByText('svc.(*H).Serve', { exact: true }).first().waitFor();
  const typed = await page.locator('.query-input').inputValue();
  assert.match(typed, /\| focus "Serve\$" \| by \(job\) \| frame drop "main\.main"/);
  await closePage(opened);
});

test('a comparison shows the values of its second query', async () => {
  await pushT();
  const query = `diff(${cpuType}{job="none"}, ${cpuType}{job="t"}) | focus "gcBgMark"`;
  const opened = await open(`/explore?q=${encodeURIComponent(query)}`);
  const { page } = opened;
  await page
    .getByText(/^no profiles → 0\.\d+\scores/)
    .first()
    .waitFor();
  await page.getByText('so there is nothing to compare with').waitFor();
  const item = page.getByRole('treeitem', { name: /^runtime\.gcBgMark, total 100 %, new/ });
  await item.waitFor({ state: 'attached' });
  await eventually(async () =>
    assert.equal(await page.getByRole('region', { name: 'Changes' }).getByRole('row').count(), 0),
  );
  await eventually(async () => assert.equal(await page.getByRole('alert').count(), 0));
  const findSide = (name: string) => page.getByRole('group', { name, exact: true });
  await findSide('A none').getByText('no profiles').waitFor();
  await findSide('B t').getByText('job=t').waitFor();
  await findSide('A none').getByRole('button', { name: 'Remove job=none' }).click();
  await page.waitForURL((url) => url.searchParams.get('q')?.includes('{}, ') === true);
  await closePage(opened);
});

test('a comparison is drawn: what grew, what is new, and what is gone keeps its room', async () => {
  const now = samplesT
    .filter(([stack]) => stack !== 'runtime.gcBgMark')
    .map(([stack, count]) => [stack, stack.endsWith('Query') ? 50n : count] as const);
  // With two jobs, the page would ask which one to show.
  await pushT();
  await push('old', samplesT, startMillis);
  await push('new', [...now, ['cache.Fill', 499n]], startMillis);
  const query = `diff(${cpuType}{job="old"}, ${cpuType}{job="new"})`;
  const opened = await open(`/explore?ar=0&q=${encodeURIComponent(query)}`);
  const { page } = opened;
  await page.getByRole('treeitem').nth(4).waitFor({ state: 'attached' });
  const found = (await treeItems(page)).map((item) => item.split(', '));
  const changes = new Map(found.map(([name, , change]) => [name, change]));
  assert.equal(changes.get('cache.Fill'), 'new');
  assert.equal(changes.get('runtime.gcBgMark'), 'gone');
  assert.equal(changes.get('main.main'), '−21.1 %');
  await page.getByText('1.00 cores → 0.950 cores').first().waitFor();
  const changed = page.getByRole('region', { name: 'Changed functions' });
  await changed.getByRole('button', { name: 'cache.Fill' }).waitFor();
  await page.getByText('Against old:').waitFor();
  const legend = page.getByRole('group', { name: 'Colours of the comparison' });
  for (const text of ['less than old', 'more than old']) await legend.getByText(text).waitFor();
  await page
    .getByTestId('detail')
    .getByText(/^old 100\s%/)
    .waitFor();
  const sentence = page.getByRole('status', { name: 'What changed' });
  assert.match(await sentence.innerText(), /^new uses as much as old within chance \(\u22125/);
  await screenshot(page, 'ui-diff');
  await sentence.getByRole('button', { name: 'cache.Fill' }).click();
  await page.waitForURL(/[?&]z=/);
  await page.keyboard.press('v');
  await page.waitForURL((url) => url.searchParams.get('q') === `${cpuType}{job="new"}`);
  const menu = page.getByRole('button', { name: /^Compare with/ });
  const choose = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const compared = (text: string) =>
    page.waitForURL((url) => url.searchParams.get('q') === text.replaceAll('cpu', cpuType));
  await menu.click();
  await choose('The same time yesterday');
  await compared('diff(cpu{job="new"} offset 1d, cpu{job="new"})');
  await page.getByRole('treeitem', { name: /^cache\.Fill.*new/ }).waitFor({ state: 'attached' });
  await menu.click();
  await choose('Two values of a label …');
  for (const name of ['job', 'old', 'new']) await choose(name);
  await compared('diff(cpu{job="old"}, cpu{job="new"})');
  await menu.click();
  await choose('Swap A and B');
  await compared('diff(cpu{job="new"}, cpu{job="old"})');
  await closePage(opened);
});

test('a comparison by amounts, and at another time by its band', async () => {
  await push(
    'load',
    [
      ['a', 100n],
      ['b', 300n],
    ],
    startMillis - 60_000,
  );
  await push(
    'load',
    [
      ['a', 200n],
      ['b', 600n],
    ],
    startMillis,
  );
  const query = `diff(${cpuType}{job="load"} offset 1m, ${cpuType}{job="load"})`;
  const range = `&from=${startMillis - 5_000}&to=${startMillis + 55_000}`;
  const opened = await open(`/explore?ar=0&q=${encodeURIComponent(query)}${range}`);
  const { page } = opened;
  const waitForChange = async (want: string) =>
    page
      .getByRole('treeitem', { name: new RegExp(`^a, .*${want}`) })
      .waitFor({ state: 'attached' });
  await waitForChange('±0');
  const changes = page.getByRole('region', { name: 'Changes' }).first();
  await changes.getByText('Nothing changed beyond chance').waitFor();
  await page.getByRole('button', { name: 'Amounts' }).click();
  await page.waitForURL(/[?&]cm=amount/);
  await waitForChange('×2\\.00');
  await changes.getByText('▲+0.300').waitFor();
  const band = page.getByRole('slider', { name: 'Time of A before' });
  const box = await band.boundingBox();
  assert.ok(box);
  // The band is as wide as a minute, so a third of its width is twenty seconds.
  await page.mouse.move(box.x + box.width / 2, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 6, box.y + 10, { steps: 3 });
  await page.mouse.up();
  await page.waitForURL((url) => /offset 1m(19|20|21)s,/.test(url.searchParams.get('q') ?? ''));
  const before = new URL(page.url()).searchParams.get('q') ?? '';
  await page.getByRole('slider', { name: 'Time of B now' }).press('ArrowRight');
  await page.waitForURL(/[?&]sel=/);
  const seconds = (text: string) => Number(/1m(\d+)s/.exec(text)?.[1]);
  const after = new URL(page.url()).searchParams.get('q') ?? '';
  assert.equal(seconds(after), seconds(before) + 6, 'A stays where it is');
  await screenshot(page, 'ui-compare-amounts');
  // One key shows what has changed since a deploy.
  for (const [version, count] of [
    ['v1', 100n],
    ['v2', 300n],
  ] as const) {
    const at = startMillis + (version === 'v1' ? 0 : 20_000);
    await push('deploy', [['work', count]], at, { version });
  }
  await page.goto(
    `${server.url}/explore?q=${encodeURIComponent(`${cpuType}{job="deploy"}`)}${range}`,
  );
  await page.getByRole('treeitem', { name: /^work/ }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: /^Compare with/ }).waitFor();
  await page.keyboard.press('v');
  const sides = ['v1', 'v2'].map((version) => `${cpuType}{job="deploy", version="${version}"}`);
  await page.waitForURL((url) => url.searchParams.get('q') === `diff(${sides.join(', ')})`);
  await closePage(opened);
});

test('a label that matches nothing says so and keeps the page working', async () => {
  await pushT();
  const query = encodeURIComponent(`${cpuType}{job="apy"}`);
  const opened = await open(`/explore?q=${query}`);
  await opened.page.getByText(/profiles of this query in this range/).waitFor();
  await opened.page.getByText('No profile of this type has').waitFor();
  await opened.page.getByRole('button', { name: 'job=t', exact: true }).click();
  await opened.page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await closePage(opened);
});

test('slips in a label are guessed', async () => {
  await pushT();
  await pushSpans();
  const query = (labels: string) =>
    `/explore?ar=0&q=${encodeURIComponent(`${cpuType}{${labels}}`)}`;
  const opened = await open(query('jbo="t"'));
  const { page } = opened;
  await page.getByText('Did you mean').waitFor();
  const text = (await page.locator('.panel-message.actions').innerText()).replace(/\s+/g, ' ');
  assert.match(text, /No profile of this type has a label jbo\. Did you mean job\?/);
  await page.getByRole('button', { name: 'job', exact: true }).click();
  await page.getByRole('button', { name: 'Remove job=t' }).waitFor();
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await page.goto(server.url + query('job="spnas"'));
  await page.getByText('Did you mean').waitFor();
  await screenshot(page, 'ui-no-such-label');
  await page.getByRole('button', { name: 'job=spans', exact: true }).click();
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await closePage(opened);
});

test('a range without profiles names the nearest that there are', async () => {
  await pushT();
  const from = startMillis - 3 * 3_600_000;
  const opened = await open(`${pathOfT}&from=${from}&to=${from + 3_600_000}`);
  const { page } = opened;
  await page.getByText('The nearest profiles are at').waitFor();
  await screenshot(page, 'ui-nearest');
  const text = (await page.locator('.panel-message.actions').innerText()).replaceAll('\u202f', ' ');
  assert.match(text, /2\.00 h later/);
  await eventually(async () =>
    assert.equal(await page.getByText('No profile of this type has').count(), 0),
  );
  await page.getByRole('button', { name: /^Go to / }).click();
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await eventually(async () => assert.match((await treeItems(page))[0], /^root, total 100 %/));
  await closePage(opened);
});

test('stages that leave nothing are named, each with the query without it', async () => {
  await pushT();
  const query = `${cpuType}{job="t"} | frame drop "tiny" | focus "elsewhere"`;
  const opened = await open(`/explore?ar=0&q=${encodeURIComponent(query)}`);
  const { page } = opened;
  await page
    .getByText(/selects \d CPU time profiles? in .*, whose values add up to nothing\./)
    .waitFor();
  await page.getByRole('button', { name: 'Without frame drop "tiny"' }).waitFor();
  await screenshot(page, 'ui-nothing-left');
  await page.getByRole('button', { name: 'Without focus "elsewhere"' }).click();
  await page.waitForURL(
    (url) => url.searchParams.get('q') === `${cpuType}{job="t"} | frame drop "tiny"`,
  );
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await closePage(opened);
});

test('a query that is wrong shows what the server says', async () => {
  const opened = await open(`/explore?q=${encodeURIComponent(`${cpuType}{job=}`)}`);
  await opened.page.getByRole('alert').first().waitFor();
  await eventually(async () =>
    assert.equal(await opened.page.getByRole('alert').count(), 1, 'told once'),
  );
  const text = await opened.page.getByRole('alert').innerText();
  assert.match(text, /expected a quoted label value/);
  await closePage(opened);
});

test('names are text everywhere, whatever they hold', async () => {
  await push('hostile', [[hostileName, 10n]], startMillis);
  const query = encodeURIComponent(`${cpuType}{job="hostile"}`);
  const opened = await open(`/explore?q=${query}`);
  const { page } = opened;
  await page.locator('.list-body').getByRole('option', { name: hostileName }).waitFor();
  await clickAt(page, 0.5, 1);
  await page.locator('.tooltip').waitFor();
  assert.equal(await page.locator('#app img[src="x"]').count(), 0);
  assert.notEqual(await page.title(), '1');
  await closePage(opened);
});

test('no page scrolls sideways on a phone', async () => {
  for (const path of [pathOfT, '/targets', `${pathOfT}&v=table`]) {
    const opened = await open(path, { width: 360, height: 740 });
    await opened.page.locator('main h1').first().waitFor({ state: 'attached' });
    await opened.page.waitForLoadState('networkidle');
    assert.deepEqual(await sidewaysElements(opened.page), [], path);
    for (const button of await opened.page.locator('[aria-haspopup="dialog"]:visible').all()) {
      await button.click();
      await opened.page.locator('.popover-panel').waitFor();
      assert.deepEqual(await sidewaysElements(opened.page), [], await button.innerText());
      await opened.page.keyboard.press('Escape');
    }
    await screenshot(opened.page, `ui-phone-${path.includes('targets') ? 'targets' : 'explore'}`);
    await closePage(opened);
  }
});

test('a server that goes away is named, and the page recovers by itself', async () => {
  const opened = await openT();
  const { page, problems } = opened;
  const [, port] = server.address.split(':');
  await server.stop();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('The server is not reachable').first().waitFor({ timeout: 5_000 });
  await page.locator('.panel[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await eventually(async () => assert.equal(await page.getByRole('alert').count(), 1, 'told once'));
  await screenshot(page, 'ui-server-away');
  await eventually(async () =>
    assert.equal((await treeItems(page)).length > 0, true, 'the graph stays'),
  );
  server = await startServer({
    storagePath: join(scratch.path, 'data'),
    flags: [`--http-address=127.0.0.1:${port}`],
  });
  await page.getByText('The server is not reachable').first().waitFor({
    state: 'detached',
    timeout: 15_000,
  });
  // The browser itself reports refused connections.
  const own = problems.filter((text) => !text.includes('ERR_CONNECTION_REFUSED'));
  await page.context().close();
  assert.deepEqual(own, []);
});
