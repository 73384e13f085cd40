// Names that are searched for: by a part of them, or by a regular expression.
import { RE2JS } from 're2js';
import { compilePattern } from './pattern.ts';

/** `text` and `regex` do not tell upper and lower case apart. */
export type NameSearchMode = 'text' | 'regex' | 'case';

/** What is searched for, as plain data: questions are compared, and sent to threads. */
export interface NameSearch {
  readonly text: string;
  readonly mode: NameSearchMode;
}

/**
 * A test of names: whether they contain `text`, or a match of it.
 *
 * Errors: AppError 'invalid-argument' when the expression is not RE2, or too large.
 */
export function createNameMatcher({ text, mode }: NameSearch): (name: string) => boolean {
  if (mode === 'case') return (name) => name.includes(text);
  if (mode === 'text') {
    const lower = text.toLowerCase();
    return (name) => name.toLowerCase().includes(lower);
  }
  const expression = compilePattern(text, '', RE2JS.CASE_INSENSITIVE);
  return (name) => expression.test(name);
}
