// Walks over the page at random from a seed: clicks, keys, drags, queries, links and reloads of a
// real browser on a real server. There is never an error or a NaN, every request is answered, the
// page never scrolls sideways, and a reload does not change it.
//
// `node test/e2e/random-walk.ts 17 120` walks for two minutes from seed 17; its data ends at a
// whole minute, so that the same seed repeats the same walk.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { type Random, randomBelow, seededRandom } from '../../src/base/random.ts';
import { launchBrowser, newPage, sidewaysElements } from '../support/browser.ts';
import { type PushProfile, startFilledServer } from '../support/filled-server.ts';
import { fleetFunctions } from '../support/profiles/long-named-fleet.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { startServer, type TestServer } from '../support/server.ts';

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
/** Longest wait for an answer on a busy machine, in milliseconds. */
const answerMillisMax = 20_000;

/** A server that can be killed and restarted on the same port with all acknowledged profiles. */
class WalkServer {
  #server: TestServer;
  readonly #storagePath: string;

  constructor(server: TestServer, storagePath: string) {
    this.#server = server;
    this.#storagePath = storagePath;
  }

  get url(): string {
    return this.#server.url;
  }

  kill(): Promise<void> {
    return this.#server.kill();
  }

  async startAgain(): Promise<void> {
    const flags = [`--http-address=${this.#server.address}`];
    this.#server = await startServer({ storagePath: this.#storagePath, flags });
  }
}

/** Pushes two services in two versions, a leak, and functions with long names. */
async function fill(push: PushProfile, endMillis: number): Promise<void> {
  const [hot, warm, caller] = fleetFunctions;
  for (let i = 0; i < 24; i += 1) {
    const timeNanos = BigInt(endMillis - (24 - i) * 30_000) * 1_000_000n;
    for (const job of ['shop', 'mail']) {
      const samples = [
        [`main.main;${caller};${hot}`, BigInt(100 + 7 * i)],
        [`main.main;${caller};${caller};${warm}`, BigInt(60 + (i % 5))],
        [`main.main;fib;fib;fib;fib`, 30n],
        ['runtime.gcBgMarkWorker;runtime.gcDrain', BigInt(20 + (i % 3))],
        ...(i < 12 ? [] : [[`main.main;added;${hot}`, 40n] as const]),
      ] as const;
      const profile = cpuProfile({ timeNanos, samples, binary: `/usr/bin/${job}` });
      const labels = { job, pod: `${job}-${i % 3}`, version: i < 12 ? 'v1.0.0' : 'v1.1.0' };
      await push({ __name__: 'process_cpu', ...labels }, gzippedPprof(profile));
      const heap = gzippedPprof({
        sampleTypes: [['inuse_space', 'bytes']],
        periodType: ['space', 'bytes'],
        period: 524_288n,
        timeNanos,
        durationNanos: 0n,
        samples: [[`main.main;${warm}`, BigInt(1_000_000 * (i + 1))]],
      });
      await push({ __name__: 'memory', job, pod: labels.pod }, heap);
    }
  }
}

const queries = [
  '',
  cpu,
  `${cpu}{job="shop"}`,
  `${cpu}{job=~"s.*", version="v1.1.0"}`,
  `${cpu}{job="nobody"}`,
  `${cpu}{job="shop"} | by (pod)`,
  `${cpu}{job="shop"} | focus "Allocate" | by (version)`,
  `${cpu}{job="mail"} | invert | collapse recursion`,
  `${cpu} | sandwich "fib"`,
  `${cpu} | by file`,
  `diff(${cpu}{version="v1.0.0"}, ${cpu}{version="v1.1.0"})`,
  `diff(${cpu}{job="shop"}, ${cpu}{job="nobody"})`,
  `diff(${cpu} offset 5m, ${cpu})`,
  'memory:inuse_space:bytes:space:bytes{job="mail"}',
  'memory:inuse_space:bytes:space:bytes | keep',
  'cpu:samples<job="shop">',
  `${cpu}{job=`,
  `${cpu}{job=~"("}`,
  'nothing:of:this:kind:here',
];

