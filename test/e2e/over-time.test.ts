// Tests the graph over time in a real browser: selecting a time, the strip, increases of counters,
// and the alternative for the keyboard.
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
  treeItems,
  waitForLayout,
} from '../support/browser.ts';
import {
  type FilledServer,
  type PushProfile,
  startFilledServer,
} from '../support/filled-server.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';

const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const startMillis = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;

let server: FilledServer;
let browser: Browser;

before(async () => {
  server = await startFilledServer([], async (push) => {
    const pushCpu = (job: string, name: string, count: bigint, seconds: number, pod = '') => {
      const profile = cpuProfile({ timeNanos: nanosAt(seconds), samples: [[name, count]] });
      const labels = { __name__: 'process_cpu', job, ...(pod === '' ? {} : { pod }) };
      return push(labels, gzippedPprof(profile));
    };
    await pushCpu('spans', 'a', 100n, 0);
    await pushCpu('spans', 'b', 300n, 10);
    await pushCpu('t', 'main.main', 1_000n, 0);
    for (const [version, seconds] of [
      ['v1', 0],
      ['v1', 10],
      ['v2', 20],
      ['v2', 30],
    ] as const) {
      const profile = cpuProfile({ timeNanos: nanosAt(seconds), samples: [['work', 100n]] });
      await push({ __name__: 'process_cpu', job: 'deployed', version }, gzippedPprof(profile));
    }
    for (const [pod, stack, later] of [
      ['a', 'work', 100n],
      ['b', 'work;rebuild', 900n],
    ] as const) {
      await pushCpu('spike', 'work', 100n, 0, pod);
      await pushCpu('spike', stack, later, 10, pod);
    }
    await pushKinds(push);
    await pushCounted(push, '1', 0, 5_000n, 90_000n);
    await pushCounted(push, '1', 10, 5_020n, 95_000n);
    await pushCounted(push, '1', 20, 5_040n, 100_000n);
    // During a deploy, both versions run for a moment.
    await pushCounted(push, '2', 15, 7_000n, 1_000n);
    await pushCounted(push, '2', 25, 7_020n, 6_000n);
    await pushHeap(push, { job: 'leak', pod: '1' }, [16n, 16n]);
    await pushHeap(push, { job: 'leak', pod: '2' }, [16n, 144n]);
  });
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

function nanosAt(seconds: number): bigint {
  return BigInt(startMillis + seconds * 1_000) * 1_000_000n;
}

/** Pushes one profile for each binary, with functions of every kind and one without a name. */
async function pushKinds(push: PushProfile): Promise<void> {
  const binaries: readonly (readonly [binary: string, stacks: readonly string[]])[] = [
    ['/bin/api', ['main.main;net/http.serve', 'main.main', 'main.main;runtime.mallocgc']],
    ['/bin/api', ['runtime.gcBgMarkWorker;runtime.gcDrain']],
    ['[kernel.kallsyms]', ['do_syscall_64;ksys_read']],
    ['/bin/python3.11', ['_PyEval_EvalFrameDefault']],
    ['', ['0x1234']],
  ];
  for (const [i, [binary, stacks]] of binaries.entries()) {
    const samples = stacks.map((stack): [string, bigint] => [stack, 100n]);
    const profile = cpuProfile({ timeNanos: nanosAt(0), samples, binary });
    await push({ __name__: 'process_cpu', job: 'kinds', part: `${i}` }, gzippedPprof(profile));
  }
}

/** Pushes a heap and a mutex profile whose values count from the start of the program. */
async function pushCounted(
  push: PushProfile,
  pod: string,
  seconds: number,
  space: bigint,
  delayMillis: bigint,
): Promise<void> {
  const common = { timeNanos: nanosAt(seconds), durationNanos: 0n };
  await push(
    { __name__: 'memory', job: 'counted', pod },
    gzippedPprof({
      ...common,
      periodType: ['space', 'bytes'],
      period: 524_288n,
      sampleTypes: [
        ['alloc_space', 'bytes'],
        ['inuse_space', 'bytes'],
      ],
      samples: [['main;fill', space << 20n, 1n << 20n]],
    }),
  );
  await push(
    { __name__: 'mutex', job: 'counted', pod },
    gzippedPprof({
      ...common,
      periodType: ['contentions', 'count'],
      period: 1n,
      sampleTypes: [
        ['contentions', 'count'],
        ['delay', 'nanoseconds'],
      ],
      samples: [['main;lock', delayMillis / 10n, delayMillis * 1_000_000n]],
    }),
  );
}

/** Pushes a heap of two functions, whose values are in MiB. */
async function pushHeap(
  push: PushProfile,
  labels: Record<string, string>,
  [steady, leaky]: readonly [steady: bigint, leaky: bigint],
): Promise<void> {
  const profile = {
    timeNanos: nanosAt(0),
    durationNanos: 0n,
    period: 524_288n,
    periodType: ['space', 'bytes'] as const,
    sampleTypes: [['inuse_space', 'bytes']] as const,
    samples: [
      ['steady', steady << 20n],
      ['leaky', leaky << 20n],
    ] as const,
  };
  await push({ __name__: 'memory', ...labels }, gzippedPprof(profile));
}

/** Opens a query and waits until the layout of the page is complete. */
async function open(path: string, options = {}) {
  const opened = await openPage(browser, server.url + path, options);
  await waitForLayout(opened.page);
  return opened;
}

test('the time before and after a deploy compares from its mark, which both sides have', async () => {
  const query = `${cpuType}{job="deployed"}`;
  const range = `&from=${startMillis - 20_000}&to=${startMillis + 40_000}`;
  const opened = await open(`/explore?q=${encodeURIComponent(query)}${range}`);
  const { page } = opened;
  const mark = page.getByRole('button', { name: /^version v2 came at/ });
  await mark.click({ button: 'right' });
  await page.getByRole('menu', { name: /^Menu of version v2 came/ }).waitFor();
  await page.keyboard.press('b');
  await page.waitForURL((url) => {
    const [from, to] = url.searchParams.get('sel')?.split('..').map(Number) ?? [];
    return (
      url.searchParams.get('q') === `diff(${query} offset 21s, ${query})` &&
      from === startMillis + 20_000 &&
      to === startMillis + 40_000
    );
  });
  const findMark = (side: string) => page.getByRole('button', { name: `begin ${side} there` });
  for (const side of ['A before', 'B now']) await findMark(side).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'ui-before-after');
  // The first profile of v2 belongs only to the side after the deploy.
  const waitForSamples = (side: string) =>
    page.getByRole('group', { name: side, exact: true }).getByText('200 samples').waitFor();
  for (const side of ['A before', 'B now']) await waitForSamples(side);
  await findMark('A before').click();
  await page.waitForURL((url) => url.searchParams.get('q') === `diff(${query}, ${query})`);
  // On a phone, the headline has its own line instead of the space next to the buttons.
  await page.setViewportSize({ width: 360, height: 740 });
  await eventually(async () => {
    const { width = 0 } = (await page.locator('.headline').boundingBox()) ?? {};
    assert.ok(width > 200, `the headline is ${width} wide`);
  });
  await closePage(opened);
});

test('a time is marked by a key or the menu; the link has the mark, its menu removes it', async () => {
  const query = `${cpuType}{job="spans"}`;
  const range = `&from=${startMillis - 20_000}&to=${startMillis + 40_000}&tall=1`;
  const opened = await open(`/explore?q=${encodeURIComponent(query)}${range}`);
  const { page } = opened;
  const marksAre = (want: RegExp | undefined) =>
    page.waitForURL((url) => {
      const marks = url.searchParams.get('marks') ?? undefined;
      return want === undefined ? marks === undefined : want.test(marks ?? '');
    });
  const slider = page.getByRole('slider', { name: 'Time in the graph' });
  await slider.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('m');
  // The Enter key must not reach the graph, where it would select the time.
  await page.getByLabel('Name of the mark').fill('rollout, second try');
  await page.keyboard.press('Enter');
  await marksAre(/^\d{13}:rollout second try$/);
  assert.equal(new URL(page.url()).searchParams.get('sel'), null);
  const mark = page.getByRole('button', { name: /^rollout second try at \d\d:/ });
  await mark.waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'ui-marks');
  // Marks are stored only in the link.
  await page.reload();
  await mark.focus();
  await page.keyboard.press('n');
  await page.getByLabel('Name of the mark').fill('second');
  await page.keyboard.press('Enter');
  await marksAre(/^\d{13}:second$/);
  const renamed = page.getByRole('button', { name: /^second at/ });
  await renamed.click();
  await page.getByRole('menuitem', { name: 'Select the time after it' }).click();
  await page.waitForURL(
    (url) => url.searchParams.get('sel')?.endsWith(`..${startMillis + 40_000}`) === true,
  );
  await renamed.focus();
  await page.keyboard.press('Delete');
  await marksAre(undefined);
  // The mark is set with the pointer, in the menu of the graph.
  const box = await page.locator('.u-over').boundingBox();
  assert.ok(box !== null);
  await eventually(async () => {
    await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2);
    await page.mouse.click(box.x + box.width / 3 + 1, box.y + box.height / 2, { button: 'right' });
    await page.getByRole('menuitem', { name: 'Mark this time' }).click({ timeout: 500 });
    await page.getByLabel('Name of the mark').waitFor({ timeout: 2_000 });
  });
  await page.keyboard.press('Escape');
  await marksAre(/^\d{13}:$/);
  await page.getByRole('button', { name: /^Mark at/ }).waitFor();
  await closePage(opened);
});

