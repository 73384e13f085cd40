// Names of compiled code by address, from the map of a language runtime: `/tmp/perf-PID.map`.
//
// A line is `<start> <size> <name>` with hexadecimal numbers. Lines are appended; later lines
// override earlier lines, because memory is reused. Source: Linux,
// tools/perf/Documentation/jit-interface.txt.
import { functionNameLengthMax, perfMapSymbolsMax } from '../limits.ts';
import { CodeRanges } from './code-ranges.ts';

/** A function that a runtime has compiled. */
export interface JitSymbol {
  readonly name: string;
  /** "" if unknown. */
  readonly fileName: string;
  /** 0 if unknown. */
  readonly startLine: number;
}

/** Entries of a perf map, to which lines can be added. */
export class PerfMap {
  readonly #ranges = new CodeRanges();
  readonly #names: string[] = [];
  /** Start of the last line, whose end has not been read yet. */
  #rest = '';
  /** Decoder that keeps an incomplete character until the next chunk. */
  readonly #decoder = new TextDecoder();

  /** Number of entries. */
  get length(): number {
    return this.#names.length;
  }

  /** Adds the next UTF-8 bytes of the map. Ignores malformed lines. */
  add(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const match = /^(?:0x)?([0-9a-f]{1,16}) (?:0x)?([0-9a-f]{1,16}) (.+)$/i.exec(line);
      if (match === null || this.length === perfMapSymbolsMax) continue;
      const start = Number.parseInt(match[1], 16);
      const size = Number.parseInt(match[2], 16);
      if (!Number.isSafeInteger(start + size) || size === 0) continue;
      this.#ranges.add(start, start + size);
      this.#names.push(match[3].slice(0, functionNameLengthMax));
    }
  }

  find(address: number): JitSymbol | undefined {
    const range = this.#ranges.find(address);
    return range === undefined ? undefined : readName(this.#names[range]);
  }
}

/**
 * Parses a function name. V8 writes `JS:*name file:line:column`, where the character before the
 * name denotes the compiler. This character is dropped, so that a function keeps its name when it
 * is compiled again.
 */
export function readName(text: string): JitSymbol {
  const match = /^(?:JS|LazyCompile|Function|Script|Eval):[*+^~]?'?(.*)$/s.exec(text);
  if (match === null) return { name: text, fileName: '', startLine: 0 };
  const position = /^(\S*) (.*?):(\d+)(?::\d+)?$/s.exec(match[1]);
  if (position === null) return { name: match[1] || '(anonymous)', fileName: '', startLine: 0 };
  const [, name, fileName, line] = position;
  return { name: name || '(anonymous)', fileName, startLine: Number(line) };
}
