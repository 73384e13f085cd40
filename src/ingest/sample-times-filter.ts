// Profile types whose sample times the config file excludes.
import { formatProfileType } from '../model/profile-type.ts';
import type { IncomingProfile } from '../storage/interface.ts';

/** The excluded types, which a reload of the config may change. */
export class SampleTimesFilter {
  #dropped: readonly string[] = [];

  /**
   * Sets the excluded types: `dropped` has types in the form of queries, or the beginning of a type
   * up to a colon; `*` means all types.
   */
  set(dropped: readonly string[]): void {
    this.#dropped = dropped;
  }

  /**
   * Returns true if the sample times of a profile are not stored: all its types are excluded (they
   * share the times).
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