/** Returns names of marks that are drawn over other names or marks. */
function coveredNames(page: Page): Promise<string[]> {
  return page.locator('.deploys').evaluateAll((groups) => {
    const parts = groups.flatMap((group) =>
      [...group.querySelectorAll('.deploy > span')].map((part) => {
        return { part, rect: part.getBoundingClientRect() };
      }),
    );
    return parts.flatMap(({ part, rect }, i) =>
      parts.slice(i + 1).flatMap(({ part: other, rect: over }) => {
        const isApart =
          rect.right <= over.left ||
          over.right <= rect.left ||
          rect.bottom <= over.top ||
          over.bottom <= rect.top;
        const areGlyphs = [part, other].every((one) => one.className !== 'deploy-name');
        return isApart || areGlyphs ? [] : [`${part.textContent} and ${other.textContent}`];
      }),
    );
  });
}

test('marks of a pipeline are in the graphs of what they concern, with their link', async () => {
  const link = `${server.url}/status`;
  for (const [text, job, seconds] of [
    ['rollout of deployed', 'deployed', 15],
    ['rollout of spans', 'spans', 15],
    ['freeze of deployed', 'deployed', 39],
  ] as const) {
    const mark = { text, time: startMillis + seconds * 1e3, link, labels: { job } };
    const body = JSON.stringify(mark);
    const added = await fetch(`${server.url}/api/v1/marks`, { method: 'POST', body });
    assert.equal(added.status, 200);
  }
  const query = `${cpuType}{job="deployed"}`;
  const range = `&from=${startMillis - 20_000}&to=${startMillis + 40_000}&tall=1`;
  const opened = await open(`/explore?q=${encodeURIComponent(query)}${range}`);
  const { page } = opened;
  await page.getByRole('button', { name: /^rollout of deployed at \d\d:/ }).click();
  assert.equal(await page.getByRole('button', { name: /^rollout of spans/ }).count(), 0);
  // The name of a mark at the end of the graph stays inside the graph.
  const last = page.getByRole('button', { name: /^freeze of deployed at/ });
  const [named, graph] = [await last.boundingBox(), await page.locator('.u-over').boundingBox()];
  assert.ok(named !== null && graph !== null);
  assert.ok(named.x + named.width <= graph.x + graph.width + 12, `${named.x} + ${named.width}`);
  await page.keyboard.press('Escape');
  for (const width of [320, 768, 1_366]) {
    await page.setViewportSize({ width, height: 740 });
    await eventually(async () => assert.deepEqual(await coveredNames(page), [], `${width}`));
  }
  await page.getByRole('button', { name: /^rollout of deployed/ }).click();
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'ui-stored-marks');
  const tab = page.context().waitForEvent('page');
  await page.getByRole('menuitem', { name: 'Open its link' }).click();
  assert.equal(new URL((await tab).url()).pathname, '/status');
  await (await tab).close();
  await page.getByRole('button', { name: /^rollout of deployed/ }).focus();
  await page.keyboard.press('b');
  await page.waitForURL((url) => url.searchParams.get('q')?.startsWith('diff(') === true);
  // Both sides offer the mark: A's time can end there, and B's time can begin there.
  await page
    .getByRole('button', { name: /^rollout of deployed at .* begin . now there$/ })
    .waitFor();
  await closePage(opened);
});

