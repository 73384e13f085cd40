// Labels of targets from the answer of an API, as in Prometheus.
import type { Label } from '../../model/labels.ts';
import { type Json, stringAt } from '../../base/text/json-values.ts';

/** Values by name; the names are without the prefix of their kind of discovery. */
export type Names = Readonly<Record<string, string>>;

/** Replaces each character that a label name cannot contain with `_`. */
export function sanitizeLabelName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_]/g, '_');
}

/** Returns the labels of a target; empty values are left out. */
export function targetLabels(address: string, prefix: string, names: Names): Label[] {
  return [{ name: '__address__', value: address }, ...metaLabels(prefix, names)];
}

export function metaLabels(prefix: string, names: Names): Label[] {
  const given = Object.entries(names).filter(([, value]) => value !== '');
  return given.map(([name, value]) => ({ name: `${prefix}${name}`, value }));
}

/** Returns the entries of a map, with `prefix` added to each name. */
export function prefixNames(prefix: string, map: Json): Names {
  return Object.fromEntries(
    Object.keys(map).map((key) => [`${prefix}${sanitizeLabelName(key)}`, stringAt(map, key)]),
  );
}

/**
 * Joins tags, with a separator before and after each tag. So a regular expression need not treat
 * the first and the last tag separately.
 */
export function joined(tags: readonly string[], separator: string): string {
  return tags.length === 0 ? '' : `${separator}${tags.join(separator)}${separator}`;
}
