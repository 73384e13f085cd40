// Symbols of damaged records of a log segment, read from copies of them further on.
import type { ByteReader } from '../base/bytes.ts';
import type { Dictionary } from '../model/dictionary.ts';
import {
  continuesSymbols,
  decodeSymbols,
  rowsBefore,
  totalRows,
  type LostRows,
} from './symbol-codec.ts';
import { recordHeaderBytes, recordType } from './wal-format.ts';
import { scanSegment, type SegmentScan } from './wal-reader.ts';

/** Where a record lies in the segment: bytes from .. end. */
interface RecordPlace {
  readonly from: number;
  readonly end: number;
}

/**
 * Finds symbols that come next for a dictionary behind the damage of one segment. The segment is
 * looked through once, at its first damage, however many records are damaged: symbols that come
 * next then are read, and of the others it is noted where they lie.
 */
export class SymbolCopies {
  private readonly scan: Pick<SegmentScan, 'file' | 'salt' | 'end' | 'isLast'>;
  private readonly dictionary: Dictionary;
  private readonly lostRows: LostRows;
  /**
   * Symbols records whose rows do not come next yet, by the number of rows before them: each
   * record of an epoch begins behind all earlier rows, so only copies share that number.
   */
  private later: Map<number, RecordPlace> | undefined;

  /** Symbols go to the dictionary. */
  constructor(
    scan: Pick<SegmentScan, 'file' | 'salt' | 'end' | 'isLast'>,
    dictionary: Dictionary,
    lostRows: LostRows,
  ) {
    this.scan = scan;
    this.dictionary = dictionary;
    this.lostRows = lostRows;
  }

  /**
   * Reads what comes next from records behind `offset`, where damage ends, before profiles ask for
   * it: what stands in for a row that is not there keeps its number for good.
   *
   * Errors: 'unavailable' when the disk does not answer; 'data-loss' as decodeSymbols.
   */
  async readBehind(offset: number): Promise<void> {
    const later = (this.later ??= await this.lookThrough(offset));
    for (;;) {
      const rows = totalRows(this.dictionary);
      const place = later.get(rows);
      if (place === undefined) return;
      later.delete(rows);
      await scanSegment({
        ...{ ...this.scan, ...place },
        onRecord: (_, payload) => void this.readNext(payload),
        onDamage: () => undefined,
      });
    }
  }

  private async lookThrough(from: number): Promise<Map<number, RecordPlace>> {
    const later = new Map<number, RecordPlace>();
    await scanSegment({
      ...{ ...this.scan, from },
      onRecord: ({ type, payloadBytes }, payload, offset) => {
        if (type !== recordType.symbols || this.readNext(payload)) return;
        const rows = rowsBefore(payload);
        if (rows <= totalRows(this.dictionary)) return;
        later.set(rows, { from: offset, end: offset + recordHeaderBytes + payloadBytes });
      },
      onDamage: () => undefined,
    });
    return later;
  }

  /** Reads a symbols payload if its rows come next; whether they did. */
  private readNext(payload: ByteReader): boolean {
    if (!continuesSymbols(payload, this.dictionary)) return false;
    decodeSymbols(payload, this.dictionary, this.lostRows);
    return true;
  }
}
