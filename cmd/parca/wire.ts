// Creates and connects the parts of the server.
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { selfProfileLimit } from '../../src/api/server/http-app.ts';
import type { Api } from '../../src/api/interface.ts';
import type { AdminActions } from '../../src/api/routes/admin-routes.ts';
import type { AppError } from '../../src/base/errors.ts';
import { setInputLimits } from '../../src/base/input-limits.ts';
import { setMemoryLimit } from '../../src/base/memory-limit.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { ObjectStorageConfig } from '../../src/config/bucket-config.ts';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load/load.ts';
import type { Reloader } from '../../src/config/reload.ts';
import type { WebConfigWatch } from '../../src/config/web/web-config-watch.ts';
import type { WebConfig } from '../../src/config/web/web-config.ts';
import { type SelfScrapeTarget, withSelfScrape } from '../../src/config/self-scrape.ts';
import { ServedFiles } from '../../src/debuginfo/served-files.ts';
import { createDecoder, usualIngestWorkers } from '../../src/ingest/decode-pool.ts';
import type { Decoder } from '../../src/ingest/decoder.ts';
import { createCardinality } from '../../src/ingest/cardinality/cardinality.ts';
import { createIngester } from '../../src/ingest/ingester.ts';
import { SampleTimesFilter } from '../../src/ingest/sample-times-filter.ts';
import type { ReportThread } from '../../src/query/report/report-thread.ts';
import {
  createDeletedCounter,
  createSeriesDeleter,
} from '../../src/query/engine/series-deleter.ts';
import type { FindingsManager } from '../../src/findings/findings-manager.ts';
import type { RuleManager } from '../../src/rules/rule-manager.ts';
import { openMarks } from '../../src/shares/marks.ts';
import { openOwnCode } from '../../src/shares/own-code.ts';
import { openSavedViews } from '../../src/shares/saved-views.ts';
import { sharedProfiles, ShareStore } from '../../src/shares/share-store.ts';
import type { ScrapeManager } from '../../src/scrape/manager.ts';
import type { Storage } from '../../src/storage/interface.ts';
import { SelfProfiler } from '../../src/telemetry/self-profile.ts';
import { type BuildInfo, projectFolder } from '../build-info.ts';
import type { Flags } from './flags.ts';
import { type OpenKept, openKept } from './ad-hoc/open-ad-hoc.ts';
import { createMachine, type Machine } from '../machine.ts';
import {
  announceDebuginfod,
  announceReady,
  openPort,
  type Program,
  expandedVariables,
} from './mode-parts.ts';
import { configAnswers } from './config-answers.ts';
import { watchConfig } from './watch-config.ts';
import { openEngine } from './open-engine.ts';
import { openStorage, type ServerStorage } from './open-storage.ts';
import { openWatching } from './open-findings.ts';
import { createServerReloader } from './open-rules.ts';
import { openScrapes } from './open-scrapes.ts';
import { openScrapeQueue, type ScrapeQueue, storeQueued } from './scrape-queue.ts';
import { readWebConfig, watchWebConfig } from './open-web-config.ts';
import type { Symbols } from './open-symbols.ts';
import { discoveryKinds } from '../../src/discovery/registry.ts';

/** Parts that must be closed, in this order. */
interface Parts {
  readonly scrape: ScrapeManager;
  /** Undefined with the embedded store, which is always available and needs no queue. */
  readonly queue: ScrapeQueue | undefined;
  readonly decoder: Decoder;
  readonly reportThread: ReportThread;
  readonly symbols: Symbols;
  readonly storage: Storage;
  readonly reloader: Reloader;
  /** Returns the patterns of additional config files. */
  readonly configPatterns: () => readonly string[];
  readonly shares: ShareStore | undefined;
  readonly kept: OpenKept;
  readonly rules: RuleManager;
  readonly findings: FindingsManager;
  /** Undefined without a web config file. */
  readonly webWatch: WebConfigWatch | undefined;
}

/** The listening port, and its access control. */
interface WebServer {
  readonly api: Api;
  /** Web config when the server started. */
  readonly web: WebConfig;
  readonly webWatch: WebConfigWatch | undefined;
}

/**
 * Starts the server, and resolves when it is ready. `onFatal` is called if the server must stop.
 *
 * Errors: AppError for an invalid config, an address in use, locked storage.
 */
