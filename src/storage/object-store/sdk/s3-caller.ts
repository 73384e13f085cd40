// Calls Amazon's client, in the region that the server names, and with keys that the server
// accepts.
import type { S3Bucket } from '../../../config/bucket-config.ts';
import { S3Hash } from './s3-hash.ts';
import type { S3KeysSource } from './s3-login.ts';
import type { S3Place } from './s3-place.ts';
import type { MakeCommand, Next, S3Client, S3Command, S3Output, S3Sdk } from './s3-sdk.ts';
import type { S3Transport } from './s3-transport.ts';
import { describeFailure } from './sdk-failure.ts';

/** A call that applies to the bucket. */
export interface S3Call {
  readonly command: MakeCommand;
  /** Input of the command, without the name of the bucket. */
  readonly input: object;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

const levels = ['trace', 'debug', 'info', 'warn', 'error'];
const silent = Object.fromEntries(levels.map((level) => [level, () => undefined]));
/** Statuses of answers that may name another region. */
const regionStatuses: ReadonlySet<number | undefined> = new Set([301, 307, 400]);

/**
 * Calls the client. If the server refuses the region or the keys, replaces them and repeats the
 * call once.
 */
export class S3Caller {
  readonly #sdk: S3Sdk;
  readonly #place: S3Place;
  readonly #bucket: string;
  readonly #transport: S3Transport;
  readonly #makeKeys: () => S3KeysSource;
  #region: string;
  #client: S3Client;

  constructor(
    sdk: S3Sdk,
    place: S3Place,
    { bucket }: S3Bucket,
    transport: S3Transport,
    makeKeys: () => S3KeysSource,
  ) {
    this.#sdk = sdk;
    this.#place = place;
    this.#bucket = bucket;
    this.#transport = transport;
    this.#makeKeys = makeKeys;
    this.#region = place.region;
    this.#client = this.#makeClient();
  }

  /** Returns the answer. Errors: those of the client. */
  async send(call: S3Call, abortSignal: AbortSignal): Promise<S3Output> {
    const [region, client] = [this.#region, this.#client];
    try {
      return await client.send(this.#makeCommand(call), { abortSignal });
    } catch (error) {
      if (!this.#isMended(error, region, client)) throw error;
      return this.#client.send(this.#makeCommand(call), { abortSignal });
    }
  }

  #makeCommand({ command: Command, input, headers = {} }: S3Call): S3Command {
    const command = new Command({ Bucket: this.#bucket, ...input });
    const addHeaders =
      (next: Next): Next =>
      (step) => {
        Object.assign(step.request.headers, headers);
        return next(step);
      };
    // This step runs before the client signs the request.
    command.middlewareStack.add(addHeaders, { step: 'build' });
    return command;
  }

  /**
   * Replaces the region or the keys if the error says that they are wrong. Returns true if the call
   * should then be repeated.
   */
  #isMended(error: unknown, region: string, client: S3Client): boolean {
    const { Region: named, name } = error as { readonly Region?: unknown; readonly name?: unknown };
    const isName = typeof named === 'string' && /^[\w-]{1,64}$/.test(named);
    if (isName && named !== region && regionStatuses.has(describeFailure(error).status)) {
      this.#region = named;
      return true;
    }
    if (name !== 'ExpiredToken') return false;
    if (this.#client === client) this.#client = this.#makeClient();
    return true;
  }

  #makeClient(): S3Client {
    return new this.#sdk.S3Client({
      region: async () => this.#region,
      endpoint: this.#place.origin,
      forcePathStyle: !this.#place.isBucketInHost,
      credentials: this.#makeKeys(),
      requestHandler: this.#transport,
      sha256: S3Hash,
      // Our own code repeats requests and logs failures. Without a logger, the client would write
      // to the console.
      maxAttempts: 1,
      logger: silent,
      expectContinueHeader: false,
      // Some servers refuse these checksums. Blocks have their own checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }
}
