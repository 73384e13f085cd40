// Measures how much server CPU time a refresh of the page takes, for two versions of the server.
// The page shows all programs of a busy host with the agent over 15 minutes, and is refreshed after
// each batch.
//
// TEST_CHROMIUM=... node bench/query/page-refresh.ts BEFORE [AFTER]
//
// BEFORE and AFTER are checkouts with installed packages and the built page; the default for AFTER
// is this checkout. CPU time is the time of all threads of the server, from /proc; BENCH_REFRESHES
// is the number of refreshes (8).
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@grpc/grpc-js';
import type { Page, Request } from 'playwright-core';
import { closePage, launchBrowser, openPage } from '../../test/support/browser.ts';
import { uploadDebuginfo } from '../../test/support/debuginfo-client.ts';
import { connect, unary, writeRawPath } from '../../test/support/grpc-client.ts';
import { scratchDirectory, startServer, type TestServer } from '../../test/support/server.ts';
import { cpuSeconds } from '../figures.ts';
import {
  batchCount,
  batchNanos,
  binaries,
  encodeElf,
  makeBatch,
  unknownBinaryCount,
} from './agent-batches.ts';

const here = join(import.meta.dirname, '../..');
const refreshCount = Number(process.env['BENCH_REFRESHES'] ?? 8);
const query = 'parca_agent:samples:count:cpu:nanoseconds:delta | by (comm)';
/**
 * The page counts as idle after this many milliseconds without requests. It waits 400 ms before it
 * requests sparklines.
 */
const quietMillis = 1_500;

interface Host {
  readonly server: TestServer;
  readonly client: Client;
}

/** Requests of a page that have started and ended since the last check. */
class Traffic {
  #running = 0;
  #last = Date.now();
  #asked: Request[] = [];

  constructor(page: Page) {
    page.on('request', (request) => {
      this.#running += 1;
      this.#last = Date.now();
      this.#asked.push(request);
    });
    const end = (): void => {
      this.#running -= 1;
      this.#last = Date.now();
    };
    page.on('requestfinished', end);
    page.on('requestfailed', end);
  }

  /** Waits for the first request, and then until there have been no requests for `quietMillis`. */
  async untilQuiet(): Promise<readonly Request[]> {
    const from = this.#asked.length;
    while (this.#asked.length === from) await delay(20);
    while (this.#running > 0 || Date.now() - this.#last < quietMillis) await delay(20);
    return this.#asked.slice(from);
  }
}

const [before, after = here] = process.argv.slice(2);
if (before === undefined) throw new Error('usage: node bench/query/page-refresh.ts BEFORE [AFTER]');
const scratch = await scratchDirectory();
const hosts: Host[] = [];
const browser = await launchBrowser();
try {
  for (const [i, checkout] of [before, after].entries()) {
    const storagePath = join(scratch.path, `data-${i}`);
    const nodeFlags = i === 1 ? (process.env['BENCH_NODE_FLAGS']?.split(' ') ?? []) : [];
    const server = await startServer({ storagePath, checkout, nodeFlags });
    hosts.push({ server, client: connect(server.address) });
  }
  for (const binary of binaries.slice(0, -unknownBinaryCount)) {
    const elf = encodeElf(binary);
    const offer = { buildId: binary.buildId, hash: 'a', force: true };
    for (const { client } of hosts) await uploadDebuginfo(client, offer, elf);
  }
  const nowNanos = (): bigint => BigInt(Date.now()) * 1_000_000n;
  const push = async (timeNanos: bigint): Promise<void> => {
    const requests = makeBatch(timeNanos);
    for (const { client } of hosts)
      for (const request of requests) await unary(client, writeRawPath, request);
  };
  const began = nowNanos();
  for (let batch = batchCount; batch > 0; batch -= 1)
    await push(began - BigInt(batch) * batchNanos);
  const costs = hosts.map((): number[] => []);
  for (const [i, { server }] of hosts.entries()) {
    // Leaves the server time to symbolize all addresses before the query.
    await delay(4_000);
    const place = `${server.url}/explore?q=${encodeURIComponent(query)}&by=comm&ar=0`;
    const opened = await openPage(browser, place, { isNew: true });
    const traffic = new Traffic(opened.page);
    await opened.page.getByRole('treeitem').first().waitFor({ state: 'attached' });
    await delay(4 * quietMillis);
    for (let turn = 0; turn < refreshCount; turn += 1) {
      await push(nowNanos() - batchNanos);
      // Leaves the server time to symbolize new addresses.
      await delay(3_000);
      const from = await cpuSeconds(server.pid);
      const asking = traffic.untilQuiet();
      await opened.page.getByRole('button', { name: /^Run/ }).click();
      const asked = await asking;
      costs[i].push((await cpuSeconds(server.pid)) - from);
      if (turn + 1 < refreshCount) continue;
      for (const request of asked) {
        const failure = request.failure()?.errorText;
        const size = failure ?? `${(await request.sizes()).responseBodySize} bytes`;
        const path = new URL(request.url()).pathname;
        console.log(`  ${path.split('/').at(-1)}: ${size}`);
      }
    }
    await closePage(opened);
  }
  const medians = costs.map((all) => all.toSorted((a, b) => a - b)[all.length >> 1]);
  const ratio = (medians[1] / medians[0]).toFixed(2);
  console.log(`each refresh of the page: CPU ${medians.map(shown).join(', ')}, ratio ${ratio}`);
  console.log(costs.map((all) => all.map(shown).join(' ')).join('\n'));
} finally {
  await browser.close();
  for (const { server, client } of hosts) {
    client.close();
    await server.stop();
  }
  await scratch.remove();
}

function shown(seconds: number): string {
  return `${(seconds * 1_000).toFixed(0)} ms`;
}
