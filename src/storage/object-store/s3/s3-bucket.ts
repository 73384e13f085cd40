// A bucket of an S3 server: Amazon S3, MinIO, Ceph or another one of the same protocol.
import type { Clock } from '../../../base/clock.ts';
import { AppError, errorCode } from '../../../base/errors.ts';
import { objectPartBytes, objectPartsMax } from '../../limits.ts';
import type { Random } from '../../../base/random.ts';
import {
  type Bucket,
  type BucketObject,
  checkKey,
  checkListed,
  folderNames,
  toPrefix,
  wantedObjects,
} from '../bucket.ts';
import type { S3Bucket as S3BucketConfig } from '../../../config/bucket-config.ts';
import type { HttpClient } from '../../../http-client/http-client.ts';
import { patiences, type Patience, type Patiences } from '../attempts.ts';
import type { ObjectSource } from '../object-source.ts';
import { hashed, type HashedBody, hashWhole, readPart } from './s3-body.ts';
import { S3Client, type S3Answer, type S3Keys, type S3Request } from './s3-client.ts';
import type { EncryptionHeaders } from './s3-encryption.ts';
import type { S3Place } from './s3-place.ts';
import { elements, elementText, encodeEntities } from './s3-xml.ts';

/** Settings of the configuration that requests depend on. */
export type S3Settings = Pick<
  S3BucketConfig,
  'attemptsMax' | 'hasParts' | 'listVersion' | 'objectHeaders' | 'partBytes' | 'sendsMd5'
>;

interface S3BucketOptions {
  readonly place: S3Place;
  readonly prefix: string;
  readonly settings: S3Settings;
  readonly encryption: EncryptionHeaders;
  readonly keys: S3Keys;
  readonly http: HttpClient;
  readonly answerMillis?: number | undefined;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Makes the client of an existing bucket.
 *
 * Errors: AppError 'invalid-argument' for an impossible prefix.
 */
export function createS3Bucket(options: S3BucketOptions): Bucket {
  return new S3Bucket(options, toPrefix(options.prefix));
}

class S3Bucket implements Bucket {
  readonly name: string;
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #settings: S3Settings;
  readonly #partBytes: number;
  readonly #patience: Patiences;
  readonly #encryption: EncryptionHeaders;

  constructor(options: S3BucketOptions, prefix: string) {
    const { place, settings, encryption } = options;
    this.#client = new S3Client(options);
    this.name = place.name;
    this.#prefix = prefix;
    this.#settings = settings;
    this.#partBytes = settings.partBytes ?? objectPartBytes;
    this.#patience = patiences(settings.attemptsMax);
    this.#encryption = encryption;
  }

  async list(folder: string, isWanted: (name: string) => boolean): Promise<BucketObject[]> {
    const prefix = folder === '' ? this.#prefix : `${this.#fullKey(folder)}/`;
    const found: BucketObject[] = [];
    for await (const xml of this.#pages(folder, prefix)) {
      const objects = elements(xml, 'Contents').map((object) => this.#readObject(object));
      found.push(...wantedObjects(objects, prefix, isWanted));
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async folders(): Promise<string[]> {
    const prefix = this.#prefix;
    const found: string[] = [];
    for await (const xml of this.#pages('', prefix)) {
      const keys = elements(xml, 'CommonPrefixes').map((common) =>
        this.#decoded(elementText(common, 'Prefix') ?? ''),
      );
      found.push(...folderNames(keys, prefix));
    }
    return found.sort();
  }

  /** Yields the pages of a list, as XML. */
  async *#pages(folder: string, prefix: string): AsyncGenerator<string> {
    const isFirst = this.#settings.listVersion === 'v1';
    let token: string | undefined = '';
    for (let seen = 0; token !== undefined;) {
      const page: S3Answer = await this.#client.send({
        what: `list ${folder === '' ? 'objects' : folder}`,
        method: 'GET',
        key: undefined,
        query: isFirst ? firstListQuery(prefix, token) : listQuery(prefix, token),
        patience: this.#patience.reading,
      });
      const xml = new TextDecoder().decode(page.body);
      seen += Math.max(1, elements(xml, 'Contents').length);
      yield xml;
      checkListed(seen, folder, this.name);
      token = this.#nextPage(xml, isFirst);
    }
  }

