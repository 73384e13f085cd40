// A bucket that uses the client of its vendor, with our deadlines, limits and errors.
import type { Clock } from '../../../base/clock.ts';
import { abortReason, AppError, type ErrorCode } from '../../../base/errors.ts';
import type { Random } from '../../../base/random.ts';
import { untilAborted } from '../../../base/until-aborted.ts';
import { objectPartBytes, objectPartsMax } from '../../limits.ts';
import { attempt, type Patience, type Patiences, TryAgain } from '../attempts.ts';
import {
  type Bucket,
  type BucketObject,
  checkKey,
  checkListed,
  folderNames,
  toPrefix,
  wantedObjects,
} from '../bucket.ts';
import { type ObjectSource, pieces, readPieces } from '../object-source.ts';
import type { LargeUpload, ObjectApi, ObjectPage } from './object-api.ts';
import { describeFailure } from './sdk-failure.ts';

interface SdkBucketOptions {
  readonly api: ObjectApi;
  readonly prefix: string;
  readonly patience: Patiences;
  readonly clock: Clock;
  readonly random: Random;
  /** Size of an upload part in bytes; 0 = the default. */
  readonly partBytes: number;
}

const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Error for an object that does not exist. */
class NotFound extends AppError {}

/**
 * Creates a bucket that uses a vendor's client.
 *
 * Errors: AppError 'invalid-argument' for an invalid prefix.
 */
export function createSdkBucket(options: SdkBucketOptions): Bucket {
  return new SdkBucket(options, toPrefix(options.prefix));
}

class SdkBucket implements Bucket {
  readonly name: string;
  readonly #options: SdkBucketOptions;
  readonly #prefix: string;
  readonly #partBytes: number;
  readonly #closing = new AbortController();
  #prepared: Promise<void> | undefined;

  constructor(options: SdkBucketOptions, prefix: string) {
    this.name = options.api.name;
    this.#options = options;
    this.#prefix = prefix;
    this.#partBytes = options.partBytes || objectPartBytes;
  }

  async list(folder: string, isWanted: (name: string) => boolean): Promise<BucketObject[]> {
    const prefix = folder === '' ? this.#prefix : `${this.#keyOf(folder)}/`;
    const found: BucketObject[] = [];
    for await (const { objects } of this.#pages(folder, prefix)) {
      found.push(...wantedObjects(objects, prefix, isWanted));
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async folders(): Promise<string[]> {
    const prefix = this.#prefix;
    const found: string[] = [];
    for await (const { folders } of this.#pages('', prefix)) {
      found.push(...folderNames(folders, prefix));
    }
    return found.sort();
  }

  async *#pages(folder: string, prefix: string): AsyncGenerator<ObjectPage> {
    const { api, patience } = this.#options;
    const what = `list ${folder === '' ? 'objects' : folder}`;
    let token: string | undefined;
    let seen = 0;
    do {
      const next = token;
      const page = await this.#run(what, patience.reading, (signal) =>
        api.listPage(prefix, next, signal),
      ).catch((error: unknown) => {
        // This can only mean that the bucket is missing, because the list of a folder without
        // objects is empty.
        if (!(error instanceof NotFound)) throw error;
        throw new AppError('failed-precondition', error.message, { cause: error });
      });
      seen += Math.max(1, page.objects.length);
      yield page;
      checkListed(seen, folder, this.name);
      token = page.next;
    } while (token !== undefined);
  }

  async size(key: string): Promise<number | undefined> {
    const { api, patience } = this.#options;
    const whole = this.#keyOf(key);
    try {
      return await this.#run(`look up object ${key}`, patience.reading, (signal) =>
        api.size(whole, signal),
      );
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  async readRange(
    key: string,
    offset: number,
    length: number,
    ended?: AbortSignal,
  ): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array(0);
    const { api, patience } = this.#options;
    const whole = this.#keyOf(key);
    const read = async (signal: AbortSignal): Promise<Uint8Array> => {
      const bytes = new Uint8Array(length);
      let at = 0;
      for await (const piece of await api.read(whole, { offset, length }, signal)) {
        if (at + piece.length > length) {
          const why = `it answers more than the expected ${length} bytes`;
          throw new TryAgain('unavailable', why);
        }
        bytes.set(piece, at);
        at += piece.length;
      }
      if (at === length) return bytes;
      const why = `it answers ${at} bytes for bytes ${offset} to ${offset + length - 1}`;
      throw new AppError('data-loss', `cannot read object ${key} of ${this.name}: ${why}`);
    };
    return this.#run(`read object ${key}`, patience.reading, read, ended);
  }

  async put(key: string, source: ObjectSource): Promise<void> {
    const { api, patience } = this.#options;
    const whole = this.#keyOf(key);
    const what = `store object ${key}`;
    const bytes = await source.size();
    if (bytes > this.#partBytes) return this.#putLarge(key, source, bytes);
    const content = await readPieces(source, 0, bytes);
    await this.#run(what, patience.writing, (signal) => api.store(whole, content, false, signal));
  }

  async putNew(key: string, content: Uint8Array): Promise<boolean> {
    const { api, patience } = this.#options;
    const whole = this.#keyOf(key);
    try {
      await this.#run(`store object ${key}`, patience.writing, (signal) =>
        api.store(whole, content, true, signal),
      );
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'already-exists') return false;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    const { api, patience } = this.#options;
    const whole = this.#keyOf(key);
    try {
      await this.#run(`remove object ${key}`, patience.writing, (signal) =>
        api.remove(whole, signal),
      );
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#options.api.close();
  }

