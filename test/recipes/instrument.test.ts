// Runs each recipe of docs/instrument.md exactly as published, for half an hour under load: the
// program survives, its memory does not grow, and its profiles show the hot function.
//
// The last lines of the output are the table in docs/instrument.md. RECIPE_MINUTES sets the
// duration (30 by default), RECIPE_PYTHONS the paths of Python interpreters, separated by colons
// (by default the system's). With root and the native add-on, the agent profiles all programs, too.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runParcatool } from '../support/parcatool.ts';
import { startAgent, type TestAgent } from '../agent/support.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';
import { testTool } from '../support/tools.ts';
import {
  goRecipe,
  nodePushRecipe,
  nodeScrapeRecipe,
  type Place,
  pythonInsideRecipe,
  pythonOutsideRecipe,
  pythonPerfRecipe,
  type Recipe,
  rustRecipe,
} from './recipes.ts';
import { Watched } from './watched.ts';

const minutes = Number(process.env['RECIPE_MINUTES'] ?? 30);
const seconds = minutes * 60;
const lookMillis = 2_000;
/** Seconds from one profile to the next. */
const profileSeconds = 10;
/**
 * Share of the time that profiles cover: the first profile starts after the program, and the last
 * may be incomplete.
 */
const coveredShare = Math.max(0.1, (seconds - 1.5 * profileSeconds) / seconds);
/**
 * Smallest share of the CPU time that profiles show. They do not show the runtime's threads. On a
 * busy host, they also miss short bursts, because Node's sampler waits for a core until a burst is
 * over.
 */
const shownShareMin = 0.1;
/**
 * Share of the run after which memory must not grow. Before, a scraped program's memory grows until
 * it has responded a few times.
 */
const settledShare = 0.4;
const growthMegabytesMax = 12;

const agentType = 'parca_agent:samples:count:cpu:nanoseconds:delta';
const addOn = new URL('../../bpf/dist/bpf.node', import.meta.url);
const canSample = process.geteuid?.() === 0 && existsSync(addOn);

const scratch = await scratchDirectory();
after(() => scratch.remove());
const pythons = (process.env['RECIPE_PYTHONS'] ?? testTool('TEST_SYSTEM_PYTHON')).split(':');
const makers: [string, (place: Place) => Promise<Recipe>][] = [
  ['go', goRecipe],
  ['rust', rustRecipe],
  ['node-scraped', nodeScrapeRecipe],
  ['node-pushed', nodePushRecipe],
  ...pythons.flatMap((python, i): [string, (place: Place) => Promise<Recipe>][] => [
    [`python-outside-${i}`, (place) => pythonOutsideRecipe(place, python)],
    [`python-inside-${i}`, (place) => pythonInsideRecipe(place, python)],
    [`python-perf-${i}`, (place) => pythonPerfRecipe(place, python)],
  ]),
];

interface Running {
  readonly job: string;
  readonly recipe: Recipe;
  readonly plain: Watched;
  readonly profiled: Watched;
  readonly attached: Watched | undefined;
}

test('each recipe of instrument.md, for as long as asked', { timeout: 86_400_000 }, async (t) => {
  const port = await freePort();
  const serverUrl = `http://127.0.0.1:${port}`;
  const made: [Place, Recipe][] = [];
  for (const [job, make] of makers) {
    const place = { job, folder: join(scratch.path, job), port: await freePort(), serverUrl };
    await mkdir(place.folder);
    made.push([place, await make(place)]);
  }
  const server = await startServer({
    storagePath: join(scratch.path, 'data'),
    config: scrapeConfig(made),
    flags: [`--http-address=127.0.0.1:${port}`],
  });
  const running = made.map(([place, recipe]) => start(place, recipe));
  const agent = canSample ? await startAgentFor(running, server) : undefined;
  try {
    const programs = running.flatMap(({ plain, profiled, attached }) =>
      [plain, profiled, attached].filter((one) => one !== undefined),
    );
    for (const program of programs) program.begin();
    const end = performance.now() + seconds * 1_000;
    while (performance.now() < end) {
      await sleep(lookMillis);
      for (const program of programs) program.look();
    }
    // The last profile covers ten seconds, and is sent after those seconds.
    await sleep(2_000);
    const rows: string[] = [];
    for (const one of running) {
      await t.test(one.job, async () => {
        const figures = await takeFigures(one, serverUrl);
        rows.push(printRow(one, figures));
        check(one, figures);
      });
    }
    console.log(tableHead + rows.join('\n'));
    assert.doesNotMatch(server.log(), /level=error/);
  } finally {
    await agent?.stop();
    for (const { plain, profiled, attached } of running) {
      for (const program of [attached, profiled, plain]) await program?.stop();
    }
    await server.stop();
  }
});

function start({ job, folder }: Place, recipe: Recipe): Running {
  const plain = new Watched(recipe.plain, folder);
  const profiled = new Watched(recipe.profiled, folder);
  const attach = recipe.attach?.(profiled.pid);
  const attached = attach === undefined ? undefined : new Watched(attach, folder);
  return { job, recipe, plain, profiled, attached };
}