test('a flame chart has time from left to right, and a lane for each series', async () => {
  const range = `&from=${startMillis - 20_000}&to=${startMillis + 40_000}&g=chart`;
  const explorePath = (job: string) =>
    `/explore?q=${encodeURIComponent(`${cpuType}{job="${job}"}`)}${range}`;
  const opened = await open(explorePath('spans'));
  const { page } = opened;
  const chart = page.getByRole('tree', { name: /^Flame chart of all profiles/ });
  await chart.focus();
  // `a` runs for one second; ten seconds later, `b` runs for three.
  const [second, zero] = [1 / 60, 20 / 60];
  for (const [keys, from, to] of [
    [['ArrowLeft', 'Enter'], zero, zero + second],
    [['Backspace', 'ArrowRight', 'Enter'], zero + 10 * second, zero + 13 * second],
  ] as const) {
    for (const key of keys) await page.keyboard.press(key);
    await page.waitForURL((url) => {
      const [left, right] = url.searchParams.get('x')?.split('..').map(Number) ?? [];
      return Math.abs(left - from) < 1e-9 && Math.abs(right - to) < 1e-9;
    });
  }
  await page.getByText(/\(3\.00\ss\)/).waitFor();
  await page.goto(server.url + explorePath('spike'));
  for (const pod of ['a', 'b']) await page.getByRole('region', { name: `pod=${pod}` }).waitFor();
  const lanes = page.getByRole('combobox', { name: 'Lanes' });
  assert.deepEqual(await lanes.getByRole('option').allInnerTexts(), [
    'Lane: each series',
    'Lane: pod',
  ]);
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'ui-flame-chart');
  // Each lane shows the times of its own profiles, like the page of its series and the list of
  // services.
  await page.goto(server.url + explorePath('deployed'));
  for (const version of ['v1', 'v2']) {
    const lane = page.getByRole('region', { name: `version=${version}` });
    await lane.getByText(/^0\.100\scores$/).waitFor();
    await lane.getByText(/data for 20\.0\ss of /).waitFor();
  }
  await closePage(opened);
});

