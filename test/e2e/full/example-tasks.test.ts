// Tests the twelve tasks of tasks.test.ts on real programs: the examples are scraped, then a second
// release is deployed, which is slower and, in Go and Node, leaks memory.
//
// The Rust example has no memory profile, and only the Go example has lock profiles: Rust's
// standard library has none, and JavaScript has no locks. All other tasks are done on each example.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import {
  closePage,
  eventually,
  launchBrowser,
  openPage,
  screenshot,
} from '../../support/browser.ts';
import {
  buildExample,
  type ExampleTarget,
  type Language,
  startExample,
} from '../../support/example-targets.ts';
import { getText } from '../../support/json-api.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';
import { doTask, type Visit, widestBelow } from '../../support/visit.ts';

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const locks = 'mutex:delay:nanoseconds:contentions:count';

interface Example {
  readonly language: Language;
  readonly hot: string;
  readonly caller: string;
  /** Function that only the second release has. */
  readonly added: string;
  readonly file: RegExp;
  /** Menu entry for memory in use, and the function that leaks; only Go and Node have both. */
  readonly memory?: { readonly type: string; readonly leak: string };
}

const examples: readonly Example[] = [
  {
    language: 'go',
    hot: 'main.heavy',
    caller: 'main.work',
    added: 'main.audit',
    file: /main\.go/,
    memory: { type: 'memory:inuse_space', leak: 'main.audit' },
  },
  {
    language: 'rust',
    hot: 'example_target::heavy',
    caller: 'example_target::work',
    added: 'example_target::audit',
    file: /main\.rs/,
  },
  {
    language: 'node',
    hot: 'heavy',
    caller: 'work',
    added: 'audit',
    file: /main\.ts/,
    // The function is Array.from, which `numbers` calls.
    memory: { type: 'memory:inuse_space', leak: 'from' },
  },
];

const configFile = new URL('../../../examples/parca.yaml', import.meta.url);
const ports: Readonly<Record<Language, string>> = { go: '6061', rust: '6062', node: '6063' };
/**
 * Number of scrapes of each release, two seconds apart. The page dates a deploy in steps of 15 s,
 * and shows no deploy for a version that appears within the first two steps.
 */
const scrapesWanted = { v1: 18, v2: 10 };

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
let browser: Browser;
let running: ExampleTarget[] = [];
/** Addresses of both releases, and a profile fetched from the first release. */
const addresses = new Map<Language, string[]>();
const files = new Map<Language, Buffer>();

// The first build of the Rust example compiles all of its dependencies, which takes minutes.
before(
  async () => {
    for (const { language } of examples) await buildExample(language);
  },
  { timeout: 3_600_000 },
);

before(
  async () => {
    scratch = await scratchDirectory();
    await start([]);
    for (const { language, address } of running) {
      const response = await fetch(`http://${address}/debug/pprof/profile?seconds=5`);
      files.set(language, Buffer.from(await response.arrayBuffer()));
    }
    server = await startServer({
      storagePath: join(scratch.path, 'data'),
      config: await readConfig('v1'),
    });
    await waitForScrapes('v1');
    const first = running;
    await start(['--audit']);
    await writeFile(join(scratch.path, `parca-${process.pid}.yaml`), await readConfig('v2'));
    await Promise.all(first.map((target) => target.stop()));
    await waitForScrapes('v2');
    browser = await launchBrowser();
  },
  { timeout: 3_600_000 },
);

after(async () => {
  await browser?.close();
  await server?.stop();
  await Promise.all(running.map((target) => target.stop()));
  await scratch?.remove();
});

/** Starts one release of all programs, and records their addresses. */
async function start(flags: readonly string[]): Promise<void> {
  running = [];
  for (const { language } of examples) {
    const target = await startExample(language, flags);
    running.push(target);
    addresses.set(language, [...(addresses.get(language) ?? []), target.address]);
  }
}

