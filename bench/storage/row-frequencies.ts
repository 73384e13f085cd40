// Frequencies of stacks and values in profiles, and the entropy of a row.
import type { Dictionary } from '../../src/model/dictionary.ts';
import type { IncomingProfile } from '../../src/storage/interface.ts';

export class RowFrequencies {
  #profileCount = 0;
  #rowCount = 0;
  /**
   * Number of profiles with each stack. Stacks are identified by a hash, because each head numbers
   * its stacks from 1.
   */
  readonly #stacks = new Map<string, number>();
  readonly #values = new Map<string, number>();

  add(dictionary: Dictionary, { rowCount, stacks, values }: IncomingProfile): void {
    this.#profileCount += 1;
    this.#rowCount += rowCount;
    const { hashLow, hashHigh } = dictionary.stacks;
    const seen = new Map<number, number>();
    for (let row = 0; row < rowCount; row += 1) {
      const stack = stacks[row];
      // A stack occurs several times in a profile if its samples have different labels.
      const times = (seen.get(stack) ?? 0) + 1;
      seen.set(stack, times);
      count(this.#stacks, `${hashLow[stack]} ${hashHigh[stack]} ${times}`);
      count(this.#values, values.map((valueColumn) => valueColumn[row]).join(' '));
    }
  }

  /**
   * Returns the lower bound of the bytes per row. Assumes that stacks depend neither on each other
   * nor on the last profile, and that values do not depend on stacks.
   */
  #floor(): number {
    let bits = 0;
    for (const profiles of this.#stacks.values()) {
      const share = profiles / this.#profileCount;
      bits += this.#profileCount * (surprise(share) + surprise(1 - share));
    }
    for (const rows of this.#values.values())
      bits += this.#rowCount * surprise(rows / this.#rowCount);
    return bits / 8 / this.#rowCount;
  }

  text(): string {
    const rows = (this.#rowCount / this.#profileCount).toFixed(1);
    const once = [...this.#stacks.values()].filter((profiles) => profiles === 1).length;
    return (
      `${rows} rows a profile, ${this.#stacks.size} stacks, ${once} of them in one profile only; ` +
      `floor ${this.#floor().toFixed(2)} bytes a row`
    );
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Returns the average number of bits that an event of this frequency adds. */
function surprise(share: number): number {
  return share === 0 ? 0 : -share * Math.log2(share);
}
