// A bucket of Google Cloud Storage. It is accessed through Google's client.
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import type { Files } from '../../../base/files.ts';
import type { Random } from '../../../base/random.ts';
import type { GcsBucket } from '../../../config/bucket-config.ts';
import { readTextSource } from '../../../config/text-source.ts';
import { objectPartBytes, objectWriteAttemptsMax } from '../../limits.ts';
import { patiences } from '../attempts.ts';
import type { Bucket } from '../bucket.ts';
import type { ObjectApi } from './object-api.ts';
import { createSdkBucket } from './sdk-bucket.ts';
import type { LoadSdk } from './sdk.ts';

/**
 * Types of `@google-cloud/storage` that this file uses. They are copied here because most checkouts
 * do not have the package.
 */
interface GcsSdk {
  readonly Storage: new (options: object) => GcsStorage;
}

interface GcsStorage {
  readonly apiEndpoint: string;
  /** Base address of all requests except uploads. */
  baseUrl: string;
  bucket(name: string): GcsHandle;
}

interface GcsHandle {
  getFiles(query: object): Promise<readonly [unknown, unknown, GcsList | undefined]>;
  file(key: string): GcsFile;
}

interface GcsList {
  readonly items?: readonly { readonly name: string; readonly size?: string }[];
  readonly prefixes?: readonly string[];
  readonly nextPageToken?: string;
}

interface GcsFile {
  getMetadata(): Promise<readonly [{ readonly size?: string | number }]>;
  createReadStream(options: object): Readable;
  createWriteStream(options: object): Writable;
  save(bytes: Uint8Array, options: object): Promise<void>;
  delete(options: object): Promise<unknown>;
}

/** Address and login of another server, for tests; undefined = Google's server. */
export interface GcsServer {
  readonly apiEndpoint: string;
  readonly useAuthWithCustomEndpoint: boolean;
}

interface GcsOptions {
  readonly files: Pick<Files, 'read'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly loadSdk: LoadSdk;
  readonly gcsServer?: GcsServer;
}

const pageObjects = 1_000;
/** Google requires the size of each part to be a multiple of this number of bytes. */
const partStepBytes = 262_144;
const binary = { contentType: 'application/octet-stream', validation: 'md5' };

/**
 * Creates the client of an existing bucket.
 *
 * Errors: as in `loadSdk`; AppError 'invalid-argument' for an invalid prefix; 'failed-precondition'
 * if the key file cannot be read.
 */
export async function openGcsBucket(
  bucket: GcsBucket,
  prefix: string,
  { files, clock, random, loadSdk, gcsServer }: GcsOptions,
): Promise<Bucket> {
  const { Storage } = (await loadSdk('gcs', '@google-cloud/storage')) as GcsSdk;
  const { serviceAccount, attemptsMax } = bucket;
  const credentials =
    serviceAccount === undefined
      ? undefined
      : (JSON.parse(await readTextSource(serviceAccount, files)) as object);
  const common = { ...gcsServer, credentials };
  // Our own code retries requests, so the client must not. The exception is the parts of an upload,
  // which only the client can retry.
  const open = (retryOptions: object): GcsHandle => {
    const storage = new Storage({ ...common, retryOptions });
    // If STORAGE_EMULATOR_HOST is set, the client would leave out the path.
    storage.baseUrl = `${storage.apiEndpoint}/storage/v1`;
    return storage.bucket(bucket.bucket);
  };
  const maxRetries = attemptsMax || objectWriteAttemptsMax;
  const partBytes =
    Math.ceil((bucket.partBytes || objectPartBytes) / partStepBytes) * partStepBytes;
  const api = gcsApi(bucket.bucket, {
    once: open({ autoRetry: false, maxRetries: 0 }),
    patient: open({ autoRetry: true, maxRetries }),
    partBytes,
  });
  const patience = patiences(attemptsMax);
  return createSdkBucket({ api, prefix, patience, clock, random, partBytes });
}

function gcsApi(
  name: string,
  {
    once,
    patient,
    partBytes,
  }: { readonly once: GcsHandle; readonly patient: GcsHandle; readonly partBytes: number },
): ObjectApi {
  return {
    name: `${name} at Google`,
    loginSources: 'service_account, or the login of this machine',
    prepare: async () => undefined,
    listPage: async (prefix, pageToken) => {
      const [, , list] = await once.getFiles({
        prefix,
        delimiter: '/',
        maxResults: pageObjects,
        pageToken,
        autoPaginate: false,
        fields: 'items(name,size),prefixes,nextPageToken',
      });
      const objects = (list?.items ?? []).map(({ name: key, size }) => {
        return { key, bytes: wholeNumber(size, `size of object ${key}`) };
      });
      return { objects, folders: list?.prefixes ?? [], next: list?.nextPageToken || undefined };
    },
    size: async (key) => {
      const [{ size }] = await once.file(key).getMetadata();
      return wholeNumber(size, `size of object ${key}`);
    },
    read: async (key, { offset, length }, signal) => {
      const range = { start: offset, end: offset + length - 1 };
      // The client can check only the hashes of complete objects. Blocks have their own checksums.
      const options = { ...range, validation: false, decompress: false };
      return endedBy(once.file(key).createReadStream(options), signal);
    },
    store: async (key, bytes, isNew) => {
      const preconditionOpts = isNew ? { ifGenerationMatch: 0 } : {};
      await once.file(key).save(bytes, { ...binary, resumable: false, preconditionOpts });
    },
    large: {
      kind: 'stream',
      store: async (key, body, signal) => {
        const options = { ...binary, resumable: true, chunkSize: partBytes };
        const target = patient.file(key).createWriteStream(options);
        await pipeline(Readable.from(body.read(), { objectMode: false }), target, { signal });
      },
    },
    remove: async (key) => {
      await once.file(key).delete({ ignoreNotFound: true });
    },
    close: async () => undefined,
  };
}

/**
 * Makes the abort of a signal destroy a stream whose answer has begun. The client pipes the answer
 * into the stream, and would throw an uncaught error if the stream just ended.
 */
function endedBy(stream: Readable, signal: AbortSignal): AsyncIterable<Uint8Array> {
  let isAnswered = false;
  const end = (): void => {
    if (isAnswered) stream.destroy(new Error('the request was ended'));
  };
  stream.once('response', () => {
    setImmediate(() => {
      isAnswered = true;
      if (signal.aborted) end();
    });
  });
  // The reader may already have left, so that nobody else handles the error.
  stream.on('error', () => undefined);
  signal.addEventListener('abort', end, { once: true });
  stream.once('close', () => signal.removeEventListener('abort', end));
  return stream as AsyncIterable<Uint8Array>;
}

function wholeNumber(size: string | number | undefined, what: string): number {
  const value = Number(size ?? Number.NaN);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new AppError('unavailable', `cannot understand the ${what} that the bucket answers`);
}
