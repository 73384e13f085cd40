// Groups of a list of targets. The next version of the list replaces them.
import type { TargetGroup } from '../interface.ts';
import type { ListedGroup } from '../target-list.ts';

/**
 * Names groups by the list and their position in it. A group that is missing in the next list
 * becomes empty.
 */
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

  /**
   * Returns all groups of the new list, and an empty group for each group that it no longer
   * contains.
   */
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
