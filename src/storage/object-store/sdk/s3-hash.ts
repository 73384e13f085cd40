// SHA-256 for the signatures of Amazon's client. It hashes large data in another thread.
import { createHash, createHmac, webcrypto } from 'node:crypto';

/** Maximum number of bytes up to which hashing runs on this thread. */
const bytesAtOnceMax = 65_536;

/** The `sha256` constructor that the client expects: a hash, or an HMAC if there is a secret. */
export class S3Hash {
  readonly #secret: string | Uint8Array | undefined;
  readonly #pieces: Uint8Array[] = [];

  constructor(secret?: string | Uint8Array) {
    this.#secret = secret;
  }

  update(bytes: Uint8Array | string): void {
    this.#pieces.push(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
  }

  async digest(): Promise<Uint8Array> {
    const [first] = this.#pieces;
    const isLarge = this.#pieces.length === 1 && first.length > bytesAtOnceMax;
    if (isLarge && this.#secret === undefined) {
      return new Uint8Array(await webcrypto.subtle.digest('SHA-256', first));
    }
    const hash =
      this.#secret === undefined ? createHash('sha256') : createHmac('sha256', this.#secret);
    for (const piece of this.#pieces) hash.update(piece);
    return hash.digest();
  }

  reset(): void {
    this.#pieces.length = 0;
  }
}
