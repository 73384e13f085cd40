// Tests lists and graphs of many functions and lines: the page shows a part and says so.
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
} from '../../support/browser.ts';
import { startFilledServer, type FilledServer } from '../../support/filled-server.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { waitForAnswers } from '../../support/page-numbers.ts';

const functionCount = 50_000;
const podCount = 24;
const startMillis = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;
const span = `&from=${startMillis - 60_000}&to=${startMillis + 60_000}`;
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

/** Depth of the only stack. */
const depth = 2_000;
const deep: [string, bigint][] = [
  [Array.from({ length: depth }, (_, i) => `level${i}`).join(';'), 100n],
];

/**
 * Twelve steps; each has a sixth of the previous step's value, so the last is 1 of 2,176,782,336.
 */
const steps = Array.from({ length: 12 }, (_, i) => `step${i}`);
const narrow = steps.map((_, i): [string, bigint] => {
  const isLast = i + 1 === steps.length;
  return [steps.slice(0, i + 1).join(';'), isLast ? 1n : 5n * 6n ** BigInt(steps.length - 2 - i)];
});

let server: FilledServer;
let browser: Browser;

before(async () => {
  const timeNanos = BigInt(startMillis) * 1_000_000n;
  const samples = Array.from({ length: functionCount }, (_, i): [string, bigint] => [
    `main.main;shop/pkg${i % 200}.(*Cart).Method${String(i).padStart(5, '0')}`,
    BigInt(1 + (i % 1_000)),
  ]);
  [server, browser] = await Promise.all([
    startFilledServer([], async (push) => {
      const profile = gzippedPprof(cpuProfile({ timeNanos, samples }));
      await push({ __name__: 'process_cpu', job: 'wide' }, profile);
      for (const [job, stacks] of Object.entries({ deep, narrow })) {
        await push(
          { __name__: 'process_cpu', job },
          gzippedPprof(cpuProfile({ timeNanos, samples: stacks })),
        );
      }
      for (let pod = 10; pod < 10 + podCount; pod++) {
        for (const [i, name] of ['early', 'late'].entries()) {
          const small = cpuProfile({
            timeNanos: timeNanos + BigInt(i) * 20_000_000_000n,
            samples: [[`main.main;${name}`, BigInt(pod)]],
          });
          await push({ __name__: 'process_cpu', job: 'pods', pod: `${pod}` }, gzippedPprof(small));
        }
      }
    }),
    launchBrowser(),
  ]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test('a list of 50,000 functions is prepared in the worker: the page reads the rows it shows', async () => {
  const query = encodeURIComponent(`${cpuType}{job="wide"}`);
  const opened = await openPage(browser, 'about:blank', { isNew: true });
  const { page } = opened;
  // Workers have their own TextDecoder, which is not counted.
  await page.addInitScript(() => {
    const counts = { decoded: 0 };
    Object.assign(window, { counts });
    const { decode } = TextDecoder.prototype;
    TextDecoder.prototype.decode = function (...args) {
      counts.decoded++;
      return decode.apply(this, args);
    };
  });
  const asked: number[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('QueryService/Query')) return;
    const body = request.postDataBuffer() ?? Buffer.alloc(0);
    // Field 5 of a QueryRequest, the kind of report, follows the query.
    asked.push(body[body.lastIndexOf(0x28) + 1]);
  });
  await page.goto(`${server.url}/explore?q=${query}${span}&v=table`);
  await waitForAnswers(page);
  const list = page.getByRole('listbox', { name: 'Functions' });
  const firstRow = async (): Promise<string> =>
    (await list.getByRole('option').first().innerText()).replaceAll(/\s+/g, ' ');
  const foot = page.locator('.list-foot span').first();
  await foot.getByText(/^50\s001 functions$/).waitFor();
  await eventually(async () => assert.match(await firstRow(), /Method00999$/));

  await page.getByRole('button', { name: 'Total', exact: true }).click();
  await list.getByRole('option').first().getByText('main.main').waitFor();
  await page.getByRole('button', { name: 'Function', exact: true }).click();
  await page.getByRole('textbox', { name: 'Search functions' }).fill('method4999');
  await foot.getByText(/^10 of 50\s001 functions match$/).waitFor();
  await list.getByRole('option').nth(9).getByText('Method49999').waitFor();
  await eventually(async () => assert.equal(await list.getByRole('option').count(), 10));
  await page.getByRole('textbox', { name: 'Search functions' }).fill('');
  await foot.getByText(/^50\s001 functions$/).waitFor();
  await list.evaluate((element) => element.scrollTo(0, 24 * 25_000));
  await page.waitForFunction(() => {
    const top = document.querySelector('.list-body')?.scrollTop ?? 0;
    const rows = [...document.querySelectorAll('.list-content .list-row')];
    return rows.some((row) => Number.parseInt((row as HTMLElement).style.top, 10) >= top);
  });
  await eventually(async () => assert.ok((await list.getByRole('option').count()) <= 60));

  assert.deepEqual(asked.slice(0, 2), [5, 2], 'the graph is asked for before the list');
  const counts = await page.evaluate(
    () => (window as unknown as { counts: { decoded: number } }).counts,
  );
  assert.ok(counts.decoded < functionCount / 10, `${counts.decoded} texts were decoded`);
  await closePage(opened);
});

test('20 lines of many are drawn, the rest is a band; a series is hidden or excluded', async () => {
  const query = `${cpuType}{job="pods"}`;
  const path = `/explore?q=${encodeURIComponent(query)}${span}&by=pod&v=table&tall=1`;
  const opened = await openPage(browser, server.url + path, { width: 1366, height: 650 });
  const { page } = opened;
  await waitForAnswers(page);
  await page.getByText('4 smaller ones, drawn as a band').waitFor();
  // Each function in the list has its own line over time: one function ran early, the other ran
  // late.
  await page.waitForFunction(() => document.querySelectorAll('.sparks svg').length === 2);
  const lines = await page
    .locator('.sparks path')
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('d') ?? ''));
  assert.equal(new Set(lines).size, 2);
  await screenshot(page, 'many-series');

  const legend = page.getByRole('group', { name: 'Series' });
  const plot = page.locator('.metrics-plot canvas');
  const picture = (): Promise<string> =>
    plot.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  const withIt = await picture();
  const entry = legend.getByRole('button', { name: 'pod=33' });
  await entry.click({ button: 'right' });
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('menuitem', { name: 'Hide its line' }).click();
  await page.waitForFunction(
    (before) =>
      document.querySelector<HTMLCanvasElement>('.metrics-plot canvas')?.toDataURL() !== before,
    withIt,
  );
  await eventually(async () => assert.equal(await entry.getAttribute('data-hidden'), 'true'));
  await entry.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Show all lines' }).click();
  await eventually(async () => assert.equal(await entry.getAttribute('data-hidden'), 'false'));
  for (const pod of [33, 32]) {
    await legend.getByRole('button', { name: `pod=${pod}` }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: `Exclude pod=${pod}` }).click();
    await legend.getByText(`pod=${pod}`).waitFor({ state: 'detached' });
    await waitForAnswers(page);
  }
  await page.getByText('2 smaller ones, drawn as a band').waitFor();
  const asked = new URL(page.url()).searchParams.get('q');
  assert.equal(asked, `${cpuType}{job="pods", pod!="33", pod!="32"}`);
  await closePage(opened);
});

