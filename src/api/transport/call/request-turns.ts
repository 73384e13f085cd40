// Turns of the event loop in which requests and connections begin.
//
// One read of a socket may deliver a thousand HTTP/2 requests. Hundreds of connections may also
// open, or deliver a request each, in the same turn. So in each turn, requests and connections
// begin only for a few milliseconds, alternating between networks, addresses and connections. The
// rest begin in later turns.
import type { Clock } from '../../../base/clock.ts';
import { networkOf } from '../../../base/network.ts';
import { Rounds } from '../../../base/rounds.ts';
import { type Connection, identifySender } from '../../auth/caller-id.ts';
import { requestsPerTurnMax, requestsPerTurnMillis } from '../../limits.ts';

/** A request of HTTP/1.1, a stream of HTTP/2, or a connection. */
export interface Beginning {
  readonly connection: Connection | undefined;
  /** Returns true if the connection is still open. */
  isOpen(): boolean;
  begin(): void;
}

/** Requests that have arrived but have not begun. */
export class RequestTurns {
  readonly #clock: Pick<Clock, 'monotonicMillis'>;
  readonly #waiting = new Rounds<Beginning>();
  #begun = 0;
  #endMillis = 0;
  #armed = 0;

  constructor(clock: Pick<Clock, 'monotonicMillis'>) {
    this.#clock = clock;
  }

  /**
   * Begins a request now or in a later turn. A request whose connection closes before its turn is
   * dropped.
   */
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
   * Schedules `count` calls to `#next` for the next turn. Microtasks of a request run before the
   * next of these calls, so that their time counts.
   */
  #arm(count: number): void {
    this.#armed = count;
    for (let i = 0; i < count; i += 1) setImmediate(() => this.#next(i === 0));
  }

  #next(isFirst: boolean): void {
    if (isFirst) this.#open();
    this.#armed -= 1;
    // One request begins in each turn, even if earlier work has used up the turn.
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
