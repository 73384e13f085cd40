// MD5 for compatibility with other programs (hashmod in relabeling); not for security.
import { createHash, hash } from 'node:crypto';

/** Returns the 16 bytes of the MD5 of a string's UTF-8. */
export function md5(text: string): Uint8Array {
  return createHash('md5').update(text, 'utf8').digest();
}

/** Returns the MD5 of a string's UTF-8 in hexadecimal digits. */
export function hexMd5(text: string): string {
  return hash('md5', text, 'hex');
}
