// Runs the discoverers of all jobs, and passes each job its current target groups.
import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type { DiscoveryConfig } from '../config/config.ts';
import type { Discoverer, TargetGroup } from './interface.ts';

/** The discovery settings of one job. */
export interface DiscoveryJob {
  readonly name: string;
  readonly configs: readonly DiscoveryConfig[];
}

/** Starts and stops discoverers. */
export interface DiscoveryManager {
  /** Runs discovery for exactly these jobs. Discoverers of unchanged jobs keep running. */
  apply(jobs: readonly DiscoveryJob[]): Promise<void>;
  /** Ends all discoverers and waits for them; idempotent. */
  stop(): Promise<void>;
}

interface RunningJob {
  readonly configs: readonly DiscoveryConfig[];
  readonly controller: AbortController;
  readonly finished: Promise<unknown>;
}

/** Creates a manager. Whenever a group of a job changes, `onUpdate` gets all groups of the job. */
export function createDiscoveryManager(options: {
  readonly create: (config: DiscoveryConfig) => Discoverer;
  readonly onUpdate: (job: string, groups: readonly TargetGroup[]) => void;
  readonly logger: Logger;
  readonly metrics: Metrics;
}): DiscoveryManager {
  const discovered = options.metrics.gauge(
    'prometheus_sd_discovered_targets',
    'Current number of discovered targets.',
    ['name', 'config'],
  );
  const running = new Map<string, RunningJob>();

  const start = ({ name, configs }: DiscoveryJob): RunningJob => {
    const controller = new AbortController();
    const { signal } = controller;
    const known = new Map<string, TargetGroup>();
    // Without this call, the targets of the job's earlier config would stay.
    if (configs.length === 0) options.onUpdate(name, []);
    const runs = configs.map(async (config, i) => {
      const update = (groups: readonly TargetGroup[]): void => {
        if (signal.aborted) return;
        for (const group of groups) {
          const key = `${i}/${group.source}`;
          if (group.targets.length === 0) known.delete(key);
          else known.set(key, group);
        }
        const all = [...known.values()];
        const count = all.reduce((sum, { targets }) => sum + targets.length, 0);
        discovered.set(count, { name: 'scrape', config: name });
        options.onUpdate(name, all);
      };
      try {
        await options.create(config).run(signal, update);
      } catch (error) {
        if (signal.aborted) return;
        const fields = { job: name, kind: config.kind, error: errorMessage(error) };
        options.logger.error('discovery ended, its targets stay as they are', fields);
      }
    });
    return { configs, controller, finished: Promise.all(runs) };
  };
  const end = async (name: string): Promise<void> => {
    const job = running.get(name);
    running.delete(name);
    job?.controller.abort();
    await job?.finished;
  };
  return {
    async apply(jobs: readonly DiscoveryJob[]): Promise<void> {
      const wanted = new Map(jobs.map((job) => [job.name, job]));
      for (const [name, { configs }] of Array.from(running)) {
        if (!isDeepStrictEqual(wanted.get(name)?.configs, configs)) await end(name);
      }
      for (const job of jobs) if (!running.has(job.name)) running.set(job.name, start(job));
    },
    async stop(): Promise<void> {
      await Promise.all([...running.keys()].map(end));
    },
  };
}
