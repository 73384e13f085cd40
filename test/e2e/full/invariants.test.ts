// Tests that the page never contradicts itself: all numbers on one screen agree, for every kind of
// query.
//
// The data is a fleet of programs with different periods, with function names of 80 characters and
// with more stacks than a graph can show; examples.test.ts runs the same checks on the examples.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  closePage,
  eventually,
  launchBrowser,
  openPage,
  screenshot,
  sidewaysElements,
  type OpenedPage,
} from '../../support/browser.ts';
import {
  fleetCpuType,
  fleetFunctions,
  fleetHeapType,
  fleetJobs,
  fleetWaitType,
  pushCpu,
  pushFleet,
  sidecarType,
  stacksEach,
} from '../../support/profiles/long-named-fleet.ts';
import {
  assertAgrees,
  assertSame,
  looksAlike,
  readNumber,
  sum,
  waitForAnswers,
} from '../../support/page-numbers.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
let browser: Browser;
/**
 * Start of the range; it is not aligned, so that the buckets at both ends are only partly filled.
 */
const startMillis = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000 + 7_000;
const span = `&from=${startMillis - 33_000}&to=${startMillis + 171_000}`;
const manyRows = { width: 1440, height: 2_400 };

before(async () => {
  scratch = await scratchDirectory();
  server = await startServer({ storagePath: join(scratch.path, 'data') });
  browser = await launchBrowser();
  await pushFleet(server.url, startMillis);
});

after(async () => {
  await browser?.close();
  await server?.stop();
  await scratch?.remove();
});

/** Opens a query with the list of functions, in rates. */
async function openQuery(query: string, extra = '', size = manyRows): Promise<OpenedPage> {
  const panel = extra.includes('&v=') ? '' : '&v=table';
  const path = `/explore?q=${encodeURIComponent(query)}${span}&u=rate${panel}${extra}`;
  const opened = await openPage(browser, server.url + path, size);
  await waitForAnswers(opened.page);
  return opened;
}

/** Checks that the numbers on a screen agree; `more` checks more before the page is closed. */
async function check(
  query: string,
  extra = '',
  more?: (page: Page) => Promise<void>,
): Promise<Awaited<ReturnType<typeof assertAgrees>>> {
  const opened = await openQuery(query, extra);
  const screen = await assertAgrees(opened.page, `${query} ${extra}`);
  assert.deepEqual(await looksAlike(opened.page), []);
  await more?.(opened.page);
  await closePage(opened);
  return screen;
}

async function readSampleCount(page: Page): Promise<number> {
  const text = await page.locator('.headline .hint').first().innerText();
  return readNumber(text.split(' samples')[0].trim());
}

async function isCut(page: Page): Promise<boolean> {
  return (await page.locator('.status-line').innerText()).includes('cut');
}

test('programs of different periods, in a graph that is cut', async () => {
  let all = 0;
  const screen = await check(fleetCpuType, '', async (page) => {
    all = await readSampleCount(page);
    assert.ok(await isCut(page));
    await eventually(async () =>
      assert.doesNotMatch(await page.locator('.headline').innerText(), /±/),
    );
    const shares = await page.locator('.legend-share').allInnerTexts();
    assertSame(sum(shares.map(readNumber)), 100, 'legend of colours');
    await screenshot(page, 'invariants-fleet');
  });
  const each: number[] = [];
  const alone: { readonly job: string; readonly value: number }[] = [];
  for (const { job } of fleetJobs) {
    const one = await check(`${fleetCpuType}{job="${job}"}`, '', async (page) => {
      each.push(await readSampleCount(page));
    });
    alone.push(...one.headline.map((value) => ({ job, value })));
  }
  // The largest value comes first.
  for (const [i, { job, value }] of alone.toSorted((a, b) => b.value - a.value).entries()) {
    assertSame(screen.legend[i], value, `${job} among all and alone`);
  }
  assertSame(all, sum(each), 'samples of all programs and of each');
  assertSame(
    screen.headline[0],
    sum(alone.map(({ value }) => value)),
    'cores of all programs and of each',
  );
  const counts = fleetJobs.map(({ samplesEach, everySeconds }) => {
    const profile = sum(
      Array.from({ length: stacksEach }, (_, i) => Number(samplesEach) + (i % 5)),
    );
    return (profile * 2 * 120) / everySeconds;
  });
  assertSame(all, sum(counts), 'samples that were pushed');
});

