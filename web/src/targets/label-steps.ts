// Parses and prints labels as strings, and finds the changes made by a relabeling rule.
import type { Labels } from '../rpc/targets.ts';

/** A label that a rule added, changed or removed. */
export interface LabelChange {
  readonly name: string;
  /** Value before the rule; "" = none. */
  readonly before: string;
  /** Value after the rule; "" = none. */
  readonly after: string;
}

/** Returns the changes between two steps, by label name. */
export function compareLabels(before: Labels, after: Labels): LabelChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .map((name) => ({ name, before: before[name] ?? '', after: after[name] ?? '' }))
    .filter((change) => change.before !== change.after);
}

/** Prints each label on its own line: `name=value`. */
export function printLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}

/** Parses lines `name=value`; a line without `=` is a label with an empty value. */
export function readLabels(text: string): Labels {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [name, ...rest] = line.split('=');
      return [name.trim(), rest.join('=')];
    }),
  );
}

/** Returns a selector of the series with these labels. */
export function formatSelector(labels: Labels): string {
  const conditions = Object.entries(labels).map(
    ([name, value]) => `${name}=${JSON.stringify(value)}`,
  );
  return `{${conditions.join(', ')}}`;
}
