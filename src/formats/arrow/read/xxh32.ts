// The checksum of LZ4 frames: the 32-bit xxHash with seed 0.
//
// Source: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md

const prime1 = 0x9e37_79b1 | 0;
const prime2 = 0x85eb_ca77 | 0;
const prime3 = 0xc2b2_ae3d | 0;
const prime4 = 0x27d4_eb2f;
const prime5 = 0x1656_67b1;

/** Returns the checksum as an unsigned number. */
export function xxh32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { length } = bytes;
  let at = 0;
  let hash = prime5;
  if (length >= 16) {
    let a = (prime1 + prime2) | 0;
    let b = prime2;
    let c = 0;
    let d = -prime1 | 0;
    for (; at + 16 <= length; at += 16) {
      a = round(a, view.getInt32(at, true));
      b = round(b, view.getInt32(at + 4, true));
      c = round(c, view.getInt32(at + 8, true));
      d = round(d, view.getInt32(at + 12, true));
    }
    hash = rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18);
  }
  hash = (hash + length) | 0;
  for (; at + 4 <= length; at += 4) {
    hash = (hash + Math.imul(view.getInt32(at, true), prime3)) | 0;
    hash = Math.imul(rotated(hash, 17), prime4);
  }
  for (; at < length; at += 1) {
    hash = (hash + Math.imul(bytes[at], prime5)) | 0;
    hash = Math.imul(rotated(hash, 11), prime1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), prime2);
  hash = Math.imul(hash ^ (hash >>> 13), prime3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function round(sum: number, word: number): number {
  return Math.imul(rotated((sum + Math.imul(word, prime2)) | 0, 13), prime1);
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
