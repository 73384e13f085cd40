// Tests that an offline page of a comparison has both sides, the sentence, the graph over time, a
// deploy and a link.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import {
  axeViolations,
  closePage,
  eventually,
  launchBrowser,
  openPage,
  screenshot,
} from '../../support/browser.ts';
import { type FilledServer, startFilledServer } from '../../support/filled-server.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory } from '../../support/server.ts';

const now = Math.floor(Date.now() / 1_000) * 1_000;
const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const side = (version: string) => `${cpu}{job="shop", version="${version}"}`;

let server: FilledServer;
let browser: Browser;

before(async () => {
  [server, browser] = await Promise.all([
    startFilledServer([], async (push) => {
      for (let minutesAgo = 12; minutesAgo > 0; minutesAgo -= 1) {
        const version = minutesAgo > 6 ? 'v1' : 'v2';
        const samples: (readonly [string, bigint])[] = [
          ['main.main;shop.Serve;json.Decode', 600n],
          ['main.main;shop.Serve;sort.Sort', 300n],
          ...(version === 'v2' ? [['main.main;shop.Serve;shop.loadTable', 400n] as const] : []),
        ];
        const timeNanos = BigInt(now - minutesAgo * 60_000) * 1_000_000n;
        const profile = gzippedPprof(cpuProfile({ timeNanos, samples }));
        await push({ __name__: 'process_cpu', job: 'shop', version }, profile);
      }
    }),
    launchBrowser(),
  ]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test('a comparison opens from a disk with all that was said about it', async () => {
  const scratch = await scratchDirectory();
  const query = `diff(${side('v1')}, ${side('v2')})`;
  const opened = await openPage(browser, `${server.url}/explore?q=${encodeURIComponent(query)}`);
  const { page } = opened;
  const sentence = page.getByRole('status', { name: 'What changed' });
  const plain = async () =>
    (await sentence.innerText()).replaceAll('\u200b', '').replaceAll(/\s+/g, ' ');
  await eventually(async () => assert.match(await plain(), /v2 uses .* more .*loadTable/));
  const said = await plain();
  await page.getByRole('button', { name: 'Share or save this view' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Offline page' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^shop-process_cpu-v1-to-v2-\d{8}T\d{4}\.html$/);
  const path = join(scratch.path, 'saved.html');
  await writeFile(path, await readFile(await download.path()));
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('blob:')) asked.push(request.url());
  });
  await page.goto(`file://${path}`);
  const facts = page.getByRole('region', { name: 'What was saved' });
  await eventually(async () => assert.equal(await plain(), said));
  const text = (await facts.innerText()).replaceAll(/\s+/g, ' ');
  assert.ok(text.includes(query), text);
  assert.match(text, /v1 .*v2 .*v2 came at 20\d\d-/);
  const link = facts.getByRole('link', { name: 'Open on the server' });
  assert.ok((await link.getAttribute('href'))?.startsWith(`${server.url}/explore?`));
  assert.equal(await facts.getByRole('img').count(), 2);
  await page.getByRole('treeitem').nth(1).waitFor({ state: 'attached' });
  assert.deepEqual(await axeViolations(page), []);
  await screenshot(page, 'offline-comparison');
  assert.deepEqual(asked, [`file://${path}`]);
  await closePage(opened);
  await scratch.remove();
});
