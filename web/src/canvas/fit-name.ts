// Chooses the form of a name that fits into a box. Adds up glyph widths from a table, so that
// nothing is measured while drawing.
import { cutMiddle, namePieces, type NamePieces } from '../format/fit-names.ts';
import { shortForms } from '../format/name-parts.ts';

/** Maximum number of names with cached forms. */
const namesMax = 50_000;
/** Maximum number of cached glyph widths outside ASCII. */
const glyphsMax = 4_096;
/** Minimum length of the shortest truncated name, including the ellipsis. */
const cutCharactersMin = 4;
const zero = '0'.charCodeAt(0);

/** Fits names into widths in device pixels, for one font. */
export class NameFitter {
  readonly #measure: (text: string) => number;
  readonly #ascii = new Float64Array(128);
  readonly #others = new Map<string, number>();
  readonly #pieces = new Map<string, NamePieces>();
  readonly #forms = new Map<string, readonly (readonly [form: string, width: number])[]>();

  /**
   * `measure` returns the advance of a single character in the font. It is slow, but in a
   * monospaced font it is called only twice.
   */
  constructor(measure: (text: string) => number) {
    this.#measure = measure;
    const [narrow, wide] = [measure('i'), measure('M')];
    for (let code = 32; code < 127; code++) {
      this.#ascii[code] = narrow === wide ? wide : measure(String.fromCharCode(code));
    }
  }

  /**
   * Returns the longest form that fits. If none fits, returns the shortest form without its middle,
   * or "".
   */
  fit(name: string, width: number): string {
    const forms = this.#listForms(name);
    for (const [form, formWidth] of forms) if (formWidth <= width) return form;
    const [shortest] = forms[forms.length - 1];
    return this.#cut(shortest, width);
  }

  /** Splits a fitted name into package, type and function. */
  split(text: string): NamePieces {
    const known = this.#pieces.get(text);
    if (known !== undefined) return known;
    if (this.#pieces.size >= namesMax) this.#pieces.clear();
    const pieces = namePieces(text);
    this.#pieces.set(text, pieces);
    return pieces;
  }

  /** Returns the sum of the glyph widths of a string. */
  measure(text: string): number {
    let width = 0;
    for (const character of text) width += this.#advance(character);
    return width;
  }

  #listForms(name: string): readonly (readonly [string, number])[] {
    const known = this.#forms.get(name);
    if (known !== undefined) return known;
    if (this.#forms.size >= namesMax) this.#forms.clear();
    const forms = shortForms(name).map((form) => [form, this.measure(form)] as const);
    this.#forms.set(name, forms);
    return forms;
  }

  /**
   * Removes the middle of a string, because names differ more often at the end than at the
   * beginning.
   */
  #cut(text: string, width: number): string {
    const most = Math.ceil(width / this.#ascii[zero]);
    for (let room = Math.min(text.length - 1, most); room >= cutCharactersMin; room--) {
      const cut = cutMiddle(text, room);
      if (this.measure(cut) <= width) return cut;
    }
    return '';
  }

  #advance(character: string): number {
    const code = character.charCodeAt(0);
    if (character.length === 1 && code < 128) return this.#ascii[code];
    const known = this.#others.get(character);
    if (known !== undefined) return known;
    if (this.#others.size >= glyphsMax) this.#others.clear();
    const advance = this.#measure(character);
    this.#others.set(character, advance);
    return advance;
  }
}
