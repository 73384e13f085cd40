// Filters of stacks, decided once for each node of the trie that stacks share.
import type { Dictionary } from '../../model/dictionary.ts';
import { type FrameCriteria, FrameCriteriaTester } from './frame-criteria.ts';
import { PathBits } from './path-bits.ts';

/** Bits that are known of a location, or of a node's path from the root. */
const found = 1;
const excluded = 2;

/**
 * A filter of whole stacks: one frame must satisfy all plain conditions, and a negated condition
 * must not exclude any frame. The empty stack passes, as in Parca, except with the condition
 * `anyName`, as in `go tool pprof`.
 */
export class StackFilter {
  readonly #dictionary: Dictionary;
  readonly #passesEmpty: boolean;
  readonly #tester: FrameCriteriaTester;
  readonly #paths: PathBits;

  constructor(dictionary: Dictionary, criteria: FrameCriteria) {
    this.#dictionary = dictionary;
    this.#passesEmpty = criteria.anyName === undefined;
    this.#tester = new FrameCriteriaTester(dictionary, criteria);
    const rootBits = this.#tester.isPositive ? 0 : found;
    this.#paths = new PathBits(dictionary, (location) => this.#bitsOfLocation(location), rootBits);
  }

  /** Decides all stacks at once, which is cheaper than one by one. */
  decideAll(): void {
    this.#paths.decideAll();
  }

  passes(stack: number): boolean {
    const node = this.#dictionary.stacks.leaf[stack];
    return node === 0 ? this.#passesEmpty : this.#paths.bitsOf(node) === found;
  }

  #bitsOfLocation(location: number): number {
    const { lineStart } = this.#dictionary.locations;
    const end = lineStart[location + 1];
    let line = lineStart[location];
    let all = line === end ? this.#bitsOfFrame(location, -1) : 0;
    for (; line < end; line += 1) all |= this.#bitsOfFrame(location, line);
    return all;
  }

  #bitsOfFrame(location: number, line: number): number {
    const tester = this.#tester;
    return (
      (tester.isFound(location, line) ? found : 0) |
      (tester.isExcluded(location, line) ? excluded : 0)
    );
  }
}
