// The interface between discovery, which finds targets, and the scraper.
import type { MxRecord, SrvRecord } from 'node:dns';
import type { Clock } from '../base/clock.ts';
import type { Files, WatchFolder } from '../base/files.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type { RunCommand } from '../base/node/run-command.ts';
import type { Label } from '../model/labels.ts';

/** Targets that were found together and share labels. */
export interface TargetGroup {
  /**
   * Name of the group within its discoverer. A group replaces the earlier group with the same name.
   */
  readonly source: string;
  /** Labels of each target, including `__address__`. */
  readonly targets: readonly (readonly Label[])[];
  /** Labels of all targets of the group; labels of a target take precedence over them. */
  readonly labels: readonly Label[];
}

/** Finds targets for one job, in one way. */
export interface Discoverer {
  /**
   * Finds targets until `signal` is aborted, and then resolves. It may resolve earlier if its
   * targets never change. `onUpdate` gets new and changed groups; a group without targets no longer
   * exists. After a failure, the last groups stay valid, and the discoverer retries with increasing
   * delays.
   */
  run(signal: AbortSignal, onUpdate: (groups: readonly TargetGroup[]) => void): Promise<void>;
}

/** The part of Node's DNS client that discovery uses. */
export interface DnsResolver {
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
  resolveMx(name: string): Promise<MxRecord[]>;
  resolveNs(name: string): Promise<string[]>;
  resolveSrv(name: string): Promise<SrvRecord[]>;
  /** Cancels all lookups. */
  cancel(): void;
}

/** Dependencies that discoverers get, such as clock and files. */
export interface DiscoveryContext {
  readonly clock: Clock;
  readonly files: Pick<Files, 'list' | 'read'>;
  readonly watchFolder: WatchFolder;
  readonly createResolver: () => DnsResolver;
  readonly runCommand: RunCommand;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly userAgent: string;
  /** Environment variables of the process; in Kubernetes, they include the address of the API. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}
