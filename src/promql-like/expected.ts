// The tokens that may come next in a query: for messages about mistakes, and for completion.
import { isString, type Token } from './tokens.ts';

/** Kind of word that may follow, other than keywords. */
export type ExpectedKind =
  | 'profile-type'
  | 'label-name'
  | 'operator'
  | 'label-value'
  /** A label name, or a word for a property of frames. */
  | 'group-name'
  | 'nothing';

/** The tokens that may follow some tokens. */
export interface Expected {
  /** The alternatives in words for a message: `"{", "|" or the end of the query`. */
  readonly text: string;
  readonly kind: ExpectedKind;
  /** The keywords that may follow. */
  readonly words: readonly string[];
  /** True if the tokens so far may be a complete query. */
  readonly mayEnd: boolean;
}

/** Kinds of open brackets. The open bracket of a diff has the kind of the query that follows. */
type Bracket = 'matchers' | 'by' | 'own' | 'base' | 'compared';

interface Alternatives {
  /** Alternatives other than keywords, as messages name them. */
  readonly things?: readonly string[];
  readonly words?: readonly string[];
  readonly kind?: ExpectedKind;
  /** True if the tokens may be a complete operand of a diff, or a complete query. */
  readonly mayEnd?: boolean;
}

const operand: Alternatives = { things: ['a profile type', '"{"'], kind: 'profile-type' };
const afterSelector: Alternatives = {
  words: ['except', 'offset'],
  things: ['"@"', '"|"'],
  mayEnd: true,
};
const time: Alternatives = { things: ['a time such as 1764000000'] };
const afterStage: Alternatives = { things: ['"|"'], mayEnd: true };
const operator: Alternatives = { things: ['one of = != =~ !~'], kind: 'operator' };
const text: Alternatives = { things: ['a quoted text'] };
const comparisonWords = ['contains', 'equals', 'starts with', 'matches'];
const comparison: Alternatives = { words: comparisonWords, things: ['a quoted text'] };
const condition: Alternatives = {
  words: [
    ...comparisonWords,
    'function',
    'system',
    'file',
    'binary',
    'package',
    'kind',
    'address',
    'line',
  ],
  things: ['a quoted text'],
};
const number: Alternatives = { things: ['a number'] };

/** Alternatives after each token. The key also has the open bracket, if that matters. */
const afterToken: ReadonlyMap<string, Alternatives> = new Map<string, Alternatives>([
  ['', operand],
  ['base (', operand],
  ['compared ,', operand],
  ['diff', { things: ['"("'] }],
  ['ProfileName', { ...afterSelector, things: ['"{"', '"@"', '"|"'] }],
  ['{', { things: ['a label name', '"}"'], kind: 'label-name' }],
  ['<', { things: ['a label name', '">"'], kind: 'label-name' }],
  ['matchers ,', { things: ['a label name', 'the closing bracket'], kind: 'label-name' }],
  ['Identifier', operator],
  ['name string', operator],
  ['Operator', { things: ['a quoted label value'], kind: 'label-value' }],
  ['value string', { things: ['","', 'the closing bracket'] }],
  ['}', afterSelector],
  ['>', afterSelector],
  ['@', time],
  ['@ Time', { words: ['to'] }],
  ['to', time],
  ['to Time', { ...afterSelector, things: ['"|"'] }],
  ['except', { things: ['"@"'] }],
  ['except Time', { words: ['offset'], things: ['"|"'], mayEnd: true }],
  ['offset', { things: ['a duration such as 1d12h'] }],
  ['Duration', afterStage],
  [')', afterStage],
  [
    '|',
    {
      words: [
        'stack',
        'leaf',
        'not',
        'frame',
        'focus',
        'ignore',
        'hide',
        'show',
        'sandwich',
        'root',
        'collapse',
        'invert',
        'increase',
        'samples',
        'own',
        'by',
        'top',
      ],
    },
  ],
  ['not', { words: ['stack', 'leaf'] }],
  ['stack', condition],
  ['leaf', condition],
  ['frame', { words: ['keep', 'drop'] }],
  ['keep', condition],
  ['drop', condition],
  ['function', comparison],
  ['system', comparison],
  ['file', comparison],
  ['binary', comparison],
  ['package', comparison],
  ['kind', comparison],
  ['address', number],
  ['line', number],
  ['contains', text],
  ['equals', text],
  ['starts', { words: ['with'] }],
  ['with', text],
  ['matches', text],
  ['focus', text],
  ['ignore', text],
  ['hide', text],
  ['show', text],
  ['sandwich', text],
  ['root', text],
  ['collapse', { ...condition, words: ['recursion', ...(condition.words ?? [])] }],
  ['recursion', afterStage],
  ['stage string', afterStage],
  ['invert', afterStage],
  ['increase', afterStage],
  ['samples', { things: ['"@"'] }],
  ['samples Time', afterStage],
  ['own', { things: ['"("'] }],
  ['own (', { things: ['a quoted text'] }],
  ['own ,', { things: ['a quoted text', '")"'] }],
  ['own string', { things: ['","', '")"'] }],
  ['by', { things: ['"("'] }],
  ['by (', { things: ['a label name'], kind: 'group-name' }],
  ['by ,', { things: ['a label name', '")"'], kind: 'group-name' }],
  ['by Identifier', { things: ['","', '")"'] }],
  ['by string', { things: ['","', '")"'] }],
  ['top', number],
  ['Number', afterStage],
]);

