// The parts of a store: its blocks and its heads.
import type { TimeRange } from '../interface.ts';
import type { Part } from '../part.ts';

/** Parts, oldest first, that stay readable until they are disposed of. */
export interface PinnedParts extends Disposable {
  readonly parts: readonly Part[];
}

/**
 * The current parts. Changes are synchronous, so that a reader sees each profile in exactly one
 * part.
 *
 * Order: blocks by the time of their first profile, then heads by age. The last head accepts
 * writes.
 */
export class PartList<Block extends Part> {
  /** Number that grows with each change of the list. */
  version = 0;
  #currentBlocks: readonly Block[] = [];
  #currentHeads: readonly Part[] = [];

  get blocks(): readonly Block[] {
    return this.#currentBlocks;
  }

  get heads(): readonly Part[] {
    return this.#currentHeads;
  }

  /** Records that a head other than the newest has received its last write. */
  noteDrained(): void {
    this.version += 1;
  }

  addHead(head: Part): void {
    this.#currentHeads = [...this.#currentHeads, head];
    this.version += 1;
  }

  /** Replaces a head with the blocks that were cut from it. */
  replaceHead(head: Part, blocks: readonly Block[]): void {
    this.#currentHeads = this.#currentHeads.filter((other) => other !== head);
    this.replaceBlocks([], blocks);
  }

  /** Replaces all blocks and heads. */
  replaceAll(blocks: readonly Block[], heads: readonly Part[]): void {
    this.#currentBlocks = [...blocks].sort(compareBlocks);
    this.#currentHeads = heads;
    this.version += 1;
  }

  /** Removes and adds blocks. A block that is in both lists stays. */
  replaceBlocks(removed: readonly Block[], added: readonly Block[]): void {
    const gone = new Set(removed);
    const kept = this.#currentBlocks.filter((block) => !gone.has(block));
    this.#currentBlocks = [...kept, ...added].sort(compareBlocks);
    this.version += 1;
  }

  /** Pins the parts that may have profiles in the range. */
  pin(range: TimeRange): PinnedParts {
    const parts = [...this.#currentBlocks, ...this.#currentHeads].filter((part) => {
      return part.range !== undefined && overlaps(part.range, range);
    });
    const releases = parts.map((part) => part.pin());
    return {
      parts,
      [Symbol.dispose]: () => {
        for (const release of releases.splice(0)) release();
      },
    };
  }
}

function overlaps(a: TimeRange, b: TimeRange): boolean {
  return a.from <= b.to && b.from <= a.to;
}

function compareBlocks(a: Part, b: Part): number {
  const [from, otherFrom] = [a.range?.from ?? 0n, b.range?.from ?? 0n];
  if (from !== otherFrom) return from < otherFrom ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
