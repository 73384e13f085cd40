// Makes random regular expressions, which may be plausible, broken or slow.
import type { RandomBelow } from '../../src/query/testing/random-rows.ts';

const atoms = [
  'a',
  'api',
  'web',
  '.',
  '-',
  'ä',
  '世',
  ' ',
  '0',
  '\\.',
  '\\|',
  '\\d',
  '\\w',
  '\\S',
  '\\b',
  '\\pL',
  '\\p{Greek}',
  '\\x{10FFFF}',
  '\\Q(a|b)\\E',
  '[a-z]',
  '[^a]',
  '[[:alpha:]]',
  '[]a]',
  '[\\pL\\pN\\pS]',
  '^',
  '$',
  '(?i)',
  '(?s)',
  '(?P<n>a)',
  '(?:)',
  '\\1',
  '(?=a)',
  '(?<!b)',
  '\\',
  '[',
  ')',
  '(',
  '{',
  '\ud800',
];
const repetitions = [
  '*',
  '+',
  '?',
  '*?',
  '{2}',
  '{0,3}',
  '{30}',
  '{5,}',
  '{1000}',
  '{0,400}',
  '{1001}',
  '**',
];

/** Returns an expression; about one in ten would take far too long. */
export function randomPattern(random: RandomBelow): string {
  return random(10) === 0 ? randomBomb(random) : randomPart(random, 3);
}

function pick(random: RandomBelow, values: readonly string[]): string {
  return values[random(values.length)];
}

function randomPart(random: RandomBelow, depth: number): string {
  const parts = Array.from({ length: random(4) }, () => {
    const isGroup = depth > 0 && random(3) === 0;
    const item = isGroup ? `(${randomPart(random, depth - 1)})` : pick(random, atoms);
    return random(3) === 0 ? item + pick(random, repetitions) : item;
  });
  return parts.join(random(4) === 0 ? '|' : '');
}

function randomBomb(random: RandomBelow): string {
  const times = 1 + random(1000);
  const atom = pick(random, [
    'a',
    '.',
    '[a-z]',
    'a?',
    '(a|aa)',
    '\\pL',
    '[\\pL\\pN\\pS]',
    '(?i)k',
    'a*',
  ]);
  const bombs = [
    () => `(${atom}{${times}}){${times}}`,
    () => `((((${atom}){0,${times}}){0,9}){0,9}){0,9}`,
    () => `(?:${atom}{0,${times}})*b`,
    () => `${'('.repeat(times)}${atom}${')'.repeat(times)}`,
    () => `${'(?:a|'.repeat(times)}b${')'.repeat(times)}`,
    () => `${`${atom}|`.repeat(times)}b`,
    () => `[${'\\pL\\pN\\pS'.repeat(times)}]`,
    () => `[${'a-z一-龥'.repeat(times)}]`,
    () => atom.repeat(times),
    () => `(?:${atom})?`.repeat(times),
    () => `(${atom}*)*`.repeat(times),
    () => Array.from({ length: times }, (_, i) => `pod-${i}`).join('|'),
  ];
  return bombs[random(bombs.length)]();
}
