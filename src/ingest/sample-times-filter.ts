// Profile types whose sample times the config file excludes.
import { formatProfileType } from '../model/profile-type.ts';
import type { IncomingProfile } from '../storage/interface.ts';

/** The excluded types. A reload of the config may change them. */
export class SampleTimesFilter {
  #dropped: readonly string[] = [];

  /**
   * Sets the excluded types. Each string in `dropped` is a type in the form of queries, or the
   * beginning of a type up to a colon; `*` stands for all types.
   */
  set(dropped: readonly string[]): void {
    this.#dropped = dropped;
  }

  /**
   * Returns true if the sample times of a profile are not stored. They are dropped only if all
   * types of the profile are excluded, because its types share the times.
   */
  drops(profile: IncomingProfile): boolean {
    if (this.#dropped.length === 0) return false;
    const { name, sampleTypes, periodType: period, durationNanos } = profile;
    return sampleTypes.every((sample) => {
      const type = formatProfileType({ name, sample, period, delta: durationNanos !== 0n });
      const isIn = (dropped: string): boolean =>
        dropped === '*' || `${type}:`.startsWith(`${dropped}:`);
      return this.#dropped.some(isIn);
    });
  }
}
