// Makes gperftools CPU profiles, for tests.

/** Size and byte order of words. */
export interface WordForm {
  readonly bytes: 4 | 8;
  readonly isLittle: boolean;
}

/** Makes a file of stacks (each has a count and addresses), with a memory map at its end. */
export function cpuFile(
  stacks: readonly (readonly [count: number, ...addresses: number[]])[],
  map: string,
  { bytes, isLittle }: WordForm = { bytes: 8, isLittle: true },
): Uint8Array<ArrayBuffer> {
  const words = [0, 3, 0, 10_000, 0];
  for (const [count, ...addresses] of stacks) words.push(count, addresses.length, ...addresses);
  words.push(0, 1, 0);
  const text = new TextEncoder().encode(map);
  const file = new Uint8Array(words.length * bytes + text.length);
  const view = new DataView(file.buffer);
  words.forEach((word, i) => {
    if (bytes === 8) view.setBigUint64(i * 8, BigInt(word), isLittle);
    else view.setUint32(i * 4, word, isLittle);
  });
  file.set(text, words.length * bytes);
  return file;
}
