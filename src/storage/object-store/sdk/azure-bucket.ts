// A container of an Azure storage account. It is accessed through Azure's client.
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import type { Files } from '../../../base/files.ts';
import type { Random } from '../../../base/random.ts';
import type { AzureBucket } from '../../../config/bucket-config.ts';
import { patiences } from '../attempts.ts';
import type { Bucket } from '../bucket.ts';
import { openBucketHttp } from '../bucket-http.ts';
import { type AzureTransport, createAzureTransport } from './azure-transport.ts';
import type { ObjectApi } from './object-api.ts';
import { createSdkBucket } from './sdk-bucket.ts';
import { describeFailure } from './sdk-failure.ts';
import type { LoadSdk } from './sdk.ts';

/**
 * Types of `@azure/storage-blob` that this file uses. They are copied here because most checkouts
 * do not have the package.
 */
interface BlobSdk {
  readonly BlobServiceClient: {
    fromConnectionString(text: string, options: object): AzureService;
  };
  readonly ContainerClient: new (url: string, login: unknown, options: object) => AzureContainer;
  readonly StorageSharedKeyCredential: new (account: string, key: string) => unknown;
}

interface RestSdk {
  createHttpHeaders(headers: Record<string, string>): object;
}

interface IdentitySdk {
  readonly ClientSecretCredential: new (...given: readonly unknown[]) => unknown;
  readonly ManagedIdentityCredential: new (...given: readonly unknown[]) => unknown;
  readonly DefaultAzureCredential: new (...given: readonly unknown[]) => unknown;
}

interface AzureService {
  getContainerClient(name: string): AzureContainer;
}

interface Signalled {
  readonly abortSignal: AbortSignal;
}

interface AzureContainer {
  create(options: Signalled): Promise<unknown>;
  getProperties(options: Signalled): Promise<unknown>;
  getBlockBlobClient(key: string): AzureBlob;
  listBlobsByHierarchy(
    delimiter: string,
    options: Signalled & { readonly prefix: string },
  ): { byPage(options: object): AsyncIterator<AzurePage> };
}

interface AzurePage {
  readonly continuationToken?: string;
  readonly segment: {
    readonly blobItems: readonly {
      readonly name: string;
      readonly properties: { readonly contentLength?: number };
    }[];
    readonly blobPrefixes?: readonly { readonly name: string }[];
  };
}

interface AzureBlob {
  getProperties(options: Signalled): Promise<{ readonly contentLength?: number }>;
  download(
    offset: number,
    length: number,
    options: Signalled,
  ): Promise<{ readonly readableStreamBody?: AsyncIterable<Uint8Array> }>;
  upload(body: Uint8Array, length: number, options: object): Promise<unknown>;
  stageBlock(id: string, body: Uint8Array, length: number, options: Signalled): Promise<unknown>;
  commitBlockList(ids: readonly string[], options: object): Promise<unknown>;
  delete(options: Signalled): Promise<unknown>;
}

interface AzureOptions {
  readonly files: Pick<Files, 'read'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly loadSdk: LoadSdk;
}

const pageObjects = 1_000;
const blockIdDigits = 6;

/**
 * Creates the client of a container; its first request creates the container if it does not exist.
 *
 * Errors: as in `loadSdk`; AppError 'invalid-argument' for an invalid prefix or login;
 * 'failed-precondition' for certificates that cannot be read.
 */
export async function openAzureBucket(
  bucket: AzureBucket,
  prefix: string,
  options: AzureOptions,
): Promise<Bucket> {
  const { clock, random, loadSdk } = options;
  const blobs = (await loadSdk('azure', '@azure/storage-blob')) as BlobSdk;
  const rest = (await loadSdk('azure', '@azure/core-rest-pipeline')) as RestSdk;
  const http = await openBucketHttp(bucket.http, options);
  const { answerMillis } = bucket.http;
  const httpClient = createAzureTransport(http, rest.createHttpHeaders, answerMillis);
  const api = azureApi(bucket, await openContainer(bucket, blobs, loadSdk, httpClient), () =>
    http.close(),
  );
  const patience = patiences(bucket.attemptsMax, bucket.attemptMillisMax);
  return createSdkBucket({ api, prefix, patience, clock, random, partBytes: 0 });
}

