// Shortens demangled C++ and Rust names to the parts that people want to see.

import type { DemangleMode } from '../interface.ts';

/**
 * Converts a C++ name with parameters to the form of a mode: `templates` omits parameters, `simple`
 * also omits template arguments.
 */
export function readableCppName(name: string, mode: DemangleMode): string {
  if (mode === 'full') return name;
  const bare = withoutParameters(name);
  return mode === 'simple' ? withoutTemplates(bare) : bare;
}

/** Converts a Rust name to the form of a mode: `simple` omits generic arguments, as in `f::<A>`. */
export function readableRustName(name: string, mode: DemangleMode): string {
  return mode === 'simple' ? withoutTurbofish(name) : name;
}

/** Qualifiers of a function, after its parameters. */
const qualifiers = /(?: const| volatile| restrict| &| &&|&|&&)+$/;

/**
 * End of names such as `{virtual override thunk({offset(-16)}, f())}`, in which f is the function.
 */
const thunkEnd = ')}';

/**
 * Removes the last parameter list. The lists of enclosing functions stay, because they distinguish
 * functions.
 */
function withoutParameters(name: string): string {
  // A name such as `typeinfo for void (int)` is not the name of a function.
  if (name.includes(' for ')) return name;
  if (!name.endsWith(thunkEnd)) return withoutLastList(name);
  return withoutLastList(name.slice(0, -thunkEnd.length)) + thunkEnd;
}

function withoutLastList(name: string): string {
  const end = name.length - (qualifiers.exec(name)?.[0].length ?? 0);
  if (name[end - 1] !== ')') return name;
  let depth = 0;
  for (let at = end - 1; at > 0; at -= 1) {
    if (name[at] === ')') depth += 1;
    else if (name[at] === '(') depth -= 1;
    if (depth === 0) return name.slice(0, at);
  }
  return name;
}

/** Operators whose names contain < or >, the longest first. */
const operators = ['<=>', '<<=', '>>=', '->', '<<', '>>', '<=', '>=', '<', '>'];

/** Removes angle brackets and their content, except in operators. */
function withoutTemplates(name: string): string {
  let kept = '';
  let depth = 0;
  let at = 0;
  while (at < name.length) {
    if (name.startsWith('operator', at) && !/\w/.test(name[at - 1] ?? ' ')) {
      const rest = at + 'operator'.length;
      const sign = operators.find((operator) => name.startsWith(operator, rest)) ?? '';
      const end = rest + sign.length;
      if (depth === 0) kept += name.slice(at, end);
      at = end;
      continue;
    }
    const sign = name[at];
    if (sign === '<') {
      // Removes the space in `operator< <char>`.
      if (depth === 0) kept = kept.trimEnd();
      depth += 1;
    } else if (sign === '>' && depth > 0) {
      depth -= 1;
    } else if (depth === 0) {
      kept += sign;
    }
    at += 1;
  }
  return kept;
}

/** Removes the arguments of `f::<A>`, and keeps `<A as B>::f`. */
function withoutTurbofish(name: string): string {
  let kept = '';
  let at = 0;
  for (;;) {
    const start = name.indexOf('::<', at);
    if (start === -1) return kept + name.slice(at);
    kept += name.slice(at, start);
    const end = endOfAngles(name, start + 2);
    if (end === -1) return name;
    at = end;
  }
}

/** Returns the offset after the bracket that closes the bracket at `start`; -1 if there is none. */
function endOfAngles(name: string, start: number): number {
  let depth = 0;
  for (let at = start; at < name.length; at += 1) {
    if (name[at] === '<') depth += 1;
    // The bracket must not be part of an arrow, as in `fn() -> u8`.
    else if (name[at] === '>' && name[at - 1] !== '-') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}
