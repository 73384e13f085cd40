// The tolerant parser for editors: it has the same grammar, adds highlighting, and never throws.
import { styleTags, tags } from '@lezer/highlight';
import type { LRParser } from '@lezer/lr';
import { parser } from './gen/query.ts';
import { comparisons, numberFields, textFields } from './query.ts';

const operatorWords = comparisons.flatMap((comparison) => comparison.split(' '));
const fieldWords: readonly string[] = [...textFields, ...numberFields];

/**
 * Words of the grammar, except words with a style of their own. The node of a word has the word as
 * its name.
 */
const keywords = parser.nodeSet.types
  .map(({ name }) => name)
  .filter((name) => /^[a-z]+$/.test(name))
  .filter((name) => !operatorWords.includes(name) && !fieldWords.includes(name));

/**
 * Parser for CodeMirror: `LRLanguage.define({ parser: queryParser })`. Mistakes become nodes of the
 * tree.
 */
export const queryParser: LRParser = parser.configure({
  props: [
    styleTags({
      Comment: tags.lineComment,
      'ProfileName QuotedProfileName/...': tags.typeName,
      'LabelName/...': tags.propertyName,
      'Operator @': tags.operator,
      'LabelValue/...': tags.string,
      OpenString: tags.invalid,
      '{ }': tags.brace,
      '< >': tags.angleBracket,
      '( )': tags.paren,
      ', |': tags.separator,
      [keywords.join(' ')]: tags.keyword,
      [operatorWords.join(' ')]: tags.operatorKeyword,
      'Field/...': tags.propertyName,
      'Text/...': tags.string,
      'Number Duration Time': tags.number,
    }),
  ],
});
