// Forms groups of commits that are written to the log together.
import type { WaitingCommit } from './epoch.ts';

/**
 * Maximum number of profiles and of bytes in a group. Encoding a group of this size takes about 10
 * ms.
 */
const groupProfilesMax = 1_024;
const groupBytesMax = 4 * 1024 * 1024;

/**
 * Decides which waiting commits form the next group. A commit that is larger than the group size is
 * a large commit. A group may contain one large commit. The next group then contains none if small
 * commits are waiting, so small commits wait for at most one large commit. Small and large commits
 * each keep their order of arrival.
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
      // When a small commit does not fit, all later small commits must wait, too.
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
