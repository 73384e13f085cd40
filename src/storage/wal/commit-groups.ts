// Forms groups of commits that share a write of the log.
import type { WaitingCommit } from './epoch.ts';

/** Largest number of profiles and of bytes in a group. Encoding them takes about 10 ms. */
const groupProfilesMax = 1_024;
const groupBytesMax = 4 * 1024 * 1024;

/**
 * Takes groups of commits. A group may contain one commit that is larger than the group size, and
 * the next group then contains none. So small commits wait for at most one large commit, even if
 * many are waiting. Small and large commits each keep their order of arrival.
 */
export class CommitGroups {
  /** True if the last group had a large commit. */
  #hadLarge = false;

  /** Removes the commits of the next group from `waiting`, and returns them. */
  take(waiting: WaitingCommit[]): WaitingCommit[] {
    const isForSmall = this.#hadLarge && waiting.some(({ commit }) => !isLarge(commit));
    const group: WaitingCommit[] = [];
    const left: WaitingCommit[] = [];
    let [profiles, bytes] = [0, 0];
    let hasLarge = false;
    let isFull = false;
    for (const one of waiting) {
      const { commit } = one;
      if (isLarge(commit)) {
        const isTaken: boolean = !isForSmall && !hasLarge;
        hasLarge ||= isTaken;
        (isTaken ? group : left).push(one);
        continue;
      }
      profiles += commit.profiles.length;
      bytes += commit.bytes;
      // A commit must not overtake a commit that did not fit.
      isFull ||= profiles > groupProfilesMax || bytes > groupBytesMax;
      (isFull ? left : group).push(one);
    }
    this.#hadLarge = hasLarge;
    waiting.splice(0, waiting.length, ...left);
    return group;
  }
}

function isLarge({ profiles, bytes }: WaitingCommit['commit']): boolean {
  return profiles.length > groupProfilesMax || bytes > groupBytesMax;
}
