// Tests a flight recording of a Java program that is dropped on the page: a worker reads it, and
// the graph shows the methods' names.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { closePage, eventually, launchBrowser, openPage } from '../../support/browser.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';
import { testTool } from '../../support/tools.ts';

const bin = dirname(realpathSync(testTool('TEST_JAVAC')));
const source = new URL('../../interop/jfr/Busy.java', import.meta.url).pathname;

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
let browser: Browser;

before(async () => {
  scratch = await scratchDirectory();
  server = await startServer({ storagePath: join(scratch.path, 'data') });
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
  await scratch?.remove();
});

test('a recording that is dropped on the page is read there, in a worker', async () => {
  execFileSync(join(bin, 'javac'), ['-d', scratch.path, source]);
  const file = join(scratch.path, 'busy.jfr');
  const recording = `-XX:StartFlightRecording=filename=${file},settings=profile`;
  execFileSync(join(bin, 'java'), [recording, '-cp', scratch.path, 'Busy', '5'], { stdio: 'pipe' });
  const opened = await openPage(browser, `${server.url}/file`, { isNew: true });
  const { page } = opened;
  await page.locator('main h1').waitFor();
  /** Number of bytes in the bodies of all requests after the drop. */
  let sentBytes = 0;
  page.on('request', (request) => (sentBytes += request.postDataBuffer()?.length ?? 0));
  await page.evaluate((base64) => {
    const content = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], 'busy.jfr'));
    dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
  }, readFileSync(file).toString('base64'));
  await page.waitForURL((at) => at.search.includes('busy.jfr'));
  await eventually(async () => {
    const items = page.getByRole('treeitem');
    const labels = await items.evaluateAll((all) => all.map((one) => one.ariaLabel ?? ''));
    assert.match(labels.join('\n'), /Busy\.(burn|work|main)/);
  });
  const workers = page.workers().map((worker) => worker.url());
  assert.ok(
    workers.some((url) => url.includes('file-engine')),
    workers.join(),
  );
  assert.ok(sentBytes < statSync(file).size / 10, `${sentBytes} bytes were sent`);
  await closePage(opened);
});
