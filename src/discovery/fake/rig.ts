// Runs the discovery of one job with the real clock, disk and network, and records the results.
import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import { createClock } from '../../base/node/clock.ts';
import { createFiles } from '../../base/node/files.ts';
import { runCommand } from '../../base/node/run-command.ts';
import { watchFolder } from '../../base/node/watch-folder.ts';
import type { DiscoveryConfig, ScrapeConfig } from '../../config/config.ts';
import { parseConfig } from '../../config/load/parse.ts';
import { createDiscoveryManager } from '../manager.ts';
import { createDiscoverer, discoveryKinds } from '../registry.ts';
import type { DnsServer } from './dns-server.ts';

export interface Rig {
  /**
   * Resolves when exactly these targets are found. A target is written as its labels without
   * quotes.
   */
  becomes(...targets: readonly string[]): Promise<void>;
  /** Resolves after the first result of discovery, which may be empty. */
  finds(): Promise<void>;
  /** Resolves when a logged warning matches. */
  warns(what: RegExp): Promise<void>;
  readonly failures: () => number;
  /** Returns the value of the gauge of discovered targets. */
  readonly discovered: () => number;
}

export interface RigOptions {
  readonly dnsServer?: DnsServer;
  readonly environment?: Readonly<Record<string, string>>;
  /** Contents of files that exist only in the test, by path. */
  readonly wholeFiles?: Readonly<Record<string, string>>;
  /** Changes settings that the config cannot change, such as the address of a cloud. */
  readonly change?: (config: DiscoveryConfig) => DiscoveryConfig;
}

function readJob(lines: readonly string[], folder: string): ScrapeConfig {
  const text = ['scrape_configs:', '  - job_name: j', ...lines.map((line) => `    ${line}`)];
  return parseConfig(text.join('\n'), join(folder, 'parca.yaml'), discoveryKinds).scrapeConfigs[0];
}

/** Runs the discovery of a job with these config lines. */
export async function discover(
  t: TestContext,
  folder: string,
  lines: readonly string[],
  { dnsServer, environment = {}, wholeFiles = {}, change = (config) => config }: RigOptions = {},
): Promise<Rig> {
  const discovery = readJob(lines, folder).discovery;
  const files = createFiles();
  const warnings: string[] = [];
  let [failures, discovered] = [0, 0];
  let now: string[] = [];
  let updates = 0;
  const logger = warningsInto(warnings);
  const metrics = metricsInto(
    () => void (failures += 1),
    (value) => void (discovered = value),
  );
  const context = {
    clock: hastyClock(),
    logger,
    metrics,
    userAgent: 'test/1',
    watchFolder,
    environment,
    runCommand,
    files: {
      list: files.list,
      read: async (path: string) =>
        path in wholeFiles ? new TextEncoder().encode(wholeFiles[path]) : files.read(path),
    },
    createResolver: () => {
      const resolver = new Resolver({ timeout: 2_000, tries: 1 });
      if (dnsServer !== undefined) resolver.setServers([dnsServer.address]);
      return resolver;
    },
  };
  const manager = createDiscoveryManager({
    create: (config) => createDiscoverer(config, context),
    onUpdate: (_, groups) => {
      updates += 1;
      now = groups.flatMap(({ targets, labels }) =>
        targets.map((own) =>
          [...own, ...labels].map(({ name, value }) => `${name}=${value}`).join(' '),
        ),
      );
    },
    logger,
    metrics,
  });
  await manager.apply([{ name: 'j', configs: discovery.map(change) }]);
  t.after(() => manager.stop());
  return {
    async becomes(...targets) {
      const want = targets.toSorted();
      const isSo = (): boolean => isDeepStrictEqual(now.toSorted(), want);
      if (!(await comesTrue(isSo))) assert.deepEqual(now.toSorted(), want, warnings.join('\n'));
    },
    async finds() {
      if (!(await comesTrue(() => updates > 0))) assert.fail(warnings.join('\n'));
    },
    async warns(what) {
      const isSo = await comesTrue(() => warnings.some((warning) => what.test(warning)));
      assert.ok(isSo, `no ${what} among ${warnings.join('\n')}`);
    },
    failures: () => failures,
    discovered: () => discovered,
  };
}

/** Returns metrics that pass each count to `add`, and each value of a gauge to `set`. */
function metricsInto(add: () => void, set: (value: number) => void): Metrics {
  return {
    counter: () => ({ add }),
    gauge: () => ({ set }),
    observedGauge: () => undefined,
    histogram: () => ({ observe: () => undefined }),
  };
}

/**
 * Returns a clock whose timers fire after a twentieth of their delay, so that tests do not wait
 * long for retries.
 */
function hastyClock(): Clock {
  const clock = createClock();
  return {
    ...clock,
    setTimer: (delayMillis, fire, keepsAlive) => clock.setTimer(delayMillis / 20, fire, keepsAlive),
  };
}

/** Returns true as soon as a condition is true; returns false after ten seconds. */
async function comesTrue(condition: () => boolean): Promise<boolean> {
  for (let left = 400; left > 0 && !condition(); left -= 1) await delay(25);
  return condition();
}

/** Returns a logger that collects warnings; an error fails the test. */
function warningsInto(warnings: string[]): Logger {
  const logger: Logger = {
    with: () => logger,
    debug: () => undefined,
    info: () => undefined,
    warn: (message, fields) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
    error: (message, fields) => assert.fail(`${message} ${JSON.stringify(fields)}`),
  };
  return logger;
}