test('the graph over time selects a point and a span', async () => {
  const query = encodeURIComponent(`${cpuType}{job="spans"}`);
  const range = `&from=${startMillis - 20_000}&to=${startMillis + 40_000}`;
  const opened = await open(`/explore?q=${query}${range}`);
  const { page } = opened;
  const box = await page.locator('.u-over').boundingBox();
  assert.ok(box);
  const x = (millis: number) => box.x + ((millis + 20_000) / 60_000) * box.width;
  await page.mouse.click(x(10_000), box.y + box.height / 2);
  await page.waitForURL(/[?&]sel=/);
  await page.waitForFunction(() => document.querySelectorAll('[role="treeitem"]').length === 2);
  await eventually(async () => assert.match((await treeItems(page))[1], /^b, total 100 %/));
  await page.getByLabel('Clear the selection').click();
  await page.waitForFunction(() => document.querySelectorAll('[role="treeitem"]').length === 3);
  await eventually(async () =>
    assert.deepEqual((await treeItems(page)).map((label) => label.slice(0, 15)).slice(1), [
      'a, total 25.0 %'.slice(0, 15),
      'b, total 75.0 %'.slice(0, 15),
    ]),
  );

  const y = box.y + box.height / 2;
  await page.mouse.move(x(-10_000), y);
  await page.mouse.down();
  await page.mouse.move(x(0), y);
  await page.mouse.move(x(5_000), y);
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelectorAll('[role="treeitem"]').length === 2);
  await eventually(async () => assert.match((await treeItems(page))[1], /^a, total 100 %/));

  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.wheel(0, -200);
  const [from, to] = [startMillis - 20_000, startMillis + 40_000];
  await page.waitForURL((url) => Number(url.searchParams.get('from')) > from);
  const zoomed = new URL(page.url()).searchParams;
  assert.ok(Number(zoomed.get('to')) < to && !zoomed.has('sel'), page.url());
  await page.goBack();
  await page.waitForURL((url) => Number(url.searchParams.get('from')) === from);
  // The details of a frame show its line over time once the pointer rests. A pointer that was over
  // the frame before the graph was redrawn must move first.
  const canvases = page.locator('.icicle-canvases');
  await eventually(async () => {
    await canvases.hover({ position: { x: 200, y: 30 } });
    await canvases.hover({ position: { x: 300, y: 30 } });
    assert.equal(await page.locator('.tooltip').count(), 1);
  });
  await page.locator('.tooltip .sparkline path').waitFor({ state: 'attached' });
  await page.mouse.move(0, 0);
  await page.locator('.tooltip').waitFor({ state: 'detached' });
  await closePage(opened);
});

