// Sample times of the profiles in a head. They are found by the position of the profile's rows.
import type { ProfileSegment } from './profile-pool.ts';
import type { StagedProfile } from './staged-profile.ts';

/** Approximate memory of a map entry and its array, in bytes. */
const entryBytes = 150;
const two32 = 0x1_0000_0000;

/**
 * Encoded sample times of profiles. Only profiles with sample times take memory here. Encoded times
 * never change.
 */
export class RunTimes {
  usedBytes = 0;
  readonly #byRun = new Map<number, Uint8Array>();

  /** Stores the sample times of a profile by the position of its rows. */
  set(
    { runSegment, runOffset }: Pick<StagedProfile, 'runSegment' | 'runOffset'>,
    times: Uint8Array,
  ): void {
    this.#byRun.set(runSegment * two32 + runOffset, times);
    this.usedBytes += times.length + entryBytes;
  }

  /**
   * Returns the sample times of profiles `first` to `end`; undefined if none of them has sample
   * times.
   */
  ofProfiles(
    { runSegment, runOffset, runRows }: ProfileSegment,
    first: number,
    end: number,
  ): readonly (Uint8Array | undefined)[] | undefined {
    const byRun = this.#byRun;
    if (byRun.size === 0) return undefined;
    let hasTimes = false;
    const times: (Uint8Array | undefined)[] = [];
    for (let i = first; i < end; i += 1) {
      // An empty run begins at the position of the next run.
      const own = runRows[i] === 0 ? undefined : byRun.get(runSegment[i] * two32 + runOffset[i]);
      times.push(own);
      hasTimes ||= own !== undefined;
    }
    return hasTimes ? times : undefined;
  }
}
