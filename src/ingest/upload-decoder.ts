// What an ingest worker does: uploads in, rows of its own dictionary and new symbols out.
import { decodedSymbolBytesMax } from '../base/limits.ts';
import { errorCode, errorMessage, type ErrorCode } from '../base/errors.ts';
import { createOwnedBuffer } from '../base/owned.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import type { BuiltProfile } from './profile-builder.ts';
import { SymbolSender, type Seeds, type SymbolUpdate } from './symbol-sender.ts';
import { UploadReader, type SeriesUpload } from './upload-reader.ts';

/** Uploads of one write whose series belong to one worker. */
export interface DecodeRequest {
  /** Whether a head has begun since the last request: what is known of symbols is forgotten. */
  readonly isNewHead: boolean;
  /** Ownership: the decoder's until it replies; for good where a profile has a buffer of its own. */
  readonly uploads: readonly SeriesUpload[];
}

/** What became of a request: all of it, or why nothing. */
export type DecodeReply = { readonly symbols: SymbolUpdate } & (
  | {
      /** By upload; undefined for one without values to store. All arrays of one share a buffer. */
      readonly profiles: readonly (BuiltProfile | undefined)[];
    }
  | { readonly code: ErrorCode; readonly message: string }
);

/** Replies come in the order of requests, as symbols build on each other. */
export class UploadDecoder {
  readonly #sender: SymbolSender;
  readonly #reader = new UploadReader();

  constructor(seeds: Seeds, symbolBytesMax = decodedSymbolBytesMax) {
    this.#sender = new SymbolSender(seeds, symbolBytesMax);
  }

  decode({ isNewHead, uploads }: DecodeRequest): DecodeReply {
    if (isNewHead) this.#sender.renew();
    try {
      const profiles = uploads.map((upload) => this.#decodeOne(upload));
      return { symbols: this.#sender.take(), profiles };
    } catch (error) {
      const failure = { code: errorCode(error), message: errorMessage(error) };
      return { symbols: this.#sender.take(), ...failure };
    } finally {
      this.#reader.trim();
    }
  }

  #decodeOne(upload: SeriesUpload): BuiltProfile | undefined {
    let copy: BuiltProfile | undefined;
    this.#reader.read(this.#sender.dictionary, upload, (profile) => {
      copy = copyOf(profile);
    });
    release(upload.profile);
    return copy;
  }
}

/** Returns a column of each of a reply's profiles, whose buffer may be given away with it. */
export function columnsOf(reply: DecodeReply): Uint32Array[] {
  if (!('profiles' in reply)) return [];
  return reply.profiles.flatMap((profile) => profile?.stacks ?? []);
}

/** The profile with columns of its own, in one buffer: values, then stacks, then sample labels. */
function copyOf(profile: IncomingProfile): BuiltProfile {
  const { rowCount, values, sampleLabels } = profile;
  const ids = 8 * values.length * rowCount;
  const buffer = createOwnedBuffer(ids + 4 * rowCount * (sampleLabels === undefined ? 1 : 2));
  const idsAt = (start: number, column: Uint32Array): Uint32Array => {
    const copy = new Uint32Array(buffer, start, rowCount);
    copy.set(column.subarray(0, rowCount));
    return copy;
  };
  return {
    sampleTypes: profile.sampleTypes,
    periodType: profile.periodType,
    period: profile.period,
    timeNanos: profile.timeNanos,
    durationNanos: profile.durationNanos,
    rowCount,
    stacks: idsAt(ids, profile.stacks),
    values: values.map((column, plane) => {
      const copy = new BigInt64Array(buffer, 8 * plane * rowCount, rowCount);
      copy.set(column.subarray(0, rowCount));
      return copy;
    }),
    sampleLabels: sampleLabels && idsAt(ids + 4 * rowCount, sampleLabels),
    contentHash: profile.contentHash,
  };
}

/** Gives memory back at once that the collector would let pile up. */
function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
