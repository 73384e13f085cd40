// UTF-8 string tables: decoded on first use, ranked and searched in bulk.
import { noString, type Strings } from './tree.ts';

const decoder = new TextDecoder();

/** Packs strings with a single call to the encoder; a call for each takes five times as long. */
export function packStrings(texts: readonly string[]): Strings {
  const bytes = new TextEncoder().encode(texts.join(''));
  const offsets = new Uint32Array(texts.length + 1);
  const isAscii = bytes.length === texts.reduce((sum, text) => sum + text.length, 0);
  texts.forEach((text, i) => {
    offsets[i + 1] = offsets[i] + (isAscii ? text.length : countBytes(text));
  });
  return { bytes, offsets };
}

/** Returns the number of bytes of a string in UTF-8. */
function countBytes(text: string): number {
  let count = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    count += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return count;
}

/** Decodes every string. */
export function unpackStrings({ bytes, offsets }: Strings): string[] {
  return decodeTexts(bytes, offsets, offsets.length - 1);
}

/**
 * Decodes `count` consecutive strings. ASCII is decoded by a single call and then cut, because
 * decoding strings one by one takes long.
 */
export function decodeTexts(
  bytes: Uint8Array,
  offsets: ArrayLike<number | bigint>,
  count: number,
): string[] {
  const start = Number(offsets[0]);
  const range = bytes.subarray(start, Number(offsets[count]));
  const all = decoder.decode(range);
  const isAscii = all.length === range.length;
  const texts: string[] = [];
  for (let i = 0; i < count; i++) {
    const [from, to] = [Number(offsets[i]) - start, Number(offsets[i + 1]) - start];
    texts.push(isAscii ? all.slice(from, to) : decoder.decode(range.subarray(from, to)));
  }
  return texts;
}

/** Returns the index of a string without decoding; -1 if it is missing. */
export function indexOfText({ bytes, offsets }: Strings, text: string): number {
  const wanted = new TextEncoder().encode(text);
  for (let i = 0; i + 1 < offsets.length; i++) {
    if (offsets[i + 1] - offsets[i] !== wanted.length) continue;
    let at = 0;
    while (at < wanted.length && bytes[offsets[i] + at] === wanted[at]) at++;
    if (at === wanted.length) return i;
  }
  return -1;
}

/** Decodes single strings and caches them; "" for noString. */
export class StringReader {
  readonly #strings: Strings;
  readonly #texts = new Map<number, string>();

  constructor(strings: Strings) {
    this.#strings = strings;
  }

  get length(): number {
    return this.#strings.offsets.length - 1;
  }

  get(index: number): string {
    if (index === noString) return '';
    const known = this.#texts.get(index);
    if (known !== undefined) return known;
    const { bytes, offsets } = this.#strings;
    const text = decoder.decode(bytes.subarray(offsets[index], offsets[index + 1]));
    this.#texts.set(index, text);
    return text;
  }
}

/** Returns the rank of each string in code unit order. */
export function rankTexts(texts: readonly string[]): Uint32Array {
  const rank = new Uint32Array(texts.length);
  const sorted = [...texts.keys()].sort((a, b) =>
    texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : a - b,
  );
  sorted.forEach((index, position) => {
    rank[index] = position;
  });
  return rank;
}
