// Shorter forms of function names: shortened by structure, so that the distinctive part remains.
//
// Forms from long to short: complete name; without arguments, generics and hashes; leading segments
// abbreviated to one letter; last two segments; last segment. Separators depend on the language.

/** Punctuation in the names of a language. */
interface NameStyle {
  /** Separators between segments, longest first. */
  readonly separators: readonly string[];
  /** Brackets around arguments or generics, which can be removed. */
  readonly removable: readonly string[];
}

const doubleColon: NameStyle = { separators: ['::'], removable: ['<', '(', '['] };
const dotted: NameStyle = { separators: ['.'], removable: ['(', '<'] };

const closing = new Map([
  ['(', ')'],
  ['<', '>'],
  ['[', ']'],
  ['{', '}'],
]);

/**
 * Matches segments that are meaningless without the previous segment: closures and anonymous
 * functions.
 */
const dependent = /^(\{\{?.*\}?\}|func\d+(\.\d+)*|\d+|lambda|<lambda>|<locals>|\(anonymous\))$/;

/** Returns all forms of a name, from long to short; the first form is the name itself. */
export function shortForms(name: string): string[] {
  const forms = [name];
  for (const form of structuredForms(name)) {
    if (form !== '' && form.length < forms[forms.length - 1].length) forms.push(form);
  }
  return forms;
}

function structuredForms(name: string): string[] {
  if (isAddress(name)) return [name.slice(name.lastIndexOf('+') + 1)];
  if (isPlain(name)) return [];
  if (isGo(name)) return goForms(name);
  return name.includes('::') ? segmentForms(name, doubleColon) : segmentForms(name, dotted);
}

/** Start of each segment of a name; brackets are not split. */
export interface NameSegments {
  readonly starts: readonly number[];
  /** True if the first segment is a package in this language, such as an import path of Go. */
  readonly isScopeFirst: boolean;
}

/**
 * Finds the segments of a name or one of its forms; closures belong to the function before them.
 */
export function nameSegments(name: string): NameSegments {
  if (isAddress(name)) return { starts: [0, name.lastIndexOf('+') + 1], isScopeFirst: true };
  if (isPlain(name)) return { starts: [0], isScopeFirst: false };
  const isOfGo = isGo(name);
  const separator = !isOfGo && name.includes('::') ? '::' : '.';
  const slash = isOfGo ? name.slice(0, packageEnd(name)).lastIndexOf('/') + 1 : 0;
  const starts = [0];
  let at = slash;
  for (const segment of splitOutside(name.slice(slash), separator)) {
    if (at > slash && !dependent.test(segment)) starts.push(at);
    at += segment.length + separator.length;
  }
  return { starts, isScopeFirst: isOfGo };
}

/** Returns a name without arguments, generics, hashes and return types. */
export function withoutArguments(name: string): string {
  if (isAddress(name) || isPlain(name)) return name;
  if (isGo(name)) return removeBrackets(name, ['[']);
  return stripDecoration(name, name.includes('::') ? doubleColon : dotted);
}

/** Finds the end of a possible Go package path: type arguments or a receiver. */
function packageEnd(name: string): number {
  const bracket = name.search(/[[(]/);
  return bracket < 0 ? name.length : bracket;
}

function isAddress(name: string): boolean {
  return /(^|\+)0x[0-9a-f]+$/i.test(name);
}

function isPlain(name: string): boolean {
  // Names such as `(anonymous)`, `<module>` and `[unknown]` consist of brackets.
  return !/[.:/(<[]/.test(name) || /^[([<][^)\]>]*[)\]>]$/.test(name);
}

function isGo(name: string): boolean {
  if (name.includes('::')) return false;
  return /\/|\w\[/.test(name) || /^[\w-]+\.\(\*?\w/.test(name) || /\.func\d+(\.|$)/.test(name);
}

function goForms(name: string): string[] {
  const bare = removeBrackets(name, ['[']);
  const slash = bare.lastIndexOf('/');
  const path = bare.slice(0, slash + 1);
  const local = bare.slice(slash + 1);
  const letters = path.replace(/[^/.]+/g, (word) => word[0]);
  const segments = mergeDependent(splitOutside(local, '.'));
  const lastTwo = segments.slice(-2).join('.');
  return [bare, letters + local, local, lastTwo, segments.slice(-1).join('')];
}

function segmentForms(name: string, style: NameStyle): string[] {
  const bare = stripDecoration(name, style);
  const [separator] = style.separators;
  const segments = mergeDependent(splitOutside(bare, separator), separator);
  const letters = segments
    .map((segment, i) => (i < segments.length - 2 ? firstLetter(segment) : segment))
    .join(separator);
  return [bare, letters, segments.slice(-2).join(separator), segments[segments.length - 1]];
}

function firstLetter(segment: string): string {
  return /^[^\w$]*[\w$]/.exec(segment)?.[0] ?? segment;
}

/** Removes `::h0123…`, `<T as Trait>` wrappers, arguments, generics and the return type. */
function stripDecoration(name: string, style: NameStyle): string {
  const unhashed = name.replace(/::h[0-9a-f]{16}$/, '');
  const unwrapped = unhashed.replace(/^<(.+)>::/, (whole, inner: string) => {
    const type = splitOutside(inner, ' as ')[0];
    return inner.includes('>::') && depthBreaks(inner)
      ? whole
      : `${type.replace(/^[&*]\s*/, '')}::`;
  });
  const bare = removeBrackets(unwrapped.replaceAll('::<', '<'), style.removable);
  const words = splitOutside(bare, ' ');
  const last = words[words.length - 1];
  const keepsSpace = /(^|::)operator\b|\bfor\b/.test(bare) || last === '';
  return keepsSpace ? bare : last.replace(/^[&*]+/, '');
}

/** Returns true if a string closes a bracket that it has not opened. */
function depthBreaks(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '<') depth++;
    if (character === '>' && --depth < 0) return true;
  }
  return false;
}

/**
 * Removes brackets and their content, except brackets that form a segment, such as `(*T)` and
 * `{closure}`.
 */
function removeBrackets(name: string, open: readonly string[]): string {
  let out = '';
  for (let i = 0; i < name.length; i++) {
    const close = open.includes(name[i]) ? closing.get(name[i]) : undefined;
    const atSegmentStart = out === '' || /[.:\s]$/.test(out);
    const isOperator = /operator[<>(]*$/.test(out);
    if (close === undefined || atSegmentStart || isOperator) {
      out += name[i];
      continue;
    }
    const end = matching(name, i, name[i], close);
    if (end < 0) return out + name.slice(i);
    i = end;
  }
  // `f() const` has become `f const`.
  return out.replace(/ (const|noexcept|volatile)$/, '');
}

function matching(text: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === open) depth++;
    // The arrow of a return type is not a bracket.
    if (text[i] === close && text[i - 1] !== '-' && --depth === 0) return i;
  }
  return -1;
}

/** Splits at separators outside of brackets. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if ('(<[{'.includes(text[i])) depth++;
    else if (')>]}'.includes(text[i])) depth = Math.max(0, depth - 1);
    else if (depth === 0 && i > start && text.startsWith(separator, i)) {
      parts.push(text.slice(start, i));
      start = i + separator.length;
      i = start - 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

function mergeDependent(segments: readonly string[], separator = '.'): string[] {
  const merged: string[] = [];
  for (const segment of segments) {
    const last = merged.length - 1;
    if (last >= 0 && dependent.test(segment)) merged[last] += separator + segment;
    else merged.push(segment);
  }
  return merged;
}
