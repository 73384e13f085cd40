// A real Chromium for tests, with its background traffic switched off.
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const screenshots = new URL('../output/screenshots/', import.meta.url).pathname;

/** Starts Chromium headless; the program is TEST_CHROMIUM or Debian's. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A page, and what it complains about. */
export interface OpenedPage {
  readonly page: Page;
  readonly problems: string[];
}

/** Opens an address in a browser context of its own. */
export async function openPage(
  browser: Browser,
  address: string,
  options: { width?: number; height?: number; colorScheme?: 'light' | 'dark' } = {},
): Promise<OpenedPage> {
  const { width = 1440, height = 900, colorScheme = 'light' } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
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
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(address);
  return { page, problems };
}

/** Closes it; nothing was complained about. */
export async function closePage({ page, problems }: OpenedPage): Promise<void> {
  await page.context().close();
  assert.deepEqual(problems, []);
}

/** Rules of axe that the page breaks: each with the elements that break it. */
export async function axeViolations(page: Page): Promise<string[][]> {
  // Through the debugger, which the page's own security policy does not bind.
  await page.evaluate(await readFile(axePath, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const found = await axe.run();
    return found.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
  });
}

/** Saves what the page shows as test/output/screenshots/<name>.png. */
export async function screenshot(page: Page, name: string): Promise<void> {
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}
