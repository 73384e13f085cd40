// Requests to an S3 server: signed, limited and retried, with errors that say what to do.
import { Readable } from 'node:stream';
import type { Clock } from '../../../base/clock.ts';
import {
  AppError,
  errorCode,
  errorMessage,
  networkMessage,
  type ErrorCode,
} from '../../../base/errors.ts';
import { objectAnswerBytesMax } from '../../limits.ts';
import type { Random } from '../../../base/random.ts';
import type { HttpClient } from '../../../http-client/http-client.ts';
import { attempt, type Patience, TryAgain } from '../attempts.ts';
import type { S3Place } from './s3-place.ts';
import {
  canonicalQuery,
  emptyBodyHash,
  signedHeaders,
  type AwsCredentials,
} from '../../../http-client/logins/aws-signature.ts';
import { elementText } from './s3-xml.ts';

export interface S3Request {
  /** Verb and object for messages: "read object a/b". */
  readonly what: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Key of the object; undefined = the bucket itself. */
  readonly key: string | undefined;
  readonly query?: readonly (readonly [string, string])[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes, or a function that reads them once more for each attempt. */
  readonly body?: Uint8Array | S3Stream;
  /** SHA-256 of the body in hex; required with a body. */
  readonly bodyHash?: string;
  /** Length limit of the answer; objectAnswerBytesMax by default. */
  readonly answerBytesMax?: number;
  readonly patience: Patience;
}

/** A body that is not in memory. */
export interface S3Stream {
  readonly bytes: number;
  read(): AsyncIterable<Uint8Array>;
}

export interface S3Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** Gives the keys of the bucket, which may change. */
export interface S3Keys {
  /** Errors: AppError 'failed-precondition' if there are none; others, which may be temporary. */
  current(): Promise<AwsCredentials>;
  /** Drops keys that the server no longer accepts. */
  forget(): void;
}

interface S3ClientOptions {
  readonly place: S3Place;
  readonly keys: S3Keys;
  readonly http: HttpClient;
  /** Time until the first byte of an answer, within the time of an attempt; undefined = no limit. */
  readonly answerMillis?: number | undefined;
  readonly clock: Clock;
  readonly random: Random;
}

const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
/** Characters of a refusal that are quoted. */
const quotedCharactersMax = 200;

/** Client of one bucket. Connections stay open between requests. */
export class S3Client {
  readonly #options: S3ClientOptions;
  #region: string;
  #isClosed = false;

  constructor(options: S3ClientOptions) {
    this.#options = options;
    this.#region = options.place.region;
  }

