// Labels as other protocols write them -> labels of series.
import { type Label, labelNameOf, profileNameLabel } from '../../model/labels.ts';

/**
 * Returns labels with names that queries can write: characters other than letters, digits and "_"
 * become "_". Of two labels with the same name the first counts.
 */
export function queryableLabels(labels: Iterable<Label>): Label[] {
  const byName = new Map<string, Label>();
  for (const { name, value } of labels) {
    const known = labelNameOf(name);
    if (!byName.has(known)) byName.set(known, { name: known, value });
  }
  return [...byName.values()];
}

/** Returns true if a label is a note of its sender, such as `__session_id__`. */
export function isPrivateLabel(name: string): boolean {
  return name !== profileNameLabel && name.startsWith('__') && name.endsWith('__');
}
