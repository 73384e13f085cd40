// Regular expressions as users write them: RE2, which takes linear time.
import { RE2JS } from 're2js';
import { AppError, errorMessage } from '../base/errors.ts';
import { patternSizeMax } from '../base/limits.ts';
import { patternSize } from './pattern-size.ts';

/** Text that is its own expression. */
const plainText = /^[\w/:-]*$/;

/**
 * Whether an expression is found anywhere in a text.
 *
 * Errors: those of compilePattern.
 */
export function compileSearch(expression: string): (text: string) => boolean {
  // Half a microsecond less for each name, and most searches are for a name.
  if (plainText.test(expression)) return (text) => text.includes(expression);
  const pattern = compilePattern(expression);
  return (text) => pattern.test(text);
}

/**
 * Compiles an expression, in which "." matches newlines too, unless there are other `flags`.
 * `place` says in a message where it stands: "of label job".
 *
 * Errors: AppError 'invalid-argument' when the expression is not RE2, or too large.
 */
export function compilePattern(
  expression: string,
  place: string = '',
  flags: number = RE2JS.DOTALL,
): RE2JS {
  const what = ['regular expression', place].filter((part) => part !== '').join(' ');
  const size = patternSize(expression);
  if (size > patternSizeMax) {
    throw new AppError(
      'invalid-argument',
      `cannot compile ${what}: it would have about ${size} steps, the limit is ${patternSizeMax}`,
    );
  }
  try {
    return RE2JS.compile(expression, flags);
  } catch (error) {
    // RE2JS puts the flag before what was written.
    const reason = errorMessage(error).replace(/`\(\?[is]\)/, '`');
    throw new AppError('invalid-argument', `cannot compile ${what}: ${reason}`, { cause: error });
  }
}
