// Reads labels of samples for grouping.
import type { Dictionary } from '../../model/dictionary.ts';
import type { StringIndex } from '../../model/rows.ts';

/**
 * A function from a SampleLabelsIndex to the values of `names`: the series' own where it has one
 * (`own`, "" = none), else the sample's; "" where neither has it.
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
