// Regular expressions and searches as users write them. RE2 takes linear time.
import { RE2JS } from 're2js';
import { AppError, errorMessage } from '../base/errors.ts';
import { patternSizeMax } from '../base/limits.ts';

/** Matches strings without special characters. */
const plainText = /^[\w/:-]*$/;

/**
 * Creates a function that returns true if an expression matches any part of a string.
 *
 * Errors: as in compilePattern.
 */
export function compileSearch(expression: string): (text: string) => boolean {
  // `includes` saves half a microsecond a name, and most searches are for plain strings.
  if (plainText.test(expression)) return (text) => text.includes(expression);
  const pattern = compilePattern(expression);
  return (text) => pattern.test(text);
}

/**
 * Compiles an expression. By default "." also matches newlines. `place` names the position of the
 * expression in messages, such as "of label job".
 *
 * Errors: AppError 'invalid-argument' if the expression is not RE2, or too large.
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
    // RE2JS adds a flag at the start of the expression.
    const reason = errorMessage(error).replace(/`\(\?[is]\)/, '`');
    throw new AppError('invalid-argument', `cannot compile ${what}: ${reason}`, { cause: error });
  }
}

/** Modes of a search. `text` and `regex` ignore case. */
export type NameSearchMode = 'text' | 'regex' | 'case';

/** A search for names, as plain data that can be compared and sent to threads. */
export interface NameSearch {
  readonly text: string;
  readonly mode: NameSearchMode;
}

/**
 * Creates a function that returns true if a name contains `text`, or a match of `text` as an
 * expression.
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

/** Number of steps that are counted for a Unicode class. */
const unicodeClassSteps = 30;

/** Weight of counted repetitions, because a string can match them in many ways at the same time. */
const repeatedWeight = 4;

/**
 * Numbers of steps in a group: `last` for its last item, to which a repetition applies, and `sum`
 * for all earlier items.
 */
interface Group {
  sum: number;
  last: number;
}

/**
 * Estimates the number of steps of an RE2 program. Nested repetitions multiply, so that a few
 * characters can make a million steps. The result is meaningless if the expression is not RE2.
 */
export function patternSize(expression: string): number {
  const outer: Group[] = [];
  let group: Group = { sum: 0, last: 0 };
  const token = new RegExp(tokens, 'gsu');
  for (const match of expression.matchAll(token)) {
    const [text] = match;
    const { least, most } = match.groups ?? {};
    if (least !== undefined) {
      const times = Math.max(Number(least), Number(most || least), 1);
      group.last = (group.last + 1) * times * (times > 1 ? repeatedWeight : 1);
    } else if (text.startsWith('(?') && text.endsWith(')')) {
      // These are flags without a group.
    } else if (text === ')') {
      const size = group.sum + group.last + 2;
      group = outer.pop() ?? { sum: 0, last: 0 };
      group.sum += group.last;
      group.last = size;
    } else if (text.startsWith('(')) {
      outer.push(group);
      group = { sum: 0, last: 0 };
    } else {
      group.sum += group.last;
      group.last = countSteps(text);
    }
  }
  const groups = [...outer, group];
  return groups.reduce((size, { sum, last }) => size + sum + last, 0);
}

/**
 * Pattern of a token: quoted string, escape, class, repetition, start of a group, or a character.
 */
const tokens = [
  String.raw`\\Q.*?(?:\\E|$)`,
  String.raw`\\[pP](?:\{[^}]*\}|.)|\\x\{[^}]*\}|\\.`,
  String.raw`\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]?`,
  String.raw`\{(?<least>\d{1,4})(?:,(?<most>\d{0,4}))?\}`,
  String.raw`\((?:\?(?:P?<\w*>|[\w-]*[:)]))?`,
  '.',
].join('|');

function countSteps(token: string): number {
  if ('?*+'.includes(token)) return 2;
  if (token.startsWith('\\Q')) return token.length;
  const classes = token.startsWith('[') ? token.match(/\\[pPdDsSwW]|\[:/g) : token.match(/^\\[pP]/);
  // The ranges of a class count too, because they take time to compile, although a class is only
  // one step of a program.
  const ranges = token.startsWith('[') ? Math.ceil(token.length / 4) : 1;
  return ranges + (classes?.length ?? 0) * unicodeClassSteps;
}
