// Makes random strings for the query parser: valid queries, and queries with mistakes.
import type { RandomBelow } from '../../src/query/testing/random-rows.ts';
import { randomPattern } from './random-pattern.ts';

/** Strings for one position of a query: valid ones, then invalid ones. */
const profiles = [
  ['process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta', 'memory:alloc_space', 'cpu'],
  [':', 'a:b:c:d:e:f:g', '', '1'],
];
const labels = [
  ['job', 'instance', '"not-ok"', '`raw`', '_'],
  ['__name__', '``', "'it''s'", 'ä', '""', '1'],
];
const operators = [
  ['=', '!=', '=~', '!~'],
  ['==', '~', ''],
];
const literals = [
  ['"api"', "'x'", '`raw`', '""', String.raw`"\x41\101\u00e4\U0001F600"`],
  [String.raw`"\z"`, String.raw`"\ud800"`, '"open', '"\n"', '1'],
];
const brackets = [
  ['{}', '{}', '<>'],
  ['{>', '}{'],
];
const stages = [
  'stack contains',
  'not stack equals',
  'stack starts with',
  'stack matches',
  'focus',
  'ignore',
  'hide',
  'show',
  'frame keep function',
  'frame drop binary',
  'sandwich',
  'invert',
  'increase',
  'by (job, function)',
  'top 20',
  'top',
  '',
];
const words = [
  '{',
  '}',
  '<',
  '>',
  ',',
  '(',
  ')',
  '|',
  '#',
  '# note\n',
  '\n',
  ' ',
  '\\',
  '"',
  '`',
  'offset 1d',
  'offset -1h30m',
  '@ 1764000000 to',
  'except @ 5 to 7.25',
  'diff(',
  '\u0000',
  '\ud83d',
  '\u2028',
];

const textLengthMax = 40_000;

function usually(random: RandomBelow, [right, wrong]: readonly (readonly string[])[]): string {
  return pick(random, random(30) === 0 ? wrong : right);
}

function pick(random: RandomBelow, values: readonly string[]): string {
  return values[random(values.length)];
}

/** Returns a valid query or a similar string: up to a few thousand characters, rarely more. */
export function randomQuery(random: RandomBelow): string {
  let text = random(6) === 0 ? randomDiff(random) : randomPipeline(random);
  while (random(3) === 0) text = mutated(random, text);
  // Longer strings are refused without being parsed.
  return text.slice(0, textLengthMax);
}

function randomDiff(random: RandomBelow): string {
  const sides = [randomPipeline(random), randomPipeline(random)];
  return `diff(${sides.join(', ')})${randomStages(random)}`;
}

function randomPipeline(random: RandomBelow): string {
  const matchers = Array.from({ length: random(4) }, () => randomMatcher(random));
  const braces = usually(random, brackets);
  const inner = matchers.join(',') + pick(random, matchers.length > 0 ? ['', ','] : ['']);
  const time = (): string => `@ ${random(40)} to ${random(60)}${pick(random, ['', '.5', 's'])}`;
  const times = pick(random, ['', '', '', ` ${time()}`, ` except ${time()}`]);
  const offset =
    random(5) === 0 ? ` offset ${random(40)}${pick(random, ['d', 'h', 'ms', 'y', ''])}` : '';
  return `${usually(random, profiles)}${braces[0]}${inner}${braces[1]}${times}${offset}${randomStages(random)}`;
}

function randomMatcher(random: RandomBelow): string {
  const operator = usually(random, operators);
  return `${usually(random, labels)}${operator}${randomString(random, operator.includes('~'))}`;
}

function randomStages(random: RandomBelow): string {
  const all = Array.from({ length: Math.max(0, random(6) - 2) }, () => {
    const argument = random(3) === 0 ? '' : randomString(random, random(2) === 0);
    return `| ${pick(random, stages)} ${argument}`;
  });
  return all.join(' ');
}

function randomString(random: RandomBelow, isPattern: boolean): string {
  return isPattern ? JSON.stringify(randomPattern(random)) : usually(random, literals);
}

/** Returns the query with a part removed, inserted, doubled, repeated or moved. */
function mutated(random: RandomBelow, text: string): string {
  const [a, b] = [random(text.length + 1), random(text.length + 1)].sort((x, y) => x - y);
  const [head, piece, tail] = [text.slice(0, a), text.slice(a, b), text.slice(b)];
  const changes = [
    () => head + tail,
    () => head + pick(random, words) + piece + tail,
    () => head + pick(random, words) + tail,
    () => head + piece + piece + tail,
    () => tail + piece + head,
    () => head + String.fromCharCode(random(0x1_0000)) + piece + tail,
    () => text.repeat(1 + (random(20) === 0 ? random(50) : random(3))),
    () => (random(20) === 0 ? head + pick(random, words).repeat(random(20_000)) + tail : head),
  ];
  return changes[random(changes.length)]();
}
