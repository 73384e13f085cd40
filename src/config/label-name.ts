// Names of labels in the config file.
import { isLabelName } from '../model/labels.ts';
import { invalid, refine, text, type Reader } from './read.ts';

/** Why a text is no name of a label; undefined when it is one. */
export function labelNameMistake(name: string): string | undefined {
  if (isLabelName(name)) return undefined;
  const expected = 'expected letters, digits and _, beginning with no digit';
  return `invalid label name ${JSON.stringify(name)}, ${expected}`;
}

/** A name of a label. */
export const labelName: Reader<string> = refine(text, (name, place) => {
  const mistake = labelNameMistake(name);
  if (mistake === undefined) return name;
  place.report(mistake);
  return invalid;
});
