// A bucket of an S3 server: Amazon S3, MinIO, Ceph or another one of the same protocol.
import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError, errorCode } from '../../base/errors.ts';
import type { File } from '../../base/files.ts';
import { objectCopyBytes } from '../../base/limits.ts';
import {
  objectPartBytes,
  objectPartsMax,
  objectReadAttemptsMax,
  objectReadMillisMax,
  objectsListedMax,
  objectWriteAttemptsMax,
  objectWriteMillisMax,
} from '../limits.ts';
import type { Random } from '../../base/random.ts';
import { checkKey, toPrefix, type Bucket, type BucketObject } from './bucket.ts';
import { S3Client, type Patience, type S3Answer, type S3Keys } from './s3-client.ts';
import type { S3Place } from './s3-place.ts';
import { elements, elementText, encodeEntities } from './s3-xml.ts';

type Source = Pick<File, 'read' | 'size'>;

const reading: Patience = {
  attemptsMax: objectReadAttemptsMax,
  attemptMillisMax: objectReadMillisMax,
};
const writing: Patience = {
  attemptsMax: objectWriteAttemptsMax,
  attemptMillisMax: objectWriteMillisMax,
};

/**
 * Makes the client of an existing bucket.
 *
 * Errors: AppError 'invalid-argument' for an impossible prefix.
 */
export function createS3Bucket(options: {
  readonly place: S3Place;
  readonly prefix: string;
  readonly keys: S3Keys;
  readonly clock: Clock;
  readonly random: Random;
  /** Bytes of a part of an upload; small in tests. */
  readonly partBytes?: number;
}): Bucket {
  const { place, keys, clock, random, partBytes = objectPartBytes } = options;
  const client = new S3Client({ place, keys, clock, random });
  return new S3Bucket(client, place.name, toPrefix(options.prefix), partBytes);
}

class S3Bucket implements Bucket {
  readonly name: string;
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #partBytes: number;

  constructor(client: S3Client, name: string, prefix: string, partBytes: number) {
    this.#client = client;
    this.name = name;
    this.#prefix = prefix;
    this.#partBytes = partBytes;
  }