test('a spike is explained by its function and its label in one click', async () => {
  const query = `${cpuType}{job="spike"}`;
  const range = `&from=${startMillis - 20_000}&to=${startMillis + 40_000}&ar=0`;
  const selection = `&sel=${startMillis + 10_000}..${startMillis + 19_999}`;
  const opened = await open(`/explore?q=${encodeURIComponent(query)}${range}${selection}`);
  const { page } = opened;
  await page.getByRole('button', { name: 'Explain' }).click();
  const panel = page.getByRole('region', { name: 'Labels that explain the change' });
  await panel.getByText(/Against the rest of the range: pod=b has 100\s% of the rise\./).waitFor();
  const sentence = panel.getByRole('status', { name: 'What changed' });
  await sentence.getByRole('button', { name: 'rebuild' }).waitFor();
  assert.match(
    await sentence.innerText(),
    /^the selected time uses 0\.80\scores more .*all of it rebuild \(test\.go\), called from work$/,
  );
  await eventually(async () =>
    assert.deepEqual(
      (await panel.getByRole('row').allInnerTexts()).map((row) => row.split(/\s*\t\s*/)),
      [
        ['A', 'B', 'Change, cores', 'of it', 'Label'],
        ['0.100', '0.900', '▲+0.800', '100\u202f%', 'pod=b'],
      ],
    ),
  );
  await screenshot(page, 'ui-explained');
  await panel.getByRole('button', { name: 'pod=b' }).click();
  await page.waitForURL((url) => url.searchParams.get('q')?.endsWith('pod="b"}') === true);
  await closePage(opened);
});

