// The parts that a store consists of right now: blocks and heads.
import type { TimeRange } from '../interface.ts';
import type { Part } from '../part.ts';

/** Parts that are held readable, oldest first. */
export interface PinnedParts extends Disposable {
  readonly parts: readonly Part[];
}

/**
 * Changes are synchronous: whoever reads the list sees each profile in exactly one part.
 *
 * Order: blocks by their first profile's time, then heads by age; the last one takes writes.
 */
export class PartList<Block extends Part> {
  /** Rises with each change of the list. */
  version = 0;
  #currentBlocks: readonly Block[] = [];
  #currentHeads: readonly Part[] = [];

  get blocks(): readonly Block[] {
    return this.#currentBlocks;
  }

  get heads(): readonly Part[] {
    return this.#currentHeads;
  }

  /** A head that is not the last one never changes again. */
  noteDrained(): void {
    this.version += 1;
  }

  addHead(head: Part): void {
    this.#currentHeads = [...this.#currentHeads, head];
    this.version += 1;
  }

  /** The head's profiles are in the blocks from now on. */
  replaceHead(head: Part, blocks: readonly Block[]): void {
    this.#currentHeads = this.#currentHeads.filter((other) => other !== head);
    this.replaceBlocks([], blocks);
  }

  /** What is in `removed` and is to stay, is in `added`. */
  replaceBlocks(removed: readonly Block[], added: readonly Block[]): void {
    const gone = new Set(removed);
    const kept = this.#currentBlocks.filter((block) => !gone.has(block));
    this.#currentBlocks = [...kept, ...added].sort(compareBlocks);
    this.version += 1;
  }

  /** Those that may have profiles in the range. */
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
