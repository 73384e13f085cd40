// Numbers with their nouns.

/**
 * Returns `1 profile`, `3 profiles`; `plural` is for irregular nouns. `digits` is the number as it
 * should be shown, for example with grouped digits.
 */
export function counted(
  count: number | bigint,
  noun: string,
  plural = `${noun}s`,
  digits = String(count),
): string {
  return `${digits} ${count === 1 || count === 1n ? noun : plural}`;
}
