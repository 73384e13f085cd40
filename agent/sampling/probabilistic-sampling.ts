// Samples only in a random fraction of the intervals, for large fleets.
import { type Clock, sleep } from '../../src/base/clock.ts';
import { type Random, randomBelow } from '../../src/base/random.ts';
import type { Sampler } from '../../bpf/sampler.ts';

export interface ProbabilisticOptions {
  readonly sampler: Pick<Sampler, 'setPaused'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly intervalMillis: number;
  /** Percentage of the intervals that are sampled; 100 = all. */
  readonly threshold: number;
}

/** Number of possible random values; an interval is sampled if its value is below the threshold. */
const lotCount = 100;

/** Pauses the sampler in intervals that were not selected. */
export class ProbabilisticSampling {
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: ProbabilisticOptions) {
    this.#running = options.threshold >= lotCount ? Promise.resolve() : this.#run(options);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run({ sampler, clock, random, intervalMillis, threshold }: ProbabilisticOptions) {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      sampler.setPaused(randomBelow(random, lotCount) >= threshold);
      await sleep(clock, intervalMillis, signal).catch(() => undefined);
    }
  }
}