test('the legend of the strip says how many entries have no room, and unfolds', async () => {
  const query = `${cpuType}{job="pods"}`;
  const path = `/explore?q=${encodeURIComponent(query)}${span}&by=pod`;
  const opened = await openPage(browser, server.url + path, { width: 1366, height: 650 });
  const { page } = opened;
  await waitForAnswers(page);
  const legend = page.getByRole('group', { name: 'Series' });
  const entries = legend.getByRole('button', { name: /^pod=/ });
  const more = legend.getByRole('button', { name: /more$/ });
  /**
   * Returns the number of completely visible entries in the legend, and the number of other
   * entries.
   */
  const counted = async () => {
    const box = await legend.boundingBox();
    assert.ok(box);
    for (const entry of [...(await entries.all()), more]) {
      const inside = await entry.boundingBox();
      assert.ok(inside);
      assert.ok(inside.y >= box.y && inside.y + inside.height <= box.y + box.height + 1);
      assert.ok(inside.x >= box.x && inside.x + inside.width <= box.x + box.width + 1);
    }
    return [await entries.count(), Number(/\d+/.exec(await more.innerText())?.[0])];
  };
  for (const width of [1366, 1920, 900, 360]) {
    await page.setViewportSize({ width, height: 650 });
    await eventually(async () => {
      const [shown, others] = await counted();
      assert.equal(shown + others, podCount);
      assert.ok(shown >= (width === 1366 ? 3 : 1), `${shown} are shown`);
    });
  }
  assert.deepEqual(await axeViolations(page), []);
  await more.click();
  await eventually(async () => assert.equal(await entries.count(), 20));
  await page.getByText('4 smaller ones, drawn as a band').waitFor();
  await legend.getByRole('button', { name: 'Fewer' }).click();
  await eventually(async () => assert.ok((await entries.count()) < 20));
  await closePage(opened);
});

