// The sets of stacks that may be the cause of a change, and the one whose change is least likely
// to be chance.
import type { CallEdges } from './call-edges.ts';
import type { FrameSums } from './frame-sums.ts';
import type { SamplingNoise } from './sampling-noise.ts';

/** Stacks with a function, ending in it, with a call, or ending in a package. */
export type CandidateKind = 'function' | 'own' | 'call' | 'package';

/** A set of stacks, with its values on both sides. */
export interface Candidate {
  readonly kind: CandidateKind;
  /** Number of the function; of a package, its function that changed most. */
  readonly slot: number;
  /** Number of the caller of a call; -1 = none. */
  readonly caller: number;
  readonly compared: bigint;
  readonly base: bigint;
  /** Standard deviations from no change, positive if it grew. */
  readonly score: number;
}

/** Scores that differ by less are of the same stacks. */
const equalScores = 1e-9;

/** Keeps the best of the candidates that it sees, and counts them. */
export class BestCandidate {
  best: Candidate | undefined;
  count = 0;
  readonly #noise: SamplingNoise;
  readonly #depth: ArrayLike<number>;

  /** `depth`: least depth of each function in the tree. */
  constructor(noise: SamplingNoise, depth: ArrayLike<number>) {
    this.#noise = noise;
    this.#depth = depth;
  }

  see(kind: CandidateKind, slot: number, caller: number, compared: bigint, base: bigint): void {
    this.count += 1;
    const score = this.#noise.score(compared, base);
    const least = this.best === undefined ? 0 : Math.abs(this.best.score);
    if (Math.abs(score) < least * (1 - equalScores)) return;
    const candidate = { kind, slot, caller, compared, base, score };
    const isBetter = Math.abs(score) > least * (1 + equalScores);
    if (isBetter || this.#isPreferred(candidate)) this.best = candidate;
  }

  /**
   * Returns true for the better of two functions with the same stacks: the outermost of those that
   * are new or gone, which a caller on both sides calls, else the innermost.
   */
  #isPreferred({ kind, slot, compared, base }: Candidate): boolean {
    const { best } = this;
    if (best === undefined) return true;
    if (kind !== 'function' || best.kind !== 'function') return best.kind !== 'function';
    const isOuter = this.#depth[slot] < this.#depth[best.slot];
    return compared === 0n || base === 0n ? isOuter : !isOuter;
  }
}

/** Shows functions and calls to `best`, without those in `isLeftOut`. */
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
