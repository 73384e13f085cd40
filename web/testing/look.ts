// Takes screenshots of the pages of a running server for visual inspection.
//
// Usage: node web/testing/look.ts http://127.0.0.1:7070/ /tmp/pictures [part of a name]
import { join } from 'node:path';
import { launchBrowser } from '../../test/support/browser.ts';

const [address = 'http://127.0.0.1:7070/', folder = '.', only = ''] = process.argv.slice(2);
const widths = [1440, 768, 360];
const schemes = ['light', 'dark'] as const;

const browser = await launchBrowser();
for (const width of widths) {
  for (const colorScheme of schemes) {
    const name = `${width}-${colorScheme}`;
    if (!name.includes(only)) continue;
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    page.on('console', (message) => {
      if (message.type() === 'error') process.stdout.write(`${name}: ${message.text()}\n`);
    });
    const picture = (what: string) =>
      page.screenshot({ path: join(folder, `${what}-${name}.png`) });
    await page.goto(address);
    await page.waitForSelector('[role="treeitem"]', { state: 'attached', timeout: 30_000 });
    await page.waitForTimeout(500);
    await picture('explore');
    await page.goto(new URL('targets', address).href);
    await page.waitForSelector('.target');
    await picture('targets');
    await page.close();
  }
}
await browser.close();
