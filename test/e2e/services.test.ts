// Tests the start page in a real browser: services sorted by cores, what changed, and the links to
// the services' profiles.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import {
  axeViolations,
  closePage,
  eventually,
  launchBrowser,
  openPage,
  screenshot,
  sidewaysElements,
} from '../support/browser.ts';
import { type FilledServer, startFilledServer } from '../support/filled-server.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';

const minute = 60_000;
let server: FilledServer;
let browser: Browser;

before(async () => {
  const now = Date.now();
  server = await startFilledServer(['--share-url=https://profiles.test'], async (push) => {
    const pushCpu = (labels: Record<string, string>, minutesAgo: number, samples: bigint) => {
      const timeNanos = BigInt(now - minutesAgo * minute) * 1_000_000n;
      const profile = cpuProfile({ timeNanos, samples: [['main.main;work', samples]] });
      return push({ __name__: 'process_cpu', ...labels }, gzippedPprof(profile));
    };
    await pushCpu({ job: 'api', pod: 'a' }, 20, 1_000n);
    await pushCpu({ job: 'api', pod: 'a' }, 2, 1_000n);
    await pushCpu({ job: 'api', pod: 'b' }, 2, 500n);
    await pushCpu({ comm: 'sshd' }, 2, 10n);
    await pushCpu({ app: 'gone' }, 20, 2_000n);
    const timeNanos = BigInt(now - minute) * 1_000_000n;
    const state = cpuProfile({ timeNanos, durationNanos: 0n, samples: [['main.main', 1n]] });
    await push({ __name__: 'process_cpu', job: 'batch' }, gzippedPprof(state));
  });
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Returns the text of the rows' cells, with narrow spaces replaced with plain ones. */
async function rows(page: Page): Promise<string[][]> {
  await page.locator('tbody tr').first().waitFor();
  const texts = await page
    .locator('tbody tr')
    .evaluateAll((found) =>
      found.map((row) => [...row.children].slice(0, 3).map((cell) => cell.textContent ?? '')),
    );
  return texts.map((cells) => cells.map((text) => text.replaceAll('\u202f', ' ')));
}

test('the start page has a row a service, and a click shows its profiles', async () => {
  const opened = await openPage(browser, server.url, { width: 1366, height: 650 });
  const { page } = opened;
  await eventually(async () =>
    assert.deepEqual(await rows(page), [
      ['api job', '1.50 cores data for 10.0 s of 15 min', '▲ +50.0 %'],
      ['sshd comm', '10.0 mcores data for 10.0 s of 15 min', 'new'],
      ['gone app', '0 cores', '▼ −100 %'],
      ['batch job', 'no CPU profiles', ''],
    ]),
  );
  const last = await page.getByRole('row', { name: 'batch' }).locator('td').last().innerText();
  assert.match(last, /^[5-9]\d\s?s ago|^1\s?min/);
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'services');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await eventually(async () =>
    assert.deepEqual(
      (await rows(page)).map(([name]) => name),
      ['gone app', 'api job', 'batch job', 'sshd comm'],
    ),
  );
  await page.getByLabel('Search services').fill('SSH');
  await eventually(async () => assert.equal((await rows(page)).length, 1));
  await page.getByRole('link', { name: 'sshd' }).click();
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  const { pathname, searchParams } = new URL(page.url());
  assert.equal(pathname, '/explore');
  assert.equal(
    searchParams.get('q'),
    'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{comm="sshd"}',
  );
  await page.goBack();
  await eventually(async () =>
    assert.equal((await rows(page)).length, 1, 'the search is still there'),
  );
  await closePage(opened);
});

test('a phone shows names, cores and changes without scrolling sideways', async () => {
  const opened = await openPage(browser, `${server.url}/services`, { width: 360, height: 700 });
  const { page } = opened;
  await eventually(async () => assert.equal((await rows(page)).length, 4));
  assert.deepEqual(await sidewaysElements(page), []);
  assert.equal(await page.getByText('▲ +50.0').isVisible(), true);
  await screenshot(page, 'services-360');
  await closePage(opened);
});

test('Share gives a frozen link, a copy that stays, Markdown, and files', async () => {
  const opened = await openPage(browser, `${server.url}/explore`, { isNew: true });
  const { page } = opened;
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Share or save this view' }).click();
  const view = await page.getByLabel('Link to this view').inputValue();
  assert.match(view, /\/explore\?q=process_cpu[^&]*&from=\d{13}&to=\d{13}/);
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await page.getByText('Copied as Markdown').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /```\nprocess_cpu[^]*\| 100\u202f% \| 100\u202f% \| [^|]* \| `work` \|/);
  assert.ok(copied.includes(`[Open this view](${view})`), copied);
  const save = async (name: string): Promise<Buffer> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    return readFile(await download.path());
  };
  assert.match(gunzipSync(await save('pprof')).toString('latin1'), /main\.main/);
  assert.match((await save('Collapsed stacks')).toString(), /^main\.main;work \d+\n$/);
  assert.equal((await save('PNG')).toString('latin1', 1, 4), 'PNG');
  assert.match((await save('SVG')).toString(), /<svg [^]*<text [^>]*>work<\/text>[^]*<\/svg>/);
  const offline = join(server.scratchPath, 'profile.html');
  await writeFile(offline, await save('Offline page'));
  await page.getByRole('button', { name: 'Store a copy that stays' }).click();
  const link = page.getByLabel('Link to the copy');
  await link.waitFor();
  const { origin, pathname, search } = new URL(await link.inputValue());
  assert.equal(origin, 'https://profiles.test');
  await page.goto(server.url + pathname + search);
  await page.getByRole('listbox', { name: 'Functions' }).getByText('work').waitFor();
  // The saved page works without a server, and sends no request.
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('blob:')) asked.push(request.url());
  });
  await page.goto(`file://${offline}`);
  await page.getByRole('listbox', { name: 'Functions' }).getByText('work').waitFor();
  await page.getByLabel('Search functions').fill('work');
  await page.getByLabel('Next match').waitFor();
  await screenshot(page, 'offline');
  assert.deepEqual(asked, [`file://${offline}`]);
  await closePage(opened);
});

/** Drops files on the page, as a mouse would. */
async function drop(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate((contents) => {
    const dataTransfer = new DataTransfer();
    for (const [name, base64] of Object.entries(contents)) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], name, { lastModified: 1_700_000_000_000 }));
    }
    dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
  }, files);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Returns the rows of the list of functions, as "name self total". */