  async list(folder: string, isWanted: (name: string) => boolean): Promise<BucketObject[]> {
    const prefix = folder === '' ? this.#prefix : `${this.#fullKey(folder)}/`;
    const found: BucketObject[] = [];
    for await (const xml of this.#pages(folder, prefix)) {
      for (const object of elements(xml, 'Contents')) {
        const { key, bytes } = this.#readObject(object);
        const name = key.slice(prefix.length);
        if (key.startsWith(prefix) && name !== '' && isWanted(name)) found.push({ name, bytes });
      }
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async folders(): Promise<string[]> {
    const prefix = this.#prefix;
    const found: string[] = [];
    for await (const xml of this.#pages('', prefix)) {
      for (const common of elements(xml, 'CommonPrefixes')) {
        const key = this.#decoded(elementText(common, 'Prefix') ?? '');
        if (key.startsWith(prefix)) found.push(key.slice(prefix.length).replace(/\/$/, ''));
      }
    }
    return found.filter((name) => name !== '').sort();
  }

  /** Yields the pages of a list, as XML. */
  async *#pages(folder: string, prefix: string): AsyncGenerator<string> {
    let token: string | undefined = '';
    for (let seen = 0; token !== undefined;) {
      const page: S3Answer = await this.#client.send({
        what: `list ${folder === '' ? 'objects' : folder}`,
        method: 'GET',
        key: undefined,
        query: listQuery(prefix, token),
        patience: reading,
      });
      const xml = new TextDecoder().decode(page.body);
      seen += Math.max(1, elements(xml, 'Contents').length);
      yield xml;
      if (seen > objectsListedMax) {
        const why = `it has more than ${objectsListedMax} objects`;
        throw new AppError('resource-exhausted', `cannot list ${folder} of ${this.name}: ${why}`);
      }
      const isMore = elementText(xml, 'IsTruncated') === 'true';
      token = isMore ? elementText(xml, 'NextContinuationToken') : undefined;
    }
  }

  async size(key: string): Promise<number | undefined> {
    const answer = await this.#client.send({
      what: `look up object ${key}`,
      method: 'HEAD',
      key: this.#fullKey(key),
      patience: reading,
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
      headers: { range: `bytes=${offset}-${end - 1}` },
      answerBytesMax: length,
      patience: reading,
    });
    const range = /^bytes (\d+)-(\d+)\//.exec(requireHeader(answer, 'content-range'));
    const isAsked = Number(range?.[1]) === offset && Number(range?.[2]) === end - 1;
    if (answer.status === 206 && isAsked && answer.body.length === length) return answer.body;
    const why = `it answers ${answer.body.length} bytes for bytes ${offset} to ${end - 1}`;
    throw new AppError('data-loss', `cannot read object ${key} of ${this.name}: ${why}`);
  }

  async put(key: string, source: Source): Promise<void> {
    const bytes = await source.size();
    if (bytes > this.#partBytes) return this.#putParts(key, source, bytes);
    const body = await readPart(source, 0, bytes);
    await this.#client.send({
      what: `store object ${key}`,
      method: 'PUT',
      key: this.#fullKey(key),
      ...body,
      patience: writing,
    });
  }

  async putNew(key: string, content: Uint8Array): Promise<boolean> {
    try {
      await this.#client.send({
        what: `store object ${key}`,
        method: 'PUT',
        key: this.#fullKey(key),
        body: content,
        bodyHash: createHash('sha256').update(content).digest('hex'),
        headers: { 'if-none-match': '*' },
        patience: writing,
      });
      return true;
    } catch (error) {
      // 412 when there is one, 409 when another call makes it at this moment.
      if (errorCode(error) === 'already-exists') return false;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await this.#client.send({
      what: `remove object ${key}`,
      method: 'DELETE',
      key: this.#fullKey(key),
      patience: writing,
    });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** Uploads parts, which become an object when all of them are there. */
  async #putParts(key: string, source: Source, bytes: number): Promise<void> {
    const partBytes = this.#partBytes;
    const count = Math.ceil(bytes / partBytes);
    if (count > objectPartsMax) {
      const why = `${bytes} bytes are more than ${objectPartsMax} parts`;
      throw new AppError('resource-exhausted', `cannot store object ${key}: ${why}`);
    }
    const to = { what: `store object ${key}`, key: this.#fullKey(key), patience: writing };
    const begun = await this.#client.send({ ...to, method: 'POST', query: [['uploads', '']] });
    const uploadId = elementText(new TextDecoder().decode(begun.body), 'UploadId');
    if (uploadId === undefined) throw this.#nonsense(`upload of ${key}`);
    try {
      const parts: string[] = [];
      for (let i = 0; i < count; i += 1) {
        const body = await readPart(source, i * partBytes, Math.min(bytes, (i + 1) * partBytes));
        const query = [['partNumber', String(i + 1)] as const, ['uploadId', uploadId] as const];
        const stored = await this.#client.send({ ...to, method: 'PUT', query, ...body });
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
    const body = new TextEncoder().encode(text);
    const bodyHash = createHash('sha256').update(body).digest('hex');
    const query = [['uploadId', uploadId] as const];
    const answer = await this.#client.send({ ...to, method: 'POST', query, body, bodyHash });
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

function requireHeader({ headers }: S3Answer, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/** Reads and hashes a part in small steps, so that other work can run in between. */
async function readPart(
  source: Source,
  from: number,
  end: number,
): Promise<{ body: Uint8Array; bodyHash: string }> {
  const body = new Uint8Array(end - from);
  const hash = createHash('sha256');
  for (let at = 0; at < body.length;) {
    const into = body.subarray(at, at + objectCopyBytes);
    const count = await source.read(into, from + at);
    if (count === 0) throw new AppError('data-loss', 'cannot copy an object: its source shrank');
    hash.update(into.subarray(0, count));
    at += count;
  }
  return { body, bodyHash: hash.digest('hex') };
}