/** Makes the config of docs/instrument.md for each scraped program. */
function scrapeConfig(made: readonly [Place, Recipe][]): string {
  const jobs = made.map(([{ job, port }, { scrapeOptions }]) =>
    scrapeOptions === undefined
      ? ''
      : `  - job_name: ${job}\n    scrape_interval: ${profileSeconds}s\n    static_configs:\n` +
        `      - targets: ['127.0.0.1:${port}']\n${scrapeOptions}`,
  );
  return `scrape_configs:\n${jobs.join('')}`;
}

/** Starts the agent for all programs; their series have the label `pid`. */
async function startAgentFor(running: readonly Running[], server: TestServer): Promise<TestAgent> {
  const config = join(scratch.path, 'agent.yaml');
  const rule = '{ source_labels: [__meta_process_pid], target_label: pid }';
  await writeFile(config, `relabel_configs:\n  - ${rule}\n`);
  return startAgent([
    `--remote-store-address=${server.address}`,
    '--remote-store-insecure',
    `--queue-directory=${join(scratch.path, 'queue')}`,
    `--config-path=${config}`,
    `--profiling-pids=${running.map(({ profiled }) => profiled.pid).join(',')}`,
  ]);
}

interface TopAnswer {
  readonly total: string;
  readonly functions: readonly { readonly name: string; readonly cumulative: string }[];
}

/** CPU seconds of the two functions and in total, as a query shows them. */
interface Sums {
  readonly hot: number;
  readonly cool: number;
  readonly all: number;
}

/** Sums of a recipe's profiles and of the agent's profiles, if there are any. */
interface Figures {
  readonly shown: Sums | undefined;
  readonly byAgent: Sums | undefined;
}

async function takeFigures({ recipe, profiled }: Running, serverUrl: string): Promise<Figures> {
  const { query } = recipe;
  const ofAgent = `${agentType}{pid="${profiled.pid}"}`;
  return {
    shown: query === '' ? undefined : await readSums(query, recipe, serverUrl),
    byAgent: canSample ? await readSums(ofAgent, recipe, serverUrl) : undefined,
  };
}

/** Fails unless the program survives, its memory does not grow, and its hot function is shown. */
function check({ recipe, profiled, attached }: Running, { shown, byAgent }: Figures): void {
  assert.equal(profiled.end, undefined, profiled.output);
  if (attached !== undefined) {
    assert.equal(attached.end, undefined, attached.output);
    assert.doesNotMatch(attached.output, /curl:|Error:/);
  }
  const settled = profiled.memories.slice(Math.floor(profiled.memories.length * settledShare));
  const growth = (settled.at(-1) ?? 0) - settled[0];
  assert.ok(growth < growthMegabytesMax, `memory grew by ${growth} MB: ${settled.join(' ')}`);
  if (shown !== undefined) {
    const { hot, cool, all } = shown;
    const what = `hot ${hot} s, cool ${cool} s of ${all} s, ${profiled.cpuSeconds} s by /proc`;
    // On a host without a spare core, profiles contain samples of waiting threads, which are not
    // proportional to the CPU time.
    if (recipe.countsWaiting === true) assert.ok(hot > 0.08 * all, what);
    else assert.ok(hot > 0.35 * all && hot > 1.5 * cool, what);
    assert.ok(all > shownShareMin * profiled.cpuSeconds * coveredShare, what);
  }
  if (byAgent !== undefined) {
    const { all } = byAgent;
    const what = `the agent shows ${all} s, ${profiled.cpuSeconds} s by /proc`;
    assert.ok(Math.abs(all / profiled.cpuSeconds - 1) < 0.4, what);
  }
}

/** Prints the program's row of the table, and returns it. */
function printRow(
  { job, plain, profiled, attached }: Running,
  { shown, byAgent }: Figures,
): string {
  const ofCore = (cpuSeconds: number): string => ((cpuSeconds / seconds) * 100).toFixed(1);
  const outside = attached === undefined ? '' : ` + ${ofCore(attached.cpuSeconds)} outside`;
  const share = (sums: Sums | undefined, covered: number): string =>
    sums === undefined ? '-' : `${((sums.all / profiled.cpuSeconds / covered) * 100).toFixed(0)} %`;
  const cells = [
    job,
    memory(plain),
    memory(profiled),
    ofCore(plain.cpuSeconds),
    `${ofCore(profiled.cpuSeconds - plain.cpuSeconds)}${outside}`,
    share(shown, coveredShare),
    share(byAgent, 1),
  ];
  return `| ${cells.join(' | ')} |`;
}

/**
 * Returns the CPU seconds of the two functions and in total in the profiles that a query selects.
 */
async function readSums(query: string, { hot, cool }: Recipe, serverUrl: string): Promise<Sums> {
  const flags = [`--server=${serverUrl}`, '--from=24h', '--top=0', '-o=json'];
  const { out, err, code } = await runParcatool('top', query, ...flags);
  assert.equal(code, 0, err);
  const { total, functions } = JSON.parse(out) as TopAnswer;
  const sum = (pattern: RegExp): number =>
    functions
      .filter(({ name }) => pattern.test(name))
      .reduce((cpuSeconds, { cumulative }) => cpuSeconds + Number(cumulative) / 1e9, 0);
  return { hot: sum(hot), cool: sum(cool), all: Number(total) / 1e9 };
}

const tableHead =
  '| recipe | MB without | MB with | CPU without, % of a core | more with it | shown | by the agent |\n' +
  '| --- | --- | --- | --- | --- | --- | --- |\n';

function memory({ memories }: Watched): string {
  return Math.max(...memories).toFixed(0);
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}