/** Returns the config file of the examples for the running programs. */
async function readConfig(version: string): Promise<string> {
  let config = await readFile(configFile, 'utf8');
  for (const { language, address } of running) {
    config = config.replaceAll(`127.0.0.1:${ports[language]}`, address);
  }
  return config
    .replaceAll('version: v1', `version: ${version}`)
    .replaceAll(/scrape_interval: \w+/g, 'scrape_interval: 2s');
}

/** Longest time without a new profile, in milliseconds. */
const silentMillisMax = 120_000;

/** Waits until each example has enough CPU profiles of a release. */
async function waitForScrapes(version: keyof typeof scrapesWanted): Promise<void> {
  for (const { language } of examples) {
    let [found, since] = [0, Date.now()];
    while (found < scrapesWanted[version]) {
      await delay(500);
      const count = await countProfiles(language, version);
      if (count > found) since = Date.now();
      found = count;
      if (Date.now() - since > silentMillisMax) {
        const states = await getText(server.url, '/targets', {});
        throw new Error(`${language} ${version} was not scraped: ${states}\n${server.log()}`);
      }
    }
  }
}

async function countProfiles(language: Language, version: string): Promise<number> {
  const now = Date.now();
  const parameters = {
    query: `${cpu}{job="example-${language}", version="${version}"}`,
    start: new Date(now - 3_600_000).toISOString(),
    end: new Date(now + 1_000).toISOString(),
    step: '1s',
  };
  const response = await fetch(
    `${server.url}/api/profiles/query_range?${new URLSearchParams(parameters)}`,
  );
  // The series does not exist before the first scrape.
  if (!response.ok) return 0;
  const body = (await response.json()) as { series: { samples: unknown[] }[] };
  return body.series.flatMap(({ samples }) => samples).length;
}

/** Does a task on one of the server's pages. */
function within(
  actionsMax: number,
  path: string,
  task: (visit: Visit) => Promise<void>,
): Promise<void> {
  return doTask(browser, server.url + path, actionsMax, task);
}

