// Tests names of addresses in the page: the reasons why names are missing, and that they appear
// without a reload.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeElf, makeNote, makeSymbols } from '../../src/symbolize/testing/make-elf.ts';
import type { Locator } from 'playwright-core';
import {
  axeViolations,
  closePage,
  eventually,
  launchBrowser,
  openPage,
  screenshot,
  sidewaysElements,
} from '../support/browser.ts';
import { uploadDebuginfo } from '../support/debuginfo-client.ts';
import { connect } from '../support/grpc-client.ts';
import { scratchDirectory, startServer } from '../support/server.ts';
import { queryParameters, pushUnnamed } from '../support/profiles/unnamed-profiles.ts';

const buildId = '00112233445566778899aabbccddeeff00112233';
const note = {
  name: '.note.gnu.build-id',
  type: 7,
  content: makeNote('GNU', 3, Uint8Array.from(Buffer.from(buildId, 'hex'))),
};
/** A file like those that -gsplit-dwarf leaves next to object files. */
const splitOff = makeElf([
  { name: '.debug_info.dwo', type: 1, content: Uint8Array.of(1, 2, 3, 4) },
]);
const content = makeElf([
  note,
  ...makeSymbols('.symtab', 2, [
    { name: 'main', address: 0x1000, size: 0x80 },
    { name: 'work', address: 0x2000, size: 0x80 },
  ]),
]);

/** Drops a file on an element, as a mouse would. */
async function drop(onto: Locator, name: string, bytes: Uint8Array): Promise<void> {
  await onto.evaluate(
    (element, [fileName, base64]) => {
      const dataTransfer = new DataTransfer();
      const content = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      dataTransfer.items.add(new File([content], fileName));
      element.dispatchEvent(
        new DragEvent('drop', { dataTransfer, cancelable: true, bubbles: true }),
      );
    },
    [name, Buffer.from(bytes).toString('base64')] as const,
  );
}

test('the page says why names are missing, and shows them when they have come', async () => {
  const scratch = await scratchDirectory();
  const server = await startServer({ storagePath: join(scratch.path, 'data') });
  const client = connect(server.address);
  const browser = await launchBrowser();
  try {
    await pushUnnamed(client, 'app', { path: '/app/server', buildId, addresses: [0x2020, 0x1010] });
    const asked = queryParameters('app');
    const [from, to] = ['start', 'end'].map((name) => Date.parse(asked.get(name) ?? ''));
    const query = encodeURIComponent(asked.get('query') ?? '');
    const url = `${server.url}/explore?q=${query}&from=${from}&to=${to}&ar=0`;
    const opened = await openPage(browser, url);
    const { page } = opened;
    const notice = page.getByRole('status').filter({ hasText: 'Some names are missing here' });
    await eventually(async () =>
      assert.equal(
        (await notice.innerText()).trim(),
        'Some names are missing here: names of 2 addresses in server are missing ' +
          '(no debug information was uploaded).',
      ),
    );
    await page
      .locator('[role="treeitem"][aria-label^="server+0x1010"]')
      .waitFor({ state: 'attached' });
    await screenshot(page, 'ui-unnamed');
    await assert.rejects(uploadDebuginfo(client, { buildId, hash: 'split' }, splitOff));
    await page.reload();
    await page.getByText('Some names are missing here').click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'cannot keep a file of split DWARF (.dwo, .dwp)' })
      .waitFor();
    await page.goto(`${server.url}/symbols?from=${from}&to=${to}`);
    const row = page.getByRole('listitem').filter({ hasText: buildId });
    await row.getByText('cannot keep a file of split DWARF').waitFor();
    await row.getByText('hides 100').waitFor();
    await eventually(async () =>
      assert.match(
        (await row.innerText()).replaceAll('\u202f', ' '),
        /^no names\s+\/app\/server\s+0011[0-9a-f]+\s+hides 100 %\s+no files\s/,
      ),
    );
    assert.deepEqual(await axeViolations(page), []);
    await screenshot(page, 'symbols');
    await page.setViewportSize({ width: 320, height: 700 });
    assert.deepEqual(await sidewaysElements(page), []);
    await drop(row, 'split.dwo', splitOff);
    await row.getByRole('status').getByText('cannot keep a file of split DWARF').waitFor();
    assert.match(opened.problems.splice(0).join(), /^Failed to load resource: [^,]*400/);
    await drop(row, 'server.debug', content);
    await row.getByText('debuginfo, ').waitFor();
    await eventually(async () =>
      assert.match(await row.innerText(), /debuginfo, [\d.]+\s\w+ with symbols/),
    );
    await page.goto(url);
    // If the first answer has no names, the page repeats the query by itself.
    await page.locator('[role="treeitem"][aria-label^="main"]').waitFor({ state: 'attached' });
    await notice.waitFor({ state: 'hidden' });
    await closePage(opened);
  } finally {
    await browser.close();
    client.close();
    await server.stop();
    await scratch.remove();
  }
});
