// Limits of callers from the web config file, and what each caller has pushed.
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { LeastRecent } from '../../../base/least-recent.ts';
import { callersCountedMax, callersNamedMax } from '../../limits.ts';
import type { Counter, Metrics } from '../../../base/metrics.ts';
import type { CallerLimit } from '../../../config/web/web-config.ts';

/** Pushes of a caller since the start of the server, and its limits; 0 = no limit. */
export interface CallerUse {
  readonly caller: string;
  readonly pushes: number;
  readonly pushedBytes: number;
  readonly refusedPushes: number;
  readonly limits: Omit<CallerLimit, 'caller'>;
}

interface Use {
  pushes: number;
  pushedBytes: number;
  refusedPushes: number;
  /** Pushed bytes; the number decreases at the rate of the limit as time passes. */
  debtBytes: number;
  paidMillis: number;
}

const noLimit = { pushBytesPerSecond: 0, queriesAtOnce: 0, activeSeries: 0 };

/** Number of seconds whose bytes a caller may push all at once. */
const burstSeconds = 5;

/** Enforces the limits of callers. */
export class CallerLimits {
  readonly #clock: Clock;
  readonly #pushed: Counter;
  readonly #refused: Counter;
  readonly #uses = new LeastRecent<Use>(callersCountedMax, () => 1);
  /** Callers that metrics name; the others are counted together. */
  readonly #named = new Set<string>();
  #limits: ReadonlyMap<string, CallerLimit> = new Map();

  constructor(clock: Clock, metrics: Metrics) {
    this.#clock = clock;
    this.#pushed = metrics.counter(
      'parca_caller_pushed_bytes_total',
      'Bytes of pushed profiles, by caller; "other" is all after the first hundred.',
      ['caller'],
    );
    this.#refused = metrics.counter(
      'parca_caller_pushes_refused_total',
      'Pushes refused because their caller had pushed more than its limit.',
      ['caller'],
    );
  }

  /** Replaces the limits. */
  apply(limits: readonly CallerLimit[]): void {
    this.#limits = new Map(limits.map((one) => [one.caller, one]));
  }

  /** Returns the number of queries that a caller may run at the same time; 0 = no limit. */
  queriesAtOnce(caller: string): number {
    return this.#findLimits(caller).queriesAtOnce;
  }

  /** Returns the number of active series that a caller may have; 0 = no limit. */
  activeSeries(caller: string): number {
    return this.#findLimits(caller).activeSeries;
  }

  /**
   * Counts a push. A push may exceed the caller's limit. After that, pushes are refused until
   * enough time has passed.
   *
   * Errors: AppError 'resource-exhausted' with the time after which the caller may push again.
   */
  countPush(caller: string, bytes: number): void {
    const use = this.#findUse(caller);
    const name = this.#metricName(caller);
    const { pushBytesPerSecond: rate } = this.#findLimits(caller);
    const now = this.#clock.monotonicMillis();
    const paid = ((now - use.paidMillis) / 1_000) * rate;
    use.debtBytes = rate === 0 ? 0 : Math.max(0, use.debtBytes - paid);
    use.paidMillis = now;
    const overBytes = use.debtBytes - rate * burstSeconds;
    if (rate > 0 && overBytes > 0) {
      use.refusedPushes += 1;
      this.#refused.add(1, { caller: name });
      throw new AppError(
        'resource-exhausted',
        `cannot store profiles: ${caller} pushes more than ${rate} bytes a second ` +
          '(caller_limits of the web config file)',
        { retryAfterMillis: Math.max(1_000, Math.ceil((overBytes / rate) * 1_000)) },
      );
    }
    use.debtBytes += bytes;
    use.pushes += 1;
    use.pushedBytes += bytes;
    this.#pushed.add(bytes, { caller: name });
  }

  /** Returns the callers that have pushed, those with the most bytes first. */
  list(): CallerUse[] {
    const all = this.#uses.entries().map(([caller, { pushes, pushedBytes, refusedPushes }]) => {
      const { pushBytesPerSecond, queriesAtOnce, activeSeries } = this.#findLimits(caller);
      const limits = { pushBytesPerSecond, queriesAtOnce, activeSeries };
      return { caller, pushes, pushedBytes, refusedPushes, limits };
    });
    return all.sort((a, b) => b.pushedBytes - a.pushedBytes);
  }

  #findLimits(caller: string): Omit<CallerLimit, 'caller'> {
    return this.#limits.get(caller) ?? this.#limits.get('*') ?? noLimit;
  }

  #findUse(caller: string): Use {
    const known = this.#uses.get(caller);
    if (known !== undefined) return known;
    const paidMillis = this.#clock.monotonicMillis();
    const use = { pushes: 0, pushedBytes: 0, refusedPushes: 0, debtBytes: 0, paidMillis };
    this.#uses.put(caller, use);
    return use;
  }

  #metricName(caller: string): string {
    if (this.#named.has(caller)) return caller;
    if (this.#named.size >= callersNamedMax) return 'other';
    this.#named.add(caller);
    return caller;
  }
}
