// Reads ranges of a bucket's objects. It limits the number of concurrent reads, and pauses after
// failures.
import type { Clock } from '../../base/clock.ts';
import { abortReason, AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { objectOutageMillis, objectReadsAtOnceMax } from '../limits.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Slots } from '../../base/slots.ts';
import type { Bucket } from './bucket.ts';

/** The reader that all files of a bucket share. */
export class RangeReader {
  readonly #bucket: Pick<Bucket, 'readRange'>;
  readonly #clock: Clock;
  readonly #slots = new Slots(objectReadsAtOnceMax);
  /** Set during the pause after a failure. Reads then fail immediately. */
  #outage: { readonly until: number; readonly why: string } | undefined;
  readonly #bytes;
  readonly #failures;

  constructor(bucket: Pick<Bucket, 'readRange'>, clock: Clock, metrics: Metrics) {
    this.#bucket = bucket;
    this.#clock = clock;
    this.#bytes = metrics.counter(
      'parca_storage_object_read_bytes_total',
      'Bytes of objects that were read from the bucket.',
    );
    this.#failures = metrics.counter(
      'parca_storage_object_read_failures_total',
      'Reads of objects that failed in spite of retries.',
    );
  }

  /**
   * Reads like Bucket.readRange. A query may read hundreds of blocks: if the bucket does not
   * respond, only the first read waits for it. A read that its caller aborts does not count as a
   * failure.
   */
  async read(
    key: string,
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    this.#refuseInOutage(key);
    return this.#slots.run(async () => {
      this.#refuseInOutage(key);
      try {
        const bytes = await this.#bucket.readRange(key, offset, length, signal);
        this.#bytes.add(bytes.length);
        this.#outage = undefined;
        return bytes;
      } catch (error) {
        if (signal?.aborted) throw abortReason(signal);
        this.#noteFailure(error);
        throw error;
      }
    }, signal);
  }

  #refuseInOutage(key: string): void {
    if (this.#outage === undefined || this.#clock.monotonicMillis() >= this.#outage.until) return;
    const why = `the bucket does not answer: ${this.#outage.why}`;
    throw new AppError('unavailable', `cannot read object ${key}: ${why}`);
  }

  /** Starts a pause, unless the failure affects only one object. */
  #noteFailure(error: unknown): void {
    if (this.#outage !== undefined && this.#clock.monotonicMillis() < this.#outage.until) return;
    this.#failures.add();
    const code = errorCode(error);
    if (code === 'not-found' || code === 'data-loss') return;
    const until = this.#clock.monotonicMillis() + objectOutageMillis;
    this.#outage = { until, why: errorMessage(error) };
  }
}
