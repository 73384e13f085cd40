// Tests the strip of sample times in a real browser and in both themes: a key opens it, a drag or
// the keyboard shows the flame graph of a moment, and each thread has a line.
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
  treeItems,
} from '../support/browser.ts';
import { type FilledServer, startFilledServer } from '../support/filled-server.ts';
import { type TimedEvent, timedRequest } from '../support/profiles/timed-otlp.ts';

const start = Math.floor(Date.now() / 1_000) * 1_000 - 120_000;
const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{service_name="timed"}';

/** Thread 1 works all the time; thread 2 has a burst of two seconds. */
const events: TimedEvent[] = [
  ...Array.from({ length: 900 }, (_, i): TimedEvent => ({
    at: Math.floor(i * 33.3),
    stack: 'steady',
    thread: '1',
  })),
  ...Array.from({ length: 400 }, (_, i): TimedEvent => ({
    at: 15_000 + i * 5,
    stack: 'burst',
    thread: '2',
  })),
];

let server: FilledServer;
let browser: Browser;

before(async () => {
  server = await startFilledServer([], async () => undefined);
  for (const from of [0, 10_000, 20_000]) {
    const response = await fetch(`${server.url}/v1development/profiles`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: new Uint8Array(timedRequest(events, start, from)),
    });
    assert.equal(response.status, 200, await response.text());
  }
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const exploreUrl = (more: string): string => {
  const parameters = new URLSearchParams({ q: query, from: `${start}`, to: `${start + 29_999}` });
  return `${server.url}/explore?${parameters}&by=-${more}`;
};

const cells = (page: Page) => page.getByRole('application', { name: /^Heatmap/ });

async function drag(page: Page, from: number, to: number): Promise<void> {
  const box = await cells(page).boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + box.width * from, box.y + 4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, box.y + box.height - 4, { steps: 4 });
  await page.mouse.up();
}

const shownNames = async (page: Page): Promise<string> => (await treeItems(page)).join('\n');

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a key opens the strip, and a drag shows the stacks of a moment, ${colorScheme}`, async () => {
    const opened = await openPage(browser, exploreUrl(''), { colorScheme });
    const { page } = opened;
    await page.getByRole('tree').first().waitFor();
    await eventually(async () => assert.match(await shownNames(page), /burst[^]*steady/));
    await page.keyboard.press('T');
    await cells(page).waitFor();
    await eventually(async () => {
      assert.match(await page.locator('.times-head output').innerText(), /by time$/);
    });
    // The burst is from second 15 to 17 of 30.
    await drag(page, 1 / 60, 10 / 30);
    await eventually(async () => {
      assert.match(decodeURIComponent(page.url()), /samples[ +]@/);
      const names = await shownNames(page);
      assert.match(names, /steady/);
      assert.doesNotMatch(names, /burst/);
    });
    await screenshot(page, `times-${colorScheme}`);
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('button', { name: 'All samples' }).click();
    await eventually(async () => assert.match(await shownNames(page), /burst/));
    await page.goBack();
    await eventually(async () => assert.doesNotMatch(await shownNames(page), /burst/));
    await page.keyboard.press('T');
    await cells(page).waitFor({ state: 'detached' });
    await closePage(opened);
  });
}

test('the keyboard chooses a moment, and threads have a line each', async () => {
  const opened = await openPage(browser, exploreUrl('&st=heatmap'));
  const { page } = opened;
  await cells(page).focus();
  // The second from 15 to 16 has samples of both threads.
  for (let i = 0; i < 15; i += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  assert.match((await cells(page).getAttribute('aria-label')) ?? '', /\d\d:\d\d:\d\d\.000 to/);
  await page.keyboard.press('Enter');
  await eventually(async () => {
    const from = start + 15_000;
    const text = decodeURIComponent(page.url()).replaceAll('+', ' ');
    assert.ok(text.includes(`samples @ ${(from / 1_000).toFixed(3)} to`), text);
  });
  await page.getByRole('button', { name: 'Threads' }).click();
  const lines = page.getByRole('application', { name: /^Thread / });
  await eventually(async () => assert.equal(await lines.count(), 2));
  assert.deepEqual(await page.locator('.times-name').allInnerTexts(), ['1', '2']);
  await screenshot(page, 'times-threads');
  assert.deepEqual(await axeViolations(page), []);
  await closePage(opened);
});
