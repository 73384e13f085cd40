// Opens only the API, on a free loopback port, with services that a test provides.
import { settingsInMemory } from '../../src/shares/app-settings.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noNameGaps } from '../../src/model/name-gaps.ts';
import { openApi } from '../../src/api/server/server.ts';
import type { Api, ApiHooks, ApiOptions, ApiServices } from '../../src/api/interface.ts';
import { createThreadImport } from '../../cmd/parca/import-in-thread.ts';
import { createRulesThread } from '../../cmd/parca/rules-in-thread.ts';
import { openWebConfig } from '../../src/config/web/web-config.ts';
import type { QueryEngine } from '../../src/query/interface.ts';
import { noSources } from '../../src/sources/interface.ts';
import { createMetricsRegistry, type MetricsRegistry } from '../../src/telemetry/metrics.ts';

/** An API under test. */
export interface TestApi {
  readonly api: Api;
  readonly url: string;
  readonly address: string;
  readonly metrics: MetricsRegistry;
  close(): Promise<void>;
}

const fail = async (): Promise<never> => {
  throw new Error('not expected in this test');
};

/** An engine without profiles. */
const emptyEngine: QueryEngine = {
  profileTypes: async () => [],
  labelNames: async () => [],
  labelValues: async () => [],
  labelSets: async () => ({ labelSets: [], missing: [] }),
  countLabels: fail,
  countLabelValues: fail,
  queryFunctions: fail,
  largestFunctions: fail,
  users: fail,
  querySamples: fail,
  nearestData: fail,
  hasProfileData: async () => false,
  missingIn: () => [],
  queryRange: async () => ({
    profileTypes: [],
    series: [],
    missing: [],
    nameGaps: noNameGaps,
    notes: [],
  }),
  report: fail,
  encodedReport: fail,
};

/** Services with empty answers; a test replaces those that it needs. */
export const emptyServices: ApiServices = {
  ingester: { write: async () => undefined, writeRecord: async () => undefined },
  debuginfo: {
    decide: async () => ({ isWanted: false, reason: '' }),
    begin: fail,
    receive: fail,
    finish: fail,
  },
  debuginfodFiles: {
    openDebuginfo: async () => undefined,
    openExecutable: async () => undefined,
    openSection: async () => undefined,
    readSource: async () => undefined,
  },
  engine: emptyEngine,
  pyroscope: emptyEngine,
  kept: { settings: settingsInMemory(), adHoc: undefined },
  answers: { once: async (_question, caller, answer) => (await answer(caller)).bytes },
  sources: noSources,
  queries: { list: () => [], cancel: () => false },
  scrape: {
    activeTargets: () => [],
    droppedTargets: () => [],
    testRelabeling: () => {
      throw new Error('not for this test');
    },
  },
  admin: undefined,
  sharing: undefined,
  symbols: () => [],
  settings: () => ({ flags: [], config: [] }),
};

/** Opens an API; `services: undefined` leaves it starting. */
export async function startApi(
  given: {
    readonly services?: Partial<ApiServices> | undefined;
    readonly hooks?: Partial<ApiHooks>;
    readonly options?: Partial<ApiOptions>;
    readonly isStarting?: boolean;
  } = {},
): Promise<TestApi> {
  const metrics = createMetricsRegistry({ version: 'test', commit: 'test' });
  const host = {
    clock: createClock(),
    files: createFiles(),
    logger: silentLogger,
    random: createRandom(),
    metrics,
  };
  const hooks: ApiHooks = {
    metricsText: () => metrics.text(),
    cpuProfile: fail,
    heapProfile: fail,
    checkPassword: fail,
    importInThread: createThreadImport(host.clock),
    readRules: createRulesThread(host.clock),
    ...given.hooks,
  };
  const api = await openApi(host, hooks, {
    address: '127.0.0.1:0',
    pathPrefix: '',
    corsAllowedOrigins: [],
    allowedHosts: [],
    web: openWebConfig,
    readTimeoutMillis: 5_000,
    writeTimeoutMillis: 60_000,
    uiFolder: '/nonexistent',
    ...given.options,
  });
  if (given.isStarting !== true) api.serve({ ...emptyServices, ...given.services });
  const address = `127.0.0.1:${api.port}`;
  return { api, address, url: `http://${address}`, metrics, close: () => api.close() };
}
