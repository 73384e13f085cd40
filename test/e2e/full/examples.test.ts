// Tests end to end: real programs are scraped, and queries return the known shares of their
// functions. The Node example needs no other tools; `npm run test:full` installs those for Go and
// Rust.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { isFull, rounds } from '../../../src/base/testing/rounds.ts';
import {
  closePage,
  eventually,
  launchBrowser,
  openPage,
  screenshot,
} from '../../support/browser.ts';
import { type ExampleTarget, type Language, startExample } from '../../support/example-targets.ts';
import { getText } from '../../support/json-api.ts';
import { assertAgrees, looksAlike } from '../../support/page-numbers.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';

const run = promisify(execFile);
const languages: readonly Language[] = isFull ? ['go', 'rust', 'node'] : ['node'];
const exampleConfig = new URL('../../../examples/parca.yaml', import.meta.url);
const examplePorts: Readonly<Record<Language, string>> = { go: '6061', rust: '6062', node: '6063' };
/**
 * Number of scrapes. Go takes 100 CPU samples per second, so with only three scrapes a share of
 * 0.1 would be only three standard deviations.
 */
const scrapesWanted = rounds(5, 12);
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
let browser: Browser;
let targets: ExampleTarget[] = [];
/** Range to which no more profiles are added, so that a query has only one answer. */
let settledRange: { start: string; end: string };

before(
  async () => {
    scratch = await scratchDirectory();
    targets = [];
    for (const language of languages) targets.push(await startExample(language));
    let config = await readFile(exampleConfig, 'utf8');
    for (const { language, address } of targets) {
      config = config.replaceAll(`127.0.0.1:${examplePorts[language]}`, address);
    }
    config = config.replaceAll(/scrape_interval: \w+/g, 'scrape_interval: 2s');
    server = await startServer({ storagePath: join(scratch.path, 'data'), config });
    browser = await launchBrowser();
    const newest = await Promise.all(
      languages.map((language) => waitForScrapes(`example-${language}`)),
    );
    settledRange = lastHour(Math.min(...newest));
  },
  { timeout: 480_000 },
);

after(async () => {
  await browser?.close();
  await server?.stop();
  await Promise.all(targets.map((target) => target.stop()));
  await scratch.remove();
});

/** Returns the range of one hour that ends at `end`, by default about now. */
function lastHour(end = Date.now() + 1_000): { start: string; end: string } {
  return { start: new Date(end - 3_600_000).toISOString(), end: new Date(end).toISOString() };
}

/**
 * Waits until a job has enough CPU profiles, and returns the time of the newest one in
 * milliseconds; fails with the targets' state after a minute.
 */
async function waitForScrapes(job: string): Promise<number> {
  for (let attempt = 0; attempt < 120; attempt += 1) {
    const { start, end } = lastHour();
    const parameters = { query: `${cpuType}{job="${job}"}`, start, end, step: '1s' };
    const response = await fetch(
      `${server.url}/api/profiles/query_range?${new URLSearchParams(parameters)}`,
    );
    if (response.ok) {
      const body = (await response.json()) as {
        series: { samples: { timestamp: string }[] }[];
      };
      const times = body.series.flatMap((series) => series.samples);
      if (times.length >= scrapesWanted) {
        return Math.max(...times.map(({ timestamp }) => Date.parse(timestamp)));
      }
    }
    await delay(500);
  }
  const states = await getText(server.url, '/targets', {});
  throw new Error(`${job} was not scraped: ${states}\n${server.log()}`);
}

interface JsonTopNode {
  readonly meta: { readonly function?: { readonly name?: string } };
  readonly cumulative: string;
  readonly flat: string;
}

function report(query: string, reportType: string, range = lastHour()): Promise<string> {
  return getText(server.url, '/profiles/query', {
    mode: 'MODE_MERGE',
    'merge.query': query,
    'merge.start': range.start,
    'merge.end': range.end,
    reportType: `REPORT_TYPE_${reportType}`,
  });
}