const findDetail = (page: Page) => page.getByTestId('detail');

test('every level of 2,000 is reached, by scrolling and by keys, on a canvas as high as the view', async () => {
  const query = encodeURIComponent(`${cpuType}{job="deep"}`);
  const opened = await openPage(browser, `${server.url}/explore?q=${query}${span}&ar=0`);
  const { page } = opened;
  await waitForLayout(page);
  const tree = page.getByRole('tree');
  await tree.focus();
  await page.keyboard.press('End');
  await findDetail(page)
    .getByText(`level${depth - 1}`)
    .waitFor();
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowUp');
  await findDetail(page)
    .getByText(`level${depth - 6}`)
    .waitFor();

  const row = 1_500;
  await tree.evaluate((element, top) => element.scrollTo(0, top), row * 20);
  await eventually(async () => {
    const box = await tree.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 10);
    await page.mouse.move((box?.x ?? 0) + 101, (box?.y ?? 0) + 10);
    // The root is above level 0.
    assert.match(await findDetail(page).innerText(), /^level1499\b/);
  });
  const heights = await page
    .locator('.icicle-canvases canvas')
    .evaluateAll((canvases) => canvases.map((canvas) => (canvas as HTMLCanvasElement).height));
  assert.ok(Math.max(...heights) <= 900, `canvases are ${heights.join(', ')} high`);
  await closePage(opened);
});

test('twelve steps lead to a frame of a two-billionth, whose name and share are right', async () => {
  const query = encodeURIComponent(`${cpuType}{job="narrow"}`);
  const opened = await openPage(browser, `${server.url}/explore?q=${query}${span}&ar=0`);
  const { page } = opened;
  await waitForLayout(page);
  await page.getByRole('tree').focus();
  for (const name of steps) {
    await page
      .getByRole('treeitem', { name: new RegExp(`^${name}\\b`) })
      .waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await findDetail(page).getByText(name, { exact: true }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.trail-part').getByText(name, { exact: true }).first().waitFor();
  }
  const isThere = () =>
    eventually(async () => {
      const text = (await findDetail(page).innerText()).replaceAll('\u202f', ' ');
      assert.match(text, /^step11\b[^]*\b1 sample\b[^]*100 % of zoom/);
    });
  await isThere();
  // The link leads to the same frame, with the same steps.
  await page.reload();
  await isThere();
  await closePage(opened);
});

test('the wheel zooms through cut frames, whose details are loaded when it rests', async () => {
  const query = encodeURIComponent(`${cpuType}{job="narrow"}`);
  const opened = await openPage(browser, `${server.url}/explore?q=${query}${span}&ar=0`);
  const { page } = opened;
  await waitForLayout(page);
  const box = await page.locator('.icicle-canvases').boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x, box.y + 50);
  await page.keyboard.down('Control');
  for (let i = 0; i < 30; i++) await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
  const trail = page.getByRole('navigation', { name: 'Zoom' });
  await trail.getByText('step11', { exact: true }).first().waitFor();
  const [ofSelf, empty] = await page.locator('.minimap canvas').evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const context = canvas.getContext('2d');
    const colourAt = (x: number, y: number) => context?.getImageData(x, y, 1, 1).data.join(' ');
    return [colourAt(canvas.width >> 1, 1), colourAt(canvas.width - 1, canvas.height - 1)];
  });
  assert.notEqual(ofSelf, empty, 'the minimap has the frames around the zoomed one');
  await screenshot(page, 'ui-wheel-details');
  await page.keyboard.press('0');
  await trail.getByText('step11', { exact: true }).first().waitFor({ state: 'detached' });
  await closePage(opened);
});
