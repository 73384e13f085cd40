// The dictionary of an ingest worker, and how much of it the main thread knows.
import { ByteWriter } from '../base/bytes.ts';
import { symbolRecordBytesMax } from '../base/limits.ts';
import { Dictionary } from '../model/dictionary.ts';
import { encodeSymbols, symbolCounts, type SymbolCounts } from '../model/dictionary-codec.ts';

/** Secret words of a dictionary. */
export type Seeds = readonly [number, number, number];

/** Rows that a worker's dictionary has got, on their way to its replica. */
export interface SymbolUpdate {
  /** Whether they are the first ones of a new dictionary. */
  readonly isFirst: boolean;
  /** In the encoding of the log's symbols records. */
  readonly payloads: readonly Uint8Array[];
}

/**
 * A dictionary whose rows are sent elsewhere as they come. When it is large, an empty one takes its
 * place: what is in use still comes again.
 */
export class SymbolSender {
  readonly #seeds: Seeds;
  readonly #usedBytesMax: number;
  readonly #writer = new ByteWriter();
  #current: Dictionary;
  #sent: SymbolCounts;
  #isFirst = true;

  constructor(seeds: Seeds, usedBytesMax: number) {
    this.#seeds = seeds;
    this.#usedBytesMax = usedBytesMax;
    this.#current = new Dictionary(seeds);
    this.#sent = symbolCounts(this.#current);
  }

  /** Where to intern; after `take` or `renew` perhaps another one. */
  get dictionary(): Dictionary {
    return this.#current;
  }

  /** What has come since the last call; each update has to be applied, in this order. */
  take(): SymbolUpdate {
    const writer = this.#writer;
    const current = this.#current;
    const isFirst = this.#isFirst;
    const payloads: Uint8Array[] = [];
    const counts = symbolCounts(current);
    encodeSymbols(writer, current, this.#sent, counts, {
      payloadBytesMax: symbolRecordBytesMax,
      begin: () => {
        writer.length = 0;
        return 0;
      },
      end: () => void payloads.push(writer.copy()),
    });
    this.#sent = counts;
    this.#isFirst = false;
    if (current.usedBytes > this.#usedBytesMax) this.renew();
    return { isFirst, payloads };
  }

  /** Begins an empty dictionary. */
  renew(): void {
    this.#current = new Dictionary(this.#seeds);
    this.#sent = symbolCounts(this.#current);
    this.#isFirst = true;
  }
}
