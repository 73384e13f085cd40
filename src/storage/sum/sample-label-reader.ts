// Reads sample labels for grouping.
import type { Dictionary } from '../../model/dictionary.ts';
import type { StringIndex } from '../../model/rows.ts';

/**
 * Returns a function that maps a SampleLabelsIndex to the values of `names`. A value comes from the
 * series (`own`, "" = none) or else from the sample; it is "" if both lack the label.
 */
export function createLabelReader(
  { sampleLabels, strings }: Dictionary,
  own: readonly string[],
  names: readonly string[],
): (labels: number) => string[] {
  return (labels) => {
    const values = [...own];
    for (let i = sampleLabels.entryStart[labels]; i < sampleLabels.entryStart[labels + 1]; i += 1) {
      const at = names.indexOf(strings.text(sampleLabels.key[i] as StringIndex));
      if (at === -1 || values[at] !== '') continue;
      const text = sampleLabels.text[i] as StringIndex;
      values[at] = text === 0 ? String(sampleLabels.number[i]) : strings.text(text);
    }
    return values;
  };
}
