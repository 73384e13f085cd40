// Decides from the text of a source whether a function encloses a position. Sources are not parsed,
// because they may be in TypeScript, JSX or any other language that compiles to JavaScript.

import { sourceMapFunctionLengthMax } from '../limits.ts';

/** Matches the text after the name of a variable that is assigned a function. */
const assignedFunction = /^\s*(?::[^=]*)?=\s*(?:async\b\s*)?(?:function\b|\(|<|[\w$]+\s*=>)/;
const contextLength = 200;

/** Number of characters in a bundle from the name of a function to the next mapped position. */
export interface AfterName {
  readonly min: number;
  readonly max: number;
}

/**
 * Lengths of the text after the name of a function in a bundle. The text is "(" for a declared
 * function, and "=" to " = (" for an assigned function.
 */
const [afterDeclared, afterAssigned] = [
  { min: 1, max: 1 },
  { min: 1, max: 4 },
];

/**
 * Returns the length of the text after the name in a bundle. Returns undefined unless the name at
 * `start` in the source names a function whose body contains the position `place`.
 */
export function textAfterName(
  text: string,
  start: number,
  name: string,
  place: number,
): AfterName | undefined {
  const end = start + name.length;
  const isNear = end <= place && place - end <= sourceMapFunctionLengthMax;
  if (!isNear || !text.startsWith(name, start)) return undefined;
  const before = text.slice(Math.max(0, start - contextLength), start);
  const isDeclared = /\bfunction\s*\*?\s*$/.test(before);
  const isAssigned =
    /\b(?:const|let|var)\s+$/.test(before) &&
    assignedFunction.test(text.slice(end, end + contextLength));
  if ((!isDeclared && !isAssigned) || isClosedBefore(text, end, place)) return undefined;
  return isDeclared ? afterDeclared : afterAssigned;
}

/** Returns true if a function whose name ends at `from` ends before `place`. */
function isClosedBefore(text: string, from: number, place: number): boolean {
  let depth = 0;
  for (let i = from; i < place; i += 1) {
    const code = text[i];
    const isComment = code === '/' && (text[i + 1] === '/' || text[i + 1] === '*');
    if (isComment || code === '"' || code === "'" || code === '`') {
      i = endOfText(text, i);
    } else if (code === '(' || code === '[' || code === '{') {
      depth += 1;
    } else if (code === ')' || code === ']' || code === '}') {
      depth -= 1;
      if (depth < 0 || (depth === 0 && code === '}')) return true;
    } else if (depth === 0 && (code === ';' || (code === '\n' && endsStatement(text, i)))) {
      return true;
    }
  }
  return false;
}

/**
 * Returns the position of the last character of the string, template or comment that begins at
 * `at`.
 */
function endOfText(text: string, at: number): number {
  const start = text[at];
  if (start === '/') {
    const isLine = text[at + 1] === '/';
    const end = text.indexOf(isLine ? '\n' : '*/', at + 2);
    return end === -1 ? text.length : end - (isLine ? 1 : -1);
  }
  for (let i = at + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === start || (text[i] === '\n' && start !== '`')) return i;
  }
  return text.length;
}

/** Returns true if the line break at `at` ends a statement without a semicolon. */
function endsStatement(text: string, at: number): boolean {
  const before = /(\S)\s*$/.exec(text.slice(Math.max(0, at - contextLength), at))?.[1] ?? '';
  const after = /^\s*(\S)/.exec(text.slice(at, at + contextLength))?.[1] ?? '';
  return !'=>(,{[+-*/&|?:.<'.includes(before) && !'.?:+-*/&|,)=({[<'.includes(after);
}