for (const { language, hot, caller, added, file, memory } of examples) {
  const job = `example-${language}`;
  const all = `${cpu}{job="${job}"}`;
  const ofVersion = (type: string, version: string) =>
    `${type}{job="${job}", version="${version}"}`;
  const versions = `diff(${ofVersion(cpu, 'v1')}, ${ofVersion(cpu, 'v2')})`;
  const explored = `/explore?q=${encodeURIComponent(all)}`;
  /** Waits until a function is the first in the list of functions whose value grew. */
  const waitForChange = async ({ page }: Visit, name: string) => {
    const changes = page.getByRole('region', { name: 'Changed functions' });
    const first = changes.locator('tbody tr').filter({ hasText: '▲' }).first();
    await first.waitFor();
    await eventually(async () => {
      const text = await first.locator('th').innerText();
      assert.ok(text.endsWith(name), await changes.innerText());
    });
  };

  test(`${language}: CPU of one service now: 2`, async () => {
    await within(2, '/', async (visit) => {
      await visit.click(visit.page.getByRole('link', { name: job }));
      assert.equal(await visit.topFunction(), hot);
      await screenshot(visit.page, `task-${language}-cpu`);
    });
  });

  test(`${language}: the hot line of it: 3`, async () => {
    await within(3, '/', async (visit) => {
      await visit.click(visit.page.getByRole('link', { name: job }));
      await visit.click(visit.firstRow);
      await visit.press('e');
      const line = visit.page.locator('.lines-row.current');
      await line.waitFor();
      assert.match(await visit.page.locator('.lines-file').innerText(), file);
      assert.match(
        (await line.innerText()).replaceAll('\u202f', ' '),
        /^[\d.]+ %\s+[\d.]+ %\s+\d+/,
      );
      await screenshot(visit.page, `task-${language}-line`);
    });
  });

  test(`${language}: what changed since the deploy: 1`, async () => {
    await within(1, explored, async (visit) => {
      const mark = visit.page.getByRole('group', { name: 'Deploys' }).getByRole('button');
      await eventually(async () =>
        assert.match((await mark.getAttribute('aria-label')) ?? '', /^version v2 came at/),
      );
      await visit.click(mark);
      await visit.waitForQuery(versions);
      await waitForChange(visit, added);
      await screenshot(visit.page, `task-${language}-deploy`);
    });
  });

  test(`${language}: two versions: 2`, async () => {
    await within(2, explored, async (visit) => {
      await visit.click(visit.page.getByRole('button', { name: /^Compare with/ }));
      await visit.click(visit.page.getByRole('button', { name: 'version: v1 and v2' }));
      await visit.waitForQuery(versions);
    });
  });

  test(`${language}: the same time yesterday: 2`, async () => {
    await within(2, explored, async (visit) => {
      await visit.click(visit.page.getByRole('button', { name: /^Compare with/ }));
      await visit.click(visit.page.getByRole('button', { name: 'The same time yesterday' }));
      await visit.waitForQuery(`diff(${all} offset 1d, ${all})`);
    });
  });

  test(`${language}: without the runtime: 2`, async () => {
    await within(2, explored, async (visit) => {
      await visit.click(visit.page.getByRole('button', { name: 'Hide, fold or show only' }));
      await visit.click(visit.page.getByRole('checkbox', { name: /^Runtime/ }));
      await visit.waitForQuery(`${all} | frame drop kind equals "runtime"`);
      await visit.page.getByRole('treeitem').first().waitFor({ state: 'attached' });
      const legend = visit.page.getByRole('group', { name: 'Colours by kind' });
      // Frames that are all of one kind have no legend.
      await eventually(async () =>
        assert.doesNotMatch((await legend.allInnerTexts()).join(), /\bruntime\b/),
      );
      assert.equal(await visit.topFunction(), hot);
    });
  });

  test(`${language}: only a moment, against the rest: 3`, async () => {
    await within(3, explored, async (visit) => {
      await visit.select(0.95, 0.99);
      await visit.page.waitForURL((url) => url.searchParams.has('sel'));
      await visit.click(visit.page.getByRole('button', { name: /^Compare with/ }));
      await visit.click(visit.page.getByRole('button', { name: 'The rest of the range' }));
      await visit.page.waitForURL((url) => url.searchParams.get('q')?.startsWith('diff(') === true);
    });
  });

  test(`${language}: the profile as pprof: 2`, async () => {
    await within(2, explored, async (visit) => {
      await visit.click(visit.page.getByRole('button', { name: 'Share or save this view' }));
      const download = visit.page.waitForEvent('download');
      await visit.click(visit.page.getByRole('button', { name: 'pprof', exact: true }));
      const bytes = gunzipSync(await readFile(await (await download).path()));
      assert.ok(bytes.includes(hot), 'the profile has the names');
    });
  });

  test(`${language}: who uses a function: 2`, async () => {
    await within(2, explored, async (visit) => {
      await visit.click(visit.firstRow);
      await visit.press('U');
      await visit.page.getByRole('heading', { name: 'Who uses' }).waitFor();
      await eventually(async () => {
        const text = await visit.page.locator('.users tbody').innerText();
        assert.match(text.replaceAll(/\s+/g, ' '), new RegExp(`${job} ?job v\\d .* v\\d `));
      });
      await screenshot(visit.page, `task-${language}-users`);
    });
  });

  test(`${language}: two values of a label: 3`, async () => {
    await within(3, explored, async (visit) => {
      await visit.click(visit.page.getByRole('button', { name: /^Compare with/ }));
      await visit.click(visit.page.getByRole('button', { name: 'Two values of a label' }));
      await visit.click(visit.page.getByRole('button', { name: 'instance', exact: true }));
      const [a, b] = (addresses.get(language) ?? []).toSorted();
      const sides = [a, b].map((address) => `${cpu}{job="${job}", instance="${address}"}`);
      await visit.waitForQuery(`diff(${sides.join(', ')})`);
    });
  });

  test(`${language}: why it is expensive, by label: 2`, async () => {
    await within(2, explored, async (visit) => {
      await visit.click(visit.page.getByRole('button', { name: 'Labels', exact: true }));
      const panel = visit.page.getByRole('region', { name: 'Labels that explain the change' });
      await panel.getByText(/of (the rise|all)\./).waitFor();
      await screenshot(visit.page, `task-${language}-labels`);
      // Which release has the largest rise depends on how long each has run by now.
      const row = panel.locator('tbody button').filter({ hasText: 'version=' }).first();
      const version = (await row.innerText()).trim().slice('version='.length);
      await visit.click(row);
      await visit.waitForQuery(ofVersion(cpu, version));
    });
  });

  if (memory !== undefined) {
    test(`${language}: a memory leak: 2`, async () => {
      await within(2, explored, async (visit) => {
        await visit.choose(visit.page.getByRole('combobox').first(), memory.type);
        await visit.waitForQuery(`${memory.type}{job="${job}"}`);
        await visit.press('v');
        await waitForChange(visit, memory.leak);
        await screenshot(visit.page, `task-${language}-leak`);
      });
    });
  }

  if (language === 'go') {
    test(`${language}: lock contention: 2`, async () => {
      await within(2, explored, async (visit) => {
        await visit.choose(visit.page.getByRole('combobox').first(), locks);
        await visit.waitForQuery(`${locks}{job="${job}"} | increase`);
        await visit.click(visit.page.getByRole('button', { name: 'Invert' }));
        await visit.page.getByRole('treeitem', { name: /Unlock/ }).waitFor({ state: 'attached' });
        assert.equal(await widestBelow(visit.page), 'main.finish', 'who holds it stands below');
        await screenshot(visit.page, `task-${language}-lock`);
      });
    });
  }

  test(`${language}: who calls a function: 2`, async () => {
    await within(2, explored, async (visit) => {
      await visit.click(visit.firstRow);
      await visit.press('c');
      await visit.waitForQuery(`${all} | invert | sandwich "${hot}"`);
      assert.equal(await widestBelow(visit.page), caller);
      await screenshot(visit.page, `task-${language}-callers`);
    });
  });

  test(`${language}: a function's callers to a link that somebody else opens: 3`, async () => {
    let link = '';
    await within(3, explored, async (visit) => {
      await visit.click(visit.firstRow);
      await visit.press('c');
      assert.equal(await widestBelow(visit.page), caller);
      link = await visit.copyLink();
    });
    const other = await openPage(browser, link, { isNew: true });
    assert.equal(await widestBelow(other.page), caller);
    await closePage(other);
  });

  test(`${language}: a file from disk: 1`, async () => {
    await within(1, '/services', async (visit) => {
      await visit.drop('profile.pb.gz', files.get(language) ?? Buffer.alloc(0));
      assert.equal(await visit.topFunction(), hot);
      await screenshot(visit.page, `task-${language}-file`);
    });
  });

  test(`${language}: my code or the runtime: 1`, async () => {
    await within(1, explored, async (visit) => {
      const legend = visit.page.getByRole('group', { name: 'Colours by kind' });
      await eventually(async () => {
        const text = (await legend.innerText()).replaceAll(/\s+/g, ' ');
        assert.ok(Number(/own code ([\d.]+) %/.exec(text)?.[1]) > 50, text);
      });
      await visit.click(visit.page.getByRole('button', { name: 'Mine only' }));
      await visit.page.waitForURL(
        (url) =>
          url.searchParams.get('q')?.endsWith('| frame keep kind equals "own code"') === true,
      );
      await screenshot(visit.page, `task-${language}-mine`);
    });
  });
}
