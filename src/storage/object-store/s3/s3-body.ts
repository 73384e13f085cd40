// Bodies of requests that store objects: bytes with their hashes.
import { createHash, type Hash } from 'node:crypto';
import { pieces, type ObjectSource } from '../object-source.ts';
import type { S3Request } from './s3-client.ts';

/** A body, with the hashes that its request has. */
export interface HashedBody {
  readonly body: NonNullable<S3Request['body']>;
  /** SHA-256 in hex. */
  readonly bodyHash: string;
  /** MD5 in base64; "" if it was not wanted. */
  readonly bodyMd5: string;
}

/** Hashes of bytes that come in pieces. */
class BodyHashes {
  readonly #sha256 = createHash('sha256');
  readonly #md5: Hash | undefined;

  constructor(hasMd5: boolean) {
    this.#md5 = hasMd5 ? createHash('md5') : undefined;
  }

  add(piece: Uint8Array): void {
    this.#sha256.update(piece);
    this.#md5?.update(piece);
  }

  end(body: HashedBody['body']): HashedBody {
    const [bodyHash, bodyMd5] = [this.#sha256.digest('hex'), this.#md5?.digest('base64') ?? ''];
    return { body, bodyHash, bodyMd5 };
  }
}

/** Hashes bytes at once. */
export function hashed(body: Uint8Array, hasMd5: boolean): HashedBody {
  const hashes = new BodyHashes(hasMd5);
  hashes.add(body);
  return hashes.end(body);
}

/** Reads and hashes a part in small steps, so that other work can run in between. */
export async function readPart(
  source: ObjectSource,
  [from, end]: readonly [number, number],
  hasMd5: boolean,
): Promise<HashedBody> {
  const body = new Uint8Array(end - from);
  const hashes = new BodyHashes(hasMd5);
  let at = 0;
  for await (const piece of pieces(source, from, end)) {
    hashes.add(piece);
    body.set(piece, at);
    at += piece.length;
  }
  return hashes.end(body);
}

/** Hashes an object that is too large to be held, which is read again when it is sent. */
export async function hashWhole(
  source: ObjectSource,
  bytes: number,
  hasMd5: boolean,
): Promise<HashedBody> {
  const hashes = new BodyHashes(hasMd5);
  for await (const piece of pieces(source, 0, bytes)) hashes.add(piece);
  return hashes.end({ bytes, read: () => pieces(source, 0, bytes) });
}
