// Names a profile by its sample types if its sender does not name it.
import type { ValueType } from '../../model/profile-type.ts';

/** Profile names by a pattern of the sample type's name; the first match wins. */
const rules: readonly (readonly [RegExp, string])[] = [
  // This rule comes first, because CPU profiles of Node also contain wall time.
  [/^cpu/i, 'process_cpu'],
  [/^wall/, 'wall'],
  [/^(alloc|inuse)_|space|objects/, 'memory'],
  [/^mutex_|^contentions$|^delay$/, 'mutex'],
  [/^block_/, 'block'],
  [/^goroutines?$/, 'goroutine'],
  [/^threadcreate$/, 'threadcreate'],
];

/** Sample types of fgprof, a wall-time profiler for Go. */
const fgprofTypes = 'samples:count time:nanoseconds';

/**
 * Returns Go's usual name for profiles of these sample types; the name of the first type if no rule
 * matches. Mutex and block profiles of Go have the same types and are named mutex.
 */
export function guessProfileName(types: readonly ValueType[], period?: ValueType): string {
  for (const [form, name] of rules) if (types.some(({ type }) => form.test(type))) return name;
  if (types.map(({ type, unit }) => `${type}:${unit}`).join(' ') === fgprofTypes) return 'fgprof';
  // If the period is CPU time, counts of samples represent CPU time.
  const isOfCpu = period !== undefined && /^cpu/i.test(period.type);
  if (isOfCpu && types.some(({ type }) => /^samples?$/.test(type))) return 'process_cpu';
  return types[0]?.type || 'profile';
}
