// Converts labels of other protocols to labels of series.
import { type Label, toLabelName, profileNameLabel } from '../../model/labels.ts';

/**
 * Returns labels with names that queries can use: characters other than letters, digits and "_"
 * become "_". If a name is repeated, only the first label is kept; if two names become equal, the
 * second name gets a number: `http_route`, `http_route_2`.
 */
export function queryableLabels(labels: Iterable<Label>): Label[] {
  const sent = new Map<string, string>();
  for (const { name, value } of labels) if (!sent.has(name)) sent.set(name, value);
  // Names that are already valid stay unchanged.
  const isPlain = (name: string): boolean => toLabelName(name) === name;
  const named = new Map<string, string>([...sent].filter(([name]) => isPlain(name)));
  for (const [name, value] of sent) {
    if (isPlain(name)) continue;
    const plain = toLabelName(name);
    let free = plain;
    for (let i = 2; named.has(free); i += 1) free = `${plain}_${i}`;
    named.set(free, value);
  }
  return Array.from(named, ([name, value]) => ({ name, value }));
}

/** Returns true if a label is private to its sender, such as `__session_id__`. */
export function isPrivateLabel(name: string): boolean {
  return name !== profileNameLabel && name.startsWith('__') && name.endsWith('__');
}
