// Tests every page and view with axe, as people with special needs use them: forced colours,
// reduced motion, 200 % zoom, a phone, and the dark theme of pages that need a login or a file.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  axeViolations,
  clippedControls,
  closePage,
  eventually,
  launchBrowser,
  openPage,
  screenshot,
  sidewaysElements,
} from '../../support/browser.ts';
import { type FilledServer, startFilledServer } from '../../support/filled-server.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const now = Math.floor(Date.now() / 1_000) * 1_000;
const sides = ['v1', 'v2'].map((version) => `${cpu}{job="api", version="${version}"}`);
/** Fixed range, because the tests may take longer than the default range. */
const range = `from=${now - 900_000}&to=${now + 1_000}`;
const explore = (query: string, extra = ''): string =>
  `/explore?q=${encodeURIComponent(query)}&ar=0&${range}${extra}`;

/** Each page and view, and an element that exists once its data has arrived. */
const views: readonly (readonly [name: string, path: string, part: string])[] = [
  ['services', `/services?${range}`, 'tbody tr'],
  ['services as graphs', `/services?sv=grid&${range}`, '.service-card'],
  ['users', `/users?who=main&wk=pattern&${range}`, 'tbody tr'],
  ['explore', explore(cpu), '[role="treeitem"]'],
  ['tall graph', explore(cpu, `&tall=1&marks=${now - 240_000}:mine`), '.deploy'],
  ['comparison', explore(`diff(${sides.join(', ')})`), '.compare-bar'],
  ['changes', explore(`diff(${sides.join(', ')})`, '&v=changes'), '.changes-panel tbody tr'],
  ['call tree', explore(cpu, '&g=tree'), '[role="treegrid"]'],
  ['flame graph', explore(cpu, '&g=flame'), '[role="treeitem"]'],
  ['flame chart', explore(cpu, '&g=chart'), '[role="tree"]'],
  ['search', explore(cpu, '&s=json'), '[role="treeitem"]'],
  ['sandwich', explore(`${cpu} | sandwich "main.serve"`), '[role="treeitem"]'],
  ['times', explore(cpu, '&st=heatmap'), '.times-strip'],
  ['stages', explore(`${cpu} | focus "main" | by (pod)`), '[role="treeitem"]'],
  ['labels', explore(cpu, '&v=labels'), '[aria-label="Labels that explain the change"]'],
  ['no data', explore(`${cpu}{job="nobody"}`), '.no-data, .panel-message'],
  ['wrong query', explore(`${cpu}{job=`), '.query-error, [role="alert"]'],
  ['targets', '/targets', 'main h1'],
  ['alerts', '/alerts', 'main h1'],
  ['findings', '/findings', 'main h1'],
  ['agents', '/agents', 'main h1'],
  ['symbols', '/symbols', 'main h1'],
  ['status', '/status', 'main h1'],
  ['files', '/file', 'main h1'],
];

let server: FilledServer;
let browser: Browser;

