// Explains a token that an expression cannot have: that it is not supported, or what was meant.
import { nearest } from '../base/text/nearest.ts';
import {
  aggregators,
  markSides,
  numberFunctions,
  rangeFunctions,
  rankings,
  setOperators,
  windowFunctions,
} from './expression.ts';
import { QueryError } from './query.ts';

const words: readonly string[] = [
  ...windowFunctions,
  ...rangeFunctions,
  ...numberFunctions,
  ...aggregators,
  ...rankings,
  ...setOperators,
  ...markSides,
  'mark',
  'by',
  'without',
  'on',
  'ignoring',
];

/** Words and signs of PromQL that are not supported. */
const unsupported: ReadonlySet<string> = new Set([
  '@',
  '^',
  'atan2',
  'bool',
  'group_left',
  'group_right',
]);

/** Makes the error for a token at `at` that is not allowed there. */
export function mistakeAt(text: string, at: number, cause?: unknown): QueryError {
  const token = /^(?:\w+|[=!<>]+|.)/su.exec(text.slice(at))?.[0] ?? '';
  const span = { from: at, to: at + token.length };
  const before = text.slice(0, at);
  const fail = (reason: string, at = span): QueryError =>
    new QueryError(reason, text, at, { cause });
  if (new RegExp(`\\b(?:${windowFunctions.join('|')})\\s*\\(\\s*$`).test(before)) {
    return fail('expected a query and its window, such as process_cpu{job="api"} [5m]');
  }
  if (unsupported.has(token)) return fail(`${token} is not supported`);
  const called = /([a-zA-Z_:][\w:]*)\s*$/.exec(before);
  // The grammar has read the word as the name of a series.
  if (called !== null && unsupported.has(called[1])) {
    return fail(`${called[1]} is not supported`, {
      from: called.index,
      to: called.index + called[1].length,
    });
  }
  const isKnown = called !== null && words.includes(called[1]);
  if (token === '(' && called !== null && !isKnown) {
    const [, name] = called;
    const meant = nearest(name, words);
    const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
    return fail(`${name} is not supported${hint}`, { from: called.index, to: at });
  }
  const isInRange = new RegExp(`\\b(?:${rangeFunctions.join('|')})\\s*\\([^()]*$`).test(before);
  if (
    token === '[' ||
    (token === '(' && isInRange) ||
    (token.startsWith(':') && /\[\s*\w*$/.test(before))
  ) {
    return fail('subqueries are not supported: a window stands next to the name of a series');
  }
  const got = token === '' ? 'end of the expression' : JSON.stringify(token);
  const near = nearest(token, words);
  const hint = near === undefined || near === token ? '' : `: did you mean ${near}?`;
  return fail(`unexpected ${got}${hint}`);
}
