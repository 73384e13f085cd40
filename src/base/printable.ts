// Makes strings safe to print, so that they cannot control a terminal or reorder the text around
// them.
//
// Control characters (C0, DEL, C1) begin escape sequences. Format characters reverse the direction
// of text, or hide it. Only the two characters that join letters are allowed, because emoji and
// Persian need them.

/** Control and format characters, and the separators that some readers treat as line breaks. */
const unsafe = /[\p{Cc}\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/gu;
/** The characters of `unsafe`, except tabs and line breaks. */
const unsafeInLines = /(?![\t\n])[\p{Cc}\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/gu;
/** The characters of `unsafeInLines`, except the sequences for colours in our own tables. */
const unsafeBesideColours =
  // oxlint-disable-next-line no-control-regex -- these are the sequences that are let through.
  /(\u001b\[(?:0|1|31|32|33)m)|(?![\t\n])[\p{Cc}\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/gu;

/**
 * Returns true if a string has no character that could control a terminal; line ends count as such
 * characters.
 */
export function isPrintable(text: string): boolean {
  return text.search(unsafe) === -1;
}

/**
 * Replaces characters that could control a terminal, including line ends: for a name within a line.
 */
export function printable(text: string): string {
  return text.replaceAll(unsafe, '\ufffd');
}

/**
 * Replaces characters that could control a terminal, except tabs and line ends: for whole
 * sentences.
 */
export function printableLines(text: string): string {
  return text.replaceAll(unsafeInLines, '\ufffd');
}

/**
 * Replaces characters that could control a terminal, except tabs, line ends and the colours of
 * tables.
 */
export function printableWithColours(text: string): string {
  return text.replaceAll(unsafeBesideColours, (_all, colour?: string) => colour ?? '\ufffd');
}

/**
 * Replaces each sequence of characters that could control a terminal with a space, for names in
 * files with one name per line.
 */
export function spacedOut(text: string): string {
  return text.replaceAll(unsafe, '\0').replaceAll(/\0+/g, ' ');
}

/**
 * Escapes characters that could control a terminal, like JSON (`\u001b`): for logs, which programs
 * also read.
 */
export function escapedForLogs(json: string): string {
  return json.replaceAll(unsafe, (character) => {
    const units = [...Array(character.length).keys()].map((i) => character.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}
