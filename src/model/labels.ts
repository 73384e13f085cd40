// Labels and label sets, which identify series.
import { AppError } from '../base/errors.ts';

/** A name and a value. An empty value means that the label is absent. */
export interface Label {
  readonly name: string;
  readonly value: string;
}

/** Labels sorted by name (by UTF-16 code units), with unique names and nonempty values. */
export type LabelSet = readonly Label[];

/** Name of the label that holds the profile name in pushes. */
export const profileNameLabel = '__name__';

const labelNameForm = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Returns true if a label may have this name. Source: Prometheus, Parca. */
export function isLabelName(name: string): boolean {
  return labelNameForm.test(name);
}

/**
 * Turns a string into a label name: characters other than letters, digits and "_" become "_", and a
 * "_" is added before a leading digit.
 */
export function toLabelName(text: string): string {
  const name = text.replace(/[^a-zA-Z0-9_]/gu, '_');
  return /^[a-zA-Z_]/.test(name) ? name : `_${name}`;
}

/**
 * Sorts labels into a LabelSet and drops labels with an empty value.
 *
 * Errors: AppError 'invalid-argument' "duplicate label name: X".
 */
export function createLabelSet(labels: Iterable<Label>): LabelSet {
  const sorted = [...labels].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (let i = 1; i < sorted.length; i += 1) {
    const { name } = sorted[i];
    if (sorted[i - 1].name === name) {
      throw new AppError('invalid-argument', `duplicate label name: ${name}`);
    }
  }
  return sorted.filter((label) => label.value !== '');
}

/** Returns the value of `name`; "" if the set does not have it. */
export function labelValue(labels: LabelSet, name: string): string {
  for (const label of labels) if (label.name === name) return label.value;
  return '';
}

/** Returns a string that is the same for equal label sets, and different for all others. */
export function labelSetKey(labels: LabelSet): string {
  let key = '';
  for (const { name, value } of labels) key += `${name}\u0000${value}\u0001`;
  return key;
}

/** Returns the labels as an object, for JSON. */
export function labelsToObject(labels: LabelSet): Readonly<Record<string, string>> {
  return Object.fromEntries(labels.map(({ name, value }) => [name, value]));
}

/** Formats labels like a selector: `{job="api", pod="1"}`. */
export function formatLabels(labels: LabelSet): string {
  return `{${labels.map(({ name, value }) => `${name}=${JSON.stringify(value)}`).join(', ')}}`;
}
