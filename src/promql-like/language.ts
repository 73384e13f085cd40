// The tolerant parser for editors: the same grammar, with highlighting, never throwing.
import { styleTags, tags } from '@lezer/highlight';
import type { LRParser } from '@lezer/lr';
import { parser } from './gen/query.ts';

/** For CodeMirror: `LRLanguage.define({ parser: queryParser })`. Mistakes are error nodes. */
export const queryParser: LRParser = parser.configure({
  props: [
    styleTags({
      Comment: tags.lineComment,
      'ProfileName QuotedProfileName/...': tags.typeName,
      'LabelName/...': tags.propertyName,
      Operator: tags.operator,
      'LabelValue/...': tags.string,
      OpenString: tags.invalid,
      '{ }': tags.brace,
      '< >': tags.angleBracket,
      ',': tags.separator,
    }),
  ],
});