const keys = [
  'ArrowDown',
  'ArrowUp',
  'ArrowLeft',
  'ArrowRight',
  'Enter',
  'Backspace',
  'Escape',
  'Tab',
  'Home',
  'End',
  'Shift+Tab',
  'Space',
  'Delete',
  'PageDown',
  'Control+k',
  'Control+Enter',
  '/',
  '.',
  '?',
  's',
  'c',
  'r',
  'k',
  'd',
  'h',
  'H',
  'C',
  'R',
  'i',
  'f',
  'b',
  'l',
  'e',
  't',
  'w',
  '*',
  'y',
  'Y',
  'L',
  'v',
  '[',
  ']',
  '-',
  '=',
  'u',
  'g',
  'a',
  'm',
  'n',
  'N',
  'x',
  'z',
];

const stateKeys: readonly (readonly [string, readonly string[]])[] = [
  ['v', ['icicle', 'table', 'changes', 'labels', 'lines']],
  ['g', ['icicle', 'flame', 'tree', 'chart']],
  ['cols', ['self,total', 'name', 'nothing', 'total,file,binary']],
  ['by', ['-', 'job', 'pod', 'pod,version', 'nothing']],
  ['s', ['fib', 'Allocate', '(', 'é']],
  ['sm', ['text', 'regex', 'case']],
  ['ord', ['name', 'value']],
  ['col', ['auto', 'kind', 'binary', 'package']],
  ['u', ['percent', 'rate', 'total']],
  ['mine', ['1', '0']],
  ['hl', ['fib', 'main.main', 'nobody']],
  ['sort', ['self', 'total', 'name']],
  ['cm', ['auto', 'share', 'amount']],
  ['tall', ['1']],
  ['utc', ['1']],
  ['z', ['AAAAA', 'BAAAB', 'zzzzz']],
  ['x', ['0.1..0.5', '0.9..0.95']],
];

/**
 * Expected messages: refused queries, parts that cannot be loaded without a server, and Chromium's
 * edits. When text replaces coloured text, Chromium adds a style, which the page's policy blocks.
 */
const expected =
  /^Failed to load resource: (.* 40[04] |net::ERR_)|^\w*Error: (Unable to preload CSS|Failed to fetch)|^Applying inline style |^violation style-src-attr +0 <div class="query-editor">/;

/** Text on the page, by element. */
type Shown = readonly (readonly [string, readonly string[]])[];

/** One walk; its errors list the steps taken so far. */
class RandomWalk {
  readonly steps: string[] = [];
  readonly #page: Page;
  readonly #problems: string[];
  readonly #server: WalkServer;
  readonly #endMillis: number;
  readonly #random: Random;

  constructor(
    page: Page,
    problems: string[],
    place: { readonly server: WalkServer; readonly endMillis: number; readonly random: Random },
  ) {
    this.#page = page;
    this.#problems = problems;
    this.#server = place.server;
    this.#endMillis = place.endMillis;
    this.#random = place.random;
  }

