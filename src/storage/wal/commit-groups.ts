// Forms groups of commits that share a write of the log.
import type { WaitingCommit } from './epoch.ts';

/** Limits of the profiles and bytes of a group, which take about 10 ms to encode. */
const groupProfilesMax = 1_024;
const groupBytesMax = 4 * 1024 * 1024;

/**
 * Takes groups of commits. A commit that is larger than the group size joins the others of its
 * group, and the next group has no such commit. So small commits wait for at most one large commit,
 * however many there are. Both kinds keep their order of arrival.
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
      // In order: no commit overtakes one that did not fit.
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
