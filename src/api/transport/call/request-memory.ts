// Memory used by requests. It is limited for all requests together, and for the requests of each
// connection.
import type { IncomingMessage } from 'node:http';
import { Http2ServerRequest } from 'node:http2';
import { AppError } from '../../../base/errors.ts';
import { busyRetryMillis } from '../../../base/limits.ts';
import type { Counter } from '../../../base/metrics.ts';
import type { Connection } from '../../auth/caller-id.ts';

/** Limits of RequestMemory in bytes. */
export interface RequestMemoryLimits {
  readonly bytesMax: number;
  readonly connectionBytesMax: number;
}

/** Bytes that the requests of one connection, or of all connections, hold. */
interface Use {
  bytes: number;
}

/** The memory of all requests, from which each request takes its share. */
export class RequestMemory {
  readonly #limits: RequestMemoryLimits;
  readonly #refusals: Counter;
  readonly #all: Use = { bytes: 0 };
  readonly #connections = new WeakMap<object, Use>();
  /** Memory use of each caller that has requests. */
  readonly #callers = new Map<string, CallerUse>();

  /** Counts refusals in `refusals`, with the limit as their label `limit`. */
  constructor(limits: RequestMemoryLimits, refusals: Counter) {
    this.#limits = limits;
    this.#refusals = refusals;
  }

  /** Number of bytes that are taken at the moment. */
  get usedBytes(): number {
    return this.#all.bytes;
  }

  /**
   * Returns an empty lease for a request; all requests of a connection pass the same object as
   * `connection`. A caller may hold at most as much memory as is still free. So a single caller
   * gets up to half of the memory, and two callers get up to a third each.
   */
  lease(connection: object, caller?: string): ByteLease {
    let use = this.#connections.get(connection);
    if (use === undefined) {
      use = { bytes: 0 };
      this.#connections.set(connection, use);
    }
    const { bytesMax, connectionBytesMax } = this.#limits;
    const own = caller === undefined ? undefined : this.#findUse(caller);
    const bounds = [
      {
        use: this.#all,
        bytesMax,
        flag: 'http-max-request-memory',
        refuse: () => this.#refusals.add(1, { limit: 'all' }),
      },
      {
        use,
        bytesMax: connectionBytesMax,
        flag: 'http-max-connection-memory',
        refuse: () => this.#refusals.add(1, { limit: 'connection' }),
      },
    ] as const;
    if (caller === undefined || own === undefined) return new ByteLease(bounds);
    const all = this.#all;
    const callerBound: Bound = {
      use: own,
      get bytesMax() {
        return bytesMax - all.bytes;
      },
      flag: 'http-max-request-memory',
      refuse: () => this.#refusals.add(1, { limit: 'caller' }),
    };
    return new ByteLease(bounds, callerBound, () => {
      own.leases -= 1;
      if (own.leases === 0) this.#callers.delete(caller);
    });
  }

  #findUse(caller: string): CallerUse {
    let own = this.#callers.get(caller);
    if (own === undefined) {
      own = { bytes: 0, leases: 0 };
      this.#callers.set(caller, own);
    }
    own.leases += 1;
    return own;
  }
}

/** Bytes that a caller holds, and the number of its requests. */
interface CallerUse extends Use {
  leases: number;
}

interface Bound {
  readonly use: Use;
  readonly bytesMax: number;
  readonly flag: string;
  refuse(): void;
}

/** The bytes that one request holds; `release` gives back all of them. */
export class ByteLease {
  #taken = 0;
  #isReleased = false;
  readonly #bounds: readonly [all: Bound, connection: Bound];
  readonly #caller: Bound | undefined;
  readonly #onRelease: () => void;

  constructor(
    bounds: readonly [all: Bound, connection: Bound],
    caller?: Bound,
    onRelease = (): void => undefined,
  ) {
    this.#bounds = bounds;
    this.#caller = caller;
    this.#onRelease = onRelease;
  }

  /**
   * Takes `bytes`, or takes nothing and throws.
   *
   * Errors: AppError 'resource-exhausted' with a time to retry; 'cancelled' for a chunk that
   * arrives after `release`.
   */
  take(bytes: number): void {
    if (this.#isReleased) throw new AppError('cancelled', 'the request has ended');
    const [all, connection] = this.#bounds;
    this.#check(connection, bytes, 'requests of this connection');
    this.#check(all, bytes, 'requests in flight');
    if (this.#caller !== undefined) {
      this.#check(this.#caller, bytes, 'requests of this caller');
      this.#caller.use.bytes += bytes;
    }
    all.use.bytes += bytes;
    connection.use.bytes += bytes;
    this.#taken += bytes;
  }

  #check({ use, bytesMax, flag, refuse }: Bound, bytes: number, who: string): void {
    if (use.bytes + bytes <= bytesMax) return;
    refuse();
    throw new AppError(
      'resource-exhausted',
      `cannot read request: ${who} hold ${use.bytes} of ${bytesMax} bytes`,
      { retryAfterMillis: busyRetryMillis, limit: flag },
    );
  }

  /** Gives `bytes` back. */
  give(bytes: number): void {
    if (this.#isReleased) return;
    for (const { use } of this.#bounds) use.bytes -= bytes;
    if (this.#caller !== undefined) this.#caller.use.bytes -= bytes;
    this.#taken -= bytes;
  }

  /** Gives all taken bytes back. Idempotent. */
  release(): void {
    if (this.#isReleased) return;
    this.give(this.#taken);
    this.#isReleased = true;
    this.#onRelease();
  }
}

/**
 * Returns the connection of a request. In HTTP/2 this is the session, because each request has a
 * socket object of its own.
 */
export function findConnection(request: IncomingMessage): Connection {
  const given: unknown = request;
  const session = given instanceof Http2ServerRequest ? given.stream.session : undefined;
  return session ?? request.socket;
}
