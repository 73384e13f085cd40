// The lease of a prefix in a bucket. It ensures that only one server at a time changes the objects
// of the prefix.
import { type Clock, sleep } from '../../base/clock.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import { leaseMarginMillis, leaseRenewMillis, leaseTermMillis } from '../limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Bucket } from './bucket.ts';

interface LeaseOptions {
  readonly bucket: Bucket;
  /** Random string that identifies this run of the server. */
  readonly holder: string;
  /**
   * Name of the lock of the data directory (see `FileLock`). A process that held a lock of this
   * name before has ended.
   */
  readonly lockName: string;
  /** Name of this machine, for messages to operators. */
  readonly host: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once if another server gets the lease while this server runs. */
  onLost(error: AppError): void;
}

/** One object of the lease. */
interface Entry {
  readonly number: number;
  readonly holder: string;
  readonly host: string;
  readonly isReleased: boolean;
  /** Name of the holder's lock; "" in objects of older versions. */
  readonly lockName: string;
}

const folder = 'lease';
const numberDigits = 12;

/**
 * The lease is a list of numbered objects; the server that created the last object holds the lease.
 * An object is created only if its number is not taken yet (put-if-absent), so each number belongs
 * to one server. The holder creates the next object twice a minute. Another server takes over if
 * the last object has stayed the last for a complete term, measured by its own clock. At that time,
 * the holder has stopped, because its term began before it created the object. Clocks of different
 * servers are never compared. The next process of the same data directory takes over immediately:
 * it has the lock that the previous holder had, so the previous holder has ended.
 */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #stopping = new AbortController();
  /** Number of this server's last object; 0 = none. */
  #number = 0;
  /** Monotonic time until which the lease is held. */
  #heldUntilMillis = -Infinity;
  /** Last object of another server, and the monotonic time at which it was first seen. */
  #seen: { readonly entry: Entry; readonly sinceMillis: number } | undefined;
  #isLost = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** True if this server may change the prefix now, with enough time left for a request. */
  get isHeld(): boolean {
    const now = this.#options.clock.monotonicMillis();
    return !this.#isLost && now < this.#heldUntilMillis - leaseMarginMillis;
  }

  /** Tries to get the lease, and then keeps trying or renewing it until `stop`. Never rejects. */
  async start(): Promise<void> {
    await this.renew();
    this.#running = this.#loop();
  }

  /** Releases the lease, so that other servers do not have to wait. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    if (!this.isHeld) return;
    this.#heldUntilMillis = -Infinity;
    await this.#make(this.#number + 1, true).catch(() => undefined);
  }

  /** Gets or renews the lease if possible. Never rejects. */
  async renew(): Promise<void> {
    const { clock, logger, bucket } = this.#options;
    if (this.#isLost) return;
    const startMillis = clock.monotonicMillis();
    try {
      const last = await this.#last();
      const isOurs = last?.holder === this.#options.holder;
      if (this.#number > 0 && last !== undefined && !isOurs) return this.#lose(last);
      if (!isOurs && last !== undefined && !this.#isOver(last)) return;
      const next = (last?.number ?? 0) + 1;
      if (!(await this.#make(next, false))) return;
      // If this server was paused for a long time, another server may have created a later object
      // in the meantime.
      const now = await this.#last();
      if (now?.number !== next || now.holder !== this.#options.holder) return;
      if (this.#number === 0) logger.info('has the lease of the bucket', { bucket: bucket.name });
      this.#number = next;
      this.#heldUntilMillis = startMillis + leaseTermMillis;
      await this.#removeBefore(next);
    } catch (error) {
      const details = { bucket: bucket.name, error: errorMessage(error) };
      logger.warn('cannot renew the lease of the bucket', details);
    }
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(this.#options.clock, leaseRenewMillis, signal).catch(() => undefined);
      if (!signal.aborted) await this.renew();
    }
  }

  /**
   * Returns true if the holder of the lease has ended: it released the lease, or it was a process
   * of the same data directory, or its last object has stayed the last for a complete term.
   */
  #isOver(last: Entry): boolean {
    if (last.isReleased) return true;
    const { clock, logger, bucket, lockName } = this.#options;
    if (lockName !== '' && last.lockName === lockName) return true;
    const now = clock.monotonicMillis();
    if (this.#seen === undefined) {
      const wait = { bucket: bucket.name, host: last.host, seconds: leaseTermMillis / 1000 };
      logger.warn('another server had the lease of the bucket: waits for its end', wait);
      this.#seen = { entry: last, sinceMillis: now };
      return false;
    }
    // The holder has renewed the lease, so it is alive.
    if (this.#seen.entry.number !== last.number) {
      this.#lose(last);
      return false;
    }
    return now - this.#seen.sinceMillis > leaseTermMillis;
  }

  #lose({ host }: Entry): void {
    const { bucket, onLost } = this.#options;
    this.#isLost = true;
    this.#heldUntilMillis = -Infinity;
    const why = `the server on ${host} uses it: give each server a prefix of its own`;
    onLost(new AppError('failed-precondition', `cannot use bucket ${bucket.name}: ${why}`));
  }

  async #last(): Promise<Entry | undefined> {
    const { bucket } = this.#options;
    const names = await bucket.list(folder, (name) => /^\d{12}$/.test(name));
    const found = names.at(-1);
    if (found === undefined) return undefined;
    const bytes = await bucket.readRange(`${folder}/${found.name}`, 0, found.bytes);
    const [holder = '', host = '', state = '', lockName = ''] = new TextDecoder()
      .decode(bytes)
      .split('\n');
    return { number: Number(found.name), holder, host, isReleased: state === 'released', lockName };
  }

  /** Creates the object with a number. Returns false if another server created it first. */
  async #make(number: number, isReleased: boolean): Promise<boolean> {
    const { bucket, holder, host, lockName } = this.#options;
    const text = `${holder}\n${host}\n${isReleased ? 'released' : 'held'}\n${lockName}\n`;
    const key = `${folder}/${leaseName(number)}`;
    return bucket.putNew(key, new TextEncoder().encode(text), holder);
  }

  async #removeBefore(number: number): Promise<void> {
    const { bucket } = this.#options;
    const old = await bucket.list(folder, (name) => name < leaseName(number));
    for (const { name } of old) await bucket.remove(`${folder}/${name}`);
  }
}

function leaseName(number: number): string {
  return String(number).padStart(numberDigits, '0');
}
