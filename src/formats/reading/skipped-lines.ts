// Lines of a text file that could not be read and were left out: their number, and the first one.
import type { TextLine } from './lines.ts';

/** Lines that were left out. */
export interface SkippedLines {
  readonly count: number;
  /** Number of the first skipped line, counted from 1. */
  readonly first: number;
  /** Start of the first skipped line. */
  readonly text: string;
}

/** Maximum number of characters of a line that are shown, so that the sender can find the line. */
const shownLengthMax = 100;

/** Counts skipped lines while a file is read. */
export class LineCounter {
  #count = 0;
  #first: TextLine | undefined;

  add(line: TextLine): void {
    this.#count += 1;
    this.#first ??= line;
  }

  get count(): number {
    return this.#count;
  }

  /** First line that was counted. */
  get first(): TextLine | undefined {
    return this.#first;
  }

  /** Returns the counts; undefined if no line was skipped. */
  skipped(): SkippedLines | undefined {
    if (this.#first === undefined) return undefined;
    const { number, text } = this.#first;
    return { count: this.#count, first: number, text: shorten(text.trim()) };
  }
}

/** Returns a sentence for the sender, such as `1 line was skipped, line 7: "what"`. */
function explainSkipped({ count, first, text }: SkippedLines): string {
  const which = count === 1 ? `line was skipped, line` : `lines were skipped, the first is line`;
  return `${count} ${which} ${first}: ${JSON.stringify(text)}`;
}

/** Returns the sentence for the sender of an import; undefined if no line was skipped. */
export function formatSkipped(content: {
  readonly skipped?: SkippedLines | undefined;
  readonly note?: string | undefined;
}): string | undefined {
  return content.note ?? (content.skipped && explainSkipped(content.skipped));
}

/** Returns the start of a string. */
function shorten(text: string): string {
  return text.length <= shownLengthMax ? text : `${text.slice(0, shownLengthMax)}...`;
}
