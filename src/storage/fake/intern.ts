// Interns stacks and sample labels that are given as strings. As in ingest, every table gets rows.
import { mixHash } from '../../model/hash-index.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { MappingIndex } from '../../model/rows.ts';

/** Interns a stack of functions, leaf first, and returns its row. */
export function internStack(dictionary: Dictionary, names: readonly string[]): number {
  const { strings, functions, locations, stacks } = dictionary;
  const file = strings.internText('main.go');
  const frames = names.map((name) => {
    const text = strings.internText(name);
    const functionRow = functions.intern(text, text, file, 1);
    const known = locations.find(0 as MappingIndex, functionRow, 0, functionRow);
    if (known !== 0) return known;
    const added = locations.add(0 as MappingIndex, functionRow, 0, functionRow);
    locations.addLine(functionRow, 7, 0);
    return added;
  });
  let low = stacks.seedLow;
  let high = stacks.seedHigh;
  for (const frame of frames) {
    low = mixHash(low, frame);
    high = mixHash(high, frame ^ 0x55);
  }
  const known = stacks.find(low, high);
  return known === 0 ? stacks.add(low, high, frames) : known;
}

/** Interns a set of sample labels and returns its row. */
export function internSampleLabels(
  { strings, sampleLabels }: Dictionary,
  labels: readonly (readonly [name: string, value: string])[],
): number {
  const unit = strings.internText('');
  const entries = labels.map(([name, value]) => ({
    key: strings.internText(name),
    text: strings.internText(value),
    number: 0n,
    unit,
  }));
  return sampleLabels.intern(entries.sort((a, b) => a.key - b.key));
}
