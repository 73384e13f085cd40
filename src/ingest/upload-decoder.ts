// The work of an ingest worker: it converts uploads to profiles with rows of its own dictionary.
import { releaseMemory } from '../base/bytes.ts';
import { finishAtOnce } from '../base/pacer.ts';
import { decodedSymbolBytesMax, ingestIdleBytesMax } from './limits.ts';
import { AppError, errorCode, errorMessage, type ErrorCode } from '../base/errors.ts';
import { createOwnedBuffer } from '../base/owned.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import type { Seeds } from '../model/dictionary.ts';
import { SymbolSender, type SymbolUpdate } from './symbol-sender.ts';
import { UploadReader, type SeriesUpload } from './upload-reader.ts';

/** Uploads of one write whose series belong to one worker. */
export interface DecodeRequest {
  /**
   * True if a new head has begun since the last request, so that the known symbols must be
   * forgotten.
   */
  readonly isNewHead: boolean;
  /**
   * Uploads. Ownership: they belong to the decoder until it replies. It keeps buffers that contain
   * only a single profile.
   */
  readonly uploads: readonly SeriesUpload[];
  /** Profiles whose memory was allocated for this request, so that it may be transferred. */
  readonly isOwn: ReadonlySet<Uint8Array>;
}

/** Result of a request: all profiles, or the reason why it failed. */
export type DecodeReply = { readonly symbols: SymbolUpdate } & (
  | {
      /**
       * Profiles that have values, in the order of the uploads. All arrays of a profile share one
       * buffer.
       */
      readonly profiles: readonly IncomingProfile[];
      /** Index of the upload that each profile comes from. */
      readonly uploadOf: readonly number[];
    }
  | { readonly code: ErrorCode; readonly message: string; readonly limit: string | undefined }
);

/** Decodes requests one by one; each reply builds on the symbols of earlier replies. */
export class UploadDecoder {
  readonly #sender: SymbolSender;
  readonly #reader = new UploadReader(() => (this.hasGarbage = true));
  /** True if the memory of a large upload, or many symbols, are no longer used. */
  hasGarbage = false;

  constructor(seeds: Seeds, symbolBytesMax = decodedSymbolBytesMax) {
    this.#sender = new SymbolSender(seeds, symbolBytesMax);
  }

  /** Releases memory if it exceeds what an idle worker keeps. */
  rest(): void {
    this.#reader.rest(ingestIdleBytesMax);
  }

  /** Forgets all symbols. Symbols that are still needed are sent again. */
  forget(): void {
    this.#sender.renew();
  }

  decode({ isNewHead, uploads }: Omit<DecodeRequest, 'isOwn'>): DecodeReply {
    const { dictionary } = this.#sender;
    if (isNewHead) this.#sender.renew();
    const profiles: IncomingProfile[] = [];
    const uploadByProfile: number[] = [];
    try {
      const reading = this.#reader.readAll(this.#sender.dictionary, uploads, (profile, i) => {
        profiles.push(copyProfile(profile));
        uploadByProfile.push(i);
      });
      finishAtOnce(reading);
      return { symbols: this.#sender.take(), profiles, uploadOf: uploadByProfile };
    } catch (error) {
      const limit = error instanceof AppError ? error.limit : undefined;
      this.#sender.giveUp();
      const failure = { code: errorCode(error), message: errorMessage(error), limit };
      return { symbols: this.#sender.take(), ...failure };
    } finally {
      for (const { profile } of uploads) releaseMemory(profile);
      if (this.#sender.dictionary !== dictionary) this.#reader.rest(0);
    }
  }
}

/** Returns the arrays whose buffers may be transferred with a reply. */
export function listBuffers(reply: DecodeReply): (Uint32Array | Uint8Array)[] {
  const { payloads } = reply.symbols;
  if (!('profiles' in reply)) return [...payloads];
  return [...payloads, ...reply.profiles.map(({ stacks }) => stacks)];
}

/** Copies a profile into a single buffer: its values, then its stacks, then its sample labels. */
function copyProfile(profile: IncomingProfile): IncomingProfile {
  const { rowCount, values, sampleLabels } = profile;
  const ids = 8 * values.length * rowCount;
  const buffer = createOwnedBuffer(ids + 4 * rowCount * (sampleLabels === undefined ? 1 : 2));
  const idsAt = (start: number, column: Uint32Array): Uint32Array => {
    const copy = new Uint32Array(buffer, start, rowCount);
    copy.set(column.subarray(0, rowCount));
    return copy;
  };
  return {
    ...profile,
    stacks: idsAt(ids, profile.stacks),
    values: values.map((column, valueColumn) => {
      const copy = new BigInt64Array(buffer, 8 * valueColumn * rowCount, rowCount);
      copy.set(column.subarray(0, rowCount));
      return copy;
    }),
    sampleLabels: sampleLabels && idsAt(ids + 4 * rowCount, sampleLabels),
  };
}
