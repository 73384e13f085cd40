// Tests twelve tasks of an engineer on call, on services whose function names have 80 characters.
// Each task has a limit of the actions that it may take.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import {
  axeViolations,
  closePage,
  eventually,
  launchBrowser,
  openPage,
  screenshot,
} from '../support/browser.ts';
import { type FilledServer, startFilledServer } from '../support/filled-server.ts';
import { encodeLineProfile, type LineFrame } from '../support/profiles/line-profile.ts';
import { fleetFunctions } from '../support/profiles/long-named-fleet.ts';
import { cpuProfile, gzippedPprof, type TestProfile } from '../support/profiles/pprof-builder.ts';
import { doTask, type Visit, widestBelow } from '../support/visit.ts';

const minute = 60_000;
const now = Math.floor(Date.now() / 1_000) * 1_000;
/** Names that differ only after 70 characters. */
const [hot, warm, caller, added] = fleetFunctions;
const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const shop = `${cpu}{job="shop"}`;

let server: FilledServer;
let browser: Browser;

const nanos = (minutesAgo: number): bigint => BigInt(now - minutesAgo * minute) * 1_000_000n;

before(async () => {
  [server, browser] = await Promise.all([
    startFilledServer(['--share-url=https://profiles.test'], async (push) => {
      const pushCpu = (
        labels: Record<string, string>,
        minutesAgo: number,
        samples: readonly (readonly [string, bigint])[],
      ) => {
        const profile = cpuProfile({ timeNanos: nanos(minutesAgo), samples });
        return push({ __name__: 'process_cpu', ...labels }, gzippedPprof(profile));
      };
      const stacks = (extra: bigint) =>
        [
          [`main.main;${caller};${hot}`, 600n],
          [`main.main;${caller};${warm}`, 200n],
          ['runtime.gcBgMarkWorker;runtime.gcDrain', 100n],
          ...(extra > 0n ? [[`main.main;${added}`, extra] as const] : []),
        ] as const;
      for (const minutesAgo of [12, 10, 8]) {
        await pushCpu({ job: 'shop', pod: 'a', version: 'v4.1.0' }, minutesAgo, stacks(0n));
      }
      for (const minutesAgo of [5, 3]) {
        await pushCpu({ job: 'shop', pod: 'a', version: 'v4.2.0' }, minutesAgo, stacks(100n));
        await pushCpu({ job: 'shop', pod: 'b', version: 'v4.2.0' }, minutesAgo, stacks(900n));
      }
      await pushCpu({ job: 'mail' }, 3, [[`main.main;${warm}`, 50n]]);
      const heap = (minutesAgo: number, leaked: bigint): TestProfile => ({
        sampleTypes: [['inuse_space', 'bytes']],
        periodType: ['space', 'bytes'],
        period: 524_288n,
        timeNanos: nanos(minutesAgo),
        durationNanos: 0n,
        samples: [
          [`main.main;${warm}`, 8_388_608n],
          [`main.main;${hot}`, leaked],
        ],
      });
      const memory = { __name__: 'memory', job: 'shop' };
      await push(memory, gzippedPprof(heap(20, 1_048_576n)));
      await push(memory, gzippedPprof(heap(3, 104_857_600n)));
      const locks = (minutesAgo: number, waited: bigint): TestProfile => ({
        sampleTypes: [['delay', 'nanoseconds']],
        periodType: ['contentions', 'count'],
        period: 1n,
        timeNanos: nanos(minutesAgo),
        durationNanos: 0n,
        samples: [
          [`main.main;${caller};sync.(*Mutex).Unlock`, waited],
          [`main.main;${warm};sync.(*Mutex).Unlock`, 1_000_000_000n],
        ],
      });
      const mutex = { __name__: 'mutex', job: 'shop' };
      await push(mutex, gzippedPprof(locks(12, 1_000_000_000n)));
      await push(mutex, gzippedPprof(locks(3, 61_000_000_000n)));
      const place = (name: string, line: number): LineFrame => ({
        name,
        file: '/srv/shop/allocate.go',
        line,
      });
      const lines = encodeLineProfile({
        timeNanos: nanos(3),
        buildId: 'feed01',
        samples: [
          [70, place(hot, 41), place('main.main', 7)],
          [20, place(hot, 44), place('main.main', 7)],
        ],
      });
      await push({ __name__: 'app', job: 'lined' }, lines);
    }),
    launchBrowser(),
  ]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Does a task on one of the server's pages. */
function within(
  actionsMax: number,
  path: string,
  task: (visit: Visit) => Promise<void>,
): Promise<void> {
  return doTask(browser, server.url + path, actionsMax, task);
}

const explore = (query: string) => `/explore?q=${encodeURIComponent(query)}`;

test('CPU of one service now: 2', async () => {
  await within(2, '/', async (visit) => {
    await visit.click(visit.page.getByRole('link', { name: 'shop' }));
    assert.equal(await visit.topFunction(), hot);
  });
});

test('the hot line of it: 3', async () => {
  await within(3, '/', async (visit) => {
    await visit.click(visit.page.getByRole('link', { name: 'lined' }));
    await visit.click(visit.firstRow);
    await visit.press('e');
    const line = visit.page.locator('.lines-row.current');
    await line.waitFor();
    await eventually(async () =>
      assert.match((await line.innerText()).replaceAll('\u202f', ' '), /^77\.8 %\s+77\.8 %\s+41/),
    );
  });
});

test('what changed since the deploy: 1', async () => {
  await within(1, explore(shop), async (visit) => {
    const mark = visit.page.getByRole('group', { name: 'Deploys' }).getByRole('button');
    await eventually(async () =>
      assert.match((await mark.getAttribute('aria-label')) ?? '', /^version v4\.2\.0 came at/),
    );
    assert.deepEqual(await axeViolations(visit.page), []);
    await screenshot(visit.page, 'ui-deploy');
    await visit.click(mark);
    await visit.waitForQuery(
      `diff(${cpu}{job="shop", version="v4.1.0"}, ${cpu}{job="shop", version="v4.2.0"})`,
    );
    const changes = visit.page.getByRole('region', { name: 'Changed functions' });
    const first = changes.locator('tbody tr').first();
    await first.waitFor();
    await eventually(async () =>
      assert.ok((await first.innerHTML()).includes(added), await first.innerText()),
    );
  });
});

test('a comparison that ends now asks for the deploys of each side once', async () => {
  const opened = await openPage(browser, 'about:blank', { isNew: true });
  const { page } = opened;
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('QueryService/Labels')) asked += 1;
  });
  const sides = ['v4.1.0', 'v4.2.0'].map((version) => `${cpu}{job="shop", version="${version}"}`);
  await page.goto(server.url + explore(`diff(${sides.join(', ')})`));
  await page.locator('.side-deploy').first().waitFor();
  await page.locator('.changes-panel tbody tr').first().waitFor();
  await page.locator('.side-strip path').nth(1).waitFor({ state: 'attached' });
  assert.equal(asked, 2);
  await closePage(opened);
});

