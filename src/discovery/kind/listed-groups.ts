// Groups of one list of targets, which the next list replaces.
import type { TargetGroup } from '../interface.ts';
import type { ListedGroup } from '../target-list.ts';

/** Names groups by list and position. A group that is missing in a later list becomes empty. */
export class ListedGroups {
  readonly #source: string;
  #count = 0;
  #targetCount = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Number of targets of the last list. */
  get targetCount(): number {
    return this.#targetCount;
  }

  /** Returns all groups of the list, and an empty group for each removed one. */
  replace(groups: readonly ListedGroup[]): TargetGroup[] {
    const named = groups.map((group, i) => ({ ...group, source: `${this.#source}:${i}` }));
    for (let i = groups.length; i < this.#count; i += 1) {
      named.push({ source: `${this.#source}:${i}`, targets: [], labels: [] });
    }
    this.#count = groups.length;
    this.#targetCount = groups.reduce((sum, { targets }) => sum + targets.length, 0);
    return named;
  }
}
