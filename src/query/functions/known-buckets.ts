// Finds which buckets of an earlier answer are still valid.
import { mixHash } from '../../model/hash-index.ts';
import type { Querier, TimeRange } from '../../storage/interface.ts';
import type { KnownBuckets } from '../interface.ts';
import type { ReportPlan } from '../plan/plan.ts';

/**
 * Time before the end of the queried range in which new profiles are still expected. The store
 * keeps its state in intervals of 69 s, so the state of buckets in this time would change before
 * the next query.
 */
const settledNanos = 150_000_000_000n;

/** Computes and compares states of buckets. */
export class BucketStates {
  readonly #querier: Pick<Querier, 'state'>;
  /** Id of this server. The states of other servers may be equal strings. */
  readonly #server: string;

  constructor(querier: Pick<Querier, 'state'>, server: string) {
    this.#querier = querier;
    this.#server = server;
  }

  /**
   * Returns the complete buckets of a range that new profiles are unlikely to change. Undefined if
   * there are none, if the store has no state, or if the query also reads other times. `question`
   * has all parameters that the values depend on, except the range.
   */
  settled(
    { from, to }: TimeRange,
    stepNanos: bigint,
    plan: ReportPlan,
    question: object,
  ): KnownBuckets | undefined {
    const [{ selector, increase }] = plan.selections;
    const isMoved = (selector.offset?.nanos ?? 0n) !== 0n;
    if (isMoved || increase !== undefined || from < 0n) return undefined;
    const first = ((from + stepNanos - 1n) / stepNanos) * stepNanos;
    const end = ((to - settledNanos) / stepNanos) * stepNanos;
    if (end <= first) return undefined;
    const range = { from: first, to: end - 1n };
    const state = this.#digestState(range, question);
    return state === undefined ? undefined : { range, state };
  }

  /** Returns true if the buckets would still have the same values. */
  areCurrent({ range, state }: KnownBuckets, question: object): boolean {
    return this.#digestState(range, question) === state;
  }

  #digestState(range: TimeRange, question: object): string | undefined {
    const state = this.#querier.state?.(range);
    if (state === undefined) return undefined;
    return computeDigest(JSON.stringify([this.#server, state, question]));
  }
}

/** Returns a 64-bit hash as a string. */
function computeDigest(text: string): string {
  let [low, high] = [0x2545f491, 0x1b873593];
  for (let i = 0; i < text.length; i += 1) {
    low = mixHash(low, text.charCodeAt(i));
    high = mixHash(high, text.charCodeAt(i));
  }
  return [low, high].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