test('two versions: 2', async () => {
  await within(2, explore(shop), async (visit) => {
    await visit.click(visit.page.getByRole('button', { name: /^Compare with/ }));
    await visit.click(visit.page.getByRole('button', { name: 'version: v4.1.0 and v4.2.0' }));
    await visit.waitForQuery(
      `diff(${cpu}{job="shop", version="v4.1.0"}, ${cpu}{job="shop", version="v4.2.0"})`,
    );
  });
});

test('two values of a label: 3', async () => {
  await within(3, explore(shop), async (visit) => {
    await visit.click(visit.page.getByRole('button', { name: /^Compare with/ }));
    await visit.click(visit.page.getByRole('button', { name: 'Two values of a label' }));
    await visit.click(visit.page.getByRole('button', { name: 'pod', exact: true }));
    await visit.waitForQuery(`diff(${cpu}{job="shop", pod="a"}, ${cpu}{job="shop", pod="b"})`);
  });
});

test('why it is expensive, by label: 2', async () => {
  await within(2, explore(shop), async (visit) => {
    await visit.click(visit.page.getByRole('button', { name: 'Labels', exact: true }));
    const panel = visit.page.getByRole('region', { name: 'Labels that explain the change' });
    await panel.getByText('of all.').waitFor();
    await visit.click(panel.locator('tbody button').filter({ hasText: 'version=v4.2.0' }));
    await visit.waitForQuery(`${cpu}{job="shop", version="v4.2.0"}`);
  });
});

test('a memory leak: 2', async () => {
  await within(2, explore(shop), async (visit) => {
    await visit.choose(
      visit.page.getByRole('combobox').first(),
      'memory:inuse_space:bytes:space:bytes',
    );
    await visit.waitForQuery('memory:inuse_space:bytes:space:bytes{job="shop"}');
    await visit.press('v');
    const changes = visit.page.getByRole('region', { name: 'Changed functions' });
    const first = changes.locator('tbody tr').first();
    await first.waitFor();
    await eventually(async () =>
      assert.ok((await first.innerHTML()).includes(hot), await first.innerText()),
    );
  });
});

