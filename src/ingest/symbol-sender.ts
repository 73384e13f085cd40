// An ingest worker's dictionary, whose new rows are sent to the main thread.
import { ByteWriter } from '../base/bytes.ts';
import { failedSymbolRowsMax, sentSymbolBytes, sentSymbolRowsMax } from './limits.ts';
import { ownedCopy } from '../base/owned.ts';
import { finishAtOnce } from '../base/pacer.ts';
import { Dictionary, type Seeds } from '../model/dictionary.ts';
import {
  encodeSymbols,
  symbolCounts,
  type SymbolCounts,
} from '../model/dictionaries/dictionary-codec.ts';

/** New rows of a worker's dictionary, on their way to its replica. */
export interface SymbolUpdate {
  /** True if the symbols are the first of a new dictionary. */
  readonly isFirst: boolean;
  /** Rows in the encoding of the log's symbols records; their memory may be transferred. */
  readonly payloads: readonly Uint8Array[];
}

/**
 * A dictionary whose rows are sent as they are added. When it is too large, an empty one replaces
 * it, and rows that are still in use are sent again.
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

  /** The dictionary to intern into. It may be replaced by `take` and `renew`. */
  get dictionary(): Dictionary {
    return this.#current;
  }

  /** Returns the rows since the last call. The replica applies every update, in order. */
  take(): SymbolUpdate {
    const writer = this.#writer;
    const current = this.#current;
    const isFirst = this.#isFirst;
    const payloads: Uint8Array[] = [];
    const counts = symbolCounts(current);
    const encoding = encodeSymbols(writer, current, this.#sent, counts, {
      payloadBytesMax: sentSymbolBytes,
      sectionRowsMax: sentSymbolRowsMax,
      begin: () => {
        writer.length = 0;
        return 0;
      },
      end: () => void payloads.push(ownedCopy(writer.bytes, 0, writer.length)),
    });
    finishAtOnce(encoding);
    this.#sent = counts;
    this.#isFirst = false;
    if (current.usedBytes > this.#usedBytesMax) this.renew();
    return { isFirst, payloads };
  }

  /** Forgets all rows if a failed upload has left more rows than are worth sending. */
  giveUp(): void {
    const added = symbolCounts(this.#current).map((count, table) => count - this.#sent[table]);
    if (added.some((count) => count > failedSymbolRowsMax)) this.renew();
  }

  /** Replaces the dictionary by an empty one. */
  renew(): void {
    this.#current = new Dictionary(this.#seeds);
    this.#sent = symbolCounts(this.#current);
    this.#isFirst = true;
  }
}