test('a selection of the range, by another label', async () => {
  const part = `&sel=${startMillis + 15_000}..${startMillis + 64_000}&by=pod`;
  const screen = await check(fleetCpuType, part, async (page) => {
    await page.getByText('of the selection').waitFor();
  });
  assert.equal(screen.legend.length, 6);
});

test('states: averages of what series have', async () => {
  await check(fleetHeapType, '', async (page) => {
    await page.getByText('average of the range').waitFor();
  });
  await check(fleetHeapType, '&by=-');
});

test('counters: what was gained, as rates', async () => {
  const query = `${fleetWaitType} | increase`;
  const all = await check(query, '', async (page) => {
    await eventually(async () => assert.match(await page.locator('.headline').innerText(), /s\/s/));
    await page.getByText('of the range', { exact: true }).waitFor();
  });
  const part = `&sel=${startMillis + 15_000}..${startMillis + 64_000}&by=pod`;
  const selected = await check(query, part);
  assert.equal(selected.legend.length, 6);
  // The program waits at a steady rate, so the rate is the same in a part of the range.
  assert.ok(Math.abs(selected.headline[0] / all.headline[0] - 1) < 0.2);
});

test('more lines than are drawn', async () => {
  const screen = await check(sidecarType, '&by=pod', async (page) => {
    await page.getByText('4 smaller ones, drawn as a band').waitFor();
  });
  assert.equal(screen.legend.length, 21);
});

test('a zoomed frame, in more detail than the whole', async () => {
  const opened = await openQuery(fleetCpuType);
  const { page } = opened;
  await page.getByRole('tree').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.getByText('100 % of zoom').waitFor();
  await assertAgrees(page, 'a zoomed frame');
  assert.deepEqual(await looksAlike(page), []);
  const shares = await page.locator('.legend-share').allInnerTexts();
  assertSame(sum(shares.map(readNumber)), 100, 'legend of colours');
  await closePage(opened);
});

test('an inverted graph: its list says what functions have themselves', async () => {
  const upright = await check(fleetCpuType);
  const inverted = await check(`${fleetCpuType} | invert`, '', async (page) => {
    await eventually(async () =>
      assert.match(await page.getByTestId('detail').innerText(), /outermost/),
    );
  });
  assert.deepEqual([...inverted.rows], [...upright.rows]);
  const midway = await openQuery(`${fleetCpuType} | invert | frame drop "nothing"`);
  await midway.page.getByRole('button', { name: 'Outermost' }).waitFor();
  await assertAgrees(midway.page, 'an inverted graph that is changed further');
  await closePage(midway);
});

test('stages that drop stacks', async () => {
  await check(`${fleetCpuType} | focus "querycoordinator"`);
});

test('both sides of a comparison', async () => {
  const sides = ['gateway', 'coordinator'].map((job) => `${fleetCpuType}{job="${job}"}`);
  const query = `diff(${sides.join(', ')})`;
  const screen = await check(query, '', async (page) => {
    for (const name of ['Self: coordinator', 'Self: gateway'])
      await page.getByRole('button', { name }).waitFor();
    await page
      .getByText('share of its side’s total')
      .or(page.getByText(/^scaled by load, gateway ×/))
      .waitFor();
    await page.getByRole('button', { name: 'Changes', exact: true }).click();
    await waitForAnswers(page);
    const headline = await page.locator('.headline-value').innerText();
    const summary = (await page.locator('.changes-summary b').innerText()).split('→');
    for (const [i, side] of headline.split('→').entries()) {
      assertSame(readNumber(summary[i].trim()), readNumber(side.trim()), 'summary of changes');
    }
    assert.deepEqual(await looksAlike(page), []);
  });
  assert.equal(screen.headline.length, 2);
});

