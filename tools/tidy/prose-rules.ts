// Rules of English that can be checked: how a comment begins, and words with a plainer alternative.
import type { SourceFile } from './files.ts';
import { type LineRule, isForeign } from './line-rules.ts';

const isProgram = (path: string): boolean =>
  /\.(ts|tsx|mjs|cjs|mts|go|rs|c|h|css|proto|grammar|sh)$/.test(path) && !isForeign(path);
const isProse = (path: string): boolean =>
  (isProgram(path) || /\.(md|ya?ml)$/.test(path)) && !path.startsWith('tools/tidy/prose-rules');

/** Matches a complete word that is not a part of a path, a flag or a longer name. */
function word(pattern: string): RegExp {
  return new RegExp(`(?<![-/."\\w])${pattern}(?![-/\\w])`, 'i');
}

/** Words for what something can literally be behind, on a network or in code. */
const fronts = '(proxy|balancer|gateway|firewall|interface|seam|prefix|face)';

/**
 * Words with a plainer alternative. `(?!...)` after a pattern excludes the word's other meaning.
 */
export const wordRules: readonly LineRule[] = [
  {
    name: 'word-behind',
    pattern: word(
      `(?<!\\b(leav\\w+|left)( \\w+){0,3} )(?<!\\b(samples|metrics|proxy|is|fall\\w*|far) )behind` +
        `(?! (\\w+ ){0,3}${fronts})`,
    ),
    instead: 'says "behind": say after, next, or what it is about',
    appliesTo: isProse,
    example: '// The bytes behind the header.',
  },
  {
    name: 'word-beside',
    pattern: word('beside'),
    instead: 'says "beside": say next to, with, in addition to, or apart from',
    appliesTo: isProse,
    example: '// A column beside the stacks.',
  },
  {
    name: 'word-anew',
    pattern: word('anew'),
    instead: 'says "anew": say again, or from the start',
    appliesTo: isProse,
    example: '// It is made anew.',
  },
  {
    name: 'word-any-more',
    pattern: word('any more(?! (than|of)\\b)'),
    instead: 'says "any more": say no longer',
    appliesTo: isProse,
    example: '// Nobody reads it any more.',
  },
  {
    name: 'word-has-not',
    pattern: word('(has|have) not(?=[,;.:)\'"]| (a|an|any|many|much|enough|the|its|their)\\b)'),
    instead: 'says "has not": say does not have, lacks, or is without',
    appliesTo: isProse,
    example: '// Stacks that the chunk has not.',
  },
  {
    name: 'word-let-go-of',
    pattern: word('(let|lets|letting) go(?! on\\b)'),
    instead: 'says "let go of": say releases',
    appliesTo: isProse,
    example: '// It lets go of the selection.',
  },
  {
    name: 'word-at-hand',
    pattern: word('at hand'),
    instead: 'says "at hand": say current',
    appliesTo: isProse,
    example: '// The bucket at hand.',
  },
  {
    name: 'word-so-many',
    pattern: word(
      '(so many(?!( [^ ]+){1,8} that)|(?<!(took|takes?|are|is) )so long(?! (as|that)))',
    ),
    instead: 'says "so many" without a number: name the number, or say what it is',
    appliesTo: isProse,
    example: '// Waits for so many milliseconds.',
  },
];

/** First words after which the reader waits for the subject. */
const firstWords = '(Of|What|Whether|Who|Whose|How|When|Where|Which|Why|By|As|That|Those|To)';
const opened = new RegExp(`^\\s*/\\*\\*\\s+${firstWords}\\b`);
const continued = new RegExp(`^\\s*\\*\\s+${firstWords}\\b`);
const rustDoc = new RegExp(`^\\s*//[/!]\\s+${firstWords}\\b`);
const fileHead = new RegExp(`^(//|/\\*|#|//!)\\s+${firstWords}\\b`);

/** Finds doc comments and file heads that do not begin with their subject. */
export function subjectsNotFirst(
  files: readonly SourceFile[],
): { place: string; message: string }[] {
  return files
    .filter(({ path }) => isProgram(path))
    .flatMap(({ path, text }) => {
      const lines = text().split('\n');
      return lines.flatMap((line, i) => {
        const before = i === 0 ? '' : lines[i - 1];
        const isFound =
          opened.test(line) ||
          (before.trim() === '/**' && continued.test(line)) ||
          (path.endsWith('.rs') && rustDoc.test(line) && !/^\s*\/\/[/!]/.test(before)) ||
          (i === 0 && fileHead.test(line));
        if (!isFound) return [];
        return [
          {
            place: `${path}:${i + 1}`,
            message: 'does not begin with its subject: begin with a noun or a verb',
          },
        ];
      });
    });
}
