// More tests with profile T of ui.test.ts: keys, stages, both themes, every page with axe's rules,
// and the bytes sent before the first graph.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Browser, Page, Request } from 'playwright-core';
import { isFull } from '../../src/base/testing/rounds.ts';
import { firstLoadFiles } from '../../web/build/first-load.ts';
import {
  axeViolations,
  closePage,
  eventually,
  launchBrowser,
  openPage,
  type OpenedPage,
  readPicture,
  sidewaysElements,
  treeItems,
  waitForLayout,
} from '../support/browser.ts';
import { type FilledServer, startFilledServer } from '../support/filled-server.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';

const dist = new URL('../../web/dist/', import.meta.url).pathname;
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const firstLoadBytesMax = 160 * 1_024;
const pathOfT = `/explore?q=${encodeURIComponent(`${cpuType}{job="t"}`)}&ar=0`;

let server: FilledServer;
let browser: Browser;

before(async () => {
  server = await startFilledServer([], (push) => {
    const timeNanos = BigInt(Date.now() - 60_000) * 1_000_000n;
    const profile = cpuProfile({
      timeNanos,
      samples: [
        ['main.main;svc.(*H).Serve', 100n],
        ['main.main;svc.(*H).Serve;encoding/json.Marshal', 300n],
        ['main.main;svc.(*H).Serve;db.Query', 200n],
        ['runtime.gcBgMark', 399n],
        ['tiny.one', 1n],
      ],
    });
    return push({ __name__: 'process_cpu', job: 't' }, gzippedPprof(profile));
  });
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const open = (path: string, options = {}): Promise<OpenedPage> =>
  openPage(browser, server.url + path, options);

/** Opens profile T and waits until it is shown. */
async function openT(extra = '', options = {}): Promise<OpenedPage> {
  const opened = await open(pathOfT + extra, options);
  await waitForLayout(opened.page);
  return opened;
}

async function detail(page: Page): Promise<string> {
  return (await page.getByTestId('detail').innerText()).replaceAll('\u202f', ' ');
}

test('n goes through what is found and begins again', async () => {
  const opened = await openT('&s=ma');
  const { page } = opened;
  await page.locator('.search-count').getByText('99.9').waitFor();
  await page.getByRole('tree').focus();
  const visited: string[] = [];
  let last = '';
  for (let i = 0; i < 4; i++) {
    await page.keyboard.press('n');
    await eventually(async () => assert.notEqual(await detail(page), last));
    last = await detail(page);
    visited.push(/^\S+/.exec(last)?.[0] ?? '');
  }
  const found = ['main.main', 'runtime.gcBgMark', 'encoding/json.Marshal'];
  assert.deepEqual(visited.slice(0, 3).toSorted(), found.toSorted());
  assert.equal(visited[3], visited[0]);
  await closePage(opened);
});

test('one key shows shares, rates and totals in turn', async () => {
  const opened = await openT();
  const { page } = opened;
  await page.getByRole('tree').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await page.getByTestId('detail').getByText('300').first().waitFor();
  await eventually(async () => assert.match(await detail(page), /\b300 samples/));
  const row = page.locator('.list-body').getByRole('option', { name: /json\.Marshal/ });
  for (const want of ['30.0 %', '0.300 cores', '3.00 s', '30.0 %']) {
    await eventually(async () => {
      const [value] = await row.locator('.list-number').allInnerTexts();
      assert.equal(value.replaceAll('\u202f', ' '), want);
    });
    await page.keyboard.press('u');
  }
  await closePage(opened);
});

test("a link of Parca's page shows the same, and Back does not lead to it", async () => {
  const expression = encodeURIComponent(`${cpuType}{job="t"}`);
  const opened = await open(`/?expression_a=${expression}&time_selection_a=relative:hour|1`, {
    isNew: true,
  });
  const { page } = opened;
  await page.getByRole('treeitem', { name: /^main\.main/ }).waitFor({ state: 'attached' });
  const { searchParams } = new URL(page.url());
  assert.deepEqual(
    [searchParams.get('q'), searchParams.get('expression_a')],
    [`${cpuType}{job="t"}`, null],
  );
  assert.equal(await page.evaluate(() => history.length), 2);
  await closePage(opened);
});

test('a range with fixed ends is chosen in the form', async () => {
  const opened = await openT();
  const { page } = opened;
  await page.getByRole('button', { name: /^Time range: / }).click();
  await page.getByLabel('From', { exact: true }).fill('2026-11-28T10:00:00');
  await page.getByLabel('To', { exact: true }).fill('2026-11-28T09:00:00');
  await page.getByText('The start must be before the end.').waitFor();
  await page.getByLabel('To', { exact: true }).fill('2026-11-28T11:30:00');
  await page.getByRole('button', { name: 'Use this range' }).click();
  await page.waitForURL((url) => url.searchParams.has('to'));
  const { searchParams } = new URL(page.url());
  const [from, to] = ['from', 'to'].map((key) => Number(searchParams.get(key)));
  assert.equal(to - from, 5_400_000);
  await closePage(opened);
});

test('a zoom paints the graph once a frame, although it gets another height', async () => {
  const opened = await openT();
  const { page } = opened;
  await page.emulateMedia({ reducedMotion: null });
  await page.evaluate(() => {
    // Each painting begins with the background of the lower canvas.
    const frames: unknown[] = [];
    Object.assign(window, { frames });
    const { fillRect } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillRect = function fill(x, y, width, height) {
      const { canvas } = this;
      const isWhole = width === canvas.width && height === canvas.height;
      if (isWhole && canvas.parentElement?.className === 'icicle-canvases') {
        frames.push(document.timeline.currentTime);
      }
      fillRect.call(this, x, y, width, height);
    };
  });
  const readFrames = () =>
    page.evaluate(() => (window as unknown as { frames: readonly number[] }).frames);
  const readHeight = async () => (await page.locator('.icicle').boundingBox())?.height;
  const before = await readHeight();
  await page.getByRole('tree').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.locator('.minimap canvas').waitFor();
  await eventually(async () => assert.notEqual(await readHeight(), before));
  await page.keyboard.press('0');
  await eventually(async () => assert.equal(await readHeight(), before));
  await eventually(async () => assert.ok((await readFrames()).length >= 4));
  const frames = await readFrames();
  assert.deepEqual(frames, [...new Set(frames)]);
  await closePage(opened);
});

test('what is left after dropping and hiding hangs together; inverted, leaves add up to all', async () => {
  const stages = (text: string) =>
    `/explore?q=${encodeURIComponent(`${cpuType}{job="t"} ${text}`)}&ar=0`;
  const opened = await open(stages('| not stack "gcBgMark" | frame drop "Serve"'));
  const { page } = opened;
  await waitForLayout(page);
  await page.getByRole('tree').focus();
  for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await eventually(async () => assert.match(await detail(page), /^encoding\/json\.Marshal/));
  await page.keyboard.press('ArrowUp');
  await eventually(async () => assert.match(await detail(page), /^main\.main/));

  await page.goto(server.url + stages('| invert'));
  await waitForLayout(page);
  const leaves = async () =>
    (await treeItems(page)).slice(1).map((label) => {
      const [name, total] = label.split(', ');
      return [name, Number(/[\d.]+/.exec(total)?.[0])] as const;
    });
  await eventually(async () =>
    assert.deepEqual(await leaves(), [
      ['db.Query', 20],
      ['encoding/json.Marshal', 30],
      ['runtime.gcBgMark', 39.9],
      ['svc.(*H).Serve', 10],
      ['tiny.one', 0.1],
    ]),
  );
  await closePage(opened);
});

test('two tabs follow the theme of the system without a reload', async () => {
  const opened = await openT();
  const second = await opened.page.context().newPage();
  await second.goto(opened.page.url());
  await waitForLayout(second);
  const colours = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  for (const page of [opened.page, second]) {
    const [light, drawn] = [await colours(page), await readPicture(page)];
    await page.evaluate(() => Object.assign(window, { isKept: true }));
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually(async () => assert.notEqual(await colours(page), light));
    await eventually(async () => assert.notEqual(await readPicture(page), drawn));
    await page.emulateMedia({ colorScheme: 'light' });
    await eventually(async () => assert.equal(await readPicture(page), drawn));
    assert.equal(await page.evaluate('isKept'), true);
  }
  await second.close();
  await closePage(opened);
});

test('a comparison with itself is neutral, and nothing has changed', async () => {
  const query = `diff(${cpuType}{job="t"}, ${cpuType}{job="t"})`;
  const opened = await open(`/explore?ar=0&v=changes&q=${encodeURIComponent(query)}`);
  const { page } = opened;
  const changes = page.getByRole('region', { name: 'Changes' }).first();
  await changes.getByText('Nothing changed beyond chance').waitFor();
  await page.getByRole('treeitem', { name: /^tiny/ }).waitFor({ state: 'attached' });
  assert.deepEqual(
    (await treeItems(page)).map((label) => label.split(', ')[2]),
    ['±0 %', '±0 %', '±0 %', '±0 %'],
  );
  // The picture has only greys: red, green and blue of each pixel are nearly equal.
  const spread = await page
    .locator('.icicle-canvases canvas')
    .first()
    .evaluate((element) => {
      const { width, height } = element as HTMLCanvasElement;
      const context = (element as HTMLCanvasElement).getContext('2d');
      const { data = [] } = context?.getImageData(0, 0, width, height) ?? {};
      let most = 0;
      for (let at = 0; at < data.length; at += 4) {
        const [red, green, blue] = [data[at], data[at + 1], data[at + 2]];
        if (data[at + 3] > 0)
          most = Math.max(most, Math.max(red, green, blue) - Math.min(red, green, blue));
      }
      return most;
    });
  assert.ok(spread < 32, `a pixel is coloured by ${spread}`);
  await closePage(opened);
});

test('at 200 % zoom everything can be reached', async () => {
  const opened = await openT('', { width: 720, height: 450 });
  const { page } = opened;
  const tab = page.getByRole('button', { name: 'Functions', exact: true });
  const box = await tab.boundingBox();
  assert.ok(box && box.height >= 24, 'the tabs keep their height');
  await tab.click();
  await page.locator('.list-body').getByRole('option').first().waitFor();
  await closePage(opened);
});

test('every page keeps the rules of axe in both themes, and is whole at 320 pixels', async () => {
  const views = ['', '&g=flame', '&g=tree', '&g=chart', '&v=table', '&v=changes', '&v=labels'];
  const itself = encodeURIComponent(`diff(${cpuType}{job="t"}, ${cpuType}{job="t"})`);
  const explored = views.map((view) => pathOfT + view);
  const others = [
    '/services',
    `/explore?q=${itself}`,
    '/targets',
    '/alerts',
    '/findings',
    '/agents',
    '/symbols',
    '/status',
  ];
  const opened = await open('/services');
  const { page } = opened;
  for (const path of isFull ? [...explored, ...others] : [pathOfT, '/targets', '/status']) {
    await page.goto(server.url + path);
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await eventually(async () => assert.deepEqual(await axeViolations(page), [], path));
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 320, height: 700 });
    assert.deepEqual(await sidewaysElements(page), [], path);
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  await closePage(opened);
});

test('the first load stays in its budget', () => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const files = firstLoadFiles(html, (folder) => readdirSync(join(dist, folder)));
  assert.ok(files.length >= 4, files.join(' '));
  const sizes = files.map((file) => gzipSync(readFileSync(join(dist, file))).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total <= firstLoadBytesMax, `${total} bytes gzipped, allowed are ${firstLoadBytesMax}`);
});

