// Turns of the event loop in which requests begin.
//
// One read of a socket may bring a thousand requests of HTTP/2, and hundreds of connections may
// bring one each in a turn. Requests begin for some milliseconds in each turn, by network, address
// and connection, and the rest begin in later turns.
import type { Clock } from '../../../base/clock.ts';
import { networkOf } from '../../../base/network.ts';
import { Rounds } from '../../../base/rounds.ts';
import { type Connection, identifySender } from '../../auth/caller-id.ts';
import { requestsPerTurnMax, requestsPerTurnMillis } from '../../limits.ts';

/** A request of HTTP/1.1, or a stream of HTTP/2. */
export interface Beginning {
  readonly connection: Connection | undefined;
  /** Returns true if its caller is still there. */
  isOpen(): boolean;
  begin(): void;
}

/** Requests that have arrived and not begun. */
export class RequestTurns {
  readonly #clock: Pick<Clock, 'monotonicMillis'>;
  readonly #waiting = new Rounds<Beginning>();
  #begun = 0;
  #endMillis = 0;
  #armed = 0;

  constructor(clock: Pick<Clock, 'monotonicMillis'>) {
    this.#clock = clock;
  }

  /** Begins a request, now or in a later turn; a request that is closed by then is left out. */
  add(request: Beginning): void {
    if (this.#armed === 0) {
      this.#open();
      this.#arm(1);
    }
    if (this.#waiting.size === 0 && !this.#isSpent()) {
      this.#begun += 1;
      request.begin();
      return;
    }
    const { connection } = request;
    const { caller: address } = identifySender(undefined, connection);
    this.#waiting.add([networkOf(address), address, connection], request);
  }

  #open(): void {
    this.#begun = 0;
    this.#endMillis = this.#clock.monotonicMillis() + requestsPerTurnMillis;
  }

  #isSpent(): boolean {
    return this.#begun >= requestsPerTurnMax || this.#clock.monotonicMillis() >= this.#endMillis;
  }

  /**
   * Calls `#next` in the next turn, `count` times. What a request does first, it does before the
   * next of these calls, so that its time counts.
   */
  #arm(count: number): void {
    this.#armed = count;
    for (let i = 0; i < count; i += 1) setImmediate(() => this.#next(i === 0));
  }

  #next(isFirst: boolean): void {
    if (isFirst) this.#open();
    this.#armed -= 1;
    // The first request begins even in a turn that others have used up.
    while (this.#waiting.size > 0 && (this.#begun === 0 || !this.#isSpent())) {
      const request = this.#waiting.take();
      if (request?.isOpen() !== true) continue;
      this.#begun += 1;
      request.begin();
      break;
    }
    if (this.#armed === 0 && this.#waiting.size > 0) {
      this.#arm(Math.min(this.#waiting.size, requestsPerTurnMax));
    }
  }
}