  /** Returns the token of the next page; undefined after the last one. */
  #nextPage(xml: string, isFirst: boolean): string | undefined {
    if (elementText(xml, 'IsTruncated') !== 'true') return undefined;
    if (!isFirst) return elementText(xml, 'NextContinuationToken');
    // Some servers leave the marker to the caller: the last name of the page.
    const last = elements(xml, 'Contents').at(-1);
    const name = elementText(xml, 'NextMarker') ?? (last && elementText(last, 'Key'));
    return name === undefined ? undefined : this.#decoded(name);
  }

  async size(key: string): Promise<number | undefined> {
    const answer = await this.#client.send({
      what: `look up object ${key}`,
      method: 'HEAD',
      key: this.#fullKey(key),
      headers: this.#encryption.using,
      patience: this.#patience.reading,
    });
    if (answer.status === 404) return undefined;
    return this.#wholeNumber(requireHeader(answer, 'content-length'), `size of object ${key}`);
  }

  async readRange(key: string, offset: number, length: number): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array(0);
    const end = offset + length;
    const answer = await this.#client.send({
      what: `read object ${key}`,
      method: 'GET',
      key: this.#fullKey(key),
      headers: { ...this.#encryption.using, range: `bytes=${offset}-${end - 1}` },
      answerBytesMax: length,
      patience: this.#patience.reading,
    });
    const range = /^bytes (\d+)-(\d+)\//.exec(requireHeader(answer, 'content-range'));
    const isAsked = Number(range?.[1]) === offset && Number(range?.[2]) === end - 1;
    if (answer.status === 206 && isAsked && answer.body.length === length) return answer.body;
    const why = `it answers ${answer.body.length} bytes for bytes ${offset} to ${end - 1}`;
    throw new AppError('data-loss', `cannot read object ${key} of ${this.name}: ${why}`);
  }

  async put(key: string, source: ObjectSource): Promise<void> {
    const { hasParts, sendsMd5 } = this.#settings;
    const bytes = await source.size();
    if (bytes > this.#partBytes && hasParts) return this.#putParts(key, source, bytes);
    const isSmall = bytes <= this.#partBytes;
    const body = isSmall
      ? await readPart(source, [0, bytes], sendsMd5)
      : await hashWhole(source, bytes, sendsMd5);
    await this.#client.send(this.#storing(key, body));
  }

  async putNew(key: string, content: Uint8Array): Promise<boolean> {
    try {
      await this.#client.send(
        this.#storing(key, hashed(content, this.#settings.sendsMd5), { 'if-none-match': '*' }),
      );
      return true;
    } catch (error) {
      // 412 when there is one, 409 when another call makes it at this moment.
      if (errorCode(error) === 'already-exists') return false;
      throw error;
    }
  }

  /** Returns the request that stores an object. */
  #storing(key: string, body: HashedBody, headers: Record<string, string> = {}): S3Request {
    return {
      what: `store object ${key}`,
      method: 'PUT',
      key: this.#fullKey(key),
      body: body.body,
      bodyHash: body.bodyHash,
      headers: { ...this.#objectHeaders(), ...this.#md5Header(body), ...headers },
      patience: this.#patience.writing,
    };
  }

  #objectHeaders(): Readonly<Record<string, string>> {
    return { ...Object.fromEntries(this.#settings.objectHeaders), ...this.#encryption.storing };
  }

  #md5Header({ bodyMd5 }: HashedBody): Readonly<Record<string, string>> {
    return this.#settings.sendsMd5 ? { 'content-md5': bodyMd5 } : {};
  }

  async remove(key: string): Promise<void> {
    await this.#client.send({
      what: `remove object ${key}`,
      method: 'DELETE',
      key: this.#fullKey(key),
      patience: this.#patience.writing,
    });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** Uploads parts, which become an object when all of them are there. */
  async #putParts(key: string, source: ObjectSource, bytes: number): Promise<void> {
    const partBytes = this.#partBytes;
    const count = Math.ceil(bytes / partBytes);
    if (count > objectPartsMax) {
      const why = `${bytes} bytes are more than ${objectPartsMax} parts`;
      throw new AppError('resource-exhausted', `cannot store object ${key}: ${why}`);
    }
    const patience = this.#patience.writing;
    const to = { what: `store object ${key}`, key: this.#fullKey(key), patience };
    const begun = await this.#client.send({
      ...to,
      method: 'POST',
      query: [['uploads', '']],
      headers: this.#objectHeaders(),
    });
    const uploadId = elementText(new TextDecoder().decode(begun.body), 'UploadId');
    if (uploadId === undefined) throw this.#nonsense(`upload of ${key}`);
    try {
      const parts: string[] = [];
      for (let i = 0; i < count; i += 1) {
        const range = [i * partBytes, Math.min(bytes, (i + 1) * partBytes)] as const;
        const body = await readPart(source, range, this.#settings.sendsMd5);
        const query = [['partNumber', String(i + 1)] as const, ['uploadId', uploadId] as const];
        const stored = await this.#client.send({
          ...to,
          method: 'PUT',
          query,
          headers: { ...this.#encryption.using, ...this.#md5Header(body) },
          body: body.body,
          bodyHash: body.bodyHash,
        });
        const tag = encodeEntities(requireHeader(stored, 'etag'));
        parts.push(`<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
      }
      await this.#complete(to, uploadId, parts);
    } catch (error) {
      // Parts of an unfinished upload cost money. A failure here adds nothing to the first one.
      await this.#client
        .send({ ...to, method: 'DELETE', query: [['uploadId', uploadId]] })
        .catch(() => undefined);
      throw error;
    }
  }

  /** Completes an upload. S3 may answer 200 and then put an error into the body. */
  async #complete(
    to: { readonly what: string; readonly key: string; readonly patience: Patience },
    uploadId: string,
    parts: readonly string[],
  ): Promise<void> {
    const text = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    const { body, bodyHash } = hashed(new TextEncoder().encode(text), false);
    const query = [['uploadId', uploadId] as const];
    const headers = this.#encryption.using;
    const answer = await this.#client.send({
      ...to,
      method: 'POST',
      query,
      headers,
      body,
      bodyHash,
    });
    const xml = new TextDecoder().decode(answer.body);
    if (elementText(xml, 'ETag') !== undefined) return;
    const why = elementText(xml, 'Message') ?? 'its answer to the last part is not understood';
    throw new AppError('unavailable', `cannot ${to.what} in bucket ${this.name}: ${why}`);
  }

  #readObject(xml: string): { key: string; bytes: number } {
    const key = elementText(xml, 'Key');
    if (key === undefined) throw this.#nonsense('list of objects');
    const bytes = this.#wholeNumber(elementText(xml, 'Size') ?? '', `size of ${key}`);
    return { key: this.#decoded(key), bytes };
  }

  /** Decodes a key of a list, where keys are encoded because XML cannot hold every character. */
  #decoded(key: string): string {
    try {
      return decodeURIComponent(key.replaceAll('+', ' '));
    } catch {
      throw this.#nonsense(`key ${key}`);
    }
  }

  #wholeNumber(text: string, what: string): number {
    const value = Number(text);
    if (text !== '' && Number.isSafeInteger(value) && value >= 0) return value;
    throw this.#nonsense(what);
  }

  #fullKey(key: string): string {
    checkKey(key);
    return `${this.#prefix}${key}`;
  }

  #nonsense(what: string): AppError {
    return new AppError('unavailable', `cannot understand the ${what} from bucket ${this.name}`);
  }
}

function listQuery(prefix: string, token: string): readonly (readonly [string, string])[] {
  const query = [
    ['list-type', '2'],
    ['delimiter', '/'],
    ['encoding-type', 'url'],
    ['prefix', prefix],
  ] as const;
  return token === '' ? query : [...query, ['continuation-token', token]];
}

/** Returns the query of the first version of lists, which older servers have only. */
function firstListQuery(prefix: string, marker: string): readonly (readonly [string, string])[] {
  const query = [
    ['delimiter', '/'],
    ['encoding-type', 'url'],
    ['prefix', prefix],
  ] as const;
  return marker === '' ? query : [...query, ['marker', marker]];
}

function requireHeader({ headers }: S3Answer, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
