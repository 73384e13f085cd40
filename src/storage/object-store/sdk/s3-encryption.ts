// Headers of S3 that ask the server to encrypt an object.
import { createHash } from 'node:crypto';
import { AppError, errorMessage } from '../../../base/errors.ts';
import type { Files } from '../../../base/files.ts';
import type { S3Encryption } from '../../../config/bucket-config.ts';

type Headers = Readonly<Record<string, string>>;

/** Headers for encryption, in requests about objects. */
export interface EncryptionHeaders {
  /** Headers of requests that create an object. */
  readonly storing: Headers;
  /** Headers of requests that read an object, or add a part to it. */
  readonly using: Headers;
}

const noEncryption: EncryptionHeaders = { storing: {}, using: {} };

const prefix = 'x-amz-server-side-encryption';
/** Length of an AES-256 key. */
const keyBytes = 32;

/**
 * Returns the headers. For SSE-C, reads the key.
 *
 * Errors: AppError 'failed-precondition' if the file is not a key.
 */
export async function encryptionHeaders(
  encryption: S3Encryption | undefined,
  files: Pick<Files, 'read'>,
): Promise<EncryptionHeaders> {
  if (encryption === undefined) return noEncryption;
  if (encryption.kind === 'SSE-S3') return { storing: { [prefix]: 'AES256' }, using: {} };
  if (encryption.kind === 'SSE-KMS') {
    const context = JSON.stringify(Object.fromEntries(encryption.context));
    const storing = {
      [prefix]: 'aws:kms',
      [`${prefix}-aws-kms-key-id`]: encryption.keyId,
      [`${prefix}-context`]: Buffer.from(context).toString('base64'),
    };
    return { storing, using: {} };
  }
  const key = await readKey(encryption.keyFile, files);
  const all = {
    [`${prefix}-customer-algorithm`]: 'AES256',
    [`${prefix}-customer-key`]: Buffer.from(key).toString('base64'),
    [`${prefix}-customer-key-md5`]: createHash('md5').update(key).digest('base64'),
  };
  return { storing: all, using: all };
}

async function readKey(path: string, files: Pick<Files, 'read'>): Promise<Uint8Array> {
  const fail = (why: string, cause?: unknown): AppError =>
    new AppError('failed-precondition', `cannot use encryption_key ${path}: ${why}`, { cause });
  let key: Uint8Array;
  try {
    key = await files.read(path);
  } catch (error) {
    throw fail(errorMessage(error), error);
  }
  if (key.length !== keyBytes) throw fail(`it has ${key.length} bytes, not ${keyBytes}`);
  return key;
}
