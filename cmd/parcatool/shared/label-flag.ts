// The flag --label of commands that set labels.
import type { Label } from '../../../src/model/labels.ts';
import { invalidFlag } from '../../flag-table.ts';

/** Parses `name=value`. Errors: UsageError. */
export function readLabelFlag(given: string): Label {
  const end = given.indexOf('=');
  if (end > 0) return { name: given.slice(0, end), value: given.slice(end + 1) };
  throw invalidFlag(`--label must be name=value, not ${JSON.stringify(given)}`);
}
