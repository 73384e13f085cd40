// Parts that all modes of the server share: the port, and a log line when it is ready.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { openApi } from '../../src/api/server/server.ts';
import type { Api } from '../../src/api/interface.ts';
import { collectWhenIdle } from '../../src/base/node/idle-memory.ts';
import { meterTurns } from '../../src/base/node/turn-meter.ts';
import { shareNextRun } from '../../src/base/next-run.ts';
import { hostPort } from '../../src/base/text/host-port.ts';
import type { Config } from '../../src/config/config.ts';
import type { WebConfig } from '../../src/config/web/web-config.ts';
import type { SelfProfiler } from '../../src/telemetry/self-profile.ts';
import { SharedProfiles } from '../../src/telemetry/shared-profiles.ts';
import type { Machine } from '../machine.ts';
import { type BuildInfo, projectFolder } from '../build-info.ts';
import type { Flags } from './flags.ts';
import { createThreadImport } from './import-in-thread.ts';
import { createRulesThread } from './rules-in-thread.ts';
import { openAuditLog } from './open-audit-log.ts';
import { checkPassword } from './open-web-config.ts';
import { openReadyPort } from './ready/ready-port.ts';

/** A running server. */
export interface Program {
  /** Reloads the config. Rejects with the reason if the new config cannot be used. */
  reload(): Promise<void>;
  /** Finishes running calls and closes everything. Logs `signal` as the reason. */
  stop(signal: string): Promise<void>;
}

/** Starts to listen for calls and probes. Calls are refused until the server is ready. */
export async function openPort(
  machine: Machine,
  flags: Flags,
  profiler: SelfProfiler,
  web: WebConfig,
  build: BuildInfo,
): Promise<Api> {
  const { metrics, logger } = machine;
  const auditSink = await openAuditLog(machine, flags.auditLog);
  const profiles = new SharedProfiles(machine.clock, profiler);
  const api = await openApi(
    machine,
    {
      auditSink,
      metricsText: shareNextRun(() => metrics.text()),
      cpuProfile: (seconds, signal) => profiles.cpu(seconds, signal),
      heapProfile: () => profiles.heap(),
      checkPassword,
      importInThread: createThreadImport(machine.clock),
      readRules: createRulesThread(machine.clock),
    },
    {
      address: flags.httpAddress,
      moreAddresses: flags.pyroscopeAddress === '' ? [] : [flags.pyroscopeAddress],
      build,
      pathPrefix: flags.pathPrefix,
      corsAllowedOrigins: flags.corsAllowedOrigins,
      allowedHosts: [...flags.httpAllowedHosts, hostname().toLowerCase()],
      web,
      readTimeoutMillis: flags.httpReadTimeoutMillis,
      writeTimeoutMillis: flags.httpWriteTimeoutMillis,
      uiFolder: join(projectFolder, 'web/dist'),
      limits: flags.apiLimits,
    },
  );
  api.onClosed(await openReadyPort(flags.readyAddress, api, logger));
  return api;
}

/** Returns the environment variables to replace in config files; undefined = none. */
export function expandedVariables({ configExpandEnv }: Flags): NodeJS.ProcessEnv | undefined {
  return configExpandEnv ? process.env : undefined;
}

/** Logs the default debuginfod servers if none are configured. */
export function announceDebuginfod(
  { logger }: Machine,
  { areDebuginfodServersGiven, debuginfodServers }: Flags,
  { debuginfodServers: ofConfig }: Config,
): void {
  if (areDebuginfodServersGiven || ofConfig !== undefined) return;
  logger.info('debug information that nobody uploaded is fetched by build id, as in Parca', {
    from: debuginfodServers.join(','),
    off: '--debuginfod-upstream-servers=',
  });
}

/** Returns the page's URL for this machine, without a slash at the end. */
export function ownUrl(
  { host, port }: Pick<Api, 'host' | 'port'>,
  { tls }: WebConfig,
  { pathPrefix }: Flags,
): string {
  const scheme = tls === undefined ? 'http' : 'https';
  const isAny = host === '::' || host === '0.0.0.0';
  return `${scheme}://${hostPort(isAny ? 'localhost' : host, port)}${pathPrefix}`;
}

/**
 * Logs that the server is ready, with its address. From this point, turns of the event loop are
 * measured, and memory is released when the server is idle.
 */
export function announceReady(
  { clock, logger, metrics }: Machine,
  api: Api,
  web: WebConfig,
  flags: Flags,
  build: BuildInfo,
): void {
  meterTurns(metrics, logger);
  collectWhenIdle(clock);
  logger.info('ready', {
    address: hostPort(api.host, api.port),
    url: `${ownUrl(api, web, flags)}/`,
    version: build.version,
    // Time since the start of the process.
    millis: Math.round(performance.now()),
  });
}