test('growth of more than 100 % is told as it is', async () => {
  const sides = ['compactor', 'gateway'].map((job) => `${fleetCpuType}{job="${job}"}`);
  const opened = await openQuery(`diff(${sides.join(', ')})`, '&v=changes');
  const { page } = opened;
  const text = await page.locator('.changes-summary').innerText();
  const [before, now] = (await page.locator('.changes-summary b').innerText())
    .split('→')
    .map((side) => readNumber(side.trim()));
  const told = /\(([+\u2212][\d.]+)/.exec(text)?.[1].replace('\u2212', '-');
  const want = (now / before - 1) * 100;
  assert.ok(Math.abs(Number(told) - want) < 2, `${told} is not ${want}`);
  await closePage(opened);
});

test('what is searched is counted in all stacks', async () => {
  const wanted = fleetFunctions.filter((name) => name.includes('WithChecksum'));
  for (const width of [1440, 360]) {
    const panel = width === 360 ? '&v=icicle' : '';
    const opened = await openQuery(fleetCpuType, `&s=WithChecksum${panel}`, { width, height: 900 });
    const { page } = opened;
    const count = page.locator('.search-count');
    // The page shows ≥ and the number of drawn series until the server has counted them.
    await count.filter({ hasNotText: '≥' }).waitFor();
    await eventually(async () =>
      assert.match(await count.innerText(), new RegExp(`^${wanted.length}\\s`)),
    );
    if (width === 1440) {
      await page.getByText(`${wanted.length} of ${fleetFunctions.length + 1} functions`).waitFor();
    }
    await closePage(opened);
  }
});

test('colours go by names, whatever is the largest', async () => {
  const looks = async (query: string) => {
    const opened = await openQuery(query);
    const { page } = opened;
    const lines = await page
      .locator('.series-entry')
      .evaluateAll((entries) =>
        entries.map((entry) => [
          entry.querySelector('.series-title')?.textContent ?? '',
          entry.querySelector('path')?.getAttribute('stroke') ?? '',
        ]),
      );
    const groups = await page
      .locator('.legend-entry[title]')
      .evaluateAll((entries) =>
        entries.map((entry) => [
          entry.querySelector('.legend-text')?.textContent ?? '',
          entry.querySelector('rect')?.getAttribute('fill') ?? '',
        ]),
      );
    await closePage(opened);
    // Sorts entries by name, because the page orders them by size.
    const [linesByName, groupsByName] = [lines, groups].map((entries) =>
      entries.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
    return { lines: linesByName, groups: groupsByName };
  };
  const all = await looks(fleetCpuType);
  assert.equal(all.lines.length, fleetJobs.length);
  // The largest programs and packages of the memory profile are not those of the CPU profile.
  assert.deepEqual(await looks(fleetHeapType), all);
  const some = await looks(`${fleetCpuType} | focus "storagecompactor2"`);
  assert.deepEqual(some, all);
});

test('a phone shows everything, and different names differently', async () => {
  const diff = `diff(${fleetJobs
    .slice(0, 2)
    .map(({ job }) => `${fleetCpuType}{job="${job}"}`)
    .join(', ')})`;
  for (const [query, extra] of [
    [fleetCpuType, ''],
    [fleetCpuType, '&v=icicle&by=pod&s=Allocate'],
    [diff, ''],
    [diff, '&v=changes'],
    [diff, '&v=icicle'],
  ]) {
    const opened = await openQuery(query, extra, { width: 360, height: 740 });
    const { page } = opened;
    assert.deepEqual(await sidewaysElements(page), [], `${query} ${extra}`);
    assert.deepEqual(await looksAlike(page), []);
    for (const entry of await page.locator('.legend-entry, .series-entry').all()) {
      await entry.scrollIntoViewIfNeeded();
      const isSeen = await entry.evaluate((element) => {
        const { left, right, top, height } = element.getBoundingClientRect();
        const found = document.elementFromPoint(left + 8, top + height / 2);
        return left >= 0 && right <= innerWidth && element.contains(found);
      });
      await eventually(async () => assert.ok(isSeen, `${await entry.innerText()} can be reached`));
    }
    await screenshot(page, `invariants-phone-${extra.replaceAll(/\W+/g, '-')}`);
    await closePage(opened);
  }
});

test('names are cut by structure wherever they stand', async () => {
  const opened = await openQuery(fleetCpuType, '', { width: 1440, height: 900 });
  const { page } = opened;
  const ends = fleetFunctions.map((name) => name.slice(name.lastIndexOf(').') + 2));
  const row = page.locator('.list-content .list-row').first();
  const shown = await row.locator('.function-name > span').first().innerText();
  assert.ok(
    ends.some((end) => end.slice(-8) === shown.slice(-8)),
    `${shown} keeps its end`,
  );
  await page.getByRole('tree').focus();
  for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  const detail = page.getByTestId('detail').locator('.function-name');
  const full = (await detail.evaluate((element) => element.lastChild?.textContent)) ?? '';
  assert.ok(fleetFunctions.includes(full), full);
  await eventually(async () =>
    assert.equal(await detail.locator('b').innerText(), full.slice(full.lastIndexOf(').') + 2)),
  );
  await page.keyboard.press('Shift+F10');
  const title = page.locator('.context-menu-title');
  await eventually(async () =>
    assert.equal((await title.innerText()).replaceAll('\u200b', ''), full),
  );
  await eventually(async () =>
    assert.equal(await title.locator('b').innerText(), full.slice(full.lastIndexOf(').') + 2)),
  );
  await screenshot(page, 'invariants-menu');
  await page.keyboard.press('Enter');
  const step = page.locator('.trail-part').last().locator('.function-name > span').first();
  await step.waitFor();
  await eventually(async () =>
    assert.ok(full.endsWith((await step.innerText()).slice(-6)), await step.innerText()),
  );
  await closePage(opened);
});

test('a refresh disturbs nothing: pins and menus stay, nothing is dimmed', async () => {
  const now = Date.now();
  const before = [
    ['main.main;json.Marshal', 600n],
    ['runtime.gcBgMark', 400n],
  ] as const;
  await pushCpu(server.url, 'calm', before, now - 60_000);
  const query = encodeURIComponent(`${fleetCpuType}{job="calm"}`);
  const opened = await openPage(browser, `${server.url}/explore?q=${query}&ar=1&s=json`, {
    isNew: true,
  });
  const { page } = opened;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await page.clock.install();
  await page.locator('.search-count').getByText('60.0').waitFor();
  await page.getByRole('tree').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('t');
  const note = page.getByRole('complementary', { name: 'Pinned details' });
  await note.getByText('60.0').waitFor();
  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menu');
  await menu.waitFor();
  await page.keyboard.press('ArrowDown');
  const chosen = () => page.evaluate(() => document.activeElement?.textContent);
  const choice = await chosen();

  // The next refresh gets no answer until the page has been checked.
  const held = Promise.withResolvers<void>();
  await page.route('**/*QueryService/Query', async (route) => {
    await held.promise;
    await route.continue();
  });
  await pushCpu(server.url, 'calm', [['new.arrival', 1_000n]], now - 50_000);
  const bar = page.locator('.icicle-panel .loading-bar');
  await bar.waitFor();
  await eventually(async () => assert.equal((await bar.boundingBox())?.height, 2));
  // A message would appear after 0.3 s; with reduced motion, dimming is not delayed.
  await page.clock.fastForward(2_000);
  await eventually(async () => assert.equal(await page.locator('.loading-words').count(), 0));
  for (const part of ['.icicle', '.list-body', '.metrics-plot']) {
    const opacity = await page.locator(part).evaluate((seen) => getComputedStyle(seen).opacity);
    assert.equal(opacity, '1', part);
  }
  held.resolve();
  await note.getByText('30.0').first().waitFor();
  await eventually(async () =>
    assert.match((await note.innerText()).replaceAll('\u200b', ''), /^main\.main/),
  );
  await eventually(async () => assert.equal(await chosen(), choice, 'the menu keeps its choice'));
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await eventually(async () => assert.equal(await note.count(), 1, 'Escape closed only the menu'));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await closePage(opened);
});
