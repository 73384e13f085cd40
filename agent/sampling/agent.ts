// The agent's main loop: converts a batch of samples to profiles every few seconds, and passes them
// to a server or folder.
import type { SampleBatch, Sampler, SamplerCounters } from '../../bpf/sampler.ts';
import { type Clock, sleep } from '../../src/base/clock.ts';
import { errorMessage } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Counter, Metrics } from '../../src/base/metrics.ts';
import { type Random, randomBelow } from '../../src/base/random.ts';
import { FrameResolver, type NameSources } from '../frames/frame-resolver.ts';
import { firstReportMillis } from '../limits.ts';
import type { ProcessTable } from '../process/process-table.ts';
import { type BatchProfile, makeProfiles, type ProfileOptions } from '../profile/batch-profiles.ts';
import { UnwindHealth } from './unwind-health.ts';

/** Receives the profiles of one batch. */
export type ProfileSink = (profiles: readonly BatchProfile[], timeNanos: bigint) => Promise<void>;

export interface AgentOptions {
  readonly sampler: Sampler;
  readonly table: ProcessTable;
  readonly names: NameSources;
  readonly profile: ProfileOptions;
  /** Approximate interval between batches. */
  readonly reportMillis: number;
  readonly sink: ProfileSink;
  /** Called with each batch before symbolization, while the batch's descriptors are valid. */
  readonly onBatch?: (batch: SampleBatch) => void | Promise<void>;
  /** Called when the sampler has failed. */
  readonly onFailure: (error: unknown) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Processes batches until it is stopped. */
export class Agent {
  /** Numbers of stacks by executable. */
  readonly health = new UnwindHealth();
  readonly #options: AgentOptions;
  readonly #counters: AgentCounters;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #last: SamplerCounters | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#counters = createCounters(options.metrics);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Returns the sampler's counters at the last batch. */
  sampler(): SamplerCounters | undefined {
    return this.#last;
  }

  /** Processes the last batch and closes the sampler. */
  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    await this.#running;
    await this.#report();
    this.#options.sampler.close();
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopping;
    // Short, because the user waits for the first profiles.
    let millis = firstReportMillis;
    while (!signal.aborted) {
      await sleep(clock, millis, signal).catch(() => undefined);
      if (!signal.aborted) await this.#report();
      millis = this.#waitMillis();
    }
  }

  /** Processes all samples so far. */
  async #report(): Promise<void> {
    const { sampler, onFailure } = this.#options;
    try {
      let hasMore = true;
      while (hasMore) hasMore = await this.#reportBatch(sampler.take());
    } catch (error) {
      onFailure(error);
    }
  }

  /** Returns true if another batch is waiting. After a failure, only one batch is lost. */
  async #reportBatch(batch: SampleBatch): Promise<boolean> {
    const { sink, logger, onBatch } = this.#options;
    try {
      await onBatch?.(batch);
      await sink(this.#buildProfiles(batch), batch.startNanos);
    } catch (error) {
      this.#counters.failedBatches.add();
      logger.error('cannot report a batch of samples', { error: errorMessage(error) });
    }
    return batch.hasMore;
  }

  #buildProfiles(batch: SampleBatch): readonly BatchProfile[] {
    const { table, names, profile } = this.#options;
    const resolver = new FrameResolver(names, batch.binaries);
    const made = makeProfiles(batch, table, resolver, profile);
    const unwanted = table.unwanted(batch.processes);
    this.#options.sampler.leaveOut(unwanted.pids);
    this.#options.sampler.leaveOutCgroups(unwanted.cgroupIds);
    this.#counters.leftOut.add(unwanted.pids.length);
    this.#counters.leftOutGroups.add(unwanted.cgroupIds.length);
    const ended = table.end(batch.events);
    names.perfMaps.forget(ended);
    names.jitDumps.forget(ended);
    this.health.add(batch);
    const last = this.#last;
    this.#last = batch.counters;
    this.#counters.samples.add(made.sampleCount);
    this.#counters.skipped.add(made.droppedCount);
    this.#counters.notTaken.add(batch.counters.skippedSamples - (last?.skippedSamples ?? 0));
    this.#counters.lost.add(lostSamples(batch.counters) - (last ? lostSamples(last) : 0));
    return made.profiles;
  }

  /**
   * Returns the time until the next batch, randomized by a fifth so that agents do not upload at
   * the same time.
   */
  #waitMillis(): number {
    const { reportMillis, random } = this.#options;
    return reportMillis * (0.8 + randomBelow(random, 401) / 1_000);
  }
}

/** Returns the number of samples that the sampler has lost. */
function lostSamples({ lostSamples: lost, droppedSamples }: SamplerCounters): number {
  return lost + droppedSamples;
}

interface AgentCounters {
  readonly samples: Counter;
  readonly skipped: Counter;
  readonly lost: Counter;
  readonly notTaken: Counter;
  readonly leftOut: Counter;
  readonly leftOutGroups: Counter;
  readonly failedBatches: Counter;
}

function createCounters(metrics: Metrics): AgentCounters {
  return {
    samples: metrics.counter('parca_agent_samples_total', 'Samples that became profiles.'),
    skipped: metrics.counter(
      'parca_agent_samples_skipped_by_relabeling_total',
      'Samples of processes that relabel_configs drops.',
    ),
    leftOut: metrics.counter(
      'parca_agent_left_out_processes_total',
      'Processes that relabel_configs or filters drop, which are sampled no longer.',
    ),
    leftOutGroups: metrics.counter(
      'parca_agent_left_out_cgroups_total',
      'Control groups that relabel_configs or filters drop, which are sampled no longer.',
    ),
    notTaken: metrics.counter(
      'parca_agent_samples_skipped_in_kernel_total',
      'Samples that were not taken, because their process or control group is left out.',
    ),
    lost: metrics.counter('parca_agent_samples_lost_total', 'Samples lost on the way.'),
    failedBatches: metrics.counter(
      'parca_agent_failed_batches_total',
      'Batches of samples that could not be made profiles.',
    ),
  };
}