/** Returns the alternatives after the first tokens of a query. */
export function expectedAfter(tokens: readonly Token[]): Expected {
  const brackets = openBrackets(tokens);
  const bracket = brackets.at(-1);
  const name = nameInTable(tokens, bracket);
  const found = afterToken.get(`${bracket} ${name}`) ?? afterToken.get(name);
  const { things = [], words = [], kind = 'nothing', mayEnd = false } = found ?? {};
  const ends = mayEnd ? [endName(bracket)] : [];
  return { text: joinAlternatives([...words, ...things, ...ends]), kind, words, mayEnd };
}

/** Returns the key of the last token in `afterToken`. */
function nameInTable(tokens: readonly Token[], bracket: Bracket | undefined): string {
  const last = tokens.at(-1);
  if (last === undefined) return '';
  if (last.name === 'Time') return nameTime(tokens);
  if (!isString(last)) return last.name;
  if (bracket === 'by' || bracket === 'own') return 'string';
  if (bracket !== 'matchers') return 'stage string';
  return tokens.at(-2)?.name === 'Operator' ? 'value string' : 'name string';
}

/**
 * Returns the table's name for a time that is the last token. It depends on the word before the
 * time; the end times of `except` and `samples` have their own names.
 */
function nameTime(tokens: readonly Token[]): string {
  const before = tokens.at(-2)?.name ?? '';
  const owner = before === 'to' ? tokens.at(-5)?.name : undefined;
  return `${owner === 'except' || owner === 'samples' ? owner : before} Time`;
}

function openBrackets(tokens: readonly Token[]): Bracket[] {
  const open: Bracket[] = [];
  tokens.forEach(({ name }, i) => {
    if (name === '{' || name === '<') open.push('matchers');
    else if (name === '(') open.push(bracketAfter(tokens[i - 1]?.name));
    else if (name === '}' || name === '>' || name === ')') open.pop();
    else if (name === ',' && open.at(-1) === 'base') open[open.length - 1] = 'compared';
  });
  return open;
}

function bracketAfter(word: string | undefined): Bracket {
  return word === 'by' || word === 'own' ? word : 'base';
}

function endName(bracket: Bracket | undefined): string {
  if (bracket === 'base') return '","';
  return bracket === 'compared' ? '")"' : 'the end of the query';
}

function joinAlternatives(names: readonly string[]): string {
  const last = names.at(-1) ?? 'something else';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}
