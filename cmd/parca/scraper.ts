// `--mode=scraper-only` and `forwarder`: scrapes targets, and forwards pushes. Stores nothing.
import { resolve } from 'node:path';
import { setInputLimits } from '../../src/base/input-limits.ts';
import { setMemoryLimit } from '../../src/base/memory-limit.ts';
import { loadConfig } from '../../src/config/load/load.ts';
import { createReloader } from '../../src/config/reload.ts';
import { countCalls } from '../../src/forward/counted-server.ts';
import { withLabels } from '../../src/forward/forwarder.ts';
import { callMillisMax, messageBytesMax } from '../../src/forward/limits.ts';
import { passWrites } from '../../src/forward/passed-writes.ts';
import { SelfProfiler } from '../../src/telemetry/self-profile.ts';
import { type BuildInfo, projectFolder } from '../build-info.ts';
import type { Flags } from './flags.ts';
import { createMachine } from '../machine.ts';
import { announceReady, openPort, type Program, expandedVariables } from './mode-parts.ts';
import { openOtherServer } from './other-server.ts';
import { openScrapes } from './open-scrapes.ts';
import { openScrapeQueue } from './scrape-queue.ts';
import { readWebConfig, watchWebConfig } from './open-web-config.ts';
import { watchConfig } from './watch-config.ts';
import { discoveryKinds } from '../../src/discovery/registry.ts';

/**
 * Starts the scraper; resolves when it is ready.
 *
 * Errors: AppError for an invalid config, an address in use, a queue in use.
 */
export async function startScraper(flags: Flags, build: BuildInfo): Promise<Program> {
  setInputLimits(flags.inputLimits);
  setMemoryLimit(flags.memoryLimitBytes);
  const machine = createMachine(flags, build);
  const { clock, files, logger } = machine;
  const configPath = resolve(flags.configPath);
  const load = () => loadConfig(configPath, files, discoveryKinds, expandedVariables(flags));
  await load();
  const web = await readWebConfig(flags.webConfigFile, files);
  const profiler = new SelfProfiler(clock, projectFolder);
  const api = await openPort(machine, flags, profiler, web, build);
  const webWatch = watchWebConfig(machine, flags.webConfigFile, api, web);
  const [address] = flags.store.addresses;
  const connection = openOtherServer(address, flags.store, messageBytesMax);
  const server = countCalls(connection, machine.metrics, clock);
  let externalLabels = flags.externalLabels;
  const queue = await openScrapeQueue(machine, flags, server, () => externalLabels);
  const scrape = openScrapes(machine, flags, queue.ingester, `parca/${build.version}`);
  let patterns: readonly string[] = [];
  const reloader = createReloader({
    load,
    apply: [
      async (config) => {
        patterns = config.scrapeConfigFiles;
        externalLabels = withLabels(flags.externalLabels, config.externalLabels);
      },
      (config) => scrape.apply(config),
    ],
    ...machine,
  });
  queue.start();
  api.serveScraper({
    scrape,
    pushes: { store: (uploads) => passWrites(server, uploads) },
    forward: (path, request, signal) => server.call(path, request, callMillisMax, signal),
    forwardStream: (path, requests, signal) =>
      server.stream(path, requests, flags.debuginfoUploadMillisMax, signal),
  });
  await reloader.reload();
  const configWatch = watchConfig({
    path: configPath,
    clock,
    files,
    logger,
    patterns: () => patterns,
    reload: () => reloader.reload(),
  });
  announceReady(machine, api, web, flags, build);
  return {
    reload: async () => {
      await webWatch?.check();
      await reloader.reload();
    },
    async stop(signal) {
      logger.info('stopping', { signal });
      configWatch.close();
      profiler.stop();
      await webWatch?.stop();
      await Promise.all([scrape.stop(), api.close()]);
      await queue.stop();
      server.close();
      logger.info('stopped');
    },
  };
}
