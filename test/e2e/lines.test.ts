// Tests the lines of a function's file on the page: with source, without it, and in a large file.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { makeTar } from '../../src/sources/testing/make-tar.ts';
import {
  axeViolations,
  closePage,
  eventually,
  launchBrowser,
  type OpenedPage,
  openPage,
  screenshot,
  sidewaysElements,
} from '../support/browser.ts';
import { type FilledServer, startFilledServer } from '../support/filled-server.ts';
import { encodeLineProfile, type LineFrame } from '../support/profiles/line-profile.ts';

const millis = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;
const query = 'app:samples:count:cpu:nanoseconds:delta{}';
const path = `/explore?q=${encodeURIComponent(query)}&from=${millis - 60_000}&to=${millis + 60_000}`;

const buildId = 'feedface01';
const main: LineFrame = { name: 'main', file: '/home/me/app/main.c', line: 2 };
const loop: LineFrame = { name: 'loop', file: '/home/me/app/loop.c', line: 40_000 };
const loopEnd: LineFrame = { name: 'loop', file: '/home/me/app/loop.c', line: 49_000 };
const module = '/go/pkg/mod/github.com/!acme/b@v1.2.3';
const outside: LineFrame = { name: 'outside', file: `${module}/outside.go`, line: 7 };
const files = [
  { path: 'app/main.c', content: 'int main() {\n\treturn loop("<img onerror>");\n}\n' },
  {
    path: 'app/loop.c',
    content: Array.from({ length: 50_000 }, (_, i) => `l${i + 1};`).join('\n'),
  },
];

let server: FilledServer;
let browser: Browser;

before(async () => {
  const samples: [number, ...LineFrame[]][] = [
    [60, loop, main],
    [30, loopEnd, main],
    [10, outside, main],
  ];
  const timeNanos = BigInt(millis) * 1_000_000n;
  [server, browser] = await Promise.all([
    startFilledServer([], (push) =>
      push({ __name__: 'app' }, encodeLineProfile({ timeNanos, buildId, samples })),
    ),
    launchBrowser(),
  ]);
  const upload = `${server.url}/api/v1/debuginfo?type=sources&build_id=${buildId}`;
  const response = await fetch(upload, { method: 'POST', body: makeTar(files) });
  assert.equal(response.status, 200, await response.text());
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

async function open(options = {}): Promise<OpenedPage> {
  const opened = await openPage(browser, server.url + path, options);
  await opened.page.getByRole('treeitem', { name: /^main/ }).waitFor({ state: 'attached' });
  return opened;
}

/** Presses keys on the root of the icicle. */
async function pressFromRoot(page: Page, ...keys: readonly string[]): Promise<void> {
  await page.getByRole('tree').focus();
  for (const key of ['Home', ...keys]) await page.keyboard.press(key);
}

/** Returns the cells of the panel's rows as strings: self, total, number, source. */
async function rows(page: Page): Promise<string[]> {
  await page.locator('.lines-panel[aria-busy="false"] [role="option"]').first().waitFor();
  const texts = await page
    .locator('.lines-panel [role="option"]')
    .evaluateAll((options) =>
      options.map((option) => [...option.children].map((cell) => cell.textContent).join('|')),
    );
  return texts.map((text) => text.replaceAll('\u202f', ' '));
}

test('e shows the lines of a frame with their text and values; the link opens them again', async () => {
  const opened = await open();
  const { page } = opened;
  await pressFromRoot(page, 'ArrowDown', 'e');
  const want = ['||1|int main() {', '|100 %|2|\treturn loop("<img onerror>");|main', '||3|}'];
  await eventually(async () => assert.deepEqual(await rows(page), want));
  await eventually(async () =>
    assert.equal(await page.getByText('3 lines, 1 with values').count(), 1),
  );
  const { searchParams } = new URL(page.url());
  assert.equal(searchParams.get('v'), 'lines');
  assert.equal(searchParams.get('build'), buildId);
  const list = page.getByRole('listbox', { name: 'Functions' });
  await list.getByText('loop').waitFor();
  await page.setViewportSize({ width: 1366, height: 650 });
  // The window is too low to stack panels, so graph, list and lines are side by side.
  await page.waitForFunction(() => {
    const [graph, list, lines] = ['.icicle-panel', '.list-panel', '.lines-panel'].map((selector) =>
      document.querySelector(selector)?.getBoundingClientRect(),
    );
    const isNext = (a?: DOMRect, b?: DOMRect) => a && b && a.right <= b.left + 1 && b.width > 300;
    return isNext(graph, list) && isNext(list, lines);
  });
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'lines-1366');
  await page.setViewportSize({ width: 1440, height: 900 });
  await list.getByText('loop').waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'lines');
  await page.getByRole('button', { name: 'Assembly' }).click();
  await page.getByText('its program was not uploaded').waitFor();
  assert.match(opened.problems.splice(0).join(), /^Failed to load resource: [^,]*404/);
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'Source', exact: true }).click();
  await page.reload();
  await eventually(async () => assert.deepEqual(await rows(page), want));
  await page.goBack();
  await page.locator('.lines-panel').waitFor({ state: 'detached' });
  await closePage(opened);
});

test('a file of 50,000 lines has few rows in the document, and opens at its hottest line', async () => {
  const opened = await open();
  const { page } = opened;
  const list = page.getByRole('listbox', { name: 'Functions' });
  await list.getByText('loop').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Lines of its file' }).click();
  const shown = await rows(page);
  assert.ok(shown.length < 100, `${shown.length} rows`);
  assert.ok(shown.includes('60.0 %|60.0 %|40000|l40000;|loop'), shown.join('\n'));
  const current = page.locator('.lines-row.current');
  await eventually(async () => assert.match((await current.textContent()) ?? '', /l40000;loop$/));
  await page.locator('.lines-body:focus').waitFor();
  await page.keyboard.press('n');
  await eventually(async () =>
    assert.match((await current.textContent()) ?? '', /^30.0\s%30.0\s%49000l49000;$/),
  );
  await page.keyboard.press('End');
  await eventually(async () => assert.match((await current.textContent()) ?? '', /l50000;$/));
  await eventually(async () => assert.ok((await rows(page)).length < 100));
  await page.getByRole('button', { name: 'Functions' }).click();
  await list.waitFor();
  await closePage(opened);
});

test('without a text, the panel has the lines with values and says why', async () => {
  const opened = await open({ width: 360, height: 800 });
  const { page } = opened;
  await pressFromRoot(page, 'ArrowDown', 'ArrowDown', 'ArrowRight', 'e');
  await eventually(async () => assert.deepEqual(await rows(page), ['10.0 %|10.0 %|7||outside']));
  const notice = page.getByText(`The text of this file is not stored: ${outside.file} is not in`);
  await eventually(async () => assert.equal(await notice.count(), 1));
  const link = page.getByRole('link', { name: 'github.com/Acme/b v1.2.3' });
  const href = 'https://github.com/Acme/b/blob/v1.2.3/outside.go#L7';
  await eventually(async () => assert.equal(await link.getAttribute('href'), href));
  assert.deepEqual(await sidewaysElements(page), []);
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'lines-without-text');
  await closePage(opened);
});