  async #putLarge(key: string, source: ObjectSource, bytes: number): Promise<void> {
    const { large, name } = this.#options.api;
    if (large.kind === 'stream') return this.#putStream(key, source, bytes, large);
    if (Math.ceil(bytes / this.#partBytes) > objectPartsMax) {
      const why = `${bytes} bytes are more than ${objectPartsMax} parts`;
      throw new AppError('resource-exhausted', `cannot store object ${key} in ${name}: ${why}`);
    }
    await this.#putParts(key, source, bytes, large);
  }

  async #putParts(
    key: string,
    source: ObjectSource,
    bytes: number,
    large: LargeUpload & { readonly kind: 'parts' },
  ): Promise<void> {
    const { writing } = this.#options.patience;
    const what = `store object ${key}`;
    const count = Math.ceil(bytes / this.#partBytes);
    const whole = this.#keyOf(key);
    const upload = await this.#run(what, writing, (signal) => large.begin(whole, signal));
    try {
      for (let i = 0; i < count; i += 1) {
        const end = Math.min(bytes, (i + 1) * this.#partBytes);
        const part = await readPieces(source, i * this.#partBytes, end);
        await this.#run(what, writing, (signal) => upload.store(i, part, signal));
      }
      await this.#run(what, writing, (signal) => upload.join(count, signal));
    } catch (error) {
      // The first error is more useful than an error of this call.
      await this.#run(what, writing, (signal) => upload.abandon(signal)).catch(() => undefined);
      throw error;
    }
  }

  /** Sends a stream. The deadline starts again whenever the client takes a piece. */
  async #putStream(
    key: string,
    source: ObjectSource,
    bytes: number,
    large: LargeUpload & { readonly kind: 'stream' },
  ): Promise<void> {
    const { writing } = this.#options.patience;
    const whole = this.#keyOf(key);
    await this.#run(`store object ${key}`, writing, (signal, restart) => {
      const read = async function* (): AsyncGenerator<Uint8Array> {
        for await (const piece of pieces(source, 0, bytes)) {
          restart();
          yield piece;
        }
      };
      return large.store(whole, { bytes, read }, signal);
    });
  }

  /**
   * Calls the client, with retries and with a deadline for each attempt. If `ended` is aborted,
   * throws its reason.
   */
  async #run<T>(
    what: string,
    patience: Patience,
    act: (signal: AbortSignal, restart: () => void) => Promise<T>,
    ended?: AbortSignal,
  ): Promise<T> {
    const { clock, random } = this.#options;
    const sentence = (why: string): string => `cannot ${what} in bucket ${this.name}: ${why}`;
    const isClosed = (): boolean => this.#closing.signal.aborted;
    const { attemptsMax } = patience;
    const options = { clock, random, attemptsMax, isClosed, sentence, signal: ended };
    return attempt(options, async () => {
      const prepared = this.#prepare(sentence);
      await (ended === undefined ? prepared : untilAborted(prepared, ended));
      return this.#tryOnce(patience.attemptMillisMax, sentence, act, ended);
    });
  }

  /**
   * Lets the client prepare once, before the first call. After a failure, the next call tries
   * again.
   */
  async #prepare(sentence: (why: string) => string): Promise<void> {
    const { api, patience } = this.#options;
    this.#prepared ??= this.#tryOnce(patience.writing.attemptMillisMax, sentence, (signal) =>
      api.prepare(signal),
    );
    try {
      await this.#prepared;
    } catch (error) {
      this.#prepared = undefined;
      throw error;
    }
  }

  async #tryOnce<T>(
    millisMax: number,
    sentence: (why: string) => string,
    act: (signal: AbortSignal, restart: () => void) => Promise<T>,
    ended?: AbortSignal,
  ): Promise<T> {
    const { clock } = this.#options;
    const deadline = new AbortController();
    const arm = (): { cancel(): void } => clock.setTimer(millisMax, () => deadline.abort());
    let timer = arm();
    const restart = (): void => {
      timer.cancel();
      timer = arm();
    };
    const ends = [deadline.signal, this.#closing.signal];
    const signal = AbortSignal.any(ended === undefined ? ends : [...ends, ended]);
    try {
      return await beforeAbort(act(signal, restart), signal);
    } catch (error) {
      if (ended?.aborted) throw abortReason(ended);
      if (deadline.signal.aborted) {
        throw new TryAgain('deadline-exceeded', `no answer within ${millisMax} ms`, error);
      }
      throw toBucketError(error, sentence, this.#options.api.loginSources);
    } finally {
      timer.cancel();
    }
  }

  #keyOf(key: string): string {
    checkKey(key);
    return `${this.#prefix}${key}`;
  }
}

/**
 * Settles like `work`, but rejects as soon as `signal` is aborted, because clients may ignore the
 * signal.
 */
async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(new Error('the request was ended'));
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    // After an abort, nobody waits for `work` any longer.
    work.catch(() => undefined);
  }
}

function toBucketError(
  error: unknown,
  sentence: (why: string) => string,
  loginSources: string,
): Error {
  if (error instanceof AppError || error instanceof TryAgain) return error;
  const { status, said, isLogin, isBucketMissing, isFull } = describeFailure(error);
  const options = { cause: error };
  if (isFull) return new AppError('resource-exhausted', sentence(said), options);
  if (isLogin) {
    const hint = `${status === undefined ? '' : 'access is denied; '}check ${loginSources}`;
    return new AppError('failed-precondition', sentence(`${said}; ${hint}`), options);
  }
  if (status === undefined || retriedStatuses.has(status)) {
    return new TryAgain('unavailable', said, error);
  }
  if (status === 404 && !isBucketMissing) return new NotFound('not-found', sentence(said), options);
  return new AppError(toErrorCode(status), sentence(said), options);
}

function toErrorCode(status: number): ErrorCode {
  if (status === 409 || status === 412) return 'already-exists';
  if (status === 416) return 'data-loss';
  return 'failed-precondition';
}
