// Compares the tokens that messages and completion expect with the grammar: after each sequence of
// tokens that the grammar distinguishes, a token is expected if and only if the strict parser
// accepts it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedAfter } from './expected.ts';
import { parser } from './gen/query.ts';
import { readTokens } from './tokens.ts';

const strict = parser.configure({ strict: true });

/** Words of the grammar. The node of a word has the word as its name. */
const words = parser.nodeSet.types
  .map(({ name }) => name)
  .filter((name) => /^[a-z]+$/.test(name) && name !== 'pipeline');

/** An example of each token that is not a word, and its names in messages. */
const others: ReadonlyMap<string, readonly string[]> = new Map([
  ['aType', ['a profile type', 'a label name']],
  ['"text"', ['a quoted text', 'a quoted label value', 'a label name']],
  ['{', ['"{"']],
  ['}', ['"}"', 'the closing bracket of {']],
  ['<', ['"{"']],
  ['>', ['">"', 'the closing bracket of <']],
  ['(', ['"("']],
  [')', ['")"']],
  [',', ['","']],
  ['|', ['"|"']],
  ['@', ['"@"']],
  ['=', ['one of = != =~ !~']],
  ['12', ['a number', 'a time such as 1764000000', 'a duration such as 1d12h']],
  // The grammar also accepts this token as a number and as a time. Its value is refused later.
  ['1d', ['a number', 'a time such as 1764000000', 'a duration such as 1d12h']],
]);

/** Tokens that the grammar accepts but messages do not mention. */
const unsaid: readonly [after: RegExp, token: RegExp][] = [
  // `diff` is a name if no bracket follows.
  [/^(.* )?$|(^| )diff$|[(,]$/, /^(diff|\()$/],
  // A type in quotes looks like the value of a label.
  [/[{<,] "text"$/, /^[}>,]$/],
  // After a field, `stages.ts` refuses words that do not fit the field.
  [
    / (stack|leaf|keep|drop|collapse|address|line|function|system|file|binary|package|kind)$/,
    /^("text"|12|1d)$/,
  ],
  [/ (contains|equals|with|matches)$/, /^(12|1d)$/],
  [/ (address|line)$/, /^(contains|equals|starts|matches)$/],
];

/** Returns true if the strict parser accepts the last token. */
function isTaken(tokens: readonly string[]): boolean {
  const text = tokens.join(' ');
  try {
    strict.parse(text);
    return true;
  } catch (error) {
    const offset = Number(/No parse at (\d+)/.exec(String(error))?.[1]);
    return offset >= text.length;
  }
}

function isWhole(tokens: readonly string[]): boolean {
  try {
    strict.parse(tokens.join(' '));
    return true;
  } catch {
    return false;
  }
}

const exactNames = new Map([
  ['a comma', '","'],
  ['starts with', 'starts'],
]);

/** Returns the tokens that messages expect after `tokens`, as single names. */
function expectedNames(tokens: readonly string[]): Set<string> {
  const { text } = expectedAfter(readTokens(tokens.join(' ')));
  const names = text.replaceAll('","', 'a comma').split(/, | or /);
  const open = tokens.findLast((token) => token === '{' || token === '<') ?? '';
  const exact = names.map((name) => exactNames.get(name) ?? name);
  return new Set(
    exact.map((name) => (name === 'the closing bracket' ? `${name} of ${open}` : name)),
  );
}

/**
 * Returns the differences between messages and grammar after `tokens`, and the tokens that may
 * follow.
 */
function compare(tokens: readonly string[]): { mistakes: string[]; next: string[] } {
  const before = tokens.join(' ');
  const names = expectedNames(tokens);
  const mistakes: string[] = [];
  const next: string[] = [];
  const check = (token: string, isExpected: boolean): void => {
    const isGood = isTaken([...tokens, token]);
    if (isGood) next.push(token);
    const isUnsaid = unsaid.some(([after, what]) => after.test(before) && what.test(token));
    if (isGood === isExpected || (isGood && isUnsaid)) return;
    mistakes.push(
      `${before} [${token}] is ${isGood ? 'not ' : ''}expected: ${[...names].join(', ')}`,
    );
  };
  for (const word of words) check(word, names.has(word) || isName(word, names));
  for (const [token, said] of others)
    check(
      token,
      said.some((name) => names.has(name)),
    );
  // The empty string is a query for the grammar, but not for the parser.
  if (before !== '' && isWhole(tokens) !== names.has('the end of the query'))
    mistakes.push(`${before} [end]`);
  return { mistakes, next };
}

/** Returns true if a word is allowed in a position where a name is expected. */
function isName(word: string, names: ReadonlySet<string>): boolean {
  const isType = names.has('a profile type') && word !== 'diff';
  return isType || names.has('a label name');
}

test('the grammar has the words of all stages', () => {
  for (const word of ['stack', 'sandwich', 'increase', 'diff', 'offset', 'matches', 'address']) {
    assert.ok(words.includes(word), word);
  }
});

test('each token is expected where the grammar takes it, and nowhere else', () => {
  const seen = new Set<string>();
  const mistakes: string[] = [];
  const queue: string[][] = [[]];
  for (let tokens = queue.shift(); tokens !== undefined; tokens = queue.shift()) {
    const found = compare(tokens);
    mistakes.push(...found.mistakes);
    // Two sequences are equivalent for the grammar if they end in the same way and the same tokens
    // may follow.
    const depth = tokens.filter((token) => token === '(').length;
    const key = `${tokens.at(-1)} ${depth} ${found.next.join(' ')}`;
    if (seen.has(key) || tokens.length > 14) continue;
    seen.add(key);
    const isName = found.next.filter((token) => words.includes(token)).length > 20;
    for (const token of found.next) {
      // If any word may be a name, testing one word is enough. A diff cannot contain a diff.
      if ((isName && words.includes(token) && token !== 'diff') || (token === 'diff' && depth > 0))
        continue;
      queue.push([...tokens, token]);
    }
  }
  console.log(seen.size);
  assert.ok(seen.size > 60, `${seen.size} sequences`);
  assert.deepEqual(mistakes, []);
});
