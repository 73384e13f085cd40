// Tests that the page stays fast with 50,000 functions in 1,000,000 call nodes: no task of its main
// thread takes much longer than with a small profile. Tasks are measured in CPU time, so that other
// programs on the machine do not matter.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { closePage, launchBrowser, openPage } from '../../support/browser.ts';
import { type FilledServer, startFilledServer } from '../../support/filled-server.ts';
import { waitForAnswers } from '../../support/page-numbers.ts';
import { wideProfile } from '../../support/profiles/wide-profile.ts';

const sizes = { small: [200, 1_000], wide: [50_000, 1_000_000] } as const;
const startMillis = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;
/** Longest CPU time of a task, as a multiple of the longest task's time with the small profile. */
const ratioMax = 3;

let server: FilledServer;
let browser: Browser;
const profiles = Object.entries(sizes).map(([job, [functionCount, nodeCount]]) => ({
  job,
  bytes: wideProfile(BigInt(startMillis) * 1_000_000n, functionCount, nodeCount),
}));

before(async () => {
  server = await startFilledServer([], async (push) => {
    for (const { job, bytes } of profiles) await push({ __name__: 'process_cpu', job }, bytes);
  });
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time in microseconds. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Returns the CPU time of the longest task of the main thread during `run`, in milliseconds. */
async function longestTask(page: Page, run: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, {
    categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'],
  });
  await run();
  const trace = (await browser.stopTracing()).toString();
  const { traceEvents } = JSON.parse(trace) as { traceEvents: readonly TraceEvent[] };
  const threadKey = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const isNamed = ({ name, args }: TraceEvent): boolean =>
    name === 'thread_name' && args.name === 'CrRendererMain';
  const threads = new Set(traceEvents.filter(isNamed).map(threadKey));
  const tasks = traceEvents.filter(
    (event) => event.ph === 'X' && event.name.endsWith('RunTask') && threads.has(threadKey(event)),
  );
  assert.ok(tasks.length > 0, 'the tasks of the page are recorded');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}

/** Returns the steps of a visit; each lasts until the page shows the result. */
function makeSteps(page: Page, job: string): readonly (readonly [string, () => Promise<void>])[] {
  const query = `process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="${job}"}`;
  const span = `&from=${startMillis - 60_000}&to=${startMillis + 60_000}`;
  const url = `${server.url}/explore?q=${encodeURIComponent(query)}${span}`;
  const search = page.getByRole('textbox', { name: 'Search functions' });
  const rows = page.getByRole('listbox', { name: 'Functions' }).getByRole('option');
  const view = page.getByRole('combobox', { name: 'View of the calls' });
  const sort = async (column: string): Promise<void> => {
    const button = page.getByRole('button', { name: column, exact: true });
    await button.click();
    await button.and(page.locator('[aria-pressed="true"]')).waitFor();
    await rows.first().waitFor();
  };
  return [
    ['open', async () => void (await page.goto(url), await waitForAnswers(page))],
    [
      'hover',
      async () => {
        const box = await page.locator('.icicle-canvases').boundingBox();
        assert.ok(box);
        for (let i = 0; i < 40; i++) {
          const x = box.x + box.width * ((i % 13) / 13 + 0.03);
          await page.mouse.move(x, box.y + 10 + ((i * 19) % Math.min(300, box.height - 20)));
        }
        const name = page.locator('.detail-name').getByText('Method').first();
        await name.waitFor({ state: 'attached' });
        await page.mouse.move(0, 0);
      },
    ],
    [
      'search',
      async () => {
        await search.pressSequentially('Method001');
        await page.locator('.search-count').getByText('%').waitFor();
        await page.locator('.list-foot').getByText('functions match').waitFor();
        await search.fill('');
        await page.locator('.search-count').waitFor({ state: 'detached' });
      },
    ],
    ['sort by total', () => sort('Total')],
    ['sort by name', () => sort('Function')],
    [
      'zoom',
      async () => {
        await page.getByRole('tree').focus();
        for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
        await page.waitForURL((at) => at.searchParams.has('z'));
        await waitForAnswers(page);
        await page.keyboard.press('0');
        await page.waitForURL((at) => !at.searchParams.has('z'));
      },
    ],
    [
      'compare',
      async () => {
        const sides = `diff(${query} | not leaf function matches "Method000", ${query})`;
        await page.goto(`${server.url}/explore?q=${encodeURIComponent(sides)}${span}`);
        await waitForAnswers(page);
        await page
          .locator('.changes-panel tbody tr, .changes-panel .panel-message')
          .first()
          .waitFor();
        await page.goBack();
        await waitForAnswers(page);
      },
    ],
    [
      'call tree',
      async () => {
        await view.selectOption('Call tree');
        await page.getByRole('treegrid').waitFor();
        await page.getByRole('treegrid').focus();
        for (const key of ['ArrowDown', 'ArrowRight', 'End']) await page.keyboard.press(key);
      },
    ],
    [
      'flame graph',
      async () => {
        await view.selectOption('Flame graph');
        await page.getByRole('tree').waitFor({ state: 'attached' });
      },
    ],
    [
      'a file',
      async () => {
        const bytes = profiles.find((profile) => profile.job === job)?.bytes ?? Buffer.alloc(0);
        await page.evaluate((base64) => {
          const content = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([content], 'dropped.pb.gz'));
          Object.assign(window, { dropped: dataTransfer });
        }, bytes.toString('base64'));
      },
    ],
    [
      'drop it',
      async () => {
        await page.evaluate(() => {
          const { dropped } = window as unknown as { dropped: DataTransfer };
          dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, cancelable: true }));
        });
        await page.waitForURL((at) => at.search.includes('dropped'));
        await waitForAnswers(page);
        await sort('Total');
      },
    ],
  ];
}

/** Returns the CPU time of the longest task of each step, in milliseconds. */
async function visit(job: string): Promise<Map<string, number>> {
  const opened = await openPage(browser, 'about:blank', { isNew: true });
  const longest = new Map<string, number>();
  for (const [name, run] of makeSteps(opened.page, job)) {
    longest.set(name, await longestTask(opened.page, run));
  }
  await closePage(opened);
  // In this step, the test itself decodes base64, which is not work of the page.
  longest.delete('a file');
  return longest;
}

test('no task of the page grows with the profile', { timeout: 240_000 }, async (t) => {
  await visit('small');
  const [small, wide] = [await visit('small'), await visit('wide')];
  const most = Math.max(...small.values());
  for (const [name, millis] of wide) {
    t.diagnostic(`${name}: ${millis.toFixed(1)} ms, small ${small.get(name)?.toFixed(1)} ms`);
    assert.ok(
      millis <= ratioMax * most,
      `${name}: ${millis.toFixed(1)} ms, the longest of a small profile is ${most.toFixed(1)} ms`,
    );
  }
});