export async function startProgram(
  flags: Flags,
  build: BuildInfo,
  onFatal: (error: AppError) => void,
): Promise<Program> {
  setInputLimits(flags.inputLimits);
  setMemoryLimit(flags.memoryLimitBytes);
  const machine = createMachine(flags, build);
  const { clock, files, logger } = machine;
  const configPath = resolve(flags.configPath);
  // The config is loaded first, because an invalid config must stop the program immediately.
  const config = await loadConfig(configPath, files, discoveryKinds, expandedVariables(flags));
  const { objectStorage } = config;
  const web = await readWebConfig(flags.webConfigFile, files);
  const profiler = new SelfProfiler(clock, projectFolder);
  const api = await openPort(machine, flags, profiler, web, build);
  const webWatch = watchWebConfig(machine, flags.webConfigFile, api, web);
  const storage = await openStorage(machine, flags, objectStorage, onFatal);
  const server = { api, web, webWatch };
  const parts = await openParts(machine, flags, build, configPath, server, storage, objectStorage);
  await parts.reloader.reload();
  const configWatch = watchConfig({
    path: configPath,
    clock,
    files,
    logger,
    patterns: parts.configPatterns,
    reload: () => parts.reloader.reload(),
  });
  announceDebuginfod(machine, flags, config);
  // The profiler is warmed up before the server is ready, so that requests do not wait for this.
  if (flags.selfScrape) await profiler.warmUp();
  announceReady(machine, api, web, flags, build);
  parts.symbols.buildReader();
  return {
    reload: () => reloadAll(parts),
    stop: (signal) => {
      configWatch.close();
      return stopAll(logger, signal, profiler, api, parts);
    },
  };
}

async function openParts(
  machine: Machine,
  flags: Flags,
  build: BuildInfo,
  configPath: string,
  { api, web, webWatch }: WebServer,
  storage: ServerStorage,
  objectStorage: ObjectStorageConfig | undefined,
): Promise<Parts> {
  const { files, logger } = machine;
  const { ingester, decoder, cardinality, timesFilter } = openIngester(machine, flags, storage);
  const userAgent = `parca/${build.version}`;
  const opened = await openEngine(machine, flags, storage.querier, userAgent, (caller) =>
    api.queriesAtOnce(caller),
  );
  const { engine, pyroscope, queries, answers, symbols, reportThread, drawPicture } = opened;
  const { uploads, debuginfod, debuginfodFiles, sources, list } = symbols;
  symbols.ahead.start(() => storage.appender().dictionary);
  // Scraped profiles are queued, because ClickHouse may be unavailable for a long time, and a
  // scrape cannot be repeated later.
  const queue =
    flags.clickHouse &&
    (await openScrapeQueue(machine, flags, storeQueued(ingester, logger), () => []));
  queue?.start();
  const scrape = openScrapes(machine, flags, queue?.ingester ?? ingester, userAgent);
  const { shares, ...stored } = await openShared(machine, flags);
  const forRules = { api, web, engine, drawPicture, marks: stored.marks, storage };
  const watching = await openWatching(machine, flags, forRules, userAgent);
  const { rules, findings } = watching;
  const self = selfScrapeTarget(machine, flags, api, web);
  let inForce: Config | undefined;
  const reloader = createServerReloader(machine, flags, configPath, [
    async (config) => void (inForce = config),
    async ({ dropSampleTimes }) => timesFilter.set(dropSampleTimes),
    async ({ debuginfodServers = flags.debuginfodServers }) =>
      debuginfod.setServers(debuginfodServers),
    (config) => scrape.apply(self === undefined ? config : withSelfScrape(config, self)),
    (config) => watching.apply(config),
    async (config) => warnOfOtherBucket(config, objectStorage, configPath, logger),
  ]);
  const kept = await openKept(machine, join(resolve(flags.storagePath), 'pyroscope'));
  api.serve({
    ingester,
    debuginfo: uploads,
    debuginfodFiles,
    symbols: list,
    pyroscope,
    kept,
    engine,
    drawPicture,
    queries,
    answers,
    sources,
    scrape,
    cardinality: () => cardinality.status(),
    rules,
    findings,
    whyNoWrites: () => (storage.isReadOnly ? 'its disk is nearly full' : undefined),
    parts: storage.parts,
    files: new ServedFiles(symbols.debuginfo, files),
    ...stored,
    sharing: shares && { shares, url: flags.shareUrl },
    problem: () => reportThread.problem(),
    // The report thread is started now, so that it is running before the first graph is requested.
    onPageOpened: () => reportThread.expect(storage.appender().dictionary),
    ...configAnswers(flags, symbols, () => inForce),
    countDeleted: createDeletedCounter(storage.querier),
    admin: flags.enableAdminApi ? adminActions(storage, { reloader, webWatch }) : undefined,
  });
  const others = { shares, kept, rules, findings, reloader, webWatch };
  const configPatterns = () => watchedPatterns(inForce);
  return { ...others, scrape, queue, decoder, storage, reportThread, symbols, configPatterns };
}