  /**
   * Returns the answer with status 2xx, or 404 to a HEAD.
   *
   * Errors: those of Bucket.
   */
  send(asked: S3Request): Promise<S3Answer> {
    const { clock, random } = this.#options;
    const { attemptsMax } = asked.patience;
    const isClosed = (): boolean => this.#isClosed;
    const sentence = (why: string): string => this.#sentence(asked, why);
    return attempt({ clock, random, attemptsMax, isClosed, sentence }, () => this.#tryOnce(asked));
  }

  /** Ends running requests. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#options.http.close();
  }

  async #tryOnce(asked: S3Request, isSecond = false): Promise<S3Answer> {
    const region = this.#region;
    const answer = await this.#exchange(asked, region);
    const { status } = answer;
    if (status >= 200 && status < 300) return answer;
    if (status === 404 && asked.method === 'HEAD') return answer;
    const xml = new TextDecoder().decode(answer.body);
    const itsRegion = regionNamedBy(answer, xml);
    if (!isSecond && itsRegion !== undefined && itsRegion !== region) {
      this.#region = itsRegion;
      return this.#tryOnce(asked, true);
    }
    if (!isSecond && elementText(xml, 'Code') === 'ExpiredToken') {
      this.#options.keys.forget();
      return this.#tryOnce(asked, true);
    }
    const said = refusalText(answer, xml);
    if (retriedStatuses.has(status)) throw new TryAgain('unavailable', said);
    throw new AppError(toErrorCode(status, xml), this.#sentence(asked, said));
  }

  async #credentials(asked: S3Request): Promise<AwsCredentials> {
    try {
      return await this.#options.keys.current();
    } catch (error) {
      const message = errorMessage(error);
      if (errorCode(error) !== 'failed-precondition')
        throw new TryAgain('unavailable', message, error);
      throw new AppError('failed-precondition', this.#sentence(asked, message), { cause: error });
    }
  }

  /** Sends one request and reads its whole answer before a deadline. */
  async #exchange(asked: S3Request, region: string): Promise<S3Answer> {
    const { clock, http, place, answerMillis } = this.#options;
    const credentials = await this.#credentials(asked);
    const { attemptMillisMax } = asked.patience;
    const path = place.encodedPath(asked.key);
    const query = asked.query ?? [];
    const headers = signedHeaders(
      {
        method: asked.method,
        path,
        query,
        headers: { ...asked.headers, ...lengthHeader(asked), host: place.host },
        bodyHash: asked.bodyHash ?? emptyBodyHash,
      },
      { region, service: 's3' },
      credentials,
      clock.nowMillis(),
    );
    const deadline = new AbortController();
    const timer = clock.setTimer(attemptMillisMax, () => deadline.abort());
    try {
      // Certificates may have changed on the disk.
      await http.headers();
      const {
        statusCode,
        headers: answered,
        body,
      } = await http.dispatcher.request({
        origin: place.origin,
        path: `${path}${query.length === 0 ? '' : `?${canonicalQuery(query)}`}`,
        method: asked.method,
        headers,
        body: toFetchBody(asked),
        signal: deadline.signal,
        headersTimeout: answerMillis ?? 0,
        bodyTimeout: 0,
      });
      const bytesMax = statusCode < 300 ? asked.answerBytesMax : undefined;
      const bytes = await readBody(body, bytesMax ?? objectAnswerBytesMax);
      return { status: statusCode, headers: answered, body: bytes };
    } catch (error) {
      if (deadline.signal.aborted) {
        throw new TryAgain('deadline-exceeded', `no answer within ${attemptMillisMax} ms`, error);
      }
      if (error instanceof TryAgain) throw error;
      throw new TryAgain('unavailable', networkMessage(error), error);
    } finally {
      timer.cancel();
    }
  }

  #sentence(asked: S3Request, why: string): string {
    return `cannot ${asked.what} in bucket ${this.#options.place.name}: ${why}`;
  }
}

function lengthHeader({ body }: S3Request): Readonly<Record<string, string>> {
  return body === undefined || body instanceof Uint8Array
    ? {}
    : { 'content-length': String(body.bytes) };
}

function toFetchBody({ body }: S3Request): Uint8Array | Readable | null {
  if (body === undefined || body instanceof Uint8Array) return body ?? null;
  return Readable.from(body.read(), { objectMode: false });
}

async function readBody(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    // Leaving the loop closes the connection, so no more is received.
    if (length > bytesMax) {
      throw new TryAgain('unavailable', `it answers more than the expected ${bytesMax} bytes`);
    }
    pieces.push(piece);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Returns the bucket's region if the server names another one. */
function regionNamedBy({ status, headers }: S3Answer, xml: string): string | undefined {
  if (![301, 307, 400].includes(status)) return undefined;
  const region = elementText(xml, 'Region') ?? headers['x-amz-bucket-region'];
  return typeof region === 'string' && /^[\w-]{1,64}$/.test(region) ? region : undefined;
}

function toErrorCode(status: number, xml: string): ErrorCode {
  if (status === 412 || status === 409) return 'already-exists';
  if (status === 416) return 'data-loss';
  const code = elementText(xml, 'Code');
  if (code === 'NoSuchKey') return 'not-found';
  if (code === 'NoSuchUpload') return 'unavailable';
  if (status === 507 || code === 'XMinioStorageFull' || code === 'QuotaExceeded') {
    return 'resource-exhausted';
  }
  return 'failed-precondition';
}

/** Returns "it answers 403 SignatureDoesNotMatch: The request signature ...". */
function refusalText({ status, headers }: S3Answer, xml: string): string {
  const header = headers['x-minio-error-code'];
  const code = elementText(xml, 'Code') ?? (typeof header === 'string' ? header : undefined);
  const message = elementText(xml, 'Message')?.replace(/\s+/g, ' ').trim() ?? '';
  const hint = status === 403 || status === 401 ? ', access is denied; check the keys' : '';
  const quote = message === '' ? '' : `: ${message.slice(0, quotedCharactersMax)}`;
  return `it answers ${status}${code === undefined ? '' : ` ${code}`}${hint}${quote}`;
}