test('a selected time is compared with the rest of the range, which both sides show', async () => {
  const query = `${cpuType}{job="spike"}`;
  const [from, to] = [startMillis + 5_000, startMillis + 19_000];
  const marks = `&marks=${startMillis + 6_000}:spiked`;
  const selected = `&from=now-5m&sel=${from}..${to}${marks}&ar=0`;
  const opened = await open(`/explore?q=${encodeURIComponent(query)}${selected}`);
  const { page } = opened;
  const formatSpan = (start: number, end: number) => `@ ${start / 1e3} to ${end / 1e3}`;
  const isAsked = (time: string) =>
    page.waitForURL((url) => {
      const { q, sel = null, ...rest } = Object.fromEntries(url.searchParams);
      return (
        q === `diff(${query} except ${time}, ${query} ${time})` &&
        sel === null &&
        /^\d{13}$/.test(rest['from'] ?? '')
      );
    });
  await page.getByRole('button', { name: /^Compare with/ }).click();
  await page.getByRole('button', { name: 'The rest of the range' }).click();
  await isAsked(formatSpan(from, to));
  const findSide = (name: string) => page.getByRole('group', { name, exact: true });
  await findSide('A the rest').getByText('200 samples').waitFor();
  await findSide('B this time')
    .getByText(/1\s000 samples/)
    .waitFor();
  await page.getByText(/Against the rest of the range: 0\.200\scores → 1\.00\scores/).waitFor();
  assert.equal(await page.locator('.side-band').count(), 3);
  await page.getByText('less than the rest').waitFor();
  await page
    .getByTestId('detail')
    .getByText(/^the rest 100\s%/)
    .waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'ui-compare-rest');
  // Both sides use the new time, and Back restores the old one.
  const band = page.getByRole('slider', { name: 'Time of B this time' });
  await band.press('ArrowRight');
  await isAsked(formatSpan(from + 1_000, to + 1_000));
  await page.goBack();
  await isAsked(formatSpan(from, to));
  // Both strips have the mark. A click on it makes B's time begin there; A is the rest again.
  await findSide('A the rest')
    .getByRole('button', { name: /^spiked at/ })
    .waitFor();
  await page.getByRole('button', { name: /^spiked at .*: begin B this time there$/ }).click();
  await isAsked(formatSpan(from + 1_000, to + 1_000));
  await page.setViewportSize({ width: 360, height: 740 });
  await eventually(async () => assert.deepEqual(await sidewaysElements(page), []));
  // When the comparison ends, the whole range is selected again, whichever side had a part of it.
  await page.setViewportSize({ width: 1366, height: 800 });
  await page.getByRole('button', { name: /^Compare with/ }).click();
  await page.getByRole('button', { name: 'Swap A and B' }).click();
  await findSide('B the rest').waitFor();
  await page.keyboard.press('v');
  await page.waitForURL((url) => {
    const { q, sel } = Object.fromEntries(url.searchParams);
    return q === query && sel === `${from + 1_000}..${to + 1_000}`;
  });
  await closePage(opened);
});

test('the graph over time is a strip until its axes are asked for', async () => {
  const query = encodeURIComponent(`${cpuType}{job="t"}`);
  const opened = await open(`/explore?q=${query}&ar=0`, { width: 1366, height: 650 });
  const { page } = opened;
  const strip = await page.locator('.u-over').boundingBox();
  const icicle = await page.getByRole('tree').boundingBox();
  assert.ok(strip && icicle);
  assert.ok(icicle.y <= 260, `the first frame stands at ${icicle.y}`);
  assert.ok(icicle.height >= 0.6 * 650, `the graph is ${icicle.height} high`);
  // The list gets more space, and keeps it.
  const splitter = page.getByRole('separator', { name: 'Room of graph and list' });
  await splitter.press('ArrowLeft');
  await page.reload();
  await waitForLayout(page);
  await eventually(async () => assert.equal(await splitter.getAttribute('aria-valuenow'), '60'));
  await page.getByRole('button', { name: 'Graph with axes' }).click();
  await page.waitForURL(/[?&]tall=1/);
  const tall = await page.locator('.u-over').boundingBox();
  assert.ok(tall && tall.y > strip.y + strip.height / 2 && tall.height > 2 * strip.height);
  // On a phone, twelve rows of frames are visible, and the query can be unfolded.
  await page.getByRole('button', { name: 'Graph with axes' }).click();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.locator('.query-input').waitFor({ state: 'hidden' });
  const small = await page.getByRole('tree').boundingBox();
  assert.ok(small && Math.min(740, small.y + small.height) - small.y >= 12 * 20, `${small?.y}`);
  await page.getByRole('button', { name: 'Query and labels' }).click();
  await page.locator('.query-input').waitFor();
  await closePage(opened);
});

