// The tolerant parser for editors: the same grammar, with highlighting, never throwing.
import { styleTags, tags } from '@lezer/highlight';
import type { LRParser } from '@lezer/lr';
import { parser } from './gen/query.ts';

/** Parser for CodeMirror: `LRLanguage.define({ parser: queryParser })`. Mistakes are nodes. */
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
      'diff except to offset not stack frame keep drop focus ignore hide show sandwich invert':
        tags.keyword,
      'root collapse recursion increase by top': tags.keyword,
      'contains equals starts with matches': tags.operatorKeyword,
      'Field/...': tags.propertyName,
      'Text/...': tags.string,
      'Number Duration Time': tags.number,
    }),
  ],
});
