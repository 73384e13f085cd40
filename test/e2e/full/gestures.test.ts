// Tests gestures on frames, list rows and stages: each writes the query that a person would type,
// and gets exactly the same answer.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  axeViolations,
  closePage,
  eventually,
  launchBrowser,
  type OpenedPage,
  openPage,
  screenshot,
  sidewaysElements,
  waitForLayout,
} from '../../support/browser.ts';
import {
  binaryGestures,
  functionGestures,
  stackGestures,
} from '../../../web/src/language/gestures.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';

const base = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="t"}';
const startMillis = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;
const path = `/explore?q=${encodeURIComponent(base)}&from=${startMillis - 60_000}&to=${startMillis + 60_000}`;

const samples = [
  ['main.main;svc.(*H).Serve', 100n],
  ['main.main;svc.(*H).Serve;encoding/json.Marshal', 300n],
  ['main.main;svc.(*H).Serve;db.Query', 200n],
  ['runtime.gcBgMark', 399n],
  ['tiny.one;encoding/json.Marshal', 1n],
] as const;

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
let browser: Browser;

before(async () => {
  scratch = await scratchDirectory();
  [server, browser] = await Promise.all([
    startServer({ storagePath: `${scratch.path}/data` }),
    launchBrowser(),
  ]);
  const profile = cpuProfile({
    timeNanos: BigInt(startMillis) * 1_000_000n,
    samples,
    binary: '/usr/bin/shop',
  });
  const labels = Object.entries({ __name__: 'process_cpu', job: 't', pod: 'web-1' });
  const series = {
    labels: { labels: labels.map(([name, value]) => ({ name, value })) },
    samples: [{ rawProfile: gzippedPprof(profile).toString('base64') }],
  };
  const response = await fetch(`${server.url}/api/profiles/writeraw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ series: [series], normalized: true }),
  });
  assert.equal(response.status, 200, await response.text());
});

after(async () => {
  await browser?.close();
  await server?.stop();
  await scratch?.remove();
});

/** A page whose answers to queries about stacks are recorded. */
interface RecordedPage extends OpenedPage {
  readonly answers: { readonly request: string; readonly answer: Promise<string> }[];
}

async function open(options = {}): Promise<RecordedPage> {
  const opened = await openPage(browser, server.url + path, {
    width: 1280,
    height: 800,
    ...options,
    isNew: true,
  });
  const answers: RecordedPage['answers'] = [];
  opened.page.on('response', (response) => {
    if (!response.url().endsWith('QueryService/Query')) return;
    const request = response.request().postDataBuffer()?.toString('latin1') ?? '';
    const answer = response.body().then((body) => createHash('sha256').update(body).digest('hex'));
    // An answer that no test reads may be cut off when its page closes.
    answer.catch(() => undefined);
    answers.push({ request, answer });
  });
  await waitForLayout(opened.page);
  return { ...opened, answers };
}

/** Waits until every panel shows the answer to `query`. */
async function waitForQuery(page: Page, query: string): Promise<void> {
  await page.waitForURL((url) => url.searchParams.get('q') === query);
  await page.waitForFunction((text) => {
    const panels = [...document.querySelectorAll('.icicle-panel, .list-panel')];
    const asked = JSON.stringify(text).slice(1, -1);
    // The list of an inverted query requests the same functions without `invert`.
    return panels.every(
      (panel) =>
        panel.getAttribute('aria-busy') === 'false' &&
        (panel.matches('.list-panel') ||
          panel.getAttribute('data-query')?.includes(`"${asked}"`) === true),
    );
  }, query);
}

/** Returns all requests about `query`, each with the digest of its answer. */
async function answersTo({ answers }: RecordedPage, query: string): Promise<readonly string[]> {
  const own = answers.filter(({ request }) =>
    request.includes(Buffer.from(query).toString('latin1')),
  );
  assert.ok(own.length > 0, `nothing asked ${query}`);
  const pairs = own.map(async ({ request, answer }) => `${request} ${await answer}`);
  return [...new Set(await Promise.all(pairs))].sort();
}

/** URL parameters that change requests; other parameters only change how answers are shown. */
const askedKeys = ['from', 'to', 'sel', 'by', 'z', 'cz', 'ord', 'cm'];

/** Returns the query parameters of a URL that change requests. */
function asked(address: string): [string, string | null][] {
  const { searchParams } = new URL(address);
  return askedKeys.map((key) => [key, searchParams.get(key)]);
}

/** Puts the cursor of the icicle on a frame. */
async function goToFrame(page: Page, keys: string): Promise<void> {
  await page.getByRole('tree').focus();
  await page.keyboard.press('Home');
  for (const key of keys) await page.keyboard.press(key === '>' ? 'ArrowRight' : 'ArrowDown');
}

const findRow = (page: Page, name: string) =>
  page.getByRole('listbox', { name: 'Functions' }).getByRole('option', { name });

const marshal = 'encoding/json.Marshal';

test('a gesture writes the query that one would type, and the answer is the same', async () => {
  const [gestures, typed] = await Promise.all([open(), open()]);
  const { page } = gestures;
  await typed.page.locator('.query-input').click();
  await typed.page.locator('.query-field[data-ready="true"]').waitFor();

  /**
   * Checks that the page's URL requests the same as a typed query, and goes back. With `isTyped`,
   * types the query into the other page, and compares the answers byte by byte.
   */
  const check = async (stages: string, isTyped: boolean): Promise<void> => {
    const query = `${base} | ${stages}`;
    await waitForQuery(page, query);
    assert.deepEqual(asked(page.url()), asked(`${server.url}${path}`), query);
    assert.ok((await answersTo(gestures, query)).length > 0);
    if (isTyped) await compare(query);
    await page.goBack();
    await waitForQuery(page, base);
  };
  const compare = async (query: string): Promise<void> => {
    for (const key of ['Control+a', 'Delete']) await typed.page.keyboard.press(key);
    await typed.page.keyboard.insertText(query);
    await typed.page.keyboard.press('Control+Enter');
    await waitForQuery(typed.page, query);
    // One panel may be complete before the other has sent its request.
    await eventually(async () =>
      assert.deepEqual(await answersTo(gestures, query), await answersTo(typed, query), query),
    );
  };

  const keys: readonly (readonly [key: string, stages: string])[] = [
    ['k', `stack equals "${marshal}"`],
    ['d', `not stack equals "${marshal}"`],
    ['h', `frame drop equals "${marshal}"`],
    ['s', `sandwich "${marshal}"`],
    ['c', `invert | sandwich "${marshal}"`],
    ['r', `root "${marshal}"`],
    ['i', 'invert'],
    ['R', 'collapse recursion'],
    ['f', 'by (file)'],
    ['b', 'by (binary)'],
    ['H', 'frame drop binary equals "shop"'],
    ['C', 'collapse binary equals "shop"'],
  ];
  const ofBinary: typeof keys = [
    ['K', 'stack binary equals "shop"'],
    ['D', 'not stack binary equals "shop"'],
    ['H', 'frame drop binary equals "shop"'],
    ['C', 'collapse binary equals "shop"'],
    ['O', 'leaf binary equals "shop"'],
    ['X', 'not leaf binary equals "shop"'],
    ['F', 'frame keep binary equals "shop"'],
  ];
  const allKeys = (...gestures: readonly { readonly key: string }[]) =>
    gestures.map(({ key }) => key).sort();
  const testedKeys = (tested: typeof keys) => tested.map(([key]) => key).sort();
  assert.deepEqual(
    testedKeys(keys),
    allKeys(...functionGestures(marshal), ...stackGestures, { key: 'H' }, { key: 'C' }),
  );
  assert.deepEqual(testedKeys(ofBinary), allKeys(...binaryGestures('/usr/bin/shop')));
  const menu = page.getByRole('menu', { name: `Menu of ${marshal}` });
  // Tests each stage with its key: on a frame or a list row, or in the row's menu.
  for (const [i, [key, stages]] of keys.entries()) {
    const byMenu = i % 4 > 1;
    // The list does not show binaries, so their keys are tested on frames.
    if (i % 2 === 1 && !'HC'.includes(key)) {
      await findRow(page, marshal).click({ button: byMenu ? 'right' : 'left' });
    } else {
      await goToFrame(page, 'vvv');
      if (byMenu) await page.keyboard.press('.');
    }
    if (byMenu) await menu.waitFor();
    await page.keyboard.press(key);
    // The first four keys cover all ways: a key on a frame, on a list row, and in the menu of each.
    await check(stages, i < 4);
  }

  await goToFrame(page, 'v');
  await page.keyboard.press('l');
  await page.getByRole('textbox', { name: 'Label' }).fill('pod');
  await page.keyboard.press('Enter');
  await check('by (pod)', true);

  await page.getByRole('combobox', { name: 'Colour by' }).selectOption('binary');
  for (const [key, stages] of ofBinary) {
    await page.getByRole('button', { name: /^shop/ }).click();
    await page.getByRole('menu', { name: 'Menu of shop' }).waitFor();
    await page.keyboard.press(key);
    await check(stages, key === 'K');
  }

  for (const [text, regex, key, stages] of [
    ['JSON', false, 'Control+Enter', 'stack "JSON"'],
    ['j|q', true, 'Alt+Enter', 'not stack matches "(?i)j|q"'],
  ] as const) {
    await page.keyboard.press('/');
    if (regex) await page.getByRole('button', { name: 'Regular expression' }).click();
    await page.getByRole('textbox', { name: 'Search functions' }).fill(text);
    await page.keyboard.press('/');
    await page.getByRole('textbox', { name: 'Search functions' }).fill(text);
    await page.keyboard.press(key);
    await check(stages, true);
  }
  await closePage(typed);
  await closePage(gestures);
});

test('stages are chips that are removed, moved and undone', async () => {
  const opened = await open({ colorScheme: 'dark' });
  const { page } = opened;
  const trail = page.getByRole('group', { name: 'Stages' });
  const texts = async () =>
    (await trail.innerText()).replaceAll('\u202f', ' ').replace(/\s+/g, ' ').trim();
  const q = (stages: string) => waitForQuery(page, base + stages);

  await goToFrame(page, 'vvv');
  await page.keyboard.press('k');
  const keep = ` | stack equals "${marshal}"`;
  await q(keep);
  await goToFrame(page, 'v');
  await page.keyboard.press('h');
  const hide = ' | frame drop equals "main.main"';
  await q(keep + hide);
  await goToFrame(page, 'v');
  await page.keyboard.press('i');
  await q(`${keep}${hide} | invert`);
  const shown = '30.1 % of all is shown';
  const chips = [keep, hide, ' | invert'].map((stage) => stage.slice(3)).join(' ');
  await eventually(async () =>
    assert.equal(await texts(), `stages ${chips} ${shown} Undo Invert hide… split by`),
  );
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'ui-stages');

  const invert = trail.getByRole('button', { name: 'invert', exact: true });
  await invert.focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await q(`${keep} | invert${hide}`);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await eventually(async () =>
    assert.equal(await focused(), 'invert', 'the focus moves with the chip'),
  );
  await page.keyboard.press('.');
  await page.getByRole('menu', { name: 'Menu of invert' }).waitFor();
  await page.getByRole('menuitem', { name: 'Move before the previous stage' }).click();
  await q(` | invert${keep}${hide}`);
  await trail.getByRole('button', { name: 'Undo' }).click();
  await q(`${keep} | invert${hide}`);
  await trail.getByText(keep.slice(3)).dragTo(trail.getByText(hide.slice(3)));
  await q(` | invert${hide}${keep}`);
  await trail.getByRole('button', { name: 'Remove invert' }).click();
  await q(hide + keep);
  await trail.getByText(keep.slice(3)).focus();
  await page.keyboard.press('Delete');
  await q(hide);
  await eventually(async () => assert.equal(await focused(), hide.slice(3)));
  await page.keyboard.press('Delete');
  await q('');
  await eventually(async () => assert.equal(await texts(), 'Invert hide… split by'));
  await closePage(opened);
});

test('a sandwich has its callers above, and touch opens every menu', async () => {
  const opened = await open({ width: 360, height: 740 });
  const { page } = opened;
  const press = async (x: number, y: number, selector: string) => {
    const pointer = { pointerType: 'touch', button: 0, clientX: x, clientY: y, bubbles: true };
    await page.dispatchEvent(selector, 'pointerdown', pointer);
    await page.getByRole('menu').waitFor();
  };
  await page.getByRole('button', { name: 'Functions' }).click();
  const box = await findRow(page, marshal).boundingBox();
  assert.ok(box);
  await press(box.x + 40, box.y + 10, '.list-body');
  await page.getByRole('menuitem', { name: 'Sandwich' }).click();
  await page.getByRole('button', { name: 'Graph', exact: true }).click();
  await waitForQuery(page, `${base} | sandwich "${marshal}"`);
  const findCallers = (name: string) => page.getByRole('tree', { name: `Callers of ${name}` });
  const callers = findCallers(marshal);
  await callers.focus();
  for (const key of ['Home', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
  await callers.getByRole('treeitem', { name: 'main.main' }).waitFor({ state: 'attached' });
  const labels = await callers
    .getByRole('treeitem')
    .evaluateAll((items) => items.map((item) => item.getAttribute('aria-label') ?? ''));
  assert.deepEqual(
    labels
      .slice(2)
      .map((label) => label.replaceAll('\u202f', ' ').split(', ').slice(0, 2).join(' ')),
    ['svc.(*H).Serve total 99.7 %', 'main.main total 99.7 %'],
  );
  assert.deepEqual(await axeViolations(page), []);
  assert.deepEqual(await sidewaysElements(page), []);
  await screenshot(page, 'ui-sandwich-360');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.has('cz'));
  for (const key of ['ArrowDown', 'w']) await page.keyboard.press(key);
  await page.waitForURL((url) => url.searchParams.get('hl') === 'svc.(*H).Serve');
  await page.keyboard.press('s');
  await waitForQuery(page, `${base} | sandwich "svc.(*H).Serve"`);
  await findCallers('svc').waitFor();

  const callees = page.getByRole('tree', { name: 'Icicle of' });
  await callees.scrollIntoViewIfNeeded();
  const tree = await callees.boundingBox();
  assert.ok(tree);
  await press(tree.x + 40, tree.y + 30, '.icicle[aria-label^="Icicle of"] .icicle-canvases');
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'ui-menu-360');
  await page.keyboard.press('Escape');

  await page.getByRole('textbox', { name: 'Search functions' }).fill('db');
  await page.getByRole('button', { name: 'Keep' }).waitFor();
  const widths = await page
    .locator('.search-box button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().width));
  assert.ok(Math.min(...widths) >= 24, `buttons of the search are ${widths.join(', ')} wide`);
  await screenshot(page, 'ui-search-360');
  await closePage(opened);
});

test('a flame graph has its root below, a drag zooms to a range, and the minimap moves it', async () => {
  const opened = await open();
  const { page } = opened;
  const view = page.getByRole('combobox', { name: 'View of the calls' });
  const state = () => new URL(page.url()).searchParams;
  const clickGraph = async (xShare: number, rowFromBelow: number) => {
    const box = await page.locator('.icicle-canvases').boundingBox();
    assert.ok(box);
    const y = box.y + box.height - 20 * rowFromBelow - 10;
    await page.mouse.click(box.x + box.width * xShare, y);
  };
  await view.selectOption('Flame graph');
  await clickGraph(0.3, 1);
  await page.waitForURL((url) => url.searchParams.has('z'));
  await eventually(async () =>
    assert.match(await page.getByRole('navigation', { name: 'Zoom' }).innerText(), /main\.main/),
  );
  await page.goBack();
  await page.waitForURL((url) => !url.searchParams.has('z'));
  await page.getByRole('tree').focus();
  for (const key of ['Home', 'ArrowUp', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key);
  await page.getByTestId('detail').getByText('main').first().waitFor();
  await screenshot(page, 'ui-flame-graph');

  const box = await page.locator('.icicle-canvases').boundingBox();
  assert.ok(box);
  const at = (share: number) => box.x + box.width * share;
  await page.mouse.move(at(0.65), box.y + 30);
  await page.mouse.down();
  await page.mouse.move(at(0.95), box.y + 30, { steps: 3 });
  await page.mouse.up();
  await page.waitForURL((url) => url.searchParams.has('x'));
  const [from, to] = state().get('x')?.split('..').map(Number) ?? [];
  assert.ok(Math.abs(from - 0.65) < 0.01 && Math.abs(to - 0.95) < 0.01, `${from}..${to}`);
  assert.ok(state().has('z'), 'the frame around the range is asked for in detail');
  const map = page.locator('.minimap');
  await map.click({ position: { x: 1, y: 10 } });
  await page.waitForURL((url) => url.searchParams.get('x')?.startsWith('0..') === true);
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'ui-minimap');
  await page.keyboard.press('0');
  await map.waitFor({ state: 'detached' });
  await closePage(opened);
});

test('the call tree opens by keys, has the gestures of frames, and its link shows it again', async () => {
  const opened = await open();
  const { page } = opened;
  await page.getByRole('combobox', { name: 'View of the calls' }).selectOption('Call tree');
  const grid = page.getByRole('treegrid');
  await grid.waitFor();
  const texts = async () =>
    (
      await grid.getByRole('row').evaluateAll((rows) =>
        rows.slice(1).map((row) =>
          [...row.querySelectorAll('[role="gridcell"]')]
            .slice(0, 3)
            .map((cell) => cell.querySelector('.visually-hidden')?.textContent ?? cell.textContent)
            .join(' '),
        ),
      )
    ).map((text) => text.replaceAll('\u202f', ' '));
  const hot = [
    '100 % 0 % ▾root',
    '60.0 % 0 % ▾main.main',
    '60.0 % 10.0 % ▾svc.(*H).Serve',
    '30.0 % 30.0 % encoding/json.Marshal',
    '20.0 % 20.0 % db.Query',
    '39.9 % 39.9 % runtime.gcBgMark',
    '0.10 % 0 % ▸tiny.one',
  ];
  await eventually(async () => assert.deepEqual(await texts(), hot));
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'ui-call-tree');
  await grid.focus();
  for (const key of ['End', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await eventually(async () =>
    assert.deepEqual((await texts()).slice(-2), [
      '0.10 % 0 % ▾tiny.one',
      `0.10 % 0.10 % ${marshal}`,
    ]),
  );
  const current = () => grid.locator('.call-row.current').innerText();
  await eventually(async () => assert.match(await current(), /Marshal/));
  for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await eventually(async () => assert.deepEqual(await texts(), hot));
  await eventually(async () => assert.match(await current(), /tiny\.one/));
  await page.reload();
  await grid.waitFor();
  await eventually(async () => assert.deepEqual(await texts(), hot));
  await grid.getByRole('row', { name: 'db.Query' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Drop stacks with it' }).click();
  await waitForQuery(page, `${base} | not stack equals "db.Query"`);
  await page.setViewportSize({ width: 360, height: 740 });
  await grid.waitFor();
  assert.deepEqual(await sidewaysElements(page), []);
  await screenshot(page, 'ui-call-tree-360');
  await closePage(opened);
});

test('columns of the list are chosen, remembered and in the link', async () => {
  const opened = await open({ width: 1366, height: 650 });
  const { page } = opened;
  const header = page.getByRole('region', { name: 'Functions' }).locator('.list-column');
  const columnsAre = (...labels: readonly string[]) =>
    page.waitForFunction(
      (want) =>
        [...document.querySelectorAll('.list-head .list-column')]
          .map((column) => column.textContent.replace(/ [↑↓]$/, ''))
          .join() === want,
      labels.join(),
    );
  await header.first().waitFor();
  await columnsAre('Self', 'Total', 'Function');
  await page.getByRole('button', { name: 'Columns of the list' }).click();
  for (const column of ['Total', 'n Samples of its own', 'File', 'Over time']) {
    await page.getByRole('checkbox', { name: column, exact: true }).click();
  }
  await page.waitForURL((url) => url.searchParams.get('cols') === 'self,samples,file');
  await columnsAre('Self', 'n', 'Function', 'File');
  await findRow(page, marshal).getByText('test.go').waitFor();
  assert.deepEqual(
    (await findRow(page, marshal).locator('.list-number').allInnerTexts()).map((text) =>
      text.replaceAll('\u202f', ' ').trim(),
    ),
    ['30.1 %', '301'],
  );
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'ui-columns');
  await page.goto(server.url + path);
  await columnsAre('Self', 'n', 'Function', 'File');
  await page.goto(`${server.url}${path}&cols=total,binary`);
  await columnsAre('Total', 'Function', 'Binary');
  await findRow(page, marshal).getByText('shop').waitFor();
  await page.getByRole('button', { name: 'Binary', exact: true }).click();
  await page.waitForURL(/[?&]sort=binary/);
  await page.getByRole('button', { name: 'Binary', pressed: true }).waitFor();
  await closePage(opened);
});