test('the legend shows every kind that is in the picture, on a laptop and on a phone', async () => {
  const query = encodeURIComponent(`${cpuType}{job="kinds"}`);
  const opened = await open(`/explore?q=${query}&ar=0`, { width: 1366, height: 650 });
  const { page } = opened;
  /**
   * Returns the names of the entries that are completely visible in the legend and in the window.
   */
  const seen = () =>
    page.locator('.colour-legend').evaluate((legend) => {
      const { top, bottom, left, right } = legend.getBoundingClientRect();
      const isIn = (box: DOMRect) =>
        box.top >= top && box.bottom <= Math.min(bottom + 1, innerHeight) && box.left >= left;
      return [...legend.querySelectorAll('.legend-entry')]
        .filter((entry) => isIn(entry.getBoundingClientRect()))
        .filter((entry) => entry.getBoundingClientRect().right <= right)
        .map((entry) => entry.querySelector('.legend-text')?.textContent ?? '')
        .sort();
    });
  const kinds = [
    'garbage collection',
    'interpreter',
    'kernel',
    'libraries',
    'others',
    'own code',
    'runtime',
  ];
  await eventually(async () => assert.deepEqual(await seen(), kinds));
  const icicle = await page.getByRole('tree').boundingBox();
  assert.ok(icicle && icicle.height >= 0.6 * 650, `the graph is ${icicle?.height} high`);
  await page.setViewportSize({ width: 360, height: 740 });
  await eventually(async () => assert.deepEqual(await seen(), kinds));
  await eventually(async () => {
    const { height = 0 } = (await page.getByRole('tree').boundingBox()) ?? {};
    assert.ok(height >= 12 * 20, `the graph is ${height} high`);
  });
  // The headline is not cut off.
  const samples = page.locator('.headline').getByText(/^700\s+samples/);
  await samples.waitFor();
  const cut = await page
    .locator('.headline, .time-picker > .button')
    .evaluateAll((all) =>
      all
        .filter((one) => one.scrollWidth > one.clientWidth)
        .map((one) => `${one.textContent} ${one.scrollWidth} ${one.clientWidth}`),
    );
  assert.deepEqual(cut, []);
  // The text of a fixed range is longer.
  await page.goto(`${page.url()}&from=${startMillis}&to=${startMillis + 60_000}`);
  await page.getByRole('button', { name: 'Query and labels' }).waitFor();
  assert.deepEqual(await sidewaysElements(page), []);
  await closePage(opened);
});

test('what counts since the start is shown as what was gained, as rates', async () => {
  const range = `&from=${startMillis - 20_000}&to=${startMillis + 40_000}&ar=0`;
  const heap = 'memory:inuse_space:bytes:space:bytes{job="counted", pod="1"}';
  const opened = await open(`/explore?q=${encodeURIComponent(heap)}${range}`);
  const { page } = opened;
  const headline = async (want: RegExp): Promise<void> => {
    await page.waitForFunction(
      ({ source }) => {
        const text = document.querySelector('.headline')?.textContent ?? '';
        return new RegExp(source).test(text.replaceAll('\u202f', ' '));
      },
      { source: want.source },
    );
  };
  const choose = (type: string) => page.getByLabel('Profile type').selectOption({ label: type });
  await headline(/^avg 1\.00 MiB/);
  // The program allocates 40 MiB in 20 s; its totals since its start are gigabytes.
  await choose('Memory allocated');
  await headline(/^2\.00 MiB\/sMemory allocated/);
  await page.waitForURL(/increase/);
  await eventually(async () =>
    assert.match((await treeItems(page))[1], /^main, total 100 %, 2\.00 MiB\/s/),
  );
  await choose('Mutex wait');
  await headline(/^0\.500 s\/sMutex wait/);
  await choose('Mutex contentions');
  await headline(/^50 \/sMutex contentions/);
  await page
    .getByRole('group', { name: 'Series' })
    .getByText(/50\s\/s/)
    .waitFor();
  await choose('Memory in use');
  await headline(/^avg 1\.00 MiBMemory in use/);
  assert.doesNotMatch(page.url(), /increase/);
  // A query for totals returns totals, and the page says what they are.
  const raw = 'memory:alloc_space:bytes:space:bytes{job="counted"}';
  await page.goto(`${server.url}/explore?q=${encodeURIComponent(raw)}${range}`);
  await page.getByText('values count since each program started').waitFor();
  await screenshot(page, 'ui-since-start');
  await page.getByRole('button', { name: 'Show the increase' }).click();
  // Both pods together allocate 60 MiB in 25 s.
  await headline(/MiB\/sMemory allocated/);
  await page.getByText('values count since each program started').waitFor({ state: 'detached' });
  await screenshot(page, 'ui-increase');
  // The increase of a pod that was seen once is unknown, which differs from zero.
  const early = `&from=${startMillis + 12_000}&to=${startMillis + 18_000}&ar=0`;
  const once = `${raw.replace('}', ', pod="2"}')} | increase`;
  await page.goto(`${server.url}/explore?q=${encodeURIComponent(once)}${early}`);
  await page.getByText('has another one to be compared with').waitFor();
  await closePage(opened);
});

