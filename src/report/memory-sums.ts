// Sums of allocation and garbage collection. A function that allocates more makes the garbage
// collector work more in other stacks.
import type { FrameSums } from './frame-sums.ts';
import type { CallTree } from './tree/call-tree.ts';

/** Runtime functions that collect garbage. */
const collectors =
  /^(?:runtime\.(?:gcBgMarkWorker|gcAssistAlloc|gcDrain|bgsweep|bgscavenge|gcStart|gcMark)|\(garbage collector\)$|gc_collect_main$|G1(?:CollectedHeap|Service|ConcurrentMark|YoungCollector)|ParallelScavenge|ZWorker|ShenandoahWorker)/;
/** Runtime functions that allocate memory. */
const allocators =
  /^(?:runtime\.(?:mallocgc|newobject|makeslice|growslice|makechan|makemap|rawstring|rawbyteslice|concatstrings?)|(?:__libc_)?(?:malloc|calloc|realloc)$|operator new\b|_PyObject_(?:GC_New|Malloc)|PyObject_Malloc)/;
/** Runtime functions between an allocation and the code that requested it. */
const between = /^runtime\./;

/** Flags by function. */
export interface MemoryFunctions {
  /** 1 for functions that collect garbage. */
  readonly isCollector: Uint8Array;
  /** 1 for functions that allocate memory. */
  readonly isAllocator: Uint8Array;
  /** 1 for functions of the runtime, which are never named as the cause. */
  readonly isRuntime: Uint8Array;
}

export function findMemoryFunctions(
  length: number,
  name: (slot: number) => string,
): MemoryFunctions {
  const isCollector = new Uint8Array(length);
  const isAllocator = new Uint8Array(length);
  const isRuntime = new Uint8Array(length);
  for (let slot = 0; slot < length; slot += 1) {
    const text = name(slot);
    if (collectors.test(text)) isCollector[slot] = 1;
    if (allocators.test(text)) isAllocator[slot] = 1;
    if ((isCollector[slot] | isAllocator[slot]) === 1 || between.test(text)) isRuntime[slot] = 1;
  }
  return { isCollector, isAllocator, isRuntime };
}

/** Values of both sides. */
export interface PairOfValues {
  compared: bigint;
  base: bigint;
}

/** Values of allocation and garbage collection. */
export interface MemorySums {
  /** Sum of stacks with a collecting function, except inside allocations. */
  readonly collected: PairOfValues;
  /** Sum of stacks with an allocating function. */
  readonly allocated: PairOfValues;
  /** Part of `allocated` that is in the stacks of each function. */
  readonly within: { readonly compared: BigInt64Array; readonly base: BigInt64Array };
}

/** Sums the stacks that allocate memory by the functions that they contain. */
export function sumMemory(
  tree: CallTree,
  sums: FrameSums,
  { isCollector, isAllocator }: MemoryFunctions,
): MemorySums {
  const { length, parent, cumulative, base } = tree;
  const { target } = sums;
  const collected = { compared: 0n, base: 0n };
  const allocated = { compared: 0n, base: 0n };
  const within = {
    compared: new BigInt64Array(sums.length),
    base: new BigInt64Array(sums.length),
  };
  /** 1 for rows below a function that allocates or collects. */
  const isBelow = new Uint8Array(length);
  /** Last row that was added to each function, so that a recursive function counts once. */
  const addedBy = new Int32Array(sums.length);
  for (let row = 1; row < length; row += 1) {
    const slot = target[row] - 1;
    isBelow[row] = isBelow[parent[row]];
    if (isBelow[row] === 1 || slot === -1) continue;
    const isAllocation = isAllocator[slot] === 1;
    if (!isAllocation && isCollector[slot] === 0) continue;
    isBelow[row] = 1;
    const [own, other] = [cumulative[row], base === undefined ? 0n : base.cumulative[row]];
    const sum = isAllocation ? allocated : collected;
    sum.compared += own;
    sum.base += other;
    if (!isAllocation) continue;
    for (let above = parent[row]; above !== 0; above = parent[above]) {
      const caller = target[above] - 1;
      if (caller === -1 || addedBy[caller] === row) continue;
      addedBy[caller] = row;
      within.compared[caller] += own;
      within.base[caller] += other;
    }
  }
  return { collected, allocated, within };
}
