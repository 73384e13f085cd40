// A real Chromium for tests, with its background traffic switched off.
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { isFull } from '../../src/base/testing/rounds.ts';
import { testTool } from './tools.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const screenshots = new URL('../output/screenshots/', import.meta.url).pathname;

/** Starts Chromium headless. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: testTool('TEST_CHROMIUM'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--renderer-process-limit=1',
    ],
  });
}

/** A page, and the errors it reported. */
export interface OpenedPage {
  readonly page: Page;
  readonly problems: string[];
  /** True if no other test uses it, before or after. */
  readonly isNew: boolean;
}

/** Pages that were closed without errors, to be reused. */
const idlePages = new WeakMap<Browser, Omit<OpenedPage, 'isNew'>[]>();

/**
 * Opens an address in a page. The page may be one that another test has used, with its storage
 * cleared, because a new browser context takes twice the CPU time, 2.5 s. `isNew` is for tests that
 * change what persists, such as the clock.
 */
export async function openPage(
  browser: Browser,
  address: string,
  options: {
    width?: number;
    height?: number;
    colorScheme?: 'light' | 'dark';
    isNew?: boolean;
  } = {},
): Promise<OpenedPage> {
  const { width = 1440, height = 900, colorScheme = 'light', isNew = false } = options;
  const opened = isNew ? undefined : idlePages.get(browser)?.pop();
  const { page, problems } = opened ?? (await newPage(browser));
  await page.setViewportSize({ width, height });
  // An animated zoom would paint the whole graph ten times.
  await page.emulateMedia({ colorScheme, reducedMotion: isFull ? null : 'reduce' });
  await page.goto(address);
  return { page, problems, isNew };
}

export async function newPage(browser: Browser): Promise<Omit<OpenedPage, 'isNew'>> {
  const context = await browser.newContext({
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const problems: string[] = [];
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { violatedDirective, sourceFile, lineNumber } = event;
      const what = event.target instanceof Element ? event.target.outerHTML.slice(0, 200) : '';
      console.error('violation', violatedDirective, sourceFile, lineNumber, what);
    });
  });
  page.on('pageerror', (error) => problems.push(`${error}\n${error.stack}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return { page, problems };
}

/** Closes a page; fails if there were errors. */
export async function closePage(opened: OpenedPage): Promise<void> {
  const { page, problems, isNew } = opened;
  const browser = page.context().browser();
  if (isNew || browser === null) {
    await page.context().close();
    assert.deepEqual(problems, []);
    return;
  }
  await page.evaluate(() => localStorage.clear());
  await page.mouse.move(0, 0);
  await page.goto('about:blank');
  assert.deepEqual(problems, []);
  idlePages.set(browser, [...(idlePages.get(browser) ?? []), opened]);
}

/** Returns the axe rules that the page breaks, each with the elements that break it. */
export async function axeViolations(page: Page): Promise<string[][]> {
  // The debugger is not subject to the page's own security policy.
  await page.evaluate(await readFile(axePath, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const found = await axe.run();
    return found.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
  });
}

/**
 * If the page scrolls sideways, returns the five elements that extend furthest past the right edge
 * of the window. Waits up to five seconds for the layout, because the canvases of a page that was
 * just made narrower follow a frame or more later.
 */
export async function sidewaysElements(page: Page): Promise<string[]> {
  const isNarrow = () => document.documentElement.scrollWidth <= innerWidth;
  await page.waitForFunction(isNarrow, undefined, { timeout: 5_000 }).catch(() => undefined);
  return page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    if (scrollWidth <= innerWidth) return [];
    const right = (element: Element): number => element.getBoundingClientRect().right;
    const wide = [...document.body.querySelectorAll('*')]
      .filter((element) => right(element) > innerWidth)
      .sort((a, b) => right(b) - right(a));
    const texts = wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 200));
    return [`${scrollWidth} pixels`, ...texts];
  });
}

/**
 * Returns the controls of a page that cannot be seen completely: an ancestor clips them without
 * scrolling, they are outside the window, or their text is cut off.
 */
export function clippedControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (value: string): boolean => value === 'auto' || value === 'scroll';
    /** Returns the ancestor that cuts off a side of the element; undefined if none does. */
    const cutBy = (element: Element): Element | undefined => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      for (let one = element.parentElement; one !== null; one = one.parentElement) {
        const box = one.getBoundingClientRect();
        const { overflowX, overflowY } = getComputedStyle(one);
        if (scrolls(overflowX) || scrolls(overflowY)) return undefined;
        const isCutX = overflowX !== 'visible' && (left < box.left - 1 || right > box.right + 1);
        const isCutY = overflowY !== 'visible' && (top < box.top - 1 || bottom > box.bottom + 1);
        if (isCutX || isCutY) return one;
      }
      return left < -1 || right > innerWidth + 1 ? document.body : undefined;
    };
    const describe = (element: Element): string =>
      `${element.tagName} ${element.className} ${(element.textContent ?? '').slice(0, 40)}`;
    const controls = document.querySelectorAll('button, a[href], input, select, textarea, summary');
    return [...controls].flatMap((element) => {
      const isThere = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      if (!isThere || element.closest('.visually-hidden, .skip-link') !== null) return [];
      const parent = cutBy(element);
      if (parent !== undefined) return [`${describe(element)} is cut by ${parent.className}`];
      const isField = element.matches('input, textarea, select');
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isCut = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
      return isCut && !isField && textOverflow !== 'ellipsis'
        ? [`the text of ${describe(element)} is cut`]
        : [];
    });
  });
}

/**
 * Repeats a check of what a page shows until it passes, because right after an action the page may
 * still show the previous state. After ten seconds, fails with the last failure.
 */
export async function eventually(check: () => Promise<void> | void): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await delay(50);
  }
}

/**
 * Waits until everything that takes up space on the explore page is there, so that nothing moves
 * between reading a position and clicking on it.
 */
export async function waitForLayout(page: Page): Promise<void> {
  await page.locator('.u-over').waitFor();
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  await page.locator('.chips-line .chip').first().waitFor({ state: 'attached' });
  await page.locator('.panel[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** Returns the graph's picture, without its cursor, as a data URL. */
export function readPicture(page: Page): Promise<string> {
  const canvas = page.locator('.icicle-canvases canvas').first();
  return canvas.evaluate((element) => (element as HTMLCanvasElement).toDataURL());
}

/** Saves what the page shows as test/output/screenshots/<name>.png, in full tests. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!isFull) return;
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

/**
 * Returns the names of the tree items in the icicle's text alternative, with narrow spaces replaced
 * with plain ones.
 */
export async function treeItems(page: Page): Promise<string[]> {
  const labels = await page
    .getByRole('treeitem')
    .evaluateAll((elements) => elements.map((element) => element.getAttribute('aria-label') ?? ''));
  return labels.map((label) => label.replaceAll('\u202f', ' '));
}