/** Returns the numbers of the report TOP, by function name. */
async function top(query: string, range = lastHour()): Promise<Map<string, JsonTopNode>> {
  const body = JSON.parse(await report(query, 'TOP', range)) as { top: { list: JsonTopNode[] } };
  return new Map(body.top.list.map((node) => [node.meta.function?.name ?? '', node]));
}

function readCumulative(nodes: ReadonlyMap<string, JsonTopNode>, pattern: RegExp): number {
  for (const [name, node] of nodes) if (pattern.test(name)) return Number(node.cumulative);
  return 0;
}

for (const language of languages) {
  test(`${language}: the hot functions and their split`, async () => {
    const nodes = await top(`${cpuType}{job="example-${language}"}`);
    const heavy = readCumulative(nodes, /heavy/i);
    const light = readCumulative(nodes, /light/i);
    assert.ok(heavy > 0 && light > 0, `functions: ${[...nodes.keys()].slice(0, 40).join(', ')}`);
    const share = heavy / (heavy + light);
    assert.ok(Math.abs(share - 0.75) <= 0.1, `heavy has ${share} of heavy and light`);
  });

  test(`${language}: the browser shows the profile`, async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const query = encodeURIComponent(`${cpuType}{job="example-${language}"}`);
    await page.goto(`${server.url}/explore?q=${query}&from=now-15m&to=now`);
    const item = page.locator('[role="treeitem"][aria-label*="cores"]').first();
    await item.waitFor({ state: 'attached', timeout: 20_000 });
    await eventually(async () =>
      assert.match((await item.getAttribute('aria-label')) ?? '', /^root, total 100/),
    );
    await page.keyboard.press('/');
    await page.keyboard.type('heavy');
    const found = page.locator('.search-count');
    await found.getByText('%').waitFor();
    const share = Number(/([\d.]+)\s*%/.exec(await found.innerText())?.[1]);
    assert.ok(share > 30, `heavy has ${share} % of the graph`);
    await screenshot(page, `example-${language}`);
    await page.close();
  });
}

for (const language of isFull ? languages : []) {
  test(`${language}: go tool pprof opens our PPROF and agrees with our TOP`, async () => {
    const query = `${cpuType}{job="example-${language}"}`;
    const [nodes, body] = await Promise.all([
      top(query, settledRange),
      report(query, 'PPROF', settledRange),
    ]);
    const file = join(scratch.path, `${language}.pb.gz`);
    await writeFile(file, Buffer.from((JSON.parse(body) as { pprof: string }).pprof, 'base64'));
    const rows = await pprofTop(file);
    assert.ok(rows.size > 3);
    for (const [name, { flat, cumulative }] of rows) {
      const node = nodes.get(name);
      assert.ok(node !== undefined, `${name} is not in our TOP`);
      assert.equal(BigInt(node.flat ?? 0), flat, `flat of ${name}`);
      assert.equal(BigInt(node.cumulative ?? 0), cumulative, `cumulative of ${name}`);
    }
  });
}

/** Views whose numbers must agree; views of Go and Rust are included if these are scraped. */
const screens: readonly (readonly [what: string, query: string])[] = [
  ['node', `${cpuType}{job="example-node"}`],
  ['node, inverted', `${cpuType}{job="example-node"} | invert`],
  ['memory of node', 'memory:inuse_space:bytes:inuse_space:bytes{job="example-node"}'],
];
const screensOfAll: typeof screens = [
  ['go', `${cpuType}{job="example-go"}`],
  ['rust', `${cpuType}{job="example-rust"}`],
  ['all of them', `${cpuType}{job=~"example-.*"}`],
  ['two of them compared', `diff(${cpuType}{job="example-go"}, ${cpuType}{job="example-rust"})`],
  ['memory of go', 'memory:inuse_space:bytes:space:bytes{job="example-go"}'],
];

