// Numbers of bytes as text, with units as Prometheus reads them.
import { AppError } from './errors.ts';

/** By their power of 1024. */
const unitLetters = ['K', 'M', 'G', 'T', 'P', 'E'];
const form = /^(\d+(?:\.\d+)?)\s*(?:([KMGTPE])I?)?B?$/;

/**
 * Bytes of "512MB", "1.5GiB", "10G" or "4096"; letters may be small. A kilobyte is 1024 bytes in
 * all of them, as in Prometheus.
 *
 * Errors: AppError 'invalid-argument'.
 */
export function parseByteSize(text: string): number {
  const match = form.exec(text.trim().toUpperCase());
  const power = match?.[2] === undefined ? 0 : unitLetters.indexOf(match[2]) + 1;
  const bytes = match === null ? Number.NaN : Math.round(Number(match[1]) * 1024 ** power);
  if (Number.isSafeInteger(bytes)) return bytes;
  throw new AppError(
    'invalid-argument',
    `cannot read size ${JSON.stringify(text)}: expected bytes such as 4096, 512MB or 1.5GiB`,
  );
}
