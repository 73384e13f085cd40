// Templates for labels and annotations: the subset of Prometheus' templates that rules use.
import { AppError } from '../base/errors.ts';
import { formatGoDigits, formatGoFloat } from '../base/text/go-number.ts';
import { labelValue, type LabelSet } from '../model/labels.ts';
import { expandedCharactersMax } from './limits.ts';

/** Data for templates. */
export interface TemplateData {
  readonly labels: LabelSet;
  readonly externalLabels: LabelSet;
  readonly value: number;
  /** URL of the page with the rule's query. */
  readonly link: string;
}

/** A parsed template. */
export interface Template {
  readonly text: string;
  /**
   * Returns the expanded string. Errors: AppError 'resource-exhausted' if it becomes longer than
   * `expandedCharactersMax`; 'invalid-argument' if a function cannot use its argument.
   */
  expand(data: TemplateData): string;
}

type Piece = (data: TemplateData) => string;
type Operand = (data: TemplateData) => string | number;
type TemplateFunction = (value: string | number) => string | number;

/**
 * Parses a template: text with actions such as `{{ $labels.job }}`, `{{ $value | humanize }}`, `{{
 * printf "%.2f" $value }}`, `{{ $externalLabels.cluster }}` and `{{ $link }}`.
 *
 * Errors: AppError 'invalid-argument' with the action.
 */
export function parseTemplate(text: string): Template {
  const pieces: Piece[] = [];
  let at = 0;
  let trimsNext = false;
  const addText = (written: string, trimsEnd: boolean): void => {
    let kept = trimsNext ? written.trimStart() : written;
    if (trimsEnd) kept = kept.trimEnd();
    if (kept !== '') pieces.push(() => kept);
  };
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open === -1) break;
    const close = closingBraces(text, open + 2);
    if (close === -1) throw cannotUse(text.slice(open, open + 40), 'expected }} at its end');
    const trimsBefore = text.startsWith('- ', open + 2);
    addText(text.slice(at, open), trimsBefore);
    trimsNext = text.slice(open + 2, close).endsWith(' -');
    const action = text.slice(open + (trimsBefore ? 3 : 2), close - (trimsNext ? 1 : 0)).trim();
    if (!/^\/\*.*\*\/$/s.test(action)) pieces.push(parseAction(action));
    at = close + 2;
  }
  addText(text.slice(at), false);
  return {
    text,
    expand: (data) => {
      let expanded = '';
      for (const piece of pieces) {
        expanded += piece(data);
        if (expanded.length <= expandedCharactersMax) continue;
        const limit = `the limit is ${expandedCharactersMax} characters`;
        throw new AppError('resource-exhausted', `cannot expand template: ${limit}`);
      }
      return expanded;
    },
  };
}

function closingBraces(text: string, from: number): number {
  const tokens = /"(?:[^"\\]|\\.)*"|`[^`]*`|\}\}/gs;
  tokens.lastIndex = from;
  for (;;) {
    const found = tokens.exec(text);
    if (found === null) return -1;
    if (found[0] === '}}') return found.index;
  }
}

function cannotUse(action: string, why: string): AppError {
  return new AppError('invalid-argument', `cannot use template ${JSON.stringify(action)}: ${why}`);
}

/** Words, strings, numbers and pipes in an action. */
const actionTokens = /\s*("(?:[^"\\]|\\.)*"|`[^`]*`|\||[^\s|"`]+)/gsy;

function parseAction(action: string): Piece {
  actionTokens.lastIndex = 0;
  const commands: string[][] = [[]];
  while (actionTokens.lastIndex < action.length) {
    const start = actionTokens.lastIndex;
    const found = actionTokens.exec(action);
    if (found === null) throw cannotUse(action, `unexpected ${action.slice(start)}`);
    if (found[1] === '|') commands.push([]);
    else commands[commands.length - 1].push(found[1]);
  }
  let operand: Operand | undefined;
  for (const words of commands) operand = parseCommand(action, words, operand);
  if (operand === undefined) throw cannotUse(action, 'it is empty');
  const shown = operand;
  return (data) => formatValue(shown(data));
}

/** Parses a command. `piped` is the result of the previous command, which is its last argument. */
function parseCommand(
  action: string,
  words: readonly string[],
  piped: Operand | undefined,
): Operand {
  if (words.length === 0) throw cannotUse(action, 'a command is empty');
  const [name, ...rest] = words;
  const isFunction = Object.hasOwn(functions, name) || name === 'printf';
  if (!isFunction) {
    if (words.length === 1 && piped === undefined) return parseOperand(action, name);
    throw cannotUse(action, `${name} is no function, expected one of ${functionNames}`);
  }
  const given = rest.map((word) => parseOperand(action, word));
  const all = piped === undefined ? given : [...given, piped];
  if (name === 'printf') {
    const [format, ...values] = all;
    if (format === undefined) throw cannotUse(action, 'printf needs a format');
    return (data) =>
      printf(
        String(format(data)),
        values.map((value) => value(data)),
      );
  }
  if (all.length !== 1) throw cannotUse(action, `${name} takes one value, got ${all.length}`);
  const [value] = all;
  return (data) => functions[name](value(data));
}

function parseOperand(action: string, word: string): Operand {
  if (word === '$value' || word === '.Value') return ({ value }) => value;
  if (word === '$link') return ({ link }) => link;
  const field = /^(?:\$labels|\.Labels)\.([a-zA-Z_][a-zA-Z0-9_]*)$/.exec(word);
  if (field !== null) return ({ labels }) => labelValue(labels, field[1]);
  const external = /^(?:\$externalLabels|\.ExternalLabels)\.([a-zA-Z_][a-zA-Z0-9_]*)$/.exec(word);
  if (external !== null) return ({ externalLabels }) => labelValue(externalLabels, external[1]);
  if (/^`[^`]*`$/.test(word)) return () => word.slice(1, -1);
  if (word.startsWith('"')) {
    try {
      const text: unknown = JSON.parse(word);
      if (typeof text === 'string') return () => text;
    } catch {
      throw cannotUse(action, `${word} is no string`);
    }
  }
  if (/^-?\d+(?:\.\d+)?$/.test(word)) return () => Number(word);
  const known = '$value, $labels.NAME, $externalLabels.NAME, $link, a string or a number';
  throw cannotUse(action, `unexpected ${word}, expected ${known}`);
}

