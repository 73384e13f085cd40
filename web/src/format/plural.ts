// Formats numbers with nouns: "1 function", "12 functions".
import { counted } from '../../../src/base/text/counted.ts';
import { groupDigits } from './numbers.ts';

/** Formats a number with a noun; `many` is the plural if it does not just add an s. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return counted(count, one, many, groupDigits(count));
}