test('what the browser is sent before the first graph stays in that budget', async () => {
  const opened = await openPage(browser, 'about:blank', { isNew: true });
  const { page } = opened;
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await page.goto(`${server.url}/explore?q=${encodeURIComponent(`${cpuType}{job="t"}`)}`);
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  const seen = [...requests];
  // A module that is still loading has no entry with its request time yet.
  const modules = seen.filter((request) => request.url().includes('/assets/'));
  await Promise.all(modules.map(async (request) => (await request.response())?.finished()));
  // The debugger does not see the body of a worker's script, and its clock differs from the page's.
  const entries = await page.evaluate(() => {
    const shown = performance.getEntriesByName('first graph')[0].startTime;
    return performance.getEntriesByType('resource').map((entry) => {
      const { name, startTime, transferSize } = entry as PerformanceResourceTiming;
      return { name, isLater: startTime >= shown, transferSize };
    });
  });
  const sent = new Map(entries.map(({ name, transferSize }) => [name, transferSize]));
  const later = new Set(entries.filter(({ isLater }) => isLater).map(({ name }) => name));
  // A page requests the progress of a query only if the query takes long, as on a busy machine.
  const isProgress = (request: Request): boolean => request.url().includes('/api/v1/queries?');
  const before = seen.filter((request) => !later.has(request.url()) && !isProgress(request));
  assert.ok(before.some((request) => request.url().includes('tree.worker')));
  const sizes = await Promise.all(
    before.map(async (request) => {
      const { responseBodySize, responseHeadersSize } = await request.sizes();
      return Math.max(sent.get(request.url()) ?? 0, responseBodySize + responseHeadersSize);
    }),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const list = before.map((request, i) => `${sizes[i]} ${new URL(request.url()).pathname}`);
  assert.ok(total <= firstLoadBytesMax, `${total} bytes:\n${list.join('\n')}`);
  await closePage(opened);
});