test('a comparison of memory begins with amounts: what did not change has not shrunk', async () => {
  const sides = ['1', '2'].map(
    (pod) => `memory:inuse_space:bytes:space:bytes{job="leak", pod="${pod}"}`,
  );
  const range = `&from=${startMillis - 20_000}&to=${startMillis + 40_000}&ar=0`;
  const path = `/explore?q=${encodeURIComponent(`diff(${sides.join(', ')})`)}${range}`;
  const opened = await openPage(browser, server.url + path);
  const { page } = opened;
  const waitForChange = (name: string, want: string) =>
    page
      .getByRole('treeitem', { name: new RegExp(`^${name}, .*${want}`) })
      .waitFor({ state: 'attached' });
  await waitForChange('steady', '±0');
  await waitForChange('leaky', '×9\\.00');
  await page.getByText('amounts:').waitFor();
  await page.getByRole('button', { name: 'Amounts', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Shares' }).click();
  await page.waitForURL(/[?&]cm=share/);
  await waitForChange('steady', '−80\\.0');
  await page.reload();
  await waitForChange('steady', '−80\\.0');
  await closePage(opened);
});

test('a list of memory has averages, also where a link asks for sums of moments', async () => {
  const heap = 'memory:inuse_space:bytes:space:bytes{job="leak"}';
  const range = `&from=${startMillis - 20_000}&to=${startMillis + 40_000}&u=total&ar=0`;
  const opened = await open(`/explore?q=${encodeURIComponent(heap)}${range}`);
  const { page } = opened;
  const units = page.getByRole('combobox', { name: 'Numbers in the list' });
  assert.equal(await units.inputValue(), 'rate');
  assert.deepEqual(await units.getByRole('option').allInnerTexts(), ['Percent', 'Average']);
  const list = page.getByRole('listbox', { name: 'Functions' });
  await list
    .getByRole('option', { name: /leaky/ })
    .getByText(/^160\sMiB/)
    .first()
    .waitFor();
  await page.keyboard.press('u');
  await page.waitForURL((url) => !url.searchParams.has('u'));
  await page.keyboard.press('u');
  await page.waitForURL(/[?&]u=rate/);
  await page.keyboard.press('u');
  await page.waitForURL((url) => !url.searchParams.has('u'));
  await closePage(opened);
});

test('the graph over time speaks and obeys the keyboard', async () => {
  const range = `&from=${startMillis - 20_000}&to=${startMillis + 40_000}`;
  const query = encodeURIComponent(`${cpuType}{job="t"}`);
  const opened = await open(`/explore?q=${query}${range}`);
  const { page } = opened;
  const cursor = page.getByRole('slider', { name: 'Time in the graph' });
  await cursor.focus();
  await page.keyboard.press('Home');
  const text = (await cursor.getAttribute('aria-valuetext'))?.replaceAll('\u202f', ' ');
  assert.match(text ?? '', /^\d\d:\d\d:\d\d, job=t 1\.00 cores$/);
  const table = page.getByRole('table', { name: 'Profiles over time' });
  await eventually(async () =>
    assert.match((await table.innerText()).replaceAll('\u202f', ' '), /job=t[^]*1\.00 cores/),
  );
  await page.keyboard.press('Enter');
  await page.waitForURL(/[?&]sel=/);
  await page.getByLabel('Clear the selection').waitFor();
  await closePage(opened);
});
