// A bucket of Amazon S3, MinIO, Ceph or another server with the same protocol. It is accessed
// through Amazon's client.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { sleep, type Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import type { Files } from '../../../base/files.ts';
import type { Random } from '../../../base/random.ts';
import type { S3Bucket } from '../../../config/bucket-config.ts';
import { patiences } from '../attempts.ts';
import type { Bucket } from '../bucket.ts';
import { openBucketHttp } from '../bucket-http.ts';
import type { LargeBody, LargeUpload, ObjectApi, ObjectPage, PartUpload } from './object-api.ts';
import { type S3Call, S3Caller } from './s3-caller.ts';
import { encryptionHeaders, type EncryptionHeaders } from './s3-encryption.ts';
import { openS3Login } from './s3-login.ts';
import { s3Place } from './s3-place.ts';
import type { S3Output, S3Sdk } from './s3-sdk.ts';
import { createS3Transport } from './s3-transport.ts';
import { createSdkBucket } from './sdk-bucket.ts';
import type { LoadSdk } from './sdk.ts';

/** Number of bytes that are hashed without a pause. This takes about 5 ms. */
const md5BytesAtOnce = 2_097_152;

interface S3Options {
  readonly files: Pick<Files, 'read'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly loadSdk: LoadSdk;
}

/**
 * Creates the client of an existing bucket.
 *
 * Errors: as in `loadSdk`; AppError 'invalid-argument' for an invalid prefix or address;
 * 'failed-precondition' if certificates or keys cannot be read.
 */
export async function openS3Bucket(
  bucket: S3Bucket,
  prefix: string,
  options: S3Options,
): Promise<Bucket> {
  const { clock, random, loadSdk, files } = options;
  const place = s3Place(bucket);
  const encryption = await encryptionHeaders(bucket.encryption, files);
  const http = await openBucketHttp(bucket.http, options);
  const sdk = (await loadSdk('s3', '@aws-sdk/client-s3')) as S3Sdk;
  const transport = createS3Transport(http, bucket.http.answerMillis);
  const makeKeys = await openS3Login(bucket, place.region, transport, loadSdk);
  const caller = new S3Caller(sdk, place, bucket, transport, makeKeys);
  const close = (): Promise<void> => http.close();
  const api = s3Api(place.name, { sdk, bucket, encryption, caller, clock, close });
  return createSdkBucket({
    api,
    prefix,
    patience: patiences(bucket.attemptsMax),
    clock,
    random,
    partBytes: bucket.partBytes ?? 0,
  });
}

interface S3Parts {
  readonly sdk: S3Sdk;
  readonly bucket: S3Bucket;
  readonly encryption: EncryptionHeaders;
  readonly caller: S3Caller;
  readonly clock: Clock;
  readonly close: () => Promise<void>;
}

function s3Api(name: string, parts: S3Parts): ObjectApi {
  const { sdk, encryption, caller, close } = parts;
  const { using } = encryption;
  return {
    name,
    loginSources: 'access_key and secret_key, or the role of this machine',
    prepare: async () => undefined,
    listPage: (prefix, token, signal) => listPage(parts, prefix, token, signal),
    size: async (key, signal) => {
      const call = { command: sdk.HeadObjectCommand, input: { Key: key }, headers: using };
      const { ContentLength: bytes } = await caller.send(call, signal);
      return wholeNumber(bytes, key);
    },
    read: async (key, { offset, length }, signal) => {
      const input = { Key: key, Range: `bytes=${offset}-${offset + length - 1}` };
      const call = { command: sdk.GetObjectCommand, input, headers: using };
      return contentFrom(await caller.send(call, signal), key, offset);
    },
    store: async (key, bytes, isNew, signal) => {
      const headers = { ...storingHeaders(parts), ...(await md5Header(parts, bytes)) };
      const input = { Key: key, Body: bytes, IfNoneMatch: isNew ? '*' : undefined };
      await caller.send({ command: sdk.PutObjectCommand, input, headers }, signal);
    },
    large: largeUpload(parts),
    remove: async (key, signal) => {
      await caller.send({ command: sdk.DeleteObjectCommand, input: { Key: key } }, signal);
    },
    close,
  };
}

async function listPage(
  { sdk, bucket, caller }: S3Parts,
  prefix: string,
  token: string | undefined,
  signal: AbortSignal,
): Promise<ObjectPage> {
  // Keys are requested in URL encoding, because XML cannot represent every character.
  const common = { Prefix: prefix, Delimiter: '/', EncodingType: 'url' };
  const isFirst = bucket.listVersion === 'v1';
  const call: S3Call = isFirst
    ? { command: sdk.ListObjectsCommand, input: { ...common, Marker: token } }
    : { command: sdk.ListObjectsV2Command, input: { ...common, ContinuationToken: token } };
  const page = await caller.send(call, signal);
  const objects = (page.Contents ?? []).map(({ Key: key = '', Size: bytes }) => {
    return { key: decodeKey(key), bytes: wholeNumber(bytes, key) };
  });
  const folders = (page.CommonPrefixes ?? []).map((folder) => decodeKey(folder.Prefix ?? ''));
  if (page.IsTruncated !== true) return { objects, folders, next: undefined };
  // Some servers send no marker. The last key of the page is then the marker.
  const marker = page.NextMarker === undefined ? objects.at(-1)?.key : decodeKey(page.NextMarker);
  return { objects, folders, next: isFirst ? marker : page.NextContinuationToken };
}

