// CRC-32C (Castagnoli), the checksum of all bytes that storage writes.

const polynomial = 0x82f63b78;
/**
 * Eight tables of 256 entries: table k has the checksums of a byte followed by k zero bytes
 * ("slicing by 8").
 */
const tables = createTables();

/**
 * Returns the checksum of `bytes[start..end)` as an unsigned 32-bit number.
 *
 * `seed` continues an earlier checksum, or salts a new one; 0 gives the standard value.
 * Source: RFC 3720 appendix B.4 (iSCSI).
 */
export function crc32c(bytes: Uint8Array, start = 0, end: number = bytes.length, seed = 0): number {
  const t = tables;
  let crc = ~seed;
  let i = start;
  for (const last = end - 7; i < last; i += 8) {
    const low =
      crc ^ (bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24));
    crc =
      t[1792 + (low & 255)] ^
      t[1536 + ((low >>> 8) & 255)] ^
      t[1280 + ((low >>> 16) & 255)] ^
      t[1024 + (low >>> 24)] ^
      t[768 + bytes[i + 4]] ^
      t[512 + bytes[i + 5]] ^
      t[256 + bytes[i + 6]] ^
      t[bytes[i + 7]];
  }
  for (; i < end; i += 1) crc = (crc >>> 8) ^ t[(crc ^ bytes[i]) & 255];
  return ~crc >>> 0;
}

function createTables(): Int32Array {
  const result = new Int32Array(8 * 256);
  for (let i = 0; i < 256; i += 1) {
    let crc = i;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    result[i] = crc;
  }
  for (let i = 256; i < result.length; i += 1) {
    const previous = result[i - 256];
    result[i] = (previous >>> 8) ^ result[previous & 255];
  }
  return result;
}
