// Tells text from binary data by the control characters at its start.

const sniffedBytes = 4_096;

/** Returns true for content that looks like text. */
export function isText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, sniffedBytes);
  return !start.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
}
