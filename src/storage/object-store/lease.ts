// The lease of a bucket's prefix: at most one server at a time changes its content.
import { type Clock, sleep } from '../../base/clock.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import { leaseMarginMillis, leaseRenewMillis, leaseTermMillis } from '../limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Bucket } from './bucket.ts';

interface LeaseOptions {
  readonly bucket: Bucket;
  /** A random string that identifies this run of the server. */
  readonly holder: string;
  /** Name of the lock of the data directory, see `FileLock`. Its previous holder has ended. */
  readonly lockName: string;
  /** Name of this machine, for messages to operators. */
  readonly host: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once if another server has the lease while this one runs. */
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
 * The lease is a list of numbered objects; the server that created the last one holds it. An object
 * is created only if none has its number yet (put-if-absent), so only one server gets each number.
 * The holder creates the next object twice a minute. Another server takes over after it has watched
 * the last object for a complete term by its own clock; by then the holder, whose term began before
 * it created the object, has stopped. No clocks are compared. The next process of the same data
 * directory takes over immediately: it has the lock that the previous holder had, so that process
 * has ended.
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

  /** Tries to get the lease, and goes on trying, or renewing it, until `stop`. Never rejects. */
  async start(): Promise<void> {
    await this.renew();
    this.#running = this.#loop();
  }

  /** Releases the lease, so that other servers need not wait. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    if (!this.isHeld) return;
    this.#heldUntilMillis = -Infinity;
    await this.#make(this.#number + 1, true).catch(() => undefined);
  }

  /** One step: gets or renews the lease if possible. Never rejects. */
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
      // A server that was paused for a long time may have created an object that is not the last
      // one.
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
   * Returns true if a term of this clock has passed since an object was first seen, and no later
   * object exists.
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
    // The lease was renewed, so its holder is alive.
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

  /** Returns false if another server created the object first. */
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
