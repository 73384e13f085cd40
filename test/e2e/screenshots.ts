// Takes the pictures of README.md and docs/screenshots from a fictitious shop. Run by hand after
// `npm test -- page`: `node test/e2e/screenshots.ts FOLDER`.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { makeTar } from '../../src/sources/testing/make-tar.ts';
import { launchBrowser, openPage } from '../support/browser.ts';
import { startFilledServer } from '../support/filled-server.ts';
import { encodeLineProfile, type LineFrame } from '../support/profiles/line-profile.ts';
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

/** A program with line numbers, and the source of its file. */
const pricing = {
  buildId: 'feedface02',
  file: '/srv/shop/price/engine.go',
  text: `package price

// Total is what the items of a cart cost, after discounts.
func (e *Engine) Total(cart *Cart) Money {
	var total Money
	for _, item := range cart.Items {
		price := e.discount(item)
		total = total.Add(price.Times(item.Count))
	}
	return total.Round()
}

// discount applies the best of the rules that fit.
func (e *Engine) discount(item Item) Money {
	best := item.Price
	for _, rule := range e.rules {
		if !rule.Pattern.MatchString(item.Name) {
			continue
		}
		if price := rule.Apply(item.Price); price.Less(best) {
			best = price
		}
	}
	return best
}
`,
};
const frameAt = (name: string, line: number): LineFrame => ({ name, file: pricing.file, line });
const total = (line: number): LineFrame => frameAt('shop/price.(*Engine).Total', line);
const discount = (line: number): LineFrame => frameAt('shop/price.(*Engine).discount', line);
const match: LineFrame = {
  name: 'regexp.(*Regexp).doExecute',
  file: '/usr/local/go/src/regexp/exec.go',
  line: 527,
};
const lineSamples: readonly (readonly [number, ...LineFrame[]])[] = [
  [310, match, discount(17), total(7)],
  [120, discount(17), total(7)],
  [85, discount(20), total(7)],
  [40, discount(16), total(7)],
  [55, total(8)],
  [12, total(10)],
];

/**
 * Returns the factor of a stack's value at a time. It varies in slow waves, and one version raises
 * it for one function.
 */
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
  const { buildId } = pricing;
  for (let minute = 29; minute >= 1; minute--) {
    const timeNanos = BigInt(now - minute * 60_000) * 1_000_000n;
    const measured = { timeNanos, buildId, period: 1e7, durationNanos: 1e10 };
    const lines = encodeLineProfile({ ...measured, samples: lineSamples });
    await push({ __name__: 'process_cpu', job: 'pricing' }, lines);
  }
});
const sources = makeTar([{ path: 'shop/price/engine.go', content: pricing.text }]);
const upload = `${server.url}/api/v1/debuginfo?type=sources&build_id=${pricing.buildId}`;
const uploaded = await fetch(upload, { method: 'POST', body: sources });
if (!uploaded.ok) throw new Error(await uploaded.text());
const browser = await launchBrowser();

/** Parts of a page that exist once they are loaded and have their data. */
const parts: Readonly<Record<string, readonly string[]>> = {
  services: ['tbody tr .sparkline'],
  explore: ['[role="treeitem"]', '.deploy', '.legend-entry'],
  compare: ['[role="treeitem"]', '.side-strip path'],
  'call-tree': ['[role="treegrid"]', '.deploy'],
  lines: ['.lines-row.current'],
};
/** Parts of a page that exist only in a wide window. */
const wideParts: Readonly<Record<string, readonly string[]>> = {
  explore: ['.sparks .sparkline'],
  compare: ['.changes-panel tbody tr'],
  'call-tree': ['.sparks .sparkline'],
};

async function waitForParts(page: Page, name: string, isWide: boolean): Promise<void> {
  for (const part of [...(parts[name] ?? []), ...(isWide ? (wideParts[name] ?? []) : [])]) {
    await page.locator(part).first().waitFor({ state: 'attached' });
  }
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
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
  [
    'lines',
    explore(
      'process_cpu:samples:count:cpu:nanoseconds:delta{job="pricing"}',
      `&v=lines&build=${pricing.buildId}&file=${encodeURIComponent(pricing.file)}`,
    ),
  ],
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
        await waitForParts(page, name, width >= 1_200);
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