const listed = (page: Page) =>
  page
    .getByRole('listbox', { name: 'Functions' })
    .getByRole('option')
    .evaluateAll((rows) => rows.map((row) => row.textContent ?? ''));

test('a dropped file is shown in one action, two are compared, and nothing is sent', async () => {
  const opened = await openPage(browser, `${server.url}/services`, { isNew: true });
  const { page } = opened;
  await rows(page);
  const pprof = gzippedPprof(
    cpuProfile({
      timeNanos: 0n,
      samples: [
        ['main;serve;decode', 30n],
        ['main;idle', 10n],
      ],
    }),
  );
  const sent: string[] = [];
  // The header requests the number of findings once a minute, and own code once; neither contains
  // anything from the file.
  const ofHeader = ['findings', 'own-code'].map((path) => `GET ${server.url}/api/v1/${path}?`);
  page.on('request', (request) => {
    const asked = `${request.method()} ${request.url()}`;
    if (!request.url().includes('/assets/') && !ofHeader.includes(asked)) sent.push(asked);
  });
  await drop(page, { 'cpu.pb.gz': pprof.toString('base64') });
  await page.getByRole('treeitem', { name: /^main/ }).waitFor({ state: 'attached' });
  await eventually(() =>
    assert.match(page.url(), /\/file\?q=process_cpu:cpu:nanoseconds.*cpu\.pb\.gz/),
  );
  await page.getByRole('listbox', { name: 'Functions' }).getByText('decode').waitFor();
  assert.match((await listed(page)).join('\n'), /75\.0[^]*decode/);
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'file');
  // A gesture works as it does with profiles from a server.
  await page.getByRole('tree').focus();
  await page.keyboard.press('/');
  await page.keyboard.type('decode');
  await page.getByText('75.0').first().waitFor();
  await drop(page, {
    'before.txt': base64('main;serve;decode 30\nmain;serve 5\n'),
    'after.txt': base64('main;serve;decode 30\nmain;new 35\n'),
    'broken.txt': base64('what is this'),
  });
  await page.getByText('text of an unknown kind').waitFor();
  await page.getByRole('region', { name: 'Changes' }).getByText('new').first().waitFor();
  await eventually(async () =>
    assert.match(decodeURIComponent(page.url()), /q=diff\(.*before\.txt.*after\.txt/),
  );
  await screenshot(page, 'files-compared');
  assert.deepEqual(sent, [], 'nothing left the page');
  await closePage(opened);
});