for (const [what, query] of isFull ? [...screens, ...screensOfAll] : screens) {
  test(`${what}: all numbers of a screen agree`, async () => {
    const { start, end } = settledRange;
    const range = `&from=${Date.parse(start)}&to=${Date.parse(end)}`;
    const path = `/explore?q=${encodeURIComponent(query)}${range}&u=rate&v=table`;
    const opened = await openPage(browser, server.url + path, { height: 8_000 });
    await assertAgrees(opened.page, what);
    assert.deepEqual(await looksAlike(opened.page), []);
    await closePage(opened);
  });
}

for (const language of languages) {
  test(`${language}: from the start page to the hot line of a service in three actions`, async () => {
    const opened = await openPage(browser, `${server.url}/services`);
    const { page } = opened;
    await page.getByRole('link', { name: `example-${language}` }).click();
    const first = page.getByRole('listbox', { name: 'Functions' }).getByRole('option').first();
    await first.getByText('heavy').click();
    await page.keyboard.press('e');
    const line = page.locator('.lines-row.current');
    await line.waitFor();
    await eventually(async () =>
      assert.match(await page.locator('.lines-file').innerText(), /main\.(go|rs|ts)/),
    );
    await eventually(async () =>
      assert.match(
        (await line.innerText()).replaceAll('\u202f', ' '),
        /^[\d.]+ %\s+[\d.]+ %\s+\d+/,
      ),
    );
    await closePage(opened);
  });
}

for (const [language, period] of [
  ['go', 'space'],
  ['node', 'inuse_space'],
] as const) {
  if (!languages.includes(language)) continue;
  test(`${language}: heap profiles are queryable`, async () => {
    const types = JSON.parse(await getText(server.url, '/profiles/types', {})) as {
      types: { name: string; sampleType: string; delta?: boolean }[];
    };
    assert.ok(types.types.some((type) => type.name === 'memory'));
    const query = `memory:inuse_space:bytes:${period}:bytes{job="example-${language}"}`;
    const nodes = await top(query);
    assert.ok(nodes.size > 0, 'no functions in the heap profile');
  });
}

/** Returns the rows of `go tool pprof -top` by function; values are in the profile's unit. */
async function pprofTop(file: string): Promise<Map<string, { flat: bigint; cumulative: bigint }>> {
  const go = process.env['TEST_GO'] ?? 'go';
  const { stdout } = await run(go, [
    'tool',
    'pprof',
    '-top',
    '-unit=ns',
    '-nodecount=100000',
    '-nodefraction=0',
    file,
  ]);
  const rows = new Map<string, { flat: bigint; cumulative: bigint }>();
  for (const line of stdout.split('\n')) {
    const row =
      /^\s*(\d+)(?:ns)?\s+\S+%\s+\S+%\s+(\d+)(?:ns)?\s+\S+%\s+(.+?)(?: \(inline\))?$/.exec(line);
    if (row?.[3] === undefined) continue;
    rows.set(row[3], { flat: BigInt(row[1] ?? 0), cumulative: BigInt(row[2] ?? 0) });
  }
  return rows;
}

test('a profile of Node whose client has gone is not taken, so others come to their turn', async () => {
  const example = await startExample('node');
  try {
    const profile = (seconds: number, signal = AbortSignal.timeout(60_000)) =>
      fetch(`http://${example.address}/debug/pprof/profile?seconds=${seconds}`, { signal });
    const running = profile(2);
    // The response to this request shows that the first profile has started.
    await fetch(`http://${example.address}/debug/pprof/heap`);
    const leaving = new AbortController();
    const left = profile(300, leaving.signal);
    await fetch(`http://${example.address}/debug/pprof/heap`);
    leaving.abort();
    await assert.rejects(left, { name: 'AbortError' });
    assert.equal((await running).status, 200);
    assert.equal((await profile(1)).status, 200);
  } finally {
    await example.stop();
  }
});
