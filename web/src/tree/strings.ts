// UTF-8 string tables: decoded on first use, ranked and searched in bulk.
import { noString, type Strings } from './tree.ts';

const decoder = new TextDecoder();

/** Packs strings. */
export function packStrings(texts: readonly string[]): Strings {
  const encoder = new TextEncoder();
  const encoded = texts.map((text) => encoder.encode(text));
  const offsets = new Uint32Array(texts.length + 1);
  encoded.forEach((bytes, i) => {
    offsets[i + 1] = offsets[i] + bytes.length;
  });
  const bytes = new Uint8Array(offsets[texts.length]);
  encoded.forEach((part, i) => bytes.set(part, offsets[i]));
  return { bytes, offsets };
}

/** Decodes every string. */
export function unpackStrings({ bytes, offsets }: Strings): string[] {
  const texts: string[] = [];
  for (let i = 0; i + 1 < offsets.length; i++) {
    texts.push(decoder.decode(bytes.subarray(offsets[i], offsets[i + 1])));
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
  readonly #texts: (string | undefined)[];

  constructor(strings: Strings) {
    this.#strings = strings;
    this.#texts = Array.from({ length: strings.offsets.length - 1 });
  }

  get length(): number {
    return this.#texts.length;
  }

  get(index: number): string {
    if (index === noString) return '';
    const known = this.#texts[index];
    if (known !== undefined) return known;
    const { bytes, offsets } = this.#strings;
    const text = decoder.decode(bytes.subarray(offsets[index], offsets[index + 1]));
    this.#texts[index] = text;
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