before(async () => {
  [server, browser] = await Promise.all([
    startFilledServer([], async (push) => {
      for (const minutesAgo of [8, 6, 4, 2]) {
        for (const pod of ['a', 'b']) {
          const profile = cpuProfile({
            timeNanos: BigInt(now - minutesAgo * 60_000) * 1_000_000n,
            samples: [
              ['main.main;main.serve;encoding/json.Marshal', minutesAgo > 4 ? 300n : 500n],
              ['main.main;main.serve', 100n],
              ['runtime.gcBgMarkWorker;runtime.gcDrain', 80n],
            ],
          });
          const version = minutesAgo > 4 ? 'v1' : 'v2';
          const labels = { __name__: 'process_cpu', job: 'api', pod, version };
          await push(labels, gzippedPprof(profile));
        }
      }
      const other = cpuProfile({ timeNanos: BigInt(now) * 1_000_000n, samples: [['x', 5n]] });
      await push({ __name__: 'process_cpu', job: 'mail' }, gzippedPprof(other));
    }),
    launchBrowser(),
  ]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Waits until a view is visible and all of its requests are answered. */
async function waitForView(page: Page, part: string): Promise<void> {
  await page.locator(part).first().waitFor({ state: 'attached' });
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** Browser settings; a window with half the pixels stands for 200 % zoom. */
const ways: readonly (readonly [
  name: string,
  media: Parameters<Page['emulateMedia']>[0],
  size: { readonly width: number; readonly height: number },
])[] = [
  [
    'forced colours and more contrast',
    { forcedColors: 'active', contrast: 'more' },
    { width: 1366, height: 650 },
  ],
  ['reduced motion', { reducedMotion: 'reduce' }, { width: 1366, height: 650 }],
  ['200 % zoom', {}, { width: 683, height: 325 }],
  ['320 px', {}, { width: 320, height: 640 }],
];

const schemes = ['light', 'dark'] as const;
const waysInSchemes = ways.flatMap(([way, media, size]) =>
  schemes.map(
    (colorScheme) => [`${way}, ${colorScheme}`, { ...media, colorScheme }, size] as const,
  ),
);

for (const [way, media, size] of waysInSchemes) {
  test(`every page by axe: ${way}`, async () => {
    const opened = await openPage(browser, `${server.url}/status`, { ...size, isNew: true });
    const { page } = opened;
    await page.emulateMedia(media);
    for (const [name, path, part] of views) {
      await page.goto(server.url + path);
      await waitForView(page, part);
      await eventually(async () => assert.deepEqual(await axeViolations(page), [], name));
      assert.deepEqual(await sidewaysElements(page), [], name);
      if (media.reducedMotion === 'reduce') {
        const moving = await page.evaluate(() => document.getAnimations().length);
        assert.equal(moving, 0, `${name} moves`);
      }
    }
    await screenshot(page, `axe-${way.replaceAll(/\W+/g, '-')}`);
    await closePage(opened);
  });
}

for (const colorScheme of schemes) {
  test(`no control is cut off at any width, ${colorScheme}`, async () => {
    const address = `${server.url}/status`;
    const opened = await openPage(browser, address, { colorScheme, isNew: true });
    const { page } = opened;
    for (const [name, path, part] of [...views, ['zoomed', explore(cpu), '[role="treeitem"]']]) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(server.url + path);
      await waitForView(page, part);
      if (name === 'zoomed') {
        await page.getByRole('tree').focus();
        for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) {
          await page.keyboard.press(key);
        }
        await page.locator('.trail-step').nth(1).waitFor();
      }
      for (const width of [320, 360, 500, 768, 900, 1024, 1200, 1440, 2560]) {
        await page.setViewportSize({ width, height: width < 600 ? 740 : 900 });
        await eventually(async () => {
          assert.deepEqual(await clippedControls(page), [], `${name} at ${width} pixels`);
        });
        assert.deepEqual(await sidewaysElements(page), [], `${name} at ${width} pixels`);
        await screenshot(page, `width-${name.replaceAll(' ', '-')}-${width}-${colorScheme}`);
      }
    }
    await closePage(opened);
  });

  test(`an opened file by axe, ${colorScheme}`, async () => {
    const address = `${server.url}/file`;
    const opened = await openPage(browser, address, { colorScheme, isNew: true });
    const { page } = opened;
    await page.locator('main h1').waitFor();
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      const text = 'main;serve;json 30\nmain;serve 10\nmain;gc 5\n';
      dataTransfer.items.add(new File([text], 'stacks.txt'));
      dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
    });
    await waitForView(page, '[role="treeitem"]');
    await eventually(async () => assert.deepEqual(await axeViolations(page), []));
    await screenshot(page, `axe-file-${colorScheme}`);
    await closePage(opened);
  });

  test(`the login page by axe, ${colorScheme}`, async () => {
    const scratch = await scratchDirectory();
    const config = join(scratch.path, 'web.yml');
    await writeFile(
      config,
      `bearer_tokens:\n  - {name: a, sha256: ${'0'.repeat(64)}, scopes: [read]}\n`,
    );
    const guarded = await startServer({
      storagePath: join(scratch.path, 'data'),
      flags: [`--web-config-file=${config}`],
    });
    try {
      const { page } = await openPage(browser, `${guarded.url}/targets`, {
        colorScheme,
        isNew: true,
      });
      await page.getByLabel('Token').fill('wrong');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('This token is unknown.').waitFor();
      await eventually(async () => assert.deepEqual(await axeViolations(page), []));
      assert.deepEqual(await sidewaysElements(page), []);
      await screenshot(page, `axe-login-${colorScheme}`);
      await page.context().close();
    } finally {
      await guarded.stop();
      await scratch.remove();
    }
  });
}
