// Applies views to stacks and to merged stacks.
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { type StackMerger, sumValues } from '../../model/merge.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import { FrameCriteriaTester, type StackCriteria } from './frame-criteria.ts';
import { PathBits } from './path-bits.ts';
import { StackFolder } from './stack-folder.ts';
import { StackRewriter } from './stack-rewriter.ts';
import type { StackView } from './stack-view.ts';

/** Share of a dictionary's stacks above which it is faster to process all its stacks together. */
const decidedAtOnceShare = 1 / 16;

/** Stacks of a dictionary after a sequence of views. */
export class ViewedStacks {
  /** Dictionary of the viewed stacks; a new dictionary if frames change. */
  readonly dictionary: Dictionary;
  /** True if `dictionary` is a new one. */
  readonly areRewritten: boolean;
  readonly #steps: readonly Step[];

  constructor(dictionary: Dictionary, views: readonly StackView[]) {
    const steps: Step[] = [];
    let current = dictionary;
    for (const view of views) {
      const step = createStep(current, view);
      current = step.rewriter?.local ?? current;
      steps.push(step);
    }
    this.#steps = steps;
    this.dictionary = current;
    this.areRewritten = current !== dictionary;
  }

  /** Returns the stack in `dictionary` for a stack of the original dictionary; -1 = dropped. */
  view(stack: number): number {
    let viewed = stack;
    for (const step of this.#steps) {
      viewed = viewInStep(step, viewed);
      if (viewed === -1) return -1;
    }
    return viewed;
  }

  /** Replaces each stack in the lists with the result of `view` for it. */
  viewAll(lists: readonly Int32Array[]): void {
    for (const step of this.#steps) {
      const { dictionary, filters, rewriter } = step;
      const stackCount = lists.reduce((sum, { length }) => sum + length, 0);
      const isMost = stackCount >= dictionary.stacks.length * decidedAtOnceShare;
      if (isMost) for (const filter of filters) filter.decideAll();
      for (const list of filters.length > 0 ? lists : []) {
        for (let i = 0; i < list.length; i += 1) {
          if (list[i] !== -1 && !passesAll(filters, list[i])) list[i] = -1;
        }
      }
      if (rewriter === undefined) continue;
      if (isMost) rewriter.rewriteAll(lists);
      for (const list of lists) {
        for (let i = 0; i < list.length; i += 1) {
          if (list[i] !== -1) list[i] = rewriter.rewrite(list[i]);
        }
      }
    }
  }
}

/** One view, prepared for the stacks of one dictionary. */
interface Step {
  readonly dictionary: Dictionary;
  readonly filters: readonly (StackFilter | LeafFilter)[];
  readonly rewriter: StackFolder | StackRewriter | undefined;
}

function createStep(dictionary: Dictionary, view: StackView): Step {
  const filters = view.stackFilters.map((criteria) =>
    criteria.isOfLeaf === true
      ? new LeafFilter(dictionary, criteria)
      : new StackFilter(dictionary, criteria),
  );
  if (view.fold !== undefined) {
    return { dictionary, filters, rewriter: new StackFolder(dictionary, view.fold) };
  }
  const isRewritten = view.sandwich !== '' || view.frameFilters.length > 0 || view.isInverted;
  const rewriter = isRewritten ? new StackRewriter(dictionary, view) : undefined;
  return { dictionary, filters, rewriter };
}

function viewInStep({ filters, rewriter }: Step, stack: number): number {
  if (!passesAll(filters, stack)) return -1;
  return rewriter === undefined ? stack : rewriter.rewrite(stack);
}

function passesAll(filters: Step['filters'], stack: number): boolean {
  for (const filter of filters) if (!filter.passes(stack)) return false;
  return true;
}

/** Result of applying views to a merge. */
export interface ViewedMerge {
  /** Stacks of `StackViewer.dictionary`. */
  readonly merged: MergedStacks;
  /** Sum of the dropped stacks. */
  readonly filtered: bigint;
}

/** Applies views to several merges of one dictionary. The result is valid until the next await. */
export class StackViewer {
  /** Dictionary of the viewed stacks; a new dictionary if frames change. */
  readonly dictionary: Dictionary;
  readonly #viewed: ViewedStacks;
  readonly #isPlain: boolean;
  readonly #merger: StackMerger;

