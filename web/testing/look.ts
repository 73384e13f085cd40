// Takes pictures of a running server's pages, for people to look at:
// `node web/testing/look.ts http://127.0.0.1:7070/ /tmp/pictures`.
import { join } from 'node:path';
import { openBrowser } from './browser.ts';

const [address = 'http://127.0.0.1:7070/', folder = '.', only = ''] = process.argv.slice(2);
const widths = [1440, 768, 360];
const schemes = ['light', 'dark'] as const;

for (const width of widths) {
  for (const colorScheme of schemes) {
    const name = `${width}-${colorScheme}`;
    if (!name.includes(only)) continue;
    const browser = await openBrowser({ width, height: 900, colorScheme });
    const { page } = browser;
    const picture = (what: string) =>
      page.screenshot({ path: join(folder, `${what}-${name}.png`) });
    await page.goto(address);
    await page.waitForSelector('[role="treeitem"]', { timeout: 30_000 });
    await page.waitForTimeout(500);
    await picture('explore');
    await page.goto(new URL('targets', address).href);
    await page.waitForSelector('.target');
    await picture('targets');
    console.log(name, browser.problems.join('\n'));
    await browser.close();
  }
}
