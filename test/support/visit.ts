// Does a task on a page, and counts the actions that it takes.
import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import { closePage, type OpenedPage, openPage, waitForLayout } from './browser.ts';

/** A page that counts actions; an action is a click, a key, a drag, a drop or a chosen option. */
export class Visit {
  readonly opened: OpenedPage;
  actions = 0;

  constructor(opened: OpenedPage) {
    this.opened = opened;
  }

  get page(): Page {
    return this.opened.page;
  }

  async click(what: Locator, options: { button?: 'right' } = {}): Promise<void> {
    this.actions += 1;
    await what.click(options);
  }

  async press(key: string): Promise<void> {
    this.actions += 1;
    await this.page.keyboard.press(key);
  }

  async choose(what: Locator, option: string): Promise<void> {
    this.actions += 1;
    await what.selectOption(option);
  }

  /** Drags across the graph over time; `from` and `to` are fractions of its width. */
  async select(from: number, to: number): Promise<void> {
    this.actions += 1;
    await waitForLayout(this.page);
    const box = await this.page.locator('.u-over').boundingBox();
    assert.ok(box);
    const y = box.y + box.height / 2;
    await this.page.mouse.move(box.x + box.width * from, y);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + box.width * to, y, { steps: 3 });
    await this.page.mouse.up();
  }

  /** Drops a file on the page. */
  async drop(name: string, content: Uint8Array): Promise<void> {
    this.actions += 1;
    await this.page.evaluate(
      ([fileName, bytes]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([new Uint8Array(bytes)], fileName));
        dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
      },
      [name, [...content]] as const,
    );
  }

  /** Returns the full name of the most expensive function in the list. */
  async topFunction(): Promise<string> {
    return wholeName(this.firstRow.locator('.list-name'));
  }

  /** Presses the key that copies a link, and returns the link when the page says that it did. */
  async copyLink(): Promise<string> {
    await this.press('S');
    await this.page.locator('.said').getByText('Copied link').waitFor();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  get firstRow(): Locator {
    return this.page.getByRole('listbox', { name: 'Functions' }).getByRole('option').first();
  }

  async waitForQuery(query: string): Promise<void> {
    await this.page.waitForURL((url) => url.searchParams.get('q') === query);
  }
}

/** Opens a URL, does a task there in at most `actionsMax` actions, and closes the page. */
export async function doTask(
  browser: Browser,
  address: string,
  actionsMax: number,
  task: (visit: Visit) => Promise<void>,
): Promise<void> {
  const opened = await openPage(browser, address, { width: 1366, height: 650 });
  const visit = new Visit(opened);
  await opened.page.locator('tbody tr, [role="treeitem"]').first().waitFor({ state: 'attached' });
  await task(visit);
  assert.ok(visit.actions <= actionsMax, `${visit.actions} actions, at most ${actionsMax}`);
  await closePage(opened);
}

/**
 * Returns the widest frame below the widest frame below the root; reading does not count as an
 * action.
 */
export async function widestBelow(page: Page): Promise<string> {
  await page.waitForFunction(() => {
    const panel = document.querySelector('.icicle-panel[aria-busy="false"]');
    const asked = JSON.stringify(new URL(location.href).searchParams.get('q')).slice(1, -1);
    return panel?.getAttribute('data-query')?.includes(`"${asked}"`);
  });
  await page.getByRole('tree').focus();
  for (const key of ['Home', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  return wholeName(page.locator('.detail-name'));
}

/** Returns the full name of a function; if only a part is shown, the full name is hidden text. */
function wholeName(name: Locator): Promise<string> {
  return name.evaluate(
    (element) => (element.querySelector('.visually-hidden') ?? element).textContent,
  );
}
