// Converts uploads with checked labels to profiles with rows of a dictionary. The memory is reused.
import { AppError } from '../base/errors.ts';
import type { Steps } from '../base/pacer.ts';
import { inputLimits } from '../base/input-limits.ts';
import { ingestScratchBytesMax } from './limits.ts';
import { openContent, releaseContent } from '../formats/gzip.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import { internRecord, type RecordFacts } from './record-upload.ts';
import { type BuildBudget, ProfileBuilder, type UploadContext } from './profile-builder.ts';

/**
 * Number of uploads of a write that are read between two pauses; a small upload takes a few
 * microseconds.
 */
export const uploadsPerStep = 32;

/** An upload whose labels have been checked. */
export interface SeriesUpload extends UploadContext {
  /** pprof, gzipped or not. */
  readonly profile: Uint8Array;
  /** Maximum size after decompression in bytes; 0 = the limit of openContent. */
  readonly contentBytesMax: number;
  /** Facts about an Arrow write; undefined for pprof. */
  readonly record?: RecordFacts;
  /** Id of the caller, which is used to serve callers in turn. */
  readonly caller?: string;
}

/** Limits of a write that are lower than the limits of the server. */
export interface UploadBudget extends BuildBudget {
  /** Number of decompressed bytes that the rest of the write may have. */
  readonly bytes: number;
}

function profileBytesMax(budget: UploadBudget | undefined): number {
  return budget === undefined
    ? inputLimits.profileBytes
    : Math.min(inputLimits.profileBytes, budget.bytes);
}

/** Reads uploads one by one. */
export class UploadReader {
  #builder: ProfileBuilder | undefined;
  readonly #onRelease: () => void;

  /** `onRelease` is called when the memory of a large profile has been released. */
  constructor(onRelease: () => void = () => undefined) {
    this.#onRelease = onRelease;
  }

  /**
   * Passes each profile that has values to `take`, which must copy what it keeps. Each step reads a
   * few uploads; other uploads may be read between two steps.
   *
   * Errors: as in openContent, with the limit of the budget, and as in ProfileBuilder.build.
   */
  *readAll(
    dictionary: Dictionary,
    uploads: readonly SeriesUpload[],
    take: (profile: IncomingProfile, i: number) => void,
    budget?: UploadBudget,
  ): Steps<void> {
    try {
      for (let from = 0; from < uploads.length; from += uploadsPerStep) {
        if (from > 0) yield;
        const end = Math.min(uploads.length, from + uploadsPerStep);
        this.#readSome(dictionary, uploads, from, end, take, budget);
      }
    } finally {
      this.rest(ingestScratchBytesMax);
    }
  }

  /** Does the same as `readAll`, in a single step. */
  readAtOnce(
    dictionary: Dictionary,
    uploads: readonly SeriesUpload[],
    take: (profile: IncomingProfile, i: number) => void,
    budget?: UploadBudget,
  ): void {
    try {
      this.#readSome(dictionary, uploads, 0, uploads.length, take, budget);
    } finally {
      this.rest(ingestScratchBytesMax);
    }
  }

  #readSome(
    dictionary: Dictionary,
    uploads: readonly SeriesUpload[],
    from: number,
    end: number,
    take: (profile: IncomingProfile, i: number) => void,
    budget: UploadBudget | undefined,
  ): void {
    for (let i = from; i < end; i += 1) {
      const upload = uploads[i];
      if (upload.record !== undefined) {
        internRecord(dictionary, upload, upload.record, (profile) => take(profile, i));
        continue;
      }
      const content = openContent(upload.profile, profileBytesMax(budget));
      try {
        checkSize(content.bytes.length, upload.contentBytesMax);
        const profile = this.#builderFor(dictionary).build(content, upload, budget);
        if (profile !== undefined) take(profile, i);
      } finally {
        releaseContent(content, upload.profile);
      }
    }
  }

  /**
   * Releases the columns, and the reference to the dictionary, if the columns take more than
   * `bytesMax` bytes.
   */
  rest(bytesMax: number): void {
    const bytes = this.#builder?.reservedBytes() ?? 0;
    if (bytes <= bytesMax) return;
    this.#builder = undefined;
    this.#onRelease();
  }

  #builderFor(dictionary: Dictionary): ProfileBuilder {
    if (this.#builder?.dictionary !== dictionary) this.#builder = new ProfileBuilder(dictionary);
    return this.#builder;
  }
}

function checkSize(bytes: number, bytesMax: number): void {
  if (bytesMax === 0 || bytes <= bytesMax) return;
  const why = `it has ${bytes} bytes decompressed, the limit is ${bytesMax}`;
  throw new AppError('resource-exhausted', `cannot store profile: ${why}`);
}
