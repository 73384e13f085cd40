// Takes the pictures of README.md and docs/screenshots from a made-up shop, by hand:
// `node test/e2e/screenshots.ts FOLDER` after `npm test -- page`.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser, openPage } from '../support/browser.ts';
import { startFilledServer } from '../support/filled-server.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';

const folder = process.argv[2] ?? 'test/output/screenshots';
const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const now = Math.floor(Date.now() / 1_000) * 1_000;

const serve = 'net/http.(*conn).serve;net/http.serverHandler.ServeHTTP';
const handler = `${serve};shop/api.(*Router).ServeHTTP`;
const stacks: readonly (readonly [string, number])[] = [
  [
    `${handler};shop/cart.(*Handler).Checkout;encoding/json.Marshal;encoding/json.structEncoder.encode`,
    150,
  ],
  [
    `${handler};shop/cart.(*Handler).Checkout;shop/price.(*Engine).Total;shop/price.(*Engine).discount`,
    210,
  ],
  [`${handler};shop/cart.(*Handler).Checkout;shop/price.(*Engine).Total;math/big.nat.mul`, 60],
  [
    `${handler};shop/cart.(*Handler).Checkout;database/sql.(*DB).QueryContext;github.com/lib/pq.(*conn).query`,
    120,
  ],
  [
    `${handler};shop/search.(*Handler).Find;shop/search.(*Index).match;regexp.(*Regexp).doExecute`,
    180,
  ],
  [`${handler};shop/search.(*Handler).Find;shop/search.(*Index).rank;sort.Slice`, 70],
  [`${handler};compress/gzip.(*Writer).Write;compress/flate.(*compressor).deflate`, 90],
  ['runtime.gcBgMarkWorker;runtime.gcDrain;runtime.scanobject', 110],
  ['runtime.mcall;runtime.schedule;runtime.findRunnable;runtime.futex', 45],
  [`${serve};net/http.(*Request).parse;bufio.(*Reader).ReadLine`, 35],
];

/** Factor of one stack at a time: slow waves, and one function that a version made dearer. */
function factor(stack: string, minute: number, version: string): number {
  const wave = 1 + 0.25 * Math.sin(minute / 2 + stack.length);
  return wave * (version === 'v2.4.0' && stack.includes('discount') ? 2.4 : 1);
}

const server = await startFilledServer([], async (push) => {
  for (const [job, pods, scale] of [
    ['checkout', ['a', 'b'], 1],
    ['search', ['a'], 0.6],
    ['mail', ['a'], 0.15],
  ] as const) {
    for (const pod of pods) {
      for (let minute = 29; minute >= 1; minute--) {
        const version = minute > 12 ? 'v2.3.1' : 'v2.4.0';
        const samples = stacks.map(([stack, count]): [string, bigint] => [
          stack,
          BigInt(Math.max(1, Math.round(count * scale * factor(stack, minute, version)))),
        ]);
        const timeNanos = BigInt(now - minute * 60_000) * 1_000_000n;
        const profile = cpuProfile({ timeNanos, samples, binary: `/usr/bin/${job}` });
        const labels = { __name__: 'process_cpu', job, pod: `${job}-${pod}`, version };
        await push(labels, gzippedPprof(profile));
      }
    }
  }
});
const browser = await launchBrowser();

/** Waits until the calls and the functions are there. */
async function waitForAnswers(page: Page, path: string): Promise<void> {
  const calls = path.includes('g=tree') ? 'treegrid' : 'treeitem';
  await page.getByRole(calls).first().waitFor({ state: 'attached' });
}

const query = `${cpu}{job="checkout"}`;
const range = '&from=now-30m&to=now&ar=0';
const sides = ['v2.3.1', 'v2.4.0'].map((version) => `${cpu}{job="checkout", version="${version}"}`);
const explore = (text: string, extra = ''): string =>
  `/explore?q=${encodeURIComponent(text)}${range}${extra}`;
const pages: readonly (readonly [name: string, path: string])[] = [
  ['services', '/services'],
  ['explore', explore(query, '&by=pod')],
  ['compare', explore(`diff(${sides.join(', ')})`)],
  ['call-tree', explore(query, '&g=tree')],
  ['status', '/status'],
  ['symbols', '/symbols'],
];
try {
  for (const [width, height] of [
    [1366, 650],
    [1440, 900],
    [1920, 1080],
    [360, 740],
  ]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [name, path] of pages) {
        const opened = await openPage(browser, server.url + path, { width, height, colorScheme });
        const { page } = opened;
        await page.locator('main h1').first().waitFor({ state: 'attached' });
        if (path.startsWith('/explore')) await waitForAnswers(page, path);
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
        await page.context().close();
      }
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
