// Names of compiled code by address, from the map that a runtime writes: `/tmp/perf-PID.map`.
//
// A line is `<start> <size> <name>`, numbers in hexadecimal. The file grows; later lines win,
// because memory is used again. Source: Linux, tools/perf/Documentation/jit-interface.txt.
import { functionNameLengthMax, perfMapSymbolsMax } from '../limits.ts';

/** A function of a perf map. */
export interface JitSymbol {
  readonly name: string;
  /** "" when the name does not contain it. */
  readonly fileName: string;
  /** 0 when the name does not contain it. */
  readonly startLine: number;
}

/** The entries of one map, to which lines are added. */
export class PerfMap {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #names: string[] = [];
  /** Rows by address, without overlaps; undefined if lines were added since they were sorted. */
  #sorted: SortedRows | undefined;
  /** The last line so far, which is incomplete. */
  #rest = '';
  /** Keeps the start of a character whose end is in the next chunk. */
  readonly #decoder = new TextDecoder();

  /** Number of entries. */
  get length(): number {
    return this.#starts.length;
  }

  /** Adds the next bytes of the map, in UTF-8. Lines of another form are left out. */
  add(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const match = /^(?:0x)?([0-9a-f]{1,16}) (?:0x)?([0-9a-f]{1,16}) (.+)$/i.exec(line);
      if (match === null || this.#starts.length === perfMapSymbolsMax) continue;
      const start = Number.parseInt(match[1], 16);
      const size = Number.parseInt(match[2], 16);
      if (!Number.isSafeInteger(start + size) || size === 0) continue;
      this.#starts.push(start);
      this.#ends.push(start + size);
      this.#names.push(match[3].slice(0, functionNameLengthMax));
    }
    this.#sorted = undefined;
  }

  find(address: number): JitSymbol | undefined {
    const sorted = (this.#sorted ??= this.#sort());
    let low = 0;
    let high = sorted.starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted.starts[middle] <= address) low = middle + 1;
      else high = middle;
    }
    const row = low - 1;
    if (row < 0 || address >= sorted.ends[row]) return undefined;
    return readName(this.#names[sorted.entries[row]]);
  }

  /** Sorts the entries. Where two overlap, the earlier one ends before the later one. */
  #sort(): SortedRows {
    const order = this.#starts.map((_, i) => i);
    order.sort((a, b) => this.#starts[a] - this.#starts[b] || a - b);
    const entries: number[] = [];
    const ends: number[] = [];
    for (const entry of order) {
      let last = entries.length - 1;
      // Drops rows whose memory was later reused for this entry.
      while (
        last >= 0 &&
        this.#starts[entries[last]] >= this.#starts[entry] &&
        entries[last] < entry
      ) {
        entries.pop();
        ends.pop();
        last -= 1;
      }
      if (last >= 0 && ends[last] > this.#starts[entry]) {
        if (entries[last] > entry) continue;
        ends[last] = this.#starts[entry];
      }
      entries.push(entry);
      ends.push(this.#ends[entry]);
    }
    return {
      entries: Uint32Array.from(entries),
      starts: Float64Array.from(entries, (entry) => this.#starts[entry]),
      ends: Float64Array.from(ends),
    };
  }
}

interface SortedRows {
  readonly entries: Uint32Array;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/**
 * Gets a function from its name. V8 writes `JS:*name file:line:column`, with a character for the
 * compiler. It is dropped, so that a function that is compiled twice stays one function.
 */
export function readName(text: string): JitSymbol {
  const match = /^(?:JS|LazyCompile|Function|Script|Eval):[*+^~]?'?(.*)$/s.exec(text);
  if (match === null) return { name: text, fileName: '', startLine: 0 };
  const position = /^(\S*) (.*?):(\d+)(?::\d+)?$/s.exec(match[1]);
  if (position === null) return { name: match[1] || '(anonymous)', fileName: '', startLine: 0 };
  const [, name, fileName, line] = position;
  return { name: name || '(anonymous)', fileName, startLine: Number(line) };
}
