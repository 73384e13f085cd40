// A copy of an ingest worker's dictionary. It translates the worker's rows to rows of the head's
// dictionary.
import { assert } from '../base/assert.ts';
import { ByteReader } from '../base/bytes.ts';
import type { Steps } from '../base/pacer.ts';
import { Dictionary, type Seeds } from '../model/dictionary.ts';
import { DictionaryTranslator } from '../model/dictionaries/dictionary-translator.ts';
import { createLostRows, decodeSymbols } from '../model/dictionaries/dictionary-codec.ts';
import type { IncomingProfile } from '../storage/interface.ts';

/**
 * Number of rows of a profile that are translated before the clock is read again. A new stack takes
 * a few microseconds.
 */
const carriedRows = 256;

/** Copy of a worker's dictionary for one head. */
export class SymbolReplica {
  readonly #dictionary: Dictionary;
  readonly #translator: DictionaryTranslator;
  readonly #lost = createLostRows();

  /** `target` is the dictionary of the head. */
  constructor(seeds: Seeds, target: Dictionary) {
    this.#dictionary = new Dictionary(seeds);
    this.#dictionary.stacks.readOnce();
    this.#translator = new DictionaryTranslator(this.#dictionary, target, 'frames');
  }

  /** Memory used by the copy, and by the translation of all its nodes, in bytes. */
  get usedBytes(): number {
    return this.#dictionary.usedBytes + 4 * this.#dictionary.stacks.nodeCount;
  }

  /** Adds the rows of the next update. */
  *apply(payloads: readonly Uint8Array[]): Steps<void> {
    for (const payload of payloads) {
      const reader = new ByteReader(payload);
      const standIns = yield* decodeSymbols(reader, this.#dictionary, this.#lost);
      assert(standIns === 0, 'no update is left out');
      yield;
    }
  }

  /** Replaces the rows of a profile, in place, with rows of the head's dictionary. */
  *carry({ rowCount, stacks, sampleLabels }: IncomingProfile): Steps<void> {
    const translator = this.#translator;
    for (let row = 0; row < rowCount; row += 1) {
      stacks[row] = translator.stack(stacks[row]);
      if (row % carriedRows === carriedRows - 1) yield;
    }
    if (sampleLabels === undefined) return;
    for (let row = 0; row < rowCount; row += 1) {
      sampleLabels[row] = translator.sampleLabels(sampleLabels[row]);
      if (row % carriedRows === carriedRows - 1) yield;
    }
  }
}
