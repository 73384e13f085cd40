// The name of a profile whose sender gives none, from its sample types.
import type { ValueType } from '../../model/profile-type.ts';

/** Profile names by a pattern of the sample type's name; the first match counts. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/^wall/, 'wall'],
  [/^cpu/, 'process_cpu'],
  [/^(alloc|inuse)_|space|objects/, 'memory'],
  [/^mutex_|^contentions$|^delay$/, 'mutex'],
  [/^block_/, 'block'],
  [/^goroutines?$/, 'goroutine'],
  [/^threadcreate$/, 'threadcreate'],
];

/**
 * Returns Go's usual name for profiles of these sample types; the name of the first type where no
 * rule fits. Mutex and block profiles of Go have equal types and count as mutex.
 */
export function profileNameOf(types: readonly ValueType[]): string {
  for (const [form, name] of rules) if (types.some(({ type }) => form.test(type))) return name;
  return types[0]?.type || 'profile';
}