/** Opens the write path. */
function openIngester(machine: Machine, flags: Flags, storage: ServerStorage) {
  const { clock, logger, metrics } = machine;
  const workers = flags.ingestWorkers ?? usualIngestWorkers(availableParallelism());
  const decoder = createDecoder({ ...machine, size: workers });
  const cardinality = createCardinality(machine);
  const timesFilter = new SampleTimesFilter();
  const common = { clock, metrics, logger, cardinality, externalLabels: flags.externalLabels };
  const ingester = createIngester({ ...common, storage, decoder, timesFilter });
  return { ingester, decoder, cardinality, timesFilter };
}

/** Returns the patterns of the files that a config refers to. */
function watchedPatterns(config: Config | undefined): readonly string[] {
  return config === undefined ? [] : [...config.scrapeConfigFiles, ...config.ruleFiles];
}

/** Logs a warning if the bucket differs from `used`, which was opened at the start. */
function warnOfOtherBucket(
  { objectStorage }: Config,
  used: ObjectStorageConfig | undefined,
  configPath: string,
  logger: Logger,
): void {
  if (isDeepStrictEqual(objectStorage, used)) return;
  logger.warn('object_storage has changed: it is used after the next start', { configPath });
}

function adminActions(
  storage: ServerStorage,
  reloaded: Parameters<typeof reloadAll>[0],
): AdminActions {
  return {
    deleteSeries: createSeriesDeleter(storage.querier, storage),
    makeSnapshot: () => storage.snapshot(),
    reload: () => reloadAll(reloaded),
  };
}

/**
 * Opens the stored marks, the page's files, and the shared profiles. The latter are undefined if
 * sharing is off.
 */
async function openShared(machine: Machine, flags: Flags) {
  const folder = resolve(flags.storagePath);
  const marks = await openMarks({ ...machine, folder: join(folder, 'marks') });
  const ofPage = { ...machine, folder: join(folder, 'page') };
  const pageFiles = {
    views: await openSavedViews(ofPage),
    ownCode: await openOwnCode(ofPage),
  };
  if (flags.shareUrl === '') return { marks, pageFiles, shares: undefined };
  const kept = { path: join(folder, 'shares'), limits: flags.shareLimits, kind: sharedProfiles };
  return { marks, pageFiles, shares: await ShareStore.open({ ...machine, ...kept }) };
}

/** Returns the scrape target for this server itself; undefined if there is none. */
function selfScrapeTarget(
  { logger }: Machine,
  flags: Flags,
  api: Api,
  { tls }: WebConfig,
): SelfScrapeTarget | undefined {
  if (!flags.selfScrape) return undefined;
  if (tls?.clientAuth === 'RequireAndVerifyClientCert') {
    // The server has no client certificate. A job in the config with the same name may have one.
    logger.warn('the server does not scrape itself: client_auth_type asks for a certificate');
    return undefined;
  }
  return {
    host: api.host,
    port: api.port,
    pathPrefix: flags.pathPrefix,
    token: api.ownToken,
    scheme: tls === undefined ? 'http' : 'https',
    profileSecondsMax: selfProfileLimit(flags.httpWriteTimeoutMillis),
  };
}

/** Reads both config files again. Rejects with the reason if one of them is invalid. */
async function reloadAll({
  reloader,
  webWatch,
}: Pick<Parts, 'reloader' | 'webWatch'>): Promise<void> {
  await webWatch?.check();
  await reloader.reload();
}

/** Stops scrapes and the API first, then the store, so that all acknowledged writes are kept. */
async function stopAll(
  logger: Logger,
  signal: string,
  profiler: SelfProfiler,
  api: Api,
  parts: Parts,
): Promise<void> {
  logger.info('stopping', { signal });
  profiler.stop();
  await parts.webWatch?.stop();
  await parts.findings.stop();
  await parts.rules.stop();
  await Promise.all([parts.scrape.stop(), api.close()]);
  await parts.queue?.stop();
  await parts.decoder.close();
  await parts.reportThread.close();
  parts.shares?.stop();
  parts.kept.stop();
  await parts.symbols.stop();
  await parts.storage.close();
  logger.info('stopped');
}