  /** Takes one step, waits for the answer, and checks the page. */
  async step(): Promise<void> {
    const ways: readonly (readonly [weight: number, act: () => Promise<string>])[] = [
      [10, () => this.#click()],
      [10, () => this.#press()],
      [4, () => this.#point()],
      [3, () => this.#choose()],
      [3, () => this.#openLink()],
      [2, () => this.#type()],
      [2, () => this.#history()],
      [1, () => this.#resize()],
      [0.3, () => this.#restart()],
    ];
    let left = randomBelow(
      this.#random,
      ways.reduce((sum, [weight]) => sum + weight, 0),
    );
    const way = ways.find(([weight]) => (left -= weight) < 0) ?? ways[0];
    this.steps.push(await way[1]());
    await this.#settle();
    await this.#look();
    if (randomBelow(this.#random, 6) === 0) await this.#reload();
  }

  #pick<T>(list: readonly T[]): T {
    return list[randomBelow(this.#random, list.length)];
  }

  async #anyOf(what: Locator): Promise<Locator | undefined> {
    const all = await what.all();
    const left = [...all];
    while (left.length > 0) {
      const [one] = left.splice(randomBelow(this.#random, left.length), 1);
      const box = await one.boundingBox({ timeout: 500 }).catch(() => null);
      if (box !== null && box.width > 0 && box.height > 0) return one;
    }
    return undefined;
  }

  async #click(): Promise<string> {
    const what = await this.#anyOf(
      this.#page.locator(
        'button:enabled, a[href^="/"], [role="option"], [role="menuitem"], [role="row"], summary, th, [role="tab"], input[type="checkbox"]',
      ),
    );
    if (what === undefined) return 'nothing to click';
    const button = randomBelow(this.#random, 6) === 0 ? 'right' : 'left';
    const text = await what
      .evaluate((element) => element.outerHTML.replace(/\s+/g, ' ').slice(0, 160))
      .catch(() => 'gone');
    await what.click({ button, timeout: 1_000 }).catch(() => undefined);
    return `click ${button} ${text}`;
  }

  async #press(): Promise<string> {
    const pressed = Array.from({ length: 1 + randomBelow(this.#random, 4) }, () =>
      this.#pick(keys),
    );
    if (randomBelow(this.#random, 2) === 0) {
      const where = await this.#anyOf(
        this.#page.locator('[role="tree"], [role="listbox"], [role="treegrid"]'),
      );
      await where?.focus({ timeout: 500 }).catch(() => undefined);
      pressed.unshift('focus');
    }
    for (const key of pressed) if (key !== 'focus') await this.#page.keyboard.press(key);
    return `press ${pressed.join(' ')}`;
  }

  /** Moves, clicks, drags or scrolls on a graph. */
  async #point(): Promise<string> {
    const canvas = await this.#anyOf(this.#page.locator('canvas, svg.metrics, .metrics-body'));
    const box = await canvas?.boundingBox({ timeout: 500 }).catch(() => null);
    if (!box) return 'no picture';
    const place = (): [number, number] => [
      box.x + (box.width * randomBelow(this.#random, 1_000)) / 1_000,
      box.y + (Math.min(box.height, 400) * randomBelow(this.#random, 1_000)) / 1_000,
    ];
    const { mouse } = this.#page;
    const [from, to] = [place(), place()];
    await mouse.move(...from);
    const how = this.#pick([
      'move',
      'click',
      'double',
      'right',
      'drag',
      'shift-drag',
      'wheel',
      'ctrl-wheel',
    ]);
    if (how === 'click') await mouse.click(...from);
    if (how === 'double') await mouse.dblclick(...from);
    if (how === 'right') await mouse.click(...from, { button: 'right' });
    if (how.endsWith('drag')) {
      if (how.startsWith('shift')) await this.#page.keyboard.down('Shift');
      await mouse.down();
      await mouse.move(...to, { steps: 4 });
      await mouse.up();
      if (how.startsWith('shift')) await this.#page.keyboard.up('Shift');
    }
    if (how.endsWith('wheel')) {
      if (how.startsWith('ctrl')) await this.#page.keyboard.down('Control');
      await mouse.wheel(0, this.#pick([-240, 240]));
      if (how.startsWith('ctrl')) await this.#page.keyboard.up('Control');
    }
    return `${how} at ${from.map(Math.round).join(',')} to ${to.map(Math.round).join(',')}`;
  }

  async #choose(): Promise<string> {
    const select = await this.#anyOf(this.#page.locator('select'));
    if (select === undefined) return 'nothing to choose';
    const options = await select.locator('option').allTextContents();
    const option = this.#pick(options);
    await select.selectOption({ label: option }, { timeout: 1_000 }).catch(() => undefined);
    return `choose ${option}`;
  }

  async #openLink(): Promise<string> {
    if (randomBelow(this.#random, 5) === 0) {
      const path = this.#pick([
        '/',
        '/services',
        '/targets',
        '/alerts',
        '/findings',
        '/agents',
        '/symbols',
        '/status',
        '/file',
      ]);
      await this.#page.goto(this.#server.url + path);
      return `open ${path}`;
    }
    const params = new URLSearchParams({ q: this.#pick(queries) });
    params.set('from', String(this.#endMillis - this.#pick([900_000, 300_000, 60_000])));
    params.set('to', String(this.#endMillis));
    for (const [name, values] of stateKeys) {
      if (randomBelow(this.#random, 4) === 0) params.set(name, this.#pick(values));
    }
    const path = `/explore?${params}`;
    await this.#page.goto(this.#server.url + path);
    return `open ${path}`;
  }

  async #type(): Promise<string> {
    const input = await this.#anyOf(
      this.#page.locator('.query-input, .cm-content, input[type="text"], input[type="search"]'),
    );
    if (input === undefined) return 'nowhere to type';
    const text = this.#pick([...queries, 'fib', 'pod', '50']);
    await input.click({ timeout: 1_000 }).catch(() => undefined);
    await this.#page.keyboard.press('Control+a');
    await this.#page.keyboard.insertText(text);
    await this.#page.keyboard.press(this.#pick(['Enter', 'Escape', 'Control+Enter', 'Tab']));
    return `type ${text}`;
  }

  /** Goes back and forward again, and checks that the page is the same. */
  async #history(): Promise<string> {
    await this.#page.goBack({ timeout: 5_000, waitUntil: 'commit' }).catch(() => undefined);
    await this.#settle();
    await this.#page.goForward({ timeout: 5_000 }).catch(() => undefined);
    return 'back and forward';
  }

  async #resize(): Promise<string> {
    const [width, height] = this.#pick([
      [360, 740],
      [1366, 650],
      [1440, 900],
      [720, 450],
    ] as const);
    await this.#page.setViewportSize({ width, height });
    return `resize ${width}x${height}`;
  }

  /** Kills the server, does what a user would then do, and restarts it. */
  async #restart(): Promise<string> {
    await this.#server.kill();
    for (let i = randomBelow(this.#random, 4); i > 0; i -= 1) {
      const act = this.#pick([() => this.#click(), () => this.#press(), () => this.#type()]);
      this.steps.push(`without a server: ${await act()}`);
      await this.#settle();
    }
    await this.#server.startAgain();
    if (this.#page.url().startsWith('chrome')) await this.#page.goto(this.#server.url);
    await this.#page.reload();
    return 'the server is back, and reload';
  }

  async #settle(): Promise<void> {
    if (this.#page.url() === 'about:blank') await this.#page.goto(this.#server.url);
    const isQuiet = (): boolean =>
      document.querySelector('[aria-busy="true"]') === null &&
      (document.querySelector('main')?.textContent ?? '') !== '';
    await this.#page
      .waitForFunction(isQuiet, undefined, { timeout: answerMillisMax })
      .catch(async () => {
        const busy = await this.#page.evaluate(() =>
          [...document.querySelectorAll('[aria-busy="true"]')].map((element) => element.className),
        );
        const what = [...busy, ...this.#problems].join('\n');
        assert.fail(this.#story(`no answer after ${answerMillisMax} ms: ${what}`));
      });
  }

  async #look(): Promise<void> {
    const text = await this.#page.evaluate(() => document.body.innerText);
    const odd = /\b(NaN|undefined|Infinity)\b|\[object/.exec(text);
    if (odd)
      assert.fail(
        this.#story(`the page says ${text.slice(Math.max(0, odd.index - 80), odd.index + 80)}`),
      );
    const wide = await sidewaysElements(this.#page);
    assert.deepEqual(wide, [], this.#story('the page scrolls sideways'));
    const problems = this.#problems.splice(0).filter((one) => !expected.test(one));
    assert.deepEqual(problems, [], this.#story('the page complains'));
  }

  async #reload(): Promise<void> {
    const { keyboard, mouse } = this.#page;
    await keyboard.press('Escape');
    await keyboard.press('Escape');
    await mouse.move(0, 0);
    await this.#settle();
    if (!/[?&]from=\d{13}&to=\d{13}/.test(this.#page.url())) return;
    // An old answer may stay next to an error; a reload does not restore it.
    if ((await this.#page.locator('[role="alert"]').count()) > 0) return;
    const before = await this.#shownAtRest();
    const url = this.#page.url();
    this.steps.push(`reload ${url}`);
    await this.#page.reload();
    await this.#settle();
    assert.equal(this.#page.url(), url, this.#story('a reload changes the address'));
    let after = await this.#shown();
    for (let i = 0; i < 30 && JSON.stringify(after) !== JSON.stringify(before); i += 1) {
      await this.#page.waitForTimeout(100);
      after = await this.#shown();
    }
    assert.deepEqual(after, before, this.#story('a reload changes what is shown'));
    await this.#look();
  }

  /**
   * Reads until nothing changes, because a new page is not busy before it sends its first query.
   */
  async #shownAtRest(): Promise<Shown> {
    for (let before = ''; ;) {
      const shown = await this.#shown();
      if (JSON.stringify(shown) === before) return shown;
      before = JSON.stringify(shown);
      await this.#page.waitForTimeout(500);
      await this.#settle();
    }
  }

  /** Reads the state that the URL must restore. */
  #shown(): Promise<Shown> {
    return this.#page.evaluate(() => {
      const texts = (selector: string): string[] =>
        [...document.querySelectorAll<HTMLElement>(selector)]
          .slice(0, 12)
          .map((element) => (element.getAttribute('aria-label') ?? element.innerText).trim());
      return [
        ['headline', texts('main h1')],
        ['functions', texts('.list-panel [role="option"]')],
        ['root', texts('[role="treeitem"]').slice(0, 1)],
        ['legend', texts('.series-entry')],
        ['stages', texts('.stage-trail button')],
        ['pressed', texts('[aria-pressed="true"], [aria-selected="true"][role="tab"]')],
        ['chosen', [...document.querySelectorAll('select')].map((one) => one.value)],
        ['alerts', texts('[role="alert"]')],
      ] as const;
    });
  }

  #story(what: string): string {
    return `${what}\n  at ${this.#page.url()}\n  after\n    ${this.steps.slice(-12).join('\n    ')}`;
  }
}

/** Walks on one page after another; returns the number of steps. */
async function walk(browser: Browser, server: WalkServer, options: WalkOptions): Promise<number> {
  const { endMillis, seed, seconds } = options;
  const random = seededRandom(seed);
  const end = performance.now() + seconds * 1_000;
  let count = 0;
  while (performance.now() < end) {
    const { page, problems } = await newPage(browser);
    page.on('dialog', (dialog) => void dialog.dismiss());
    await page.goto(server.url);
    const one = new RandomWalk(page, problems, { server, endMillis, random });
    for (let i = 0; i < 60 && performance.now() < end; i += 1) {
      await one.step();
      count += 1;
    }
    await page.context().close();
  }
  return count;
}

interface WalkOptions {
  /** Time after which there are no profiles, in milliseconds since the epoch. */
  readonly endMillis: number;
  readonly seed: number;
  readonly seconds: number;
}

const [seed, seconds] = process.argv.slice(2).map(Number);
const endMillis = Math.floor(Date.now() / 60_000) * 60_000;
const filled = await startFilledServer([], (push) => fill(push, endMillis));
const server = new WalkServer(filled, join(filled.scratchPath, 'data'));
const browser = await launchBrowser();
try {
  console.log(`${await walk(browser, server, { endMillis, seed, seconds })} steps`);
} finally {
  await browser.close();
  await server.kill();
  await filled.stop();
}