/** Formats a result. Numbers are formatted as in Go. */
function formatValue(value: string | number): string {
  return typeof value === 'string' ? value : formatGoFloat(value);
}

const functions: Readonly<Record<string, TemplateFunction>> = {
  humanize: (value) => humanize(toNumber(value, 'humanize'), 1000, siPrefixes),
  humanize1024: (value) => humanize(toNumber(value, 'humanize1024'), 1024, binaryPrefixes),
  humanizeDuration: (value) => humanizeDuration(toNumber(value, 'humanizeDuration')),
  humanizePercentage: (value) => `${significant(toNumber(value, 'humanizePercentage') * 100)}%`,
  toUpper: (value) => String(value).toUpperCase(),
  toLower: (value) => String(value).toLowerCase(),
  title: (value) =>
    String(value).replace(
      /(^|\s)(\S)/g,
      (_, space: string, first: string) => space + first.toUpperCase(),
    ),
};

const functionNames = [...Object.keys(functions), 'printf'].join(', ');

function toNumber(value: string | number, name: string): number {
  const number = typeof value === 'number' ? value : Number(value);
  if (typeof value === 'number' || (value.trim() !== '' && !Number.isNaN(number))) return number;
  const got = JSON.stringify(value);
  throw new AppError(
    'invalid-argument',
    `cannot expand template: ${name} needs a number, got ${got}`,
  );
}

/** Unit prefixes for larger and smaller numbers. */
interface Prefixes {
  readonly larger: readonly string[];
  readonly smaller: readonly string[];
}

const siPrefixes: Prefixes = {
  larger: ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'],
  smaller: ['m', 'u', 'n', 'p', 'f', 'a', 'z', 'y'],
};
const binaryPrefixes: Prefixes = {
  larger: ['ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei', 'Zi', 'Yi'],
  smaller: [],
};

function humanize(value: number, base: number, { larger, smaller }: Prefixes): string {
  if (value === 0 || !Number.isFinite(value)) return significant(value);
  const prefixes = Math.abs(value) >= 1 ? larger : smaller;
  let scaled = value;
  let prefix = '';
  for (const next of prefixes) {
    if (Math.abs(value) >= 1 ? Math.abs(scaled) < base : Math.abs(scaled) >= 1) break;
    prefix = next;
    scaled = Math.abs(value) >= 1 ? scaled / base : scaled * base;
  }
  return significant(scaled) + prefix;
}

/** Formats a number with up to four significant digits, as Go's %.4g does. */
function significant(value: number): string {
  if (!Number.isFinite(value)) return formatGoFloat(value);
  return formatGoFloat(Number(value.toPrecision(4)));
}

/** Formats seconds as Prometheus does, for example 1d 2h 3m 4s. */
function humanizeDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return formatGoFloat(seconds);
  const sign = seconds < 0 ? '-' : '';
  const magnitude = Math.abs(seconds);
  if (magnitude === 0) return '0s';
  if (magnitude < 1) return sign + humanize(magnitude, 1000, siPrefixes) + 's';
  const parts: string[] = [];
  let rest = Math.floor(magnitude);
  for (const [unit, unitSeconds] of [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
  ] as const) {
    const count = Math.floor(rest / unitSeconds);
    rest -= count * unitSeconds;
    if (count > 0 || parts.length > 0) parts.push(`${count}${unit}`);
  }
  parts.push(`${parts.length > 0 ? rest : significant(magnitude)}s`);
  return sign + parts.join(' ');
}

/** Formats like Go's Printf; supports %s, %v, %d, %f, %g, %e, %q and %%. */
function printf(format: string, values: readonly (string | number)[]): string {
  let next = 0;
  const verbs = /%(?:(%)|([-+0 ]*)(\d{0,3})(?:\.(\d{1,2}))?([svdfgeq]))/g;
  return format.replace(
    verbs,
    (
      _,
      percent: string,
      flags: string,
      width: string,
      digits: string | undefined,
      verb: string,
    ) => {
      if (percent !== undefined) return '%';
      const value = values[next];
      next += 1;
      if (value === undefined) return `%!${verb}(MISSING)`;
      const shown = formatVerb(verb, value, digits === undefined ? undefined : Number(digits));
      const signed = flags.includes('+') && !shown.startsWith('-') ? `+${shown}` : shown;
      if (flags.includes('-')) return signed.padEnd(Number(width));
      return signed.padStart(Number(width), flags.includes('0') ? '0' : ' ');
    },
  );
}

function formatVerb(verb: string, value: string | number, digits: number | undefined): string {
  if (verb === 'q') return JSON.stringify(String(value));
  if (verb === 's' || verb === 'v') return formatValue(value);
  const number = toNumber(value, 'printf');
  if (!Number.isFinite(number)) return formatGoFloat(number);
  if (verb === 'd') return String(Math.trunc(number));
  if (verb === 'f') return number.toFixed(digits ?? 6);
  if (verb === 'e') return formatGoDigits(number, digits ?? 6);
  return digits === undefined
    ? formatGoFloat(number)
    : formatGoFloat(Number(number.toPrecision(Math.max(1, digits))));
}