async function openContainer(
  bucket: AzureBucket,
  sdk: BlobSdk,
  loadSdk: LoadSdk,
  httpClient: AzureTransport,
): Promise<AzureContainer> {
  const { account, container, endpoint, login } = bucket;
  // The client must not retry, because our own code retries requests.
  const options = { httpClient, retryOptions: { maxTries: 1 } };
  const url = `https://${account}.${endpoint}/${container}`;
  try {
    if (login.kind === 'connection-string') {
      const service = sdk.BlobServiceClient.fromConnectionString(login.text, options);
      return service.getContainerClient(container);
    }
    if (login.kind === 'key') {
      const key = new sdk.StorageSharedKeyCredential(account, login.key);
      return new sdk.ContainerClient(url, key, options);
    }
    const identity = (await loadSdk('azure', '@azure/identity')) as IdentitySdk;
    return new sdk.ContainerClient(url, tokenLogin(login, identity, httpClient), options);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = `cannot use the login of container ${container}: ${describeFailure(error).said}`;
    throw new AppError('invalid-argument', message, { cause: error });
  }
}

function tokenLogin(
  login: AzureBucket['login'],
  sdk: IdentitySdk,
  httpClient: AzureTransport,
): unknown {
  const options = { httpClient };
  if (login.kind === 'secret') {
    const { tenantId, clientId, secret } = login;
    return new sdk.ClientSecretCredential(tenantId, clientId, secret, options);
  }
  if (login.kind === 'user-assigned') {
    return new sdk.ManagedIdentityCredential({ clientId: login.clientId }, options);
  }
  return new sdk.DefaultAzureCredential(options);
}

function azureApi(
  { account, container: name, createsContainer }: AzureBucket,
  container: AzureContainer,
  close: () => Promise<void>,
): ObjectApi {
  const blob = (key: string): AzureBlob => container.getBlockBlobClient(key);
  return {
    name: `${name} of ${account}`,
    loginSources: 'the key or secret, or the identity of this machine',
    prepare: async (abortSignal) => {
      if (createsContainer) await ensureContainer(container, abortSignal);
    },
    listPage: async (prefix, continuationToken, abortSignal) => {
      const pages = container
        .listBlobsByHierarchy('/', { prefix, abortSignal })
        .byPage({ maxPageSize: pageObjects, continuationToken });
      const { value } = (await pages.next()) as IteratorYieldResult<AzurePage>;
      const objects = value.segment.blobItems.map((item) => {
        return { key: item.name, bytes: readLength(item.properties, item.name) };
      });
      const folders = (value.segment.blobPrefixes ?? []).map((item) => item.name);
      return { objects, folders, next: value.continuationToken || undefined };
    },
    size: async (key, abortSignal) =>
      readLength(await blob(key).getProperties({ abortSignal }), key),
    read: async (key, { offset, length }, abortSignal) => {
      const { readableStreamBody } = await blob(key).download(offset, length, { abortSignal });
      if (readableStreamBody !== undefined) return readableStreamBody;
      throw new AppError('unavailable', `cannot read object ${key}: the answer has no body`);
    },
    store: async (key, bytes, isNew, abortSignal) => {
      const conditions = isNew ? { ifNoneMatch: '*' } : {};
      await blob(key).upload(bytes, bytes.length, { conditions, abortSignal });
    },
    large: {
      kind: 'parts',
      begin: async (key) => ({
        store: async (index, bytes, abortSignal) => {
          await blob(key).stageBlock(blockId(index), bytes, bytes.length, { abortSignal });
        },
        join: async (count, abortSignal) => {
          const ids = Array.from({ length: count }, (_, index) => blockId(index));
          await blob(key).commitBlockList(ids, { abortSignal });
        },
        // Nothing to do: after a week, Azure removes blocks that belong to no object.
        abandon: async () => undefined,
      }),
    },
    remove: async (key, abortSignal) => {
      await blob(key).delete({ abortSignal });
    },
    close,
  };
}

async function ensureContainer(container: AzureContainer, abortSignal: AbortSignal): Promise<void> {
  try {
    await container.getProperties({ abortSignal });
  } catch (error) {
    if (describeFailure(error).status !== 404) throw error;
    await container.create({ abortSignal }).catch((failure: unknown) => {
      // Status 409 means that another server has created the container in the meantime.
      if (describeFailure(failure).status !== 409) throw failure;
    });
  }
}

/** Returns the id of a block. Azure requires that all ids have the same length. */
function blockId(index: number): string {
  return Buffer.from(String(index).padStart(blockIdDigits, '0')).toString('base64');
}

function readLength({ contentLength }: { readonly contentLength?: number }, key: string): number {
  if (contentLength !== undefined) return contentLength;
  throw new AppError('unavailable', `cannot understand the size of object ${key}`);
}
