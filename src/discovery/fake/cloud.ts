// Runs discovery with a local server that imitates a cloud.
import type { TestContext } from 'node:test';
import type { DiscoveryConfig } from '../../config/config.ts';
import {
  type Answers,
  type CloudServer,
  startCloudServer,
} from '../../http-client/fake/cloud-server.ts';
import { discover, type Rig } from './rig.ts';

export interface Cloud extends CloudServer {
  /** Runs the discovery of a job with these config lines, on the fake cloud. */
  discover(lines: readonly string[], environment?: Record<string, string>): Promise<Rig>;
}

/** Starts a cloud. Its answers are found by `METHOD /path`, with or without the query. */
export async function startCloud(
  t: TestContext,
  answers: Answers,
  wholeFiles: Readonly<Record<string, string>> = {},
): Promise<Cloud> {
  const { url, asked } = await startCloudServer(t, answers);
  const change = (config: DiscoveryConfig): DiscoveryConfig =>
    'socketPath' in config ? ({ ...config, url } as DiscoveryConfig) : config;
  return {
    url,
    asked,
    discover: (lines, environment = {}) =>
      discover(t, '/tmp', lines, {
        environment: { HOME: '/none', ...environment },
        wholeFiles,
        change,
      }),
  };
}

/** Returns the labels of a target as a string; each label gets the prefix. */
export function target(address: string, prefix: string, ...pairs: readonly string[]): string {
  return [`__address__=${address}`, ...pairs.map((pair) => `__meta_${prefix}_${pair}`)].join(' ');
}
