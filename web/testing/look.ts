// Takes pictures of all screens of a running server, in both themes and three widths, and puts
// those of one theme and width on sheets, for visual inspection.
//
// Usage: node web/testing/look.ts http://127.0.0.1:7070/ /tmp/pictures [part of a name]
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../test/support/browser.ts';

const [address = 'http://127.0.0.1:7070/', folder = '.', only = ''] = process.argv.slice(2);
const widths = [320, 768, 1_440];
const schemes = ['light', 'dark'] as const;
/** Pictures in a row of a sheet, on a sheet, and the width of each in pixels. */
const [columns, onSheet, sheetWidth] = [4, 12, 480];

/** A screen: its name, its path, and what is done on the page. */
type Screen = readonly [name: string, path: string, act?: (page: Page) => Promise<void>];

const press =
  (...keys: readonly string[]) =>
  async (page: Page): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

const click =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    const button = page.getByRole('button', { name }).first();
    const more = page.locator('.query-time .narrow-only').first();
    if (!(await button.isVisible()) && (await more.isVisible())) await more.click();
    await button.click();
  };

async function openFrameMenu(page: Page): Promise<void> {
  await page.getByRole('tree').focus();
  await press('Home', 'ArrowDown', '.')(page);
}

const screens: readonly Screen[] = [
  ['services', 'services'],
  ['services-graphs', 'services?sv=grid'],
  ['services-tip', 'services', (page) => page.locator('td.change a').first().hover()],
  ['explore', 'explore?from=now-1h'],
  ['tall', 'explore?tall=1'],
  ['flame', 'explore?g=flame&s=main'],
  ['tree', 'explore?g=tree'],
  ['chart', 'explore?g=chart'],
  ['functions', 'explore?v=table'],
  ['changes', 'explore?v=changes'],
  ['labels', 'explore?v=labels'],
  ['times', 'explore?st=heatmap'],
  ['comparison', 'explore', press('v')],
  ['compare-menu', 'explore', click(/^Compare with/)],
  ['hide-menu', 'explore', click('Hide, fold or show only')],
  ['time-menu', 'explore', click(/^(Time range|Last)/)],
  ['frame-menu', 'explore', openFrameMenu],
  ['share', 'explore', click('Share or save this view')],
  ['copied', 'explore', press('S')],
  ['palette', 'explore', press('Control+k', 'c', 'o')],
  ['views', 'explore', click('Saved views')],
  ['help', 'explore', click('Keyboard shortcuts')],
  ['no-data', `explore?q=${encodeURIComponent('{job="nobody"}')}`],
  ['wrong-query', `explore?q=${encodeURIComponent('{job=')}`],
  ['users', 'users?who=main&wk=pattern'],
  ['users-empty', 'users'],
  ...['targets', 'alerts', 'findings', 'agents', 'symbols', 'file', 'status'].map(
    (name) => [name, name] as const,
  ),
  ['not-found', 'nothing'],
];

/** Takes a picture, also of a screen that could not be completed. */
async function look(page: Page, [, path, act]: Screen, file: string): Promise<void> {
  try {
    await page.goto(new URL(path, address).href);
    await page.locator('h1, pre').first().waitFor({ state: 'attached' });
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    if (path.startsWith('explore') && act !== undefined) {
      await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
    }
    await act?.(page);
    await page.waitForTimeout(500);
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  } catch (error) {
    process.stdout.write(`${file}: ${String(error).split('\n')[0]}\n`);
  }
  await page.screenshot({ path: file });
}

async function makeSheets(browser: Browser, files: readonly string[], name: string): Promise<void> {
  for (let i = 0; i < files.length; i += onSheet) {
    const width = columns * (sheetWidth + 8);
    const page = await browser.newPage({ viewport: { width, height: 400 } });
    const figures = files.slice(i, i + onSheet).map(async (file) => {
      const source = `data:image/png;base64,${(await readFile(file)).toString('base64')}`;
      return `<figure style="margin:4px;width:${sheetWidth}px">${file}<img width="100%" src="${source}"></figure>`;
    });
    const body = (await Promise.all(figures)).join('');
    await page.setContent(`<body style="margin:0;display:flex;flex-wrap:wrap">${body}`);
    await page.screenshot({
      path: join(folder, `sheet-${name}-${i / onSheet + 1}.png`),
      fullPage: true,
    });
    await page.close();
  }
}

const browser = await launchBrowser();
for (const width of widths) {
  for (const colorScheme of schemes) {
    const height = width < 600 ? 740 : 900;
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    page.on('pageerror', (error) => process.stdout.write(`${error.message}\n`));
    const files: string[] = [];
    for (const screen of screens) {
      const file = join(folder, `${screen[0]}-${width}-${colorScheme}.png`);
      if (!file.includes(only)) continue;
      await look(page, screen, file);
      files.push(file);
    }
    await page.close();
    await makeSheets(browser, files, `${width}-${colorScheme}`);
  }
}
await browser.close();
