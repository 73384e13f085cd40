// Finds, among sets of stacks that may be the cause of a change, the set whose change is least
// likely to be chance.
import type { CallEdges } from './call-edges.ts';
import type { FrameSums } from './frame-sums.ts';
import type { SamplingNoise } from './sampling-noise.ts';

/**
 * Kind of a set of stacks: all stacks that contain a function, that end in a function (`own`), that
 * contain a call, or that end in a package.
 */
export type CandidateKind = 'function' | 'own' | 'call' | 'package';

/** A set of stacks with its values on both sides. */
export interface Candidate {
  readonly kind: CandidateKind;
  /** Number of the function; for a package, of its function that changed most. */
  readonly slot: number;
  /** Number of the caller; -1 = the set is not a call. */
  readonly caller: number;
  readonly compared: bigint;
  readonly base: bigint;
  /** Number of standard deviations from no change; positive if the value grew. */
  readonly score: number;
}

/** Largest difference between scores of equal sets of stacks. */
const equalScores = 1e-9;

/** Keeps the best candidate, and counts all candidates. */
export class BestCandidate {
  best: Candidate | undefined;
  count = 0;
  readonly #noise: SamplingNoise;
  readonly #depth: ArrayLike<number>;
  readonly #isRise: boolean;

  /**
   * `depth` is the smallest depth of each function in the tree. With `isRise`, only a set that grew
   * can be the best.
   */
  constructor(noise: SamplingNoise, depth: ArrayLike<number>, isRise = false) {
    this.#noise = noise;
    this.#depth = depth;
    this.#isRise = isRise;
  }

  see(kind: CandidateKind, slot: number, caller: number, compared: bigint, base: bigint): void {
    this.count += 1;
    const score = this.#noise.score(compared, base);
    if (this.#isRise && score <= 0) return;
    const least = this.best === undefined ? 0 : Math.abs(this.best.score);
    if (Math.abs(score) < least * (1 - equalScores)) return;
    const candidate = { kind, slot, caller, compared, base, score };
    const isBetter = Math.abs(score) > least * (1 + equalScores);
    if (isBetter || this.#isPreferred(candidate)) this.best = candidate;
  }

  /**
   * Returns true if a set of stacks is preferred to the best set, which has the same score. Prefers
   * functions to other kinds of sets. Of functions that are new or gone, prefers the outermost; of
   * other functions, the innermost.
   */
  #isPreferred({ kind, slot, compared, base }: Candidate): boolean {
    const { best } = this;
    if (best === undefined) return true;
    if (kind !== 'function' || best.kind !== 'function') return best.kind !== 'function';
    const isOuter = this.#depth[slot] < this.#depth[best.slot];
    return compared === 0n || base === 0n ? isOuter : !isOuter;
  }
}

/** Adds functions and calls as candidates, without the functions in `isLeftOut`. */
export function seeFunctions(
  best: BestCandidate,
  sums: FrameSums,
  edges: CallEdges,
  isLeftOut: Uint8Array,
): void {
  for (let slot = 0; slot < sums.length; slot += 1) {
    if (isLeftOut[slot] === 1 || !sums.hasValue(slot)) continue;
    best.see('function', slot, -1, sums.cumulative[slot], sums.base.cumulative[slot]);
    best.see('own', slot, -1, sums.flat[slot], sums.base.flat[slot]);
  }
  for (let edge = 0; edge < edges.length; edge += 1) {
    const [caller, callee] = [edges.caller[edge], edges.callee[edge]];
    if (isLeftOut[caller] === 1 || isLeftOut[callee] === 1 || caller === callee) continue;
    const [compared, base] = [edges.cumulative[edge], edges.baseCumulative[edge]];
    best.see('call', callee, caller, compared, base);
  }
}
