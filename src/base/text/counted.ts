// Numbers with their nouns.

/** Returns `1 profile`, `3 profiles`; a noun that is the same in the plural is given twice. */
export function counted(count: number | bigint, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 || count === 1n ? noun : plural}`;
}
