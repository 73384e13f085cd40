// Shares a profile of this process between callers that request equal profiles at about the same
// time.
import type { Clock } from '../base/clock.ts';
import { AppError, abortReason } from '../base/errors.ts';
import { untilAborted } from '../base/until-aborted.ts';
import { selfProfilesMax, sharedProfileMillis } from './limits.ts';
import type { SelfProfiler } from './self-profile.ts';

type Profiler = Pick<SelfProfiler, 'cpu' | 'heap'>;

/** A profile that is being taken. */
interface Flight {
  readonly startedMillis: number;
  readonly profile: Promise<Uint8Array>;
  /** Aborts the profile when no caller is waiting for it. */
  readonly controller: AbortController;
  callers: number;
}

/** Takes a limited number of profiles for any number of callers. */
export class SharedProfiles {
  readonly #clock: Clock;
  readonly #profiler: Profiler;
  /** CPU profiles that are being taken. */
  readonly #flights = new Set<Flight>();
  readonly #newest = new Map<number, Flight>();
  #heap: { readonly startedMillis: number; readonly profile: Promise<Uint8Array> } | undefined;

  constructor(clock: Clock, profiler: Profiler) {
    this.#clock = clock;
    this.#profiler = profiler;
  }

  /**
   * Returns a CPU profile of `SelfProfiler`. It may be a profile that an earlier caller requested:
   * at most a second earlier, and at most a tenth of `seconds` earlier.
   *
   * Errors: as in `SelfProfiler`; AppError 'resource-exhausted' if too many profiles are running.
   */
  async cpu(seconds: number, signal: AbortSignal): Promise<Uint8Array> {
    if (signal.aborted) throw abortReason(signal);
    const flight = this.#joinable(seconds) ?? this.#begin(seconds);
    flight.callers += 1;
    try {
      return await untilAborted(flight.profile, signal);
    } finally {
      flight.callers -= 1;
      if (flight.callers === 0) {
        this.#flights.delete(flight);
        if (this.#newest.get(seconds) === flight) this.#newest.delete(seconds);
        flight.controller.abort(new AppError('cancelled', 'the clients have gone'));
      }
    }
  }

  /**
   * Returns the heap profile of `SelfProfiler`, which may be a second old. Errors: as in
   * `SelfProfiler`.
   */
  heap(): Promise<Uint8Array> {
    const now = this.#clock.monotonicMillis();
    if (this.#heap === undefined || now - this.#heap.startedMillis > sharedProfileMillis) {
      const profile = this.#profiler.heap();
      this.#heap = { startedMillis: now, profile };
      // A failed profile is not shared.
      profile.catch(() => (this.#heap = undefined));
    }
    return this.#heap.profile;
  }

  #joinable(seconds: number): Flight | undefined {
    const newest = this.#newest.get(seconds);
    if (newest === undefined) return undefined;
    const age = this.#clock.monotonicMillis() - newest.startedMillis;
    return age <= Math.min(sharedProfileMillis, seconds * 100) ? newest : undefined;
  }

  #begin(seconds: number): Flight {
    if (this.#flights.size >= selfProfilesMax) {
      const why = `${this.#flights.size} profiles are being taken, the limit is ${selfProfilesMax}`;
      const retryAfterMillis = seconds * 1_000;
      throw new AppError('resource-exhausted', `cannot profile: ${why}`, { retryAfterMillis });
    }
    const controller = new AbortController();
    const flight: Flight = {
      startedMillis: this.#clock.monotonicMillis(),
      profile: this.#profiler.cpu(seconds, controller.signal),
      controller,
      callers: 0,
    };
    this.#flights.add(flight);
    this.#newest.set(seconds, flight);
    return flight;
  }
}
