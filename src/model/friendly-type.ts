// Readable names of profile types, for the page and parcatool.

/** Friendly name for each beginning of a type, in the order of the menu. */
const friendly: readonly (readonly [prefix: string, label: string])[] = [
  ['process_cpu:cpu', 'CPU time'],
  ['parca_agent:samples', 'On-CPU'],
  ['parca_agent_cpu:samples', 'On-CPU'],
  ['process_cpu:CPU', 'CPU time'],
  ['process_cpu:samples', 'CPU samples'],
  ['process_cpu:sample', 'CPU samples'],
  ['process_cpu:wall', 'Wall-clock time'],
  ['wall:wall', 'Wall-clock time'],
  ['wall:samples', 'Wall-clock samples'],
  ['wall:sample', 'Wall-clock samples'],
  ['memory:inuse_space', 'Memory in use'],
  ['memory:inuse_objects', 'Objects in use'],
  ['memory:alloc_space', 'Memory allocated'],
  ['memory:alloc_objects', 'Objects allocated'],
  ['memory:space', 'Memory in use'],
  ['memory:objects', 'Objects in use'],
  ['goroutine:goroutine', 'Goroutines'],
  ['mutex:delay', 'Mutex wait'],
  ['mutex:contentions', 'Mutex contentions'],
  ['block:delay', 'Blocking wait'],
  ['block:contentions', 'Blocking events'],
  ['fgprof:time', 'Wall-clock time'],
  ['fgprof:samples', 'Wall-clock samples'],
  ['scrape:up', 'Targets that are up'],
  ['scrape:duration', 'Time of scrapes'],
];

/** Returns a short name for people. */
export function friendlyName(type: string): string {
  const known = friendly.find(([prefix]) => type.startsWith(`${prefix}:`));
  if (known !== undefined) return known[1];
  const [name = '', sampleType = '', unit = ''] = type.split(':');
  if (sampleType === '') return name;
  return `${name} ${sampleType} (${unit})`.replaceAll('_', ' ');
}

/** Returns the position of a type in the menu; unknown types all have the same position. */
export function friendlyRank(type: string): number {
  const found = friendly.findIndex(([prefix]) => type.startsWith(`${prefix}:`));
  return found < 0 ? friendly.length : found;
}
