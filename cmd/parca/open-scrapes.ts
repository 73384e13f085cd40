// The scrapes of a server, in each mode that has targets.
import { Resolver } from 'node:dns/promises';
import { runCommand } from '../../src/base/node/run-command.ts';
import { watchFolder } from '../../src/base/node/watch-folder.ts';
import type { Ingester } from '../../src/ingest/interface.ts';
import { createScrapeManager, type ScrapeManager } from '../../src/scrape/manager.ts';
import type { Machine } from '../machine.ts';
import type { Flags } from './flags.ts';

/** Time of one attempt at a DNS lookup of discovery; a second one follows. */
const dnsTryMillis = 5_000;

/** Scrapes nothing until a config is applied. */
export function openScrapes(
  machine: Machine,
  flags: Flags,
  ingester: Pick<Ingester, 'write'>,
  userAgent: string,
): ScrapeManager {
  return createScrapeManager({
    ...machine,
    ingester,
    userAgent,
    watchFolder,
    runCommand,
    shard: flags.scrapeShard,
    createResolver: () => new Resolver({ timeout: dnsTryMillis, tries: 2 }),
    storesResults: flags.scrapeResults,
    environment: process.env,
  });
}
