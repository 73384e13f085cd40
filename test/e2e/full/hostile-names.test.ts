// Tests hostile names everywhere on the page, in the offline page and in saved pictures: no script
// in them runs in Chromium, none becomes an element, and people see them unchanged.
//
// The browser ignores the page's security policy, which would stop most scripts: names must be
// treated as plain text in the first place.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PprofWriter } from '../../../src/formats/pprof/writer.ts';
import { makeTar } from '../../../src/sources/testing/make-tar.ts';
import { eventually, launchBrowser } from '../../support/browser.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { hostileNames } from '../../support/hostile/hostile-names.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';

const nowMillis = Math.floor(Date.now() / 1_000) * 1_000;
const [fromMillis, toMillis] = [nowMillis - 600_000, nowMillis + 60_000];
const buildId = 'feedface02';
const query = 'app:samples:count:cpu:nanoseconds:delta';
const span = `from=${fromMillis}&to=${toMillis}&ar=0`;
const [plain] = hostileNames;
/** Names to test in those parts of the page that need a new page for each name. */
const fewNames = hostileNames.filter(({ kind }) =>
  ['image', 'end of text', 'attribute', 'link', 'bidi'].includes(kind),
);

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
let browser: Browser;
let context: BrowserContext;
/** Parts of the page in which a script ran. */
const ran: string[] = [];
/** A target that responds with errors in hostile words. */
const target = createServer((_, response) => {
  response.writeHead(500, plain.of('status').replaceAll(/[^ -~]/g, ''));
  response.end(plain.of('body'));
});

/** Encodes a profile that has every name in every kind of field. */
function encodeProfile(timeMillis: number): Uint8Array {
  const writer = new PprofWriter();
  hostileNames.forEach(({ of }, i) => {
    const mapping = writer.mapping({ file: of('binary'), buildId, hasFunctions: true });
    const frames = ['function', 'caller'].map((where) => {
      const id = writer.function(of(where), of('system'), `/src/${of('file')}`, 1);
      return writer.location(mapping, BigInt(i + 1), [[id, 2, 1]]);
    });
    writer.sample(frames, [BigInt(100 - i)], [['trace', of('sample-label')]]);
  });
  return writer.finish({
    sampleTypes: [{ type: 'samples', unit: 'count' }],
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    period: 1n,
    timeNanos: BigInt(timeMillis) * 1_000_000n,
    durationNanos: 10_000_000_000n,
  });
}

/** Encodes a profile of addresses without names, in binaries with hostile paths and build ids. */
function unnamedProfile(): Uint8Array {
  const writer = new PprofWriter();
  hostileNames.forEach(({ of }, i) => {
    const mapping = writer.mapping({
      file: `/app/${of('unnamed')}`,
      buildId: of('build'),
      limit: 0x10_0000n,
    });
    writer.sample([writer.location(mapping, BigInt(0x1000 + i), [])], [1n]);
  });
  return writer.finish({
    sampleTypes: [{ type: 'samples', unit: 'count' }],
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    period: 1n,
    timeNanos: BigInt(nowMillis - 60_000) * 1_000_000n,
    durationNanos: 10_000_000_000n,
  });
}

async function fill(): Promise<void> {
  const client = connect(server.address);
  const push = (labels: Record<string, string>, profile: Uint8Array): Promise<unknown> =>
    unary(client, writeRawPath, writeRawRequest(labels, profile));
  // Several services and versions make the page show lists and deploys.
  for (const [i, { of }] of hostileNames.entries()) {
    const labels = { __name__: 'app', job: of('job'), service_name: of('service') };
    const version = of(i % 2 === 0 ? 'version' : 'other-version');
    const time = nowMillis - 500_000 + 20_000 * i;
    await push({ ...labels, version, instance: of('instance') }, encodeProfile(time));
  }
  await push({ __name__: 'unnamed', job: plain.of('job') }, unnamedProfile());
  client.close();
  const files = hostileNames.map(({ of }) => ({
    path: `src/${of('file').replaceAll(/[/\0]/g, '_')}`,
    content: `int main() {\n${of('source')}\n}\n`,
  }));
  const archive = makeTar([
    ...files,
    { path: 'src/main.c', content: `a\n${plain.of('source')}\n` },
  ]);
  const upload = `${server.url}/api/v1/debuginfo?type=sources&build_id=${buildId}`;
  const response = await fetch(upload, { method: 'POST', body: archive });
  assert.equal(response.status, 200, await response.text());
}

