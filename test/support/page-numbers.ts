// Reads the numbers of the explore page from a browser, and compares them with each other.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** The numbers on one screen, in base units: cores, bytes, seconds, counts. */
export interface ScreenNumbers {
  /** One number, or both sides of a comparison. */
  readonly headline: readonly number[];
  /** Value of each line of the graph over time; empty without a graph. */
  readonly legend: readonly number[];
  readonly root: number;
  /** Value of the root in the base of a comparison. */
  readonly rootBefore: number | undefined;
  /** First two columns of the list, by function. */
  readonly rows: ReadonlyMap<string, readonly [number, number]>;
}

const unitSizes: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['%', 1],
  ['cores', 1],
  ['mcores', 1e-3],
  ['s/s', 1],
  ...['B', 'KiB', 'MiB', 'GiB'].map((unit, i) => [unit, 1_024 ** i] as const),
  ...['k', 'M', 'G'].map((unit, i) => [unit, 1_000 ** (i + 1)] as const),
  ...['ns', '\u00b5s', 'ms', 's'].map((unit, i) => [unit, 1_000 ** (i - 3)] as const),
] as readonly (readonly [string, number])[]);

/** Parses a number with a unit, in the page's format; fails for other strings. */
export function readNumber(text: string): number {
  const plain = text
    .replace(/^(avg|n) /, '')
    .replaceAll('\u202f', ' ')
    .replaceAll('\u2212', '-')
    .replace(/(?<=\d) (?=\d)/g, '');
  const parts = /^(-?[\d.]+) ?([^\d ]*?)( ?\/s)?$/.exec(plain.trim());
  const size = unitSizes.get(parts?.[2] ?? '?');
  assert.ok(parts !== null && size !== undefined, `${JSON.stringify(text)} is no number`);
  return Number(parts[1]) * size;
}

/** Resolves when every panel shows the answer to its query. */
export async function waitForAnswers(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const panels = [...document.querySelectorAll('.icicle-panel, .list-panel, .metrics-panel')];
    const isAnswered = (panel: Element): boolean =>
      panel.getAttribute('aria-busy') === 'false' &&
      (!panel.matches('.icicle-panel') || panel.querySelector('[role="treeitem"]') !== null) &&
      (panel.hasAttribute('data-query') || panel.querySelector('.metrics-body') === null);
    const values = [...document.querySelectorAll('.series-value')];
    return (
      panels.length > 1 &&
      panels.every(isAnswered) &&
      values.every((value) => value.textContent !== '–')
    );
  });
}

/** Returns true if the list has rows down to its end, or to the end of the view. */
function isListDrawn(): boolean {
  const list = document.querySelector('.list-content');
  const last = list?.querySelector('.list-row:last-child');
  if (!list?.parentElement || !last) return false;
  const end = list.getBoundingClientRect().bottom;
  const inView = Math.min(end, list.parentElement.getBoundingClientRect().bottom);
  return last.getBoundingClientRect().bottom >= inView - 1;
}

/** Reads a page whose list shows rates (`u=rate`) and is high enough for all of its rows. */
async function readScreen(page: Page): Promise<ScreenNumbers> {
  await waitForAnswers(page);
  await page.waitForFunction(isListDrawn);
  const more = page.locator('.series-more[aria-expanded="false"]');
  if (await more.isVisible()) await more.click();
  const texts = (selector: string) => page.locator(selector).allInnerTexts();
  const [headline] = await texts('.headline-value');
  const root = await page.getByRole('treeitem').first().getAttribute('aria-label');
  const rows = await page.locator('.list-content .list-row').evaluateAll((elements) =>
    elements.map((element) => ({
      name: element.querySelector('.function-name')?.lastChild?.textContent ?? '',
      numbers: [...element.querySelectorAll('.list-number')].map((cell) => cell.textContent ?? ''),
    })),
  );
  const before = await page.getByTestId('detail').innerText();
  const sides = headline.split('→').map((side) => readNumber(side.trim()));
  const words = /%|^root|^total|^self|child|new|gone|^no change|^may be|^real but|^[×]/;
  const rate = root?.split(', ').find((part) => !words.test(part));
  const byName = new Map<string, readonly [number, number]>();
  for (const {
    name,
    numbers: [first = '', second = ''],
  } of rows) {
    // Functions with the same name in several programs have one row each.
    const [own, other] = byName.get(name) ?? [0, 0];
    byName.set(name, [own + readNumber(first), other + readNumber(second)]);
  }
  return {
    headline: sides,
    legend: (await texts('.series-value')).map(readNumber),
    root: readNumber(rate ?? ''),
    rootBefore: sides.length === 1 ? undefined : readBefore(before),
    rows: byName,
  };
}

/**
 * Reads the value of side A, which follows a word, from the detail line: "before 100 % 1.85 cores,
 * ±0 %".
 */
function readBefore(detail: string): number {
  const found = /%\s+([^%,]+),/.exec(detail.replaceAll('\u202f', ' '));
  assert.ok(found !== null, detail);
  return readNumber(found[1]);
}

/** Fails unless two numbers differ by at most 0.6 %, because the page shows three digits. */
export function assertSame(got: number, want: number, what: string): void {
  const most = Math.max(Math.abs(got), Math.abs(want));
  assert.ok(Math.abs(got - want) <= 0.006 * most + 1e-9, `${what}: ${got} is not ${want}`);
}

export function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}

/** Fails unless the numbers of a screen agree: headline, legend, root and the sum of own values. */
export async function assertAgrees(page: Page, what: string): Promise<ScreenNumbers> {
  const screen = await readScreen(page);
  const { headline, legend, root, rootBefore, rows } = screen;
  const now = headline[headline.length - 1];
  assert.ok(now > 0 && rows.size > 0, `${what} shows something`);
  assertSame(root, now, `root and headline of ${what}`);
  assertSame(sum([...rows.values()].map(([self]) => self)), now, `list and headline of ${what}`);
  if (rootBefore === undefined) {
    assert.ok(legend.length > 0, `${what} has a legend`);
    assertSame(sum(legend), now, `legend and headline of ${what}`);
  } else {
    const [before] = headline;
    assertSame(rootBefore, before, `root and headline of the base of ${what}`);
    assertSame(sum([...rows.values()].map(([, self]) => self)), before, `base of ${what}`);
  }
  return screen;
}

/**
 * Returns pairs of elements that look equal but differ: rows of lists, entries of legends, and
 * steps of the trail.
 */
export function looksAlike(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const alike: string[] = [];
    const check = (selector: string, nameOf: (element: Element) => readonly [string, string]) => {
      const seen = new Map<string, string>();
      for (const element of document.querySelectorAll(selector)) {
        const [look, name] = nameOf(element);
        const other = seen.get(look);
        if (other !== undefined && other !== name) alike.push(`${look}: ${other}, ${name}`);
        seen.set(look, name);
      }
    };
    const functionNames = (element: Element): readonly [string, string] => {
      const name = element.querySelector('.function-name');
      return [name?.firstChild?.textContent ?? '', name?.lastChild?.textContent ?? ''];
    };
    check('.list-content .list-row', functionNames);
    check('.changes-table tbody tr', functionNames);
    check('.trail-part', functionNames);
    const titled = (element: Element): readonly [string, string] => [
      element.querySelector('.legend-text, .series-title')?.textContent ?? '',
      element.getAttribute('title') ?? '',
    ];
    check('.legend-entry', titled);
    check('.series-entry', titled);
    return alike;
  });
}
