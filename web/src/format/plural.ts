// Words with their numbers: "1 function", "12 functions".
import { counted } from '../../../src/base/text/counted.ts';
import { groupDigits } from './numbers.ts';

/**
 * Formats a number and its noun; `many` is the plural, which is the noun and an s if it is absent.
 */
export function plural(count: number, one: string, many = `${one}s`): string {
  return counted(count, one, many, groupDigits(count));
}