before(async () => {
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const { port } = target.address() as AddressInfo;
  scratch = await scratchDirectory();
  const text = JSON.stringify;
  const jobs = hostileNames.map(({ of }) => ({
    job_name: of('target-job'),
    scrape_interval: '1s',
    params: { evil: [of('parameter')] },
    static_configs: [{ targets: [`127.0.0.1:${port}`], labels: { team: of('target-label') } }],
    profiling_config: {
      path_prefix: `/${encodeURIComponent(of('prefix'))}`,
    },
  }));
  server = await startServer({
    storagePath: join(scratch.path, 'data'),
    config: `scrape_configs: ${text(jobs)}\n`,
  });
  await fill();
  browser = await launchBrowser();
  context = await browser.newContext({
    bypassCSP: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await context.exposeBinding('evil', (_, where: string) => void ran.push(where));
});

after(async () => {
  await browser?.close();
  await server?.stop();
  target.close();
  await scratch?.remove();
});

/** Checks that no part of a name ran, or became an element or a link. */
async function assertHarmless(page: Page, what: string): Promise<void> {
  // Leaves time for scripts that an event would start.
  await page.waitForTimeout(100);
  for (const frame of page.frames()) {
    const found = await frame.evaluate(() => {
      const elements = [...document.querySelectorAll('[data-evil], iframe[srcdoc]')];
      const links = [...document.querySelectorAll('a, use, form, object, embed')].filter((one) =>
        ['href', 'xlink:href', 'action', 'data', 'src'].some((name) =>
          /^[\s\0]*(javascript|data:text|vbscript):/i.test(one.getAttribute(name) ?? ''),
        ),
      );
      const handlers = [...document.querySelectorAll('*')].filter((one) =>
        [...one.attributes].some(({ name }) => name.startsWith('on')),
      );
      return [...elements, ...links, ...handlers].map((one) => one.outerHTML.slice(0, 200));
    });
    assert.deepEqual(found, [], what);
  }
  assert.deepEqual(ran, [], what);
}

/** Returns all text on the page, including the text for screen readers. */
function readTexts(page: Page): Promise<string> {
  return page.evaluate(() => {
    const texts = [document.title, document.body.textContent];
    for (const one of document.querySelectorAll('*')) {
      for (const name of ['title', 'aria-label', 'aria-description', 'placeholder', 'value']) {
        texts.push(one.getAttribute(name) ?? '');
      }
      if (one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement) {
        texts.push(one.value);
      }
      if (one instanceof HTMLOptionElement) texts.push(one.text);
    }
    return texts.join('\n');
  });
}

/** Waits until the page shows a name unchanged. */
async function waitForName(page: Page, name: string): Promise<void> {
  await eventually(async () => {
    const texts = await readTexts(page);
    // The page's text has a single space where lines wrap.
    assert.ok(
      texts.includes(name),
      `${JSON.stringify(name)} is missing: ${texts.replace(/\s+/g, ' ').slice(-6_000)}`,
    );
  });
}

/** Opens a page, uses it, and checks that no script ran. */
async function visit(
  what: string,
  path: string,
  act: (page: Page) => Promise<void> = async () => undefined,
): Promise<void> {
  const page = await context.newPage();
  try {
    await page.goto(/^(file|data):/.test(path) ? path : server.url + path);
    await act(page);
    // Pointer and key events would run scripts in attributes.
    for (const [x, y] of [
      [200, 120],
      [700, 300],
      [700, 480],
      [1_100, 600],
    ]) {
      await page.mouse.move(x, y);
    }
    for (let i = 0; i < 12; i += 1) await page.keyboard.press('Tab');
    await assertHarmless(page, what);
  } finally {
    await page.close();
  }
}

const all = (where: string) => async (page: Page) => {
  for (const { of } of hostileNames) await waitForName(page, of(where));
};

test('a name that is taken for HTML is seen by this test', async () => {
  const page = await context.newPage();
  await page.goto(server.url);
  for (const { kind, of } of hostileNames.slice(0, 2)) {
    await page.evaluate((html) => {
      document.body.append(document.createRange().createContextualFragment(html));
    }, of('proof'));
    await eventually(() => assert.deepEqual(ran.splice(0), ['proof'], kind));
    await assert.rejects(assertHarmless(page, kind), /data-evil/);
  }
  ran.length = 0;
  await page.close();
});

test('the explore page: functions, callers, binaries, series and marks', async () => {
  const q = encodeURIComponent(`${query}{}`);
  await visit('graph', `/explore?q=${q}&${span}`, all('function'));
  await visit('series', `/explore?q=${q}&${span}&by=job,instance,version`, async (page) => {
    await waitForName(page, plain.of('job'));
  });
  await visit('sample labels', `/explore?q=${q}&${span}&by=trace`, async (page) => {
    await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  });
  await visit('binaries', `/explore?q=${q}&${span}&col=binary`, async (page) => {
    await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
    await page.getByRole('tree').focus();
    for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await waitForName(page, plain.of('caller'));
  });
  for (const { of } of fewNames) {
    const marks = encodeURIComponent(`${nowMillis - 300_000}:${of('mark').slice(0, 40)}`);
    const search = encodeURIComponent(of('search'));
    await visit('marks and search', `/explore?q=${q}&${span}&marks=${marks}&s=${search}`, (page) =>
      waitForName(page, of('search')),
    );
  }
});

test('a query in the URL, its error, and parameters that are bad', async () => {
  for (const { of } of fewNames) {
    const name = of('query');
    await visit('query', `/explore?q=${encodeURIComponent(name)}&${span}`, async (page) => {
      await page.getByRole('alert').or(page.locator('.query-error')).first().waitFor();
    });
    const matcher = encodeURIComponent(`${query}{job=${JSON.stringify(name)}}`);
    await visit('matcher', `/explore?q=${matcher}&${span}`);
    const bad = encodeURIComponent(of('bad'));
    await visit('bad parameters', `/explore?x=${bad}&v=${bad}&sel=${bad}&z=${bad}&from=${bad}`);
    await visit('an unknown page', `/${encodeURIComponent(of('route'))}?${bad}=${bad}#${bad}`);
  }
});

test('services, targets, symbols, agents and status', async () => {
  await visit('services', `/services?${span}`, async (page) => {
    for (const { of } of hostileNames) await waitForName(page, of('job'));
  });
  await visit('targets', '/targets', async (page) => {
    for (const { of } of hostileNames) await waitForName(page, of('target-job'));
    await waitForName(page, plain.of('target-label'));
    // The page shows the error of a scrape.
    await page.getByText('500').first().waitFor();
  });
  const q = encodeURIComponent('unnamed:samples:count:cpu:nanoseconds:delta{}');
  await visit('unnamed', `/explore?q=${q}&${span}`, async (page) => {
    await page.getByText('Some names are missing here').click();
    await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  });
  await visit('symbols', `/symbols?${span}`, async (page) => {
    await waitForName(page, plain.of('build'));
  });
  await visit('agents', `/agents?${span}`);
  await visit('status', '/status');
});

test('the lines of a function, with hostile text', async () => {
  const file = encodeURIComponent('/src/main.c');
  const q = encodeURIComponent(`${query}{}`);
  const path = `/explore?q=${q}&${span}&v=lines&build=${buildId}&file=${file}&line=2`;
  await visit('lines', path, async (page) => {
    await waitForName(page, plain.of('source'));
  });
  await visit('lines of a frame', `/explore?q=${q}&${span}`, async (page) => {
    await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
    await page.getByRole('tree').focus();
    for (const key of ['Home', 'ArrowDown', 'e']) await page.keyboard.press(key);
    await page.locator('.lines-panel').first().waitFor();
  });
});

test('files that are dropped, with hostile names and content', async () => {
  for (const { of } of fewNames) {
    await visit('a dropped file', '/file', async (page) => {
      const name = of('dropped');
      const stacks = `${of('collapsed')};${of('leaf')} 7\n`;
      await page.evaluate(
        ([fileName, content]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([content], `${fileName}.txt`));
          dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
        },
        [name, stacks] as const,
      );
      await eventually(async () => {
        const texts = await readTexts(page);
        assert.ok(texts.includes('evil('), texts.slice(0, 500));
      });
    });
  }
});

test('saved pictures, the offline page and a stored copy', async () => {
  const q = encodeURIComponent(`${query}{}`);
  const page = await context.newPage();
  await page.goto(`${server.url}/explore?q=${q}&${span}`);
  await waitForName(page, plain.of('function'));
  await page.getByRole('button', { name: 'Share or save this view' }).click();
  const save = async (button: string, name: string): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button, exact: true }).click(),
    ]);
    const path = join(scratch.path, name);
    await writeFile(path, await readFile(await download.path()));
    return path;
  };
  const svg = await save('SVG', 'picture.svg');
  const offline = await save('Offline page', 'offline.html');
  await save('PNG', 'picture.png');
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await page.getByText('Copied as Markdown').waitFor();
  await assertHarmless(page, 'share');
  await page.close();
  await visit('SVG', `file://${svg}`, async (opened) => {
    await eventually(async () => {
      const content = await opened.evaluate(() => document.documentElement.textContent);
      const text = content.replaceAll(/\s+/g, ' ');
      // Names are shortened in narrow frames.
      assert.match(text, /evil|<img|<scr|<ifr|javascript/);
    });
  });
  await visit('offline page', `file://${offline}`, all('function'));
});
