// Numbers with their nouns.

/**
 * Returns `1 profile`, `3 profiles`; a noun that is the same in the plural is given twice. `digits`
 * is the number as it is written, such as with its digits in groups.
 */
export function counted(
  count: number | bigint,
  noun: string,
  plural = `${noun}s`,
  digits = String(count),
): string {
  return `${digits} ${count === 1 || count === 1n ? noun : plural}`;
}