function largeUpload(parts: S3Parts): LargeUpload {
  if (parts.bucket.hasParts) {
    return { kind: 'parts', begin: (key, signal) => beginParts(parts, key, signal) };
  }
  return { kind: 'stream', store: (key, body, signal) => storeStream(parts, key, body, signal) };
}

async function beginParts(parts: S3Parts, key: string, signal: AbortSignal): Promise<PartUpload> {
  const { sdk, encryption, caller } = parts;
  const { using } = encryption;
  const headers = storingHeaders(parts);
  const begun = await caller.send(
    { command: sdk.CreateMultipartUploadCommand, input: { Key: key }, headers },
    signal,
  );
  const { UploadId: id } = begun;
  if (id === undefined) throw nonsense(`upload of ${key}`);
  const upload = { Key: key, UploadId: id };
  const tags: (string | undefined)[] = [];
  return {
    store: async (index, bytes, partSignal) => {
      const input = { ...upload, PartNumber: index + 1, Body: bytes };
      const all = { ...using, ...(await md5Header(parts, bytes)) };
      const stored = await caller.send(
        { command: sdk.UploadPartCommand, input, headers: all },
        partSignal,
      );
      tags[index] = stored.ETag;
    },
    join: async (count, joinSignal) => {
      const list = tags.slice(0, count).map((tag, i) => ({ ETag: tag, PartNumber: i + 1 }));
      const input = { ...upload, MultipartUpload: { Parts: list } };
      await caller.send(
        { command: sdk.CompleteMultipartUploadCommand, input, headers: using },
        joinSignal,
      );
    },
    // Parts of an unfinished upload cost money, so they are removed.
    abandon: async (endSignal) => {
      await caller.send({ command: sdk.AbortMultipartUploadCommand, input: upload }, endSignal);
    },
  };
}

/**
 * Sends an object in one request. The object is read twice, because the request contains its hash.
 */
async function storeStream(
  parts: S3Parts,
  key: string,
  body: LargeBody,
  signal: AbortSignal,
): Promise<void> {
  const { sdk, bucket, caller } = parts;
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  for await (const piece of body.read()) {
    sha256.update(piece);
    if (bucket.sendsMd5) md5.update(piece);
  }
  const headers: Record<string, string> = {
    ...storingHeaders(parts),
    'x-amz-content-sha256': sha256.digest('hex'),
  };
  if (bucket.sendsMd5) headers['content-md5'] = md5.digest('base64');
  const input = {
    Key: key,
    ContentLength: body.bytes,
    Body: Readable.from(body.read(), { objectMode: false }),
  };
  await caller.send({ command: sdk.PutObjectCommand, input, headers }, signal);
}

function storingHeaders({ bucket, encryption }: S3Parts): Readonly<Record<string, string>> {
  return { ...Object.fromEntries(bucket.objectHeaders), ...encryption.storing };
}

/** Returns a header with the MD5 of a body. It is computed in steps of a few milliseconds. */
async function md5Header(
  { bucket, clock }: S3Parts,
  bytes: Uint8Array,
): Promise<Readonly<Record<string, string>>> {
  if (!bucket.sendsMd5) return {};
  const md5 = createHash('md5');
  for (let at = 0; at < bytes.length; at += md5BytesAtOnce) {
    if (at > 0) await sleep(clock, 0);
    md5.update(bytes.subarray(at, at + md5BytesAtOnce));
  }
  return { 'content-md5': md5.digest('base64') };
}

function contentFrom(
  { Body: body, ContentRange: range = 'all of it' }: S3Output,
  key: string,
  offset: number,
): AsyncIterable<Uint8Array> {
  if (body === undefined) throw nonsense(`content of ${key}`);
  if (range.startsWith(`bytes ${offset}-`)) return body;
  if (body instanceof Readable) body.destroy();
  const why = `the bucket answers ${range} for bytes from ${offset} on`;
  throw new AppError('data-loss', `cannot read object ${key}: ${why}`);
}

/** Decodes a key in a list. */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    throw nonsense(`key ${key}`);
  }
}

function wholeNumber(size: number | undefined, key: string): number {
  if (size !== undefined && Number.isSafeInteger(size) && size >= 0) return size;
  throw nonsense(`size of ${key}`);
}

function nonsense(what: string): AppError {
  return new AppError('unavailable', `cannot understand the ${what} that the bucket answers`);
}