  constructor(dictionary: Dictionary, views: readonly StackView[], merger: StackMerger) {
    this.#viewed = new ViewedStacks(dictionary, views);
    this.#isPlain = views.length === 0;
    this.dictionary = this.#viewed.dictionary;
    this.#merger = merger;
  }

  /** Applies the views to each merge. */
  apply(merges: readonly MergedStacks[]): ViewedMerge[] {
    if (this.#isPlain) return merges.map((merged) => ({ merged, filtered: 0n }));
    const lists = merges.map(({ stacks }) => new Int32Array(stacks));
    this.#viewed.viewAll(lists);
    return merges.map(({ values }, i) => this.#finish(lists[i], values));
  }

  /** Drops rows with stack -1, and adds up rows whose stacks have become equal. */
  #finish(viewed: Int32Array, values: BigInt64Array): ViewedMerge {
    const stacks = new Uint32Array(viewed.length);
    const keptValues = new BigInt64Array(viewed.length);
    const dropped = new BigInt64Array(1);
    let count = 0;
    for (let i = 0; i < viewed.length; i += 1) {
      if (viewed[i] === -1) {
        dropped[0] += values[i];
      } else {
        stacks[count] = viewed[i];
        keptValues[count] = values[i];
        count += 1;
      }
    }
    const kept = { stacks: stacks.subarray(0, count), values: keptValues.slice(0, count) };
    const filtered = sumValues(dropped);
    if (!this.#viewed.areRewritten) return { merged: kept, filtered };
    const stackCount = this.dictionary.stacks.length;
    return { merged: this.#merger.collapse([kept], count, stackCount), filtered };
  }
}

/** Bits of a location, or of the path from the root to a node. */
const found = 1;
const excluded = 2;

/**
 * A filter of stacks. A stack passes if one of its frames satisfies all conditions that are not
 * negated, and no negated condition excludes any of its frames. An empty stack passes, as in Parca;
 * it does not pass the condition `anyName`, as in `go tool pprof`.
 */
class StackFilter {
  readonly #dictionary: Dictionary;
  readonly #passesEmpty: boolean;
  readonly #tester: FrameCriteriaTester;
  readonly #paths: PathBits;

  constructor(dictionary: Dictionary, criteria: StackCriteria) {
    this.#dictionary = dictionary;
    this.#passesEmpty = criteria.anyName === undefined;
    this.#tester = new FrameCriteriaTester(dictionary, criteria);
    const rootBits = this.#tester.isPositive ? 0 : found;
    this.#paths = new PathBits(dictionary, (location) => this.#bitsOfLocation(location), rootBits);
  }

  /** Evaluates all stacks together, which is faster than one by one. */
  decideAll(): void {
    this.#paths.decideAll();
  }

  passes(stack: number): boolean {
    const node = this.#dictionary.stacks.leaf[stack];
    return node === 0 ? this.#passesEmpty : this.#paths.read(node) === found;
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

/**
 * A filter by the innermost frame, which may be an inlined call. A stack without frames passes if
 * all conditions are negated.
 */
class LeafFilter {
  readonly #dictionary: Dictionary;
  readonly #tester: FrameCriteriaTester;
  /** Results by location: 2 = passes, 1 = does not pass, 0 = not evaluated yet. */
  #known: Uint8Array;

  constructor(dictionary: Dictionary, criteria: StackCriteria) {
    this.#dictionary = dictionary;
    this.#tester = new FrameCriteriaTester(dictionary, criteria);
    this.#known = new Uint8Array(dictionary.locations.length);
  }

  /** Evaluates all locations together. */
  decideAll(): void {
    for (let location = 1; location < this.#dictionary.locations.length; location += 1) {
      this.#passesAt(location);
    }
  }

  passes(stack: number): boolean {
    const { leaf, nodeLocation } = this.#dictionary.stacks;
    const node = leaf[stack];
    return node === 0 ? !this.#tester.isPositive : this.#passesAt(nodeLocation[node]);
  }

  #passesAt(location: number): boolean {
    if (location >= this.#known.length) this.#known = grown(this.#known, location + 1);
    if (this.#known[location] === 0) {
      const { lineStart } = this.#dictionary.locations;
      const first = lineStart[location];
      const line = first === lineStart[location + 1] ? -1 : first;
      const isKept =
        this.#tester.isFound(location, line) && !this.#tester.isExcluded(location, line);
      this.#known[location] = isKept ? 2 : 1;
    }
    return this.#known[location] === 2;
  }
}
