// Opens scraping, for all server modes that have targets.
import { Resolver } from 'node:dns/promises';
import { runCommand } from '../../src/base/node/run-command.ts';
import { watchFolder } from '../../src/base/node/watch-folder.ts';
import type { DiscoveryContext } from '../../src/discovery/interface.ts';
import type { Ingester } from '../../src/ingest/interface.ts';
import { createScrapeManager, type ScrapeManager } from '../../src/scrape/manager.ts';
import type { Machine } from '../machine.ts';
import type { Flags } from './flags.ts';

/** Time limit of each of the two attempts at a DNS lookup in discovery. */
const dnsTryMillis = 5_000;

/** Returns the dependencies of discovery. */
export function discoveryParts(machine: Machine, userAgent: string): DiscoveryContext {
  return {
    ...machine,
    userAgent,
    watchFolder,
    runCommand,
    createResolver: () => new Resolver({ timeout: dnsTryMillis, tries: 2 }),
    environment: process.env,
  };
}

/** Opens scraping. Nothing is scraped until a config is applied. */
export function openScrapes(
  machine: Machine,
  flags: Flags,
  ingester: Pick<Ingester, 'write'>,
  userAgent: string,
): ScrapeManager {
  return createScrapeManager({
    ...discoveryParts(machine, userAgent),
    ingester,
    shard: flags.scrapeShard,
    storesResults: flags.scrapeResults,
  });
}