test('lock contention: 2', async () => {
  await within(2, explore(shop), async (visit) => {
    await visit.choose(
      visit.page.getByRole('combobox').first(),
      'mutex:delay:nanoseconds:contentions:count',
    );
    await visit.waitForQuery('mutex:delay:nanoseconds:contentions:count{job="shop"} | increase');
    await visit.click(visit.page.getByRole('button', { name: 'Invert' }));
    await visit.page.getByRole('treeitem', { name: /Unlock/ }).waitFor({ state: 'attached' });
    assert.equal(await widestBelow(visit.page), caller, 'who waits stands below the lock');
  });
});

test('who calls a function: 2', async () => {
  await within(2, explore(shop), async (visit) => {
    await visit.click(visit.firstRow);
    await visit.press('c');
    await visit.waitForQuery(`${shop} | invert | sandwich "${hot}"`);
    assert.equal(await widestBelow(visit.page), caller);
  });
});

test("a function's callers to a link that somebody else opens: 3", async () => {
  let link = '';
  await within(3, explore(shop), async (visit) => {
    await visit.click(visit.firstRow);
    await visit.press('c');
    assert.equal(await widestBelow(visit.page), caller);
    link = await visit.copyLink();
  });
  const other = await openPage(browser, link, { isNew: true });
  await other.page.getByRole('treeitem', { name: hot }).waitFor({ state: 'attached' });
  assert.equal(await widestBelow(other.page), caller);
  await closePage(other);
});

test('a link to the services as they are now: 1', async () => {
  let link = '';
  await within(1, '/services', async (visit) => {
    link = await visit.copyLink();
    const { from, to } = Object.fromEntries(new URL(link).searchParams);
    assert.equal(Number(to) - Number(from), 15 * 60_000 - 1, link);
    assert.deepEqual(await axeViolations(visit.page), []);
  });
  const other = await openPage(browser, link, { isNew: true });
  await other.page.getByRole('link', { name: 'shop' }).waitFor();
  await closePage(other);
});

test('a file from disk: 1', async () => {
  await within(1, '/services', async (visit) => {
    await visit.drop('stacks.txt', Buffer.from(`main;${hot} 30\nmain;${warm} 10\n`));
    assert.equal(await visit.topFunction(), hot);
  });
});

test('my code or the runtime: 1', async () => {
  await within(1, explore(shop), async (visit) => {
    await visit.page.getByText('garbage collection').first().waitFor();
    await visit.click(visit.page.getByRole('button', { name: 'Mine only' }));
    await visit.waitForQuery(`${shop} | frame keep kind equals "own code"`);
  });
});

test('who uses a function, in which version: 2, and from the palette 3', async () => {
  const rows = async ({ page }: Visit) => {
    const text = await page.locator('.users tbody').innerText();
    return text.replaceAll('\u202f', ' ').replaceAll(/\s+/g, ' ');
  };
  await within(2, explore(shop), async (visit) => {
    await visit.click(visit.page.getByRole('option', { name: warm }));
    await visit.press('U');
    await visit.page.getByRole('heading', { name: 'Who uses' }).waitFor();
    await eventually(async () => {
      const text = await rows(visit);
      assert.match(text, /shop ?job v4\.\d\.0 .* v4\.\d\.0 /);
      assert.match(text, /mail ?job – [\d.]+ m?cores 100 %/);
    });
    assert.deepEqual(await axeViolations(visit.page), []);
    await screenshot(visit.page, 'ui-users');
    await visit.page.getByRole('link', { name: 'shop' }).click();
    const stage = ` | stack function equals ${JSON.stringify(warm)}`;
    await visit.waitForQuery(`${shop}${stage}`);
  });
  await within(3, '/services', async (visit) => {
    await visit.press('Control+k');
    await visit.page.keyboard.type(warm);
    await visit.page.getByRole('option', { name: /^Who uses/ }).click();
    await eventually(async () => assert.match(await rows(visit), /mail ?job/));
  });
});

test('letters typed before the palette has been loaded are kept', async () => {
  await within(2, '/services', async ({ page }) => {
    const loading = Promise.withResolvers<void>();
    await page.route(/\/palette-[^/]*\.js$/, async (route) => {
      await loading.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'shop' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('mai');
    loading.resolve();
    const input = page.getByRole('combobox', { name: 'Go to, do, find' });
    await eventually(async () => assert.equal(await input.inputValue(), 'mai'));
    await page.keyboard.type('l');
    await page.getByRole('option', { name: 'Service mail' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/job%3D%22mail%22|job="mail"|job=%22mail/);
  });
});
