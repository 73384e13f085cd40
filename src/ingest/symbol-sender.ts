// The dictionary of an ingest worker. Its new rows are sent to the main thread.
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

/** New rows of a worker's dictionary, which are sent to its replica. */
export interface SymbolUpdate {
  /** True if these are the first rows of a new dictionary. */
  readonly isFirst: boolean;
  /** Rows, encoded like the symbol records of the log. Their memory may be transferred. */
  readonly payloads: readonly Uint8Array[];
}

/**
 * A dictionary whose new rows are sent. When it becomes too large, an empty dictionary replaces it,
 * and rows that are still needed are sent again.
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

  /** Dictionary into which uploads are interned. `take` and `renew` may replace it. */
  get dictionary(): Dictionary {
    return this.#current;
  }

  /**
   * Returns the rows that were added since the last call. The replica must apply all updates in
   * order.
   */
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

  /**
   * Forgets all rows if a failed upload has added more rows than are worth sending.
   */
  giveUp(): void {
    const added = symbolCounts(this.#current).map((count, table) => count - this.#sent[table]);
    if (added.some((count) => count > failedSymbolRowsMax)) this.renew();
  }

  /** Replaces the dictionary with an empty one. */
  renew(): void {
    this.#current = new Dictionary(this.#seeds);
    this.#sent = symbolCounts(this.#current);
    this.#isFirst = true;
  }
}