test('status and agents: what the server holds, and who pushed', async () => {
  const opened = await openPage(browser, `${server.url}/status`, { width: 1366, height: 900 });
  const { page } = opened;
  await page.getByRole('region', { name: 'Labels' }).getByRole('cell', { name: 'pod' }).waitFor();
  const figures = await page.getByRole('region', { name: 'Server' }).innerText();
  assert.match(
    figures.replaceAll('\u202f', ' '),
    /Memory of the process\n[\d.]+ [MG]iB[^]*Streams not yet in blocks\n5\n[^]*Free on that disk\n[\d.]+ [GT]iB\nKept free: writes are refused below\n[\d.]+ [MG]iB\nProfiles are kept for\n[^]+\nSize at which the oldest go\nno limit\n/,
  );
  const labels = await page.getByRole('region', { name: 'Labels' }).innerText();
  assert.match(
    labels.replaceAll('\u202f', ' '),
    /\n\d+ series with \d+ profiles\. Each sample type/,
  );
  const active = page.getByRole('region', { name: 'Active series', exact: true });
  await active.getByRole('cell', { name: '--series-max-active', exact: true }).waitFor();
  const readTop = (name: string) => active.getByRole('region', { name }).innerText();
  assert.match(await readTop('Caller with most series'), /^Caller\tSeries\n\S*127\.0\.0\.1\t\d+$/);
  assert.match(await readTop('Label with most series'), /\njob\t\d+\n/);
  assert.match(await readTop('Label with most values'), /\npod\t\d+/);
  assert.match(await readTop('Label and value with most series'), /\n\S+="\S+"\t\d/);
  const settings = page.getByRole('region', { name: 'Settings' });
  await settings.getByRole('cell', { name: '--storage-path' }).waitFor();
  await screenshot(page, 'status');
  for (const summary of await settings.locator('summary').all()) await summary.click();
  await settings.getByRole('cell', { name: '--log-level' }).waitFor();
  await eventually(async () =>
    assert.equal(await settings.locator('pre').innerText(), 'scrape_configs: []\n'),
  );
  await page.getByText('No query runs or waits.').waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.setViewportSize({ width: 320, height: 700 });
  assert.deepEqual(await sidewaysElements(page), []);
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByText('pushing').waitFor();
  await eventually(async () =>
    assert.match(await page.locator('.agents').innerText(), /127\.0\.0\.1[^]*last push/),
  );
  assert.deepEqual(await sidewaysElements(page), []);
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'agents-320');
  await page.keyboard.press('Control+k');
  const find = page.getByRole('combobox', { name: 'Go to, do, find' });
  await find.fill('serv api');
  const open = page.getByRole('option', { name: 'Service api', exact: true });
  await open.waitFor();
  assert.deepEqual(await axeViolations(page), []);
  assert.deepEqual(await sidewaysElements(page), []);
  await find.fill('hour');
  await page.keyboard.press('ArrowDown');
  await eventually(async () =>
    assert.match(
      await page.locator('[role="option"][aria-selected="true"]').innerText(),
      /Time\s+Last 3 hours/,
    ),
  );
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await find.fill('service api');
  await open.waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('q')?.endsWith('{job="api"}') === true);
  await page.emulateMedia({ forcedColors: 'active', contrast: 'more', reducedMotion: 'reduce' });
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  await page.setViewportSize({ width: 1366, height: 650 });
  await screenshot(page, 'ui-forced-colours');
  await page.emulateMedia({ forcedColors: null, contrast: null, reducedMotion: null });
  await page.goBack();
  const letters = page.getByRole('checkbox', { name: /single character/ });
  await page.keyboard.press('?');
  await letters.uncheck();
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.keyboard.press('?');
  await eventually(() => assert.match(page.url(), /\/agents$/));
  await eventually(async () => assert.equal(await letters.count(), 0));
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await letters.check();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await rows(page);
  await closePage(opened);
});
