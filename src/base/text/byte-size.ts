// Numbers of bytes as text, with Prometheus units.
import { AppError } from '../errors.ts';

/** Letters of units, in the order of their powers of 1024. */
const unitLetters = ['K', 'M', 'G', 'T', 'P', 'E'];
const form = /^(\d+(?:\.\d+)?)\s*(?:B|([KMGTPE])I?B?)$/;

/**
 * Returns the number of bytes in a string such as "512MB", "1.5GiB", "10G", "4096B" or "0", in
 * upper or lower case. A kilobyte is always 1024 bytes. A number without a unit is refused, as in
 * Prometheus: 50 probably means gigabytes, and a limit of 50 bytes would delete all data.
 *
 * Errors: AppError 'invalid-argument'.
 */
export function parseByteSize(text: string): number {
  if (text.trim() === '0') return 0;
  const match = form.exec(text.trim().toUpperCase());
  const power = match?.[2] === undefined ? 0 : unitLetters.indexOf(match[2]) + 1;
  const bytes = match === null ? Number.NaN : Math.round(Number(match[1]) * 1024 ** power);
  if (Number.isSafeInteger(bytes)) return bytes;
  throw new AppError(
    'invalid-argument',
    `cannot read size ${JSON.stringify(text)}: expected a number with a unit such as 512MB, 1.5GiB or 4096B, or 0`,
  );
}

/** Returns the shortest exact string that parseByteSize reads: "4GiB", "1KiB", "1500B", "0". */
export function formatByteSize(bytes: number): string {
  if (bytes === 0) return '0';
  let count = bytes;
  let power = 0;
  while (count % 1024 === 0 && power < unitLetters.length) {
    count /= 1024;
    power += 1;
  }
  return power === 0 ? `${count}B` : `${count}${unitLetters[power - 1]}iB`;
}
