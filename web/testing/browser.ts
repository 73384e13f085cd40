// A real browser for tests and for looking: Chromium from the system, a fresh profile each time.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { BrowserContext, Page } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** A browser window and what went wrong in it. */
export interface Browser {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console errors, uncaught exceptions, violations of the content security policy. */
  readonly problems: string[];
  close(): Promise<void>;
}

interface BrowserOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly deviceScaleFactor?: number;
  readonly touch?: boolean;
}

/** Starts Chromium. */
export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'ui-browser-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--headless',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.colorScheme ?? 'light',
    deviceScaleFactor: options.deviceScaleFactor ?? 1,
    hasTouch: options.touch ?? false,
    timezoneId: 'UTC',
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  return {
    context,
    page,
    problems,
    async close() {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
