// Turns of the event loop in which HTTP/2 requests begin.
//
// One read of a socket may bring a thousand requests, and several sockets may do so in one turn.
// Only a few requests begin in each turn, connection by connection, and the rest in later turns.
import type { ServerHttp2Stream } from 'node:http2';
import { streamsPerTurnMax } from '../limits.ts';

/** Streams that have arrived, by connection; no list is empty. */
export class StreamTurns {
  readonly #waiting = new Map<object, (() => void)[]>();
  #begun = 0;
  #isArmed = false;

  /** Calls `begin`, now or in a later turn; a stream that is closed by then is left out. */
  add(
    stream: Pick<ServerHttp2Stream, 'session' | 'closed' | 'destroyed'>,
    begin: () => void,
  ): void {
    this.#arm();
    if (this.#waiting.size === 0 && this.#begun < streamsPerTurnMax) {
      this.#begun += 1;
      begin();
      return;
    }
    const connection = stream.session ?? stream;
    const beginOpen = (): void => {
      if (!stream.closed && !stream.destroyed) begin();
    };
    const own = this.#waiting.get(connection);
    if (own === undefined) this.#waiting.set(connection, [beginOpen]);
    else own.push(beginOpen);
  }

  /** Schedules the next turn. */
  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setImmediate(() => {
      this.#isArmed = false;
      this.#begun = 0;
      for (; this.#begun < streamsPerTurnMax && this.#waiting.size > 0; this.#begun += 1) {
        this.#next()?.();
      }
      if (this.#waiting.size > 0) this.#arm();
    });
  }

  /** Takes the first stream of the next connection. */
  #next(): (() => void) | undefined {
    for (const [connection, own] of this.#waiting) {
      this.#waiting.delete(connection);
      const next = own.shift();
      if (own.length > 0) this.#waiting.set(connection, own);
      return next;
    }
    return undefined;
  }
}
